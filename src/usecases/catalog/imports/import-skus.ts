import { LONGEST_TAG, MAX_TAGS } from '#contract/labels.ts';
import { notify } from '#db/listen.ts';
import { readDatedSkuCosts } from '#db/queries/catalog/due-sales.ts';
import type { TextRow } from '#db/queries/catalog/import-rows.ts';
import {
  findSkusByCode,
  findSkusOfListings,
  insertSkus,
  updateSkus,
} from '#db/queries/catalog/import-skus.ts';
import { findSimilarSkus } from '#db/queries/catalog/similar-codes.ts';
import { addSkuCosts } from '#db/queries/catalog/sku-costs.ts';
import { centsFromDecimal } from '#domain/decimal.ts';
import { groupBy } from '#domain/group-by.ts';
import { backdatedCosts, type DatedSkuCosts, type SkuCostChange } from '#domain/sales/dated-costs.ts';
import { type Cents, cents, type Instant, instant, type Ounces } from '#domain/units.ts';
import { ouncesOf, type WeightUnit } from '#domain/written/weight-units.ts';
import type { Cells } from '#files/cells.ts';
import type { ReportColumn } from '#files/report-sources.ts';
import type { SkuColumn } from '#files/sku-format.ts';
import { type ChangedSku, costEffect, findJumps } from './cost-effect.ts';
import {
  type Blank,
  difference,
  initialValues,
  labelField,
  moneyField,
  sinceChange,
  sinceField,
  textWithin,
  weightField,
} from './fields.ts';
import type { Importer, PassContext, RowOutcome } from './importer.ts';
import { ofProduct, reportedCode, variantTitles } from './read-report.ts';
import { CodesSeen, similarCodeNotes } from './similar-codes.ts';
import { UNIT_NAMES } from './weight-unit.ts';

/**
 * A name cannot be cleared; a cost can, and is then unknown, which blocks the listing. A blank cell does not end that a SKU is
 * hazardous: that would lower its fee.
 */
const FIELDS: Readonly<Record<string, Blank>> = {
  name: 'keeps',
  productCost: 'clears',
  weight: 'clears',
  packagingCost: 'clears',
  miscCost: 'clears',
  veeqoId: 'clears',
  tags: 'clears',
  brand: 'clears',
  supplier: 'clears',
  length: 'clears',
  width: 'clears',
  height: 'clears',
  isHazardous: 'keeps',
};
/** A blank cell of a report says nothing about the stored value. */
const REPORT_FIELDS: Readonly<Record<string, Blank>> = Object.fromEntries(
  Object.keys(FIELDS).map((field) => [field, 'keeps'] as const),
);
const fieldsOf = ({ source }: PassContext): Readonly<Record<string, Blank>> =>
  source === 'own' ? FIELDS : REPORT_FIELDS;

const NOTHING = cents(0);

type SkuCells = Cells<SkuColumn | ReportColumn>;

/** Fields that the lowest allowed price does not depend on. */
const KEEPS_FLOOR: ReadonlySet<string> = new Set([
  'name',
  'brand',
  'supplier',
  'veeqoId',
  'tags',
  'effectiveFrom',
]);

/** SKUs, added or changed by their code. */
export const SKU_IMPORT: Importer<SkuColumn | ReportColumn, TextRow> = {
  columns: [
    ...(['sku', 'name', 'productCost', 'weight', 'packagingCost', 'miscCost', 'veeqoId', 'tags'] as const),
    ...(['brand', 'supplier', 'length', 'width', 'height', 'isHazardous', 'effectiveFrom'] as const),
    ...(['group', 'option1', 'option2', 'option3'] as const),
  ],
  reader: skuReader,
  touchesFloors: (outcome) =>
    outcome.kind === 'create' ||
    (outcome.kind === 'update' && outcome.changes.some(({ field }) => !KEEPS_FLOOR.has(field))),
  parts: { keyOf: ({ sku }) => sku ?? '', of: findSkusOfListings },
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
        ...storedMeasures(found),
      });
    }
    const dated = groupBy(
      await readDatedSkuCosts(
        db,
        rows.flatMap(({ sku, effectiveFrom }) => (sku != null && effectiveFrom != null ? [sku] : [])),
      ),
      ({ sku }) => sku,
    );
    const created: TextRow[] = [];
    const updated: TextRow[] = [];
    const backdated: (DatedSkuCosts & { skuId: number })[] = [];
    const changed: ChangedSku[] = [];
    let keptCosts = 0;
    const outcomes = rows.map((row): RowOutcome => {
      const what = row.sku ?? '';
      const old = stored.get(what);
      if (old === undefined) {
        created.push({ ...row, name: row.name ?? row.sku ?? null });
        const changes = initialValues(row, ['productCost', 'weight', 'packagingCost'], context.present);
        return { kind: 'create', what, title: row.name, changes };
      }
      const { changes, merged } = difference(
        old,
        kept(row, old, context),
        fieldsOf(context),
        context.present,
      );
      if (context.readings.known === 'keep' && saysOther(row, merged, context)) keptCosts += 1;
      const since = row.effectiveFrom ?? null;
      const earlier = since === null ? [] : earlierCosts(dated.get(what) ?? [], row, merged, since, context);
      backdated.push(...earlier.map((costs) => ({ ...costs, skuId: Number(old.id) })));
      if (changes.length > 0) {
        updated.push(merged);
        changed.push({ old, merged });
      }
      const said = since === null || earlier.length === 0 ? changes : [...changes, sinceChange(since)];
      if (said.length === 0) return { kind: 'unchanged', what, title: old.name };
      return { kind: 'update', what, title: old.name, changes: said };
    });
    return {
      outcomes,
      jumps: findJumps(changed),
      ...(lock || changed.length === 0 ? {} : { effect: await costEffect(db, changed, context.at) }),
      notes: [
        ...weightUnits(context),
        ...(created.length > 0 ? [...missingColumns(context), ...shortenedCodes(created)] : []),
        ...similarCodeNotes(
          created,
          await findSimilarSkus(
            db,
            created.map(({ sku }) => sku ?? ''),
          ),
        ),
        ...(keptCosts > 0 ? [KEPT_NOTE] : []),
      ],
      write: async (tx) => {
        await insertSkus(tx, created, context.at);
        await updateSkus(tx, updated, context.at);
        await addSkuCosts(tx, backdated, context.at);
        if (created.length + updated.length > 0) await notify(tx, 'pricewright_listings', []);
      },
    };
  },
};

