import { notify } from '#db/listen.ts';
import type { TextRow } from '#db/queries/import-rows.ts';
import { findSkusByCode, insertSkus, updateSkus } from '#db/queries/import-skus.ts';
import { cents } from '#domain/units.ts';
import type { Cells } from '#files/cells.ts';
import type { SkuColumn } from '#files/sku-format.ts';
import { type Blank, codeOf, difference, moneyField, textWithin, weightField } from './fields.ts';
import type { KindSpec, PassContext, Verdict } from './kind-spec.ts';
import { otherUnitNote } from './weight-unit.ts';

/** A name cannot be cleared; an unknown cost can: then the listing waits for a person instead of being priced. */
const FIELDS: Readonly<Record<string, Blank>> = {
  name: 'keeps',
  productCost: 'clears',
  weight: 'clears',
  packagingCost: 'clears',
  miscCost: 'clears',
  veeqoId: 'clears',
  tags: 'clears',
};
const NOTHING = cents(0);

/** SKUs, added or changed by their code. */
export const SKU_IMPORT: KindSpec<SkuColumn, TextRow> = {
  columns: ['sku', 'name', 'productCost', 'weight', 'packagingCost', 'miscCost', 'veeqoId', 'tags'],
  reader: () => {
    const lines = new Map<string, number>();
    return (cells) => {
      const row = readRow(cells);
      if (row === null) return null;
      const first = lines.get(row.sku ?? '');
      if (first === undefined) lines.set(row.sku ?? '', cells.line);
      else
        cells.reject(
          'sku',
          'is in this file already',
          `Delete one of the two rows; the first is line ${first}.`,
        );
      return first === undefined ? row : null;
    };
  },
  plan: async (db, entries, context, lock) => {
    const rows = entries.flatMap(({ row }) => (row === null ? [] : [row]));
    const stored = new Map<string, TextRow>();
    for (const found of await findSkusByCode(
      db,
      rows.map(({ sku }) => sku ?? ''),
      lock,
    )) {
      stored.set(found.sku ?? '', {
        ...found,
        ...(found.weight == null ? {} : { weight: weightField(Number(found.weight)) }),
      });
    }
    const created: TextRow[] = [];
    const updated: TextRow[] = [];
    const verdicts = rows.map((row): Verdict => {
      const what = row.sku ?? '';
      const old = stored.get(what);
      if (old === undefined) {
        created.push({ ...row, name: row.name ?? row.sku ?? null });
        return { kind: 'create', what };
      }
      const { changes, merged } = difference(old, row, FIELDS, context.present);
      if (changes.length === 0) return { kind: 'unchanged', what };
      updated.push(merged);
      return { kind: 'update', what, changes };
    });
    return {
      verdicts,
      notes: [
        ...weightUnits(context),
        ...(created.length > 0 ? [...missingColumns(context), ...shortenedCodes(created)] : []),
      ],
      write: async (tx) => {
        await insertSkus(tx, created, context.at);
        await updateSkus(tx, updated, context.at);
        if (created.length + updated.length > 0) await notify(tx, 'pricewright_listings', []);
      },
    };
  },
};

function readRow(cells: Cells<SkuColumn>): TextRow | null {
  const row = {
    sku: codeOf(cells, 'sku'),
    name: textWithin(cells, 'name', 500),
    productCost: moneyField(cells.amount('productCost')),
    weight: weightField(cells.weight('weight')),
    packagingCost: moneyField(cells.amount('packagingCost') ?? NOTHING),
    miscCost: moneyField(cells.amount('miscCost') ?? NOTHING),
    veeqoId: textWithin(cells, 'veeqoId', 200),
    tags: tagsOf(cells.text('tags')),
  };
  return cells.bad.length > 0 ? null : row;
}

/** Trimmed, without blanks, each once. */
function tagsOf(text: string | null): string {
  const tags = (text ?? '').split('|').map((tag) => tag.trim());
  return [...new Set(tags.filter((tag) => tag !== ''))].join('|');
}

const SHORTENED = /^\d(\.\d+)?E\+\d+$/i;

/** A code of many digits is a number to a spreadsheet, which saves what it shows of it. */
function shortenedCodes(created: readonly TextRow[]): string[] {
  if (!created.some(({ sku }) => SHORTENED.test(sku ?? ''))) return [];
  return [
    'Some codes look like numbers that a spreadsheet has shortened, such as 1.23457E+11. If they are, format their column as text and save the file again before you import it.',
  ];
}

function weightUnits({ headings }: PassContext): string[] {
  const note = otherUnitNote(headings.get('weight') ?? '');
  return note === null ? [] : [note];
}

function missingColumns({ present }: PassContext): string[] {
  const unknown = ['productCost', 'weight'].filter((name) => !present.has(name));
  const nothing = ['packagingCost', 'miscCost'].filter((name) => !present.has(name));
  return [
    ...(present.has('name') ? [] : ['The file has no column name: new SKUs are called by their code.']),
    ...unknown.map(
      (name) =>
        `The file has no column ${name}: it is unknown for new SKUs, and they wait until you enter it.`,
    ),
    ...nothing.map((name) => `The file has no column ${name}: new SKUs get 0.00.`),
  ];
}
