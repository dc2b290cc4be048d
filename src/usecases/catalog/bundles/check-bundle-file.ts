import { type CheckedBundles, MOST_COMPONENTS } from '#contract/bundles.ts';
import type { Db } from '#db/client.ts';
import { findBundleCodes } from '#db/queries/catalog/bundle-codes.ts';
import { findComponents, findSkuIds } from '#db/queries/catalog/import-bundles.ts';
import { BUNDLE_FORMAT, type BundleColumn, readQuantity } from '#files/bundle-format.ts';
import { textSource } from '#files/byte-source.ts';
import { Cells } from '#files/cells.ts';
import type { CsvRow } from '#files/csv-row.ts';
import { FileError } from '#files/file-error.ts';
import { Table } from '#files/table.ts';
import { AppError } from '#usecases/app-error.ts';
import { bundleFinder } from '#usecases/catalog/imports/bundle-finder.ts';
import { textWithin } from '#usecases/catalog/imports/fields.ts';

const PREVIEW_ROWS = 5;
const MAX_ERRORS = 100;
const MAX_CODE_LENGTH = 200;

/**
 * Reads a bundles file with the reader of the imports and looks its SKUs up. Writes nothing.
 * @throws AppError validation_failed for a file that is no CSV, lacks a column, or has too many rows
 */
export async function checkBundleFile(db: Db, fileName: string, bytes: Uint8Array): Promise<CheckedBundles> {
  const rows = await readRows(fileName, bytes);
  const ids = await findSkuIds(
    db,
    rows.flatMap(({ sku }) => sku ?? []),
  );
  const isBundle = await bundlesAmong(db, rows);
  const firstLines = new Map<string, number>();
  const errors: string[] = [];
  const components: CheckedBundles['components'] = [];
  for (const { line, listingSku, sku, quantity, error } of rows) {
    const componentSkuId = ids.get(sku ?? '');
    const key = JSON.stringify([listingSku, sku]);
    const first = firstLines.get(key);
    if (error !== null || listingSku === null || quantity === null) errors.push(`Line ${line}: ${error}`);
    else if (componentSkuId === undefined) errors.push(`Line ${line}: SKU "${sku}" not found`);
    else if (first !== undefined) {
      errors.push(`Line ${line}: SKU "${sku}" is already in this bundle on line ${first}`);
    } else if (isBundle(listingSku, sku ?? '')) {
      errors.push(`Line ${line}: SKU "${sku}" is itself a bundle: add its components instead`);
    } else components.push({ listingSku, componentSkuId, quantity });
    if (first === undefined) firstLines.set(key, line);
  }
  const named = [...new Set(components.map(({ listingSku }) => listingSku))];
  const stored = await findComponents(db, named);
  return {
    components,
    bundles: named.length,
    replaced: new Set(stored.map(({ listingSku }) => listingSku)).size,
    preview: rows.slice(0, PREVIEW_ROWS).map(({ line, written }) => ({ line, ...written })),
    errorCount: errors.length,
    errors: errors.slice(0, MAX_ERRORS),
  };
}

/** Whether a component of a bundle is one itself, by what is stored and by the file, which comes in its place. */
async function bundlesAmong(
  db: Db,
  rows: readonly FileRow[],
): Promise<(listingSku: string, sku: string) => boolean> {
  const stored = await findBundleCodes(
    db,
    rows.flatMap(({ sku }) => sku ?? []),
  );
  return bundleFinder(rows, stored);
}

interface FileRow {
  readonly line: number;
  readonly listingSku: string | null;
  readonly sku: string | null;
  readonly quantity: number | null;
  /** What is wrong with the row, in the specification's words where it has some; null for a good row. */
  readonly error: string | null;
  readonly written: { readonly listingSku: string; readonly sku: string; readonly quantity: string };
}

async function readRows(fileName: string, bytes: Uint8Array): Promise<FileRow[]> {
  const rows: FileRow[] = [];
  try {
    const table = await Table.open(fileName, textSource(bytes), BUNDLE_FORMAT);
    const cells = new Cells(table.file, table.header, () => undefined);
    await table.read((row) => {
      rows.push(rowOf(cells, row, table.header.names.length));
      if (rows.length > MOST_COMPONENTS) throw tooManyRows(fileName);
    });
  } catch (error) {
    if (error instanceof FileError) throw new AppError('validation_failed', error.message);
    throw error;
  }
  return rows;
}

function rowOf(cells: Cells<BundleColumn>, row: CsvRow, expectedCells: number): FileRow {
  const isSound = cells.begin(row);
  const broken = cells.bad[0];
  const written = {
    listingSku: cells.text('listing_sku') ?? '',
    sku: cells.text('component_sku') ?? '',
    quantity: cells.text('quantity') ?? '',
  };
  const isShort = row.fault === null && row.count < expectedCells;
  const unread = { line: row.line, listingSku: null, sku: null, quantity: null, written };
  if (isShort || (isSound && Object.values(written).includes(''))) {
    return { ...unread, error: 'Missing required fields' };
  }
  if (!isSound) return { ...unread, error: `the row ${broken?.problem}. ${broken?.fix}` };
  const quantity = readQuantity(cells);
  if (quantity === null) return { ...unread, error: `Invalid quantity "${written.quantity}"` };
  const listingSku = textWithin(cells, 'listing_sku', MAX_CODE_LENGTH);
  const sku = textWithin(cells, 'component_sku', MAX_CODE_LENGTH);
  const [tooLong] = cells.bad;
  const error = tooLong === undefined ? null : `${tooLong.column} ${tooLong.problem}`;
  return { line: row.line, listingSku, sku, quantity, error, written };
}

function tooManyRows(fileName: string): AppError {
  const most = MOST_COMPONENTS.toLocaleString('en-US');
  return new AppError(
    'validation_failed',
    `${fileName} has more than ${most} rows. Import it under Imports, where large files are checked and written in steps.`,
  );
}