/** What is to be added for the costs of a row to apply from an earlier moment: those that the file has. */
function earlierCosts(
  entered: readonly DatedSkuCosts[],
  row: TextRow,
  merged: TextRow,
  since: string,
  { present }: PassContext,
): DatedSkuCosts[] {
  const amount = (name: string): Cents | null => {
    const text = merged[name] ?? null;
    return text === null ? null : centsFromDecimal(text);
  };
  const measure = (name: string): number | null => (merged[name] == null ? null : Number(merged[name]));
  const fields = {
    productCost: amount('productCost'),
    packagingCost: amount('packagingCost') ?? NOTHING,
    miscCost: amount('miscCost') ?? NOTHING,
    weight: measure('weight') as Ounces | null,
    length: measure('length'),
    width: measure('width'),
    height: measure('height'),
    isHazardous: merged.isHazardous === 'true',
  };
  const names: Readonly<Record<string, string>> = {
    length: 'lengthIn',
    width: 'widthIn',
    height: 'heightIn',
  };
  // A blank cell that keeps what is stored says nothing about the time before.
  const isKept = (name: string): boolean => row[name] == null && merged[name] != null;
  const change: SkuCostChange = Object.fromEntries(
    Object.entries(fields)
      .filter(([name]) => present.has(name) && !isKept(name))
      .map(([name, value]) => [names[name] ?? name, value]),
  );
  return backdatedCosts(entered, change, instant(Date.parse(since)));
}

/** Reads SKUs of our own files and of Shopify's export; a second row of the same code is rejected. */
function skuReader({ source, at }: PassContext): (cells: SkuCells) => TextRow | null | 'skip' {
  const lines = new Map<string, number>();
  const codes = new CodesSeen();
  const isShopify = source === 'shopify';
  const nameOf = isShopify ? variantTitles<SkuColumn>(plainName) : plainName;
  const plainBrand = (cells: SkuCells): string | null => labelField(cells, 'brand', source === 'own');
  const brandOf = isShopify ? ofProduct<SkuColumn>(plainBrand) : plainBrand;
  // Shopify separates tags with commas.
  const plainTags = (cells: SkuCells): string => tagsOf(cells, isShopify ? ',' : '|');
  const taggedAs = isShopify ? ofProduct<SkuColumn>((cells) => plainTags(cells) || null) : plainTags;
  return (cells) => {
    const product = { name: nameOf(cells), brand: brandOf(cells), tags: taggedAs(cells) ?? '' };
    // Picture rows, and variants without a code.
    if (isShopify && cells.text('sku') === null) return 'skip';
    const row = readRow(cells, reportedCode(cells, 'sku', source), product, source, at);
    if (row === null) return null;
    const sku = row.sku ?? '';
    const first = lines.get(sku);
    if (first === undefined) {
      lines.set(sku, cells.line);
      return { ...row, twin: codes.add(sku) };
    }
    const fix = `Delete one of the two rows; the first is line ${first}.`;
    cells.reject('sku', 'is already in this file', fix);
    return null;
  };
}

function plainName(cells: SkuCells): string | null {
  return textWithin(cells, 'name', 500);
}

function readRow(
  cells: SkuCells,
  sku: string | null,
  {
    name,
    brand,
    tags,
  }: { readonly name: string | null; readonly brand: string | null; readonly tags: string },
  source: PassContext['source'],
  now: Instant,
): TextRow | null {
  const isHazardous = cells.flag('isHazardous');
  const row = {
    sku,
    name: name === null ? null : [...name].slice(0, 500).join(''),
    productCost: moneyField(cells.amount('productCost')),
    weight: weightField(weightOf(cells, source)),
    packagingCost: moneyField(cells.amount('packagingCost') ?? NOTHING),
    miscCost: moneyField(cells.amount('miscCost') ?? NOTHING),
    veeqoId: textWithin(cells, 'veeqoId', 200),
    tags,
    brand,
    supplier: labelField(cells, 'supplier', source === 'own'),
    length: weightField(cells.inches('length')),
    width: weightField(cells.inches('width')),
    height: weightField(cells.inches('height')),
    isHazardous: isHazardous === null ? null : String(isHazardous),
    effectiveFrom: sinceField(cells, now),
  };
  return cells.bad.length > 0 ? null : row;
}

