import type { ImportLines } from '#contract/imports.ts';
import { IMPORT_KINDS } from '#contract/imports.ts';
import type { Db } from '#db/client.ts';
import { type ImportLineRow, listLines } from '#db/queries/catalog/imports.ts';
import { csvLine } from '#files/csv-writer.ts';
import { IMPORT_FORMATS } from '#files/import-columns.ts';
import { AppError } from '#usecases/app-error.ts';
import { requireImport } from './require-import.ts';
import { storedBytes } from './stored-bytes.ts';

type Lines = (typeof ImportLines)['_output'];

/** Samples of what would happen, or has happened. @throws AppError not_found */
export async function readLines(db: Db, id: number, status: ImportLineRow['status']): Promise<Lines> {
  await requireImport({ db }, id);
  const rows = await listLines(db, id, status);
  return {
    lines: rows.map(({ line, label, details }) => ({
      line,
      label,
      title: details.title ?? null,
      changes: [...(details.changes ?? [])],
    })),
    problems: rows.flatMap(({ line, details }) =>
      (details.problems ?? []).map((problem) => ({ line, ...problem })),
    ),
  };
}

/**
 * The rejected rows as a file that imports again: the original columns, and the error.
 * @throws AppError not_found when no row is rejected
 */
export async function rejectedRows(
  db: Db,
  id: number,
): Promise<{ fileName: string; bytes: AsyncIterable<Buffer> }> {
  const { fileName, findings } = await requireImport({ db }, id);
  if (findings === null || findings.counts.rejected === 0) {
    throw new AppError('not_found', 'No row of this file is rejected.');
  }
  const name = fileName.replace(/\.[^.]*$/, '').replace(/[^\w .-]/g, '_');
  return { fileName: `${name} rejected.csv`, bytes: withByteOrderMark(storedBytes(db, id, 'rejected')) };
}

/** Without it spreadsheets do not recognize UTF-8. */
async function* withByteOrderMark(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield Buffer.from('\ufeff');
  yield* bytes;
}

/** The most common columns; the import supports more. */
const TEMPLATE_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  skus: ['sku', 'name', 'productCost', 'weight', 'packagingCost', 'miscCost', 'veeqoId'],
  listings: ['sku', 'title', 'currentPrice', 'fulfillmentType', 'marketplaceItemId'],
};
/** The template uses an older column name, which the import also accepts. */
const TEMPLATE_NAMES: Readonly<Record<string, string>> = { marketplaceItemId: 'walmartItemId' };

/** A file to fill in, with one row as an example. @param file "listings.csv" */
export function templateOf(file: string): string {
  const kind = IMPORT_KINDS.find((known) => `${known}.csv` === file);
  if (kind === undefined) throw new AppError('not_found', `There is no template ${file}.`);
  const { columns, example } = IMPORT_FORMATS[kind];
  const wanted = TEMPLATE_COLUMNS[kind];
  const chosen = columns
    .map(({ name }, at) => ({ name, value: example[at] ?? '' }))
    .filter(({ name }) => wanted?.includes(name) ?? true);
  const header = chosen.map(({ name }) => (kind === 'listings' ? (TEMPLATE_NAMES[name] ?? name) : name));
  return csvLine(header) + csvLine(chosen.map(({ value }) => value));
}
