import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FEE_CONFIDENCES, type FeePublication } from '#domain/fees/fee-publication.ts';
import type { FeeBand, FeeSchedule } from '#domain/fees/fee-schedule.ts';
import { checkFeeSchedule } from '#domain/fees/fee-tables.ts';
import { MARKETPLACES } from '#domain/marketplaces.ts';
import { textSource } from './byte-source.ts';
import type { Cells } from './cells.ts';
import { FEE_FORMAT, type FeeColumn, readFee } from './fee-format.ts';
import { FileError } from './file-error.ts';
import { keywordsOf } from './keywords.ts';
import { problemText } from './row-problem.ts';
import { shippedFolder } from './shipped-folder.ts';
import { Table, type TableFormat } from './table.ts';
import { readRows } from './table-rows.ts';

/** A published fee schedule that the program brings along. */
export interface ShippedSchedule extends FeeSchedule {
  /** The seller's plan with the marketplace that it belongs to; null: it is the same for all plans. */
  readonly plan: string | null;
  readonly publication: FeePublication;
}

type ShippedColumn = FeeColumn | 'plan' | 'source' | 'sourceDate' | 'confidence' | 'note';

/** A fees file, with the source of every row. */
const SHIPPED_FORMAT: TableFormat<ShippedColumn> = {
  columns: {
    ...FEE_FORMAT.columns,
    plan: 'required',
    source: 'required',
    sourceDate: 'required',
    confidence: 'required',
    note: 'required',
  },
};

const CONFIDENCE_KEYWORDS = keywordsOf(FEE_CONFIDENCES);

/**
 * Reads the published fees of every marketplace, a file for each, by rising bands.
 * @param folder of the files; found automatically from source, in tests and in the build
 * @throws FileError for a file that is missing, or in which anything cannot be used: half a table would be a wrong fee
 */
export async function readShippedFees(folder = shippedFolder('shipped-fees')): Promise<ShippedSchedule[]> {
  const files = MARKETPLACES.map((marketplace) => join(folder, `${marketplace}.csv`));
  return (await Promise.all(files.map(readFileOf))).flat();
}

async function readFileOf(path: string): Promise<ShippedSchedule[]> {
  const schedules = new Map<string, ShippedSchedule & { readonly bands: FeeBand[] }>();
  const table = await Table.open(path, textSource(await readFile(path)), SHIPPED_FORMAT);
  await readRows(table, refuse, {
    onRow(cells) {
      const { marketplace, category, effectiveFrom, bandKind, edgeBase, band } = readFee(cells);
      const rest = readPublication(cells);
      if (marketplace === null || bandKind === null || band === null || rest === null) return;
      const key = JSON.stringify([marketplace, category, effectiveFrom, rest.plan]);
      const known = schedules.get(key);
      if (known !== undefined) known.bands.push(band);
      else {
        const schedule = { marketplace, category, effectiveFrom, bandKind, edgeBase: edgeBase ?? 'revenue' };
        schedules.set(key, { ...schedule, bands: [band], ...rest });
      }
    },
  });
  for (const schedule of schedules.values()) {
    const problem = checkFeeSchedule(schedule);
    if (problem !== null) throw new FileError(`${path}, ${schedule.category ?? 'default'}: ${problem}`);
  }
  return [...schedules.values()];
}

function readPublication(cells: Cells<ShippedColumn>): Pick<ShippedSchedule, 'plan' | 'publication'> | null {
  const title = cells.required('source', cells.text('source'), 'Name where the fee was read.');
  const confidence = cells.required(
    'confidence',
    cells.word('confidence', CONFIDENCE_KEYWORDS),
    CONFIDENCE_KEYWORDS.fix,
  );
  if (title === null || confidence === null) return null;
  const publication = { title, date: cells.moment('sourceDate'), confidence, note: cells.text('note') };
  return { plan: cells.text('plan'), publication };
}

function refuse(problem: Parameters<typeof problemText>[0]): never {
  throw new FileError(problemText(problem));
}

/** The schedules of a seller's plans. @param plans by marketplace; one that is not named has its first plan */
export function schedulesOfPlans(
  shipped: readonly ShippedSchedule[],
  plans: ReadonlyMap<string, string> = new Map(),
): ShippedSchedule[] {
  const chosen = new Map(plans);
  return shipped.filter(({ marketplace, plan }) => {
    if (plan === null) return true;
    if (!chosen.has(marketplace)) chosen.set(marketplace, plan);
    return chosen.get(marketplace) === plan;
  });
}