const MEASURES = ['weight', 'length', 'width', 'height'] as const;

/** Weight and sides of a stored row in the text that equal ones of a file have. */
function storedMeasures(found: TextRow): TextRow {
  return Object.fromEntries(
    MEASURES.map((name) => [name, found[name] == null ? null : weightField(Number(found[name]))]),
  );
}

/** Stores export 0 for a product without a weight. */
function weightOf(cells: SkuCells, source: PassContext['source']): number | null {
  const weight = cells.weight('weight');
  return source !== 'own' && weight === 0 ? null : weight;
}

/** Trimmed, without blanks or duplicates, separated by |. */
function tagsOf(cells: SkuCells, separator: '|' | ','): string {
  const parts = (cells.text('tags') ?? '').split(separator).map((tag) => tag.replaceAll('|', '/').trim());
  const tags = [...new Set(parts.filter((tag) => tag !== ''))];
  if (tags.length > MAX_TAGS) cells.reject('tags', `has more than ${MAX_TAGS} tags`, 'Leave some out.');
  else if (tags.some((tag) => tag.length > LONGEST_TAG)) {
    cells.reject(
      'tags',
      `has a tag longer than ${LONGEST_TAG} characters`,
      `Shorten it, or put | between tags.`,
    );
  }
  return tags.join('|');
}

const SHORTENED = /^\d(\.\d+)?E\+\d+$/i;

/** Spreadsheets shorten codes of many digits as numbers when they save. */
function shortenedCodes(created: readonly TextRow[]): string[] {
  if (!created.some(({ sku }) => SHORTENED.test(sku ?? ''))) return [];
  return [
    'Some codes look like numbers that a spreadsheet has shortened, such as 1.23457E+11. If they are, format their column as text and save the file again before you import it.',
  ];
}

function weightUnits({ headings, readings }: PassContext): string[] {
  const { weightUnit = 'oz' } = readings;
  const heading = headings.get('weight');
  if (heading === undefined || weightUnit === 'oz') return [];
  const [from, to] = EXAMPLES[weightUnit];
  return [
    `Weights in "${heading}" are in ${UNIT_NAMES[weightUnit]} and are converted to ounces: ${from} is ${to} oz.`,
  ];
}

const KEPT_NOTE =
  'Some SKUs keep their cost or weight although the file has different values. To use the values of the file, choose that under Columns.';

/** A weight of the file, converted. */
const EXAMPLES = {
  lb: ['0.55', ouncesOf(0.55, 'lb')],
  kg: ['0.25', ouncesOf(0.25, 'kg')],
  g: ['250', ouncesOf(250, 'g')],
} as const satisfies Record<Exclude<WeightUnit, 'oz'>, readonly [string, number]>;

/** Fills in unknown costs and weights and updates the name, where the file must not replace known ones. */
function kept(row: TextRow, old: TextRow, { readings }: PassContext): TextRow {
  if (readings.known !== 'keep') return row;
  const { name, ...rest } = old;
  const known = Object.entries(rest).filter(([field, value]) => isKnown(field, value));
  return { ...row, name: name ?? null, ...Object.fromEntries(known) };
}

/** Whether the file has another cost or weight than the one that is kept. */
function saysOther(row: TextRow, merged: TextRow, { present }: PassContext): boolean {
  return ['productCost', 'weight'].some(
    (field) => present.has(field) && row[field] != null && row[field] !== merged[field],
  );
}

const UNKNOWN_AT_ZERO: ReadonlySet<string> = new Set(['productCost', ...MEASURES]);

/** Whether a value is known; a cost, weight or side of 0 is not, nor are empty tags, nor that a SKU was not marked as hazardous. */
function isKnown(field: string, value: string | null): boolean {
  if (value === null || value === '' || !(field in FIELDS)) return false;
  if (field === 'isHazardous') return value === 'true';
  return UNKNOWN_AT_ZERO.has(field) ? Number(value) > 0 : true;
}

function missingColumns({ present }: PassContext): string[] {
  const unknown = ['productCost', 'weight'].filter((name) => !present.has(name));
  const nothing = ['packagingCost', 'miscCost'].filter((name) => !present.has(name));
  return [
    ...(present.has('name')
      ? []
      : ['The file has no column name: the code is used as the name of new SKUs.']),
    ...unknown.map(
      (name) =>
        `The file has no column ${name}: it is unknown for new SKUs. Listings with these SKUs are not repriced until you enter it.`,
    ),
    ...nothing.map((name) => `The file has no column ${name}: new SKUs get 0.00.`),
  ];
}
