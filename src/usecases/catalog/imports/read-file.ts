import type { Db } from '#db/client.ts';
import type { ImportRow } from '#db/queries/catalog/imports.ts';
import type { StoredLayout } from '#db/schema/imports.ts';
import { ColumnTally } from '#files/column-tally.ts';
import { FileError } from '#files/file-error.ts';
import { headerNames } from '#files/header.ts';

import { Table } from '#files/table.ts';
import type { TextEncoding } from '#files/text-encoding.ts';
import { countTitleLines } from '#files/title-lines.ts';
import { TotalRows } from '#files/total-rows.ts';
import { countKnown, sourceOf } from './column-choice.ts';
import { storedSource } from './stored-bytes.ts';

const PREVIEW_ROWS = 5;

/** What a stored file shows before any of its columns is chosen. */
interface FileFacts extends Pick<ImportRow, 'header' | 'rawQuotes' | 'preview' | 'numbers' | 'layout'> {
  readonly separator: string;
}

type Stored = Pick<ImportRow, 'id' | 'kind' | 'fileName'>;

/**
 * Reads a stored file once: where its header and its totals are, its first rows, and the number formats of all rows, since
 * the last row may be the one that makes them clear.
 * @throws FileError for a file without a header of several columns
 */
export async function readFile(db: Db, stored: Stored, encoding: TextEncoding): Promise<FileFacts> {
  const { id, kind, fileName } = stored;
  const encoded: StoredLayout = encoding === 'utf-8' ? {} : { encoding };
  const titleLines = await countTitleLines(storedSource(db, { id, layout: encoded }), (cells) =>
    countKnown(kind, cells),
  );
  const found: Pick<FileFacts, 'header' | 'separator' | 'rawQuotes'>[] = [];
  const table = await Table.openWith(
    fileName,
    storedSource(db, { id, layout: encoded }),
    (row, byte) => {
      const header = headerNames(row);
      if (header.length === 1) throw new FileError(oneColumn(row.line, header[0] ?? ''));
      const separator = String.fromCharCode(byte);
      const rawQuotes = sourceOf(kind, header) === 'amazon' && separator === '\t';
      found.push({ header, separator, rawQuotes });
      return { header: { at: {}, names: header, unknown: [] }, quotes: rawQuotes ? 'raw' : 'paired' };
    },
    titleLines,
  );
  const [head] = found;
  if (head === undefined) throw new Error('A table was opened without a header.');
  const preview: string[][] = [];
  const tally = new ColumnTally(head.header.length);
  const totals = new TotalRows();
  let rows = 0;
  try {
    await table.read((row) => {
      if (row.isEmpty()) return;
      rows += 1;
      tally.add(row);
      totals.add(row);
      if (preview.length < PREVIEW_ROWS) {
        preview.push(Array.from({ length: Math.min(row.count, 256) }, (_none, cell) => row.raw(cell)));
      }
    });
  } catch (error) {
    // The check reports an error further down; the header and these rows can be shown.
    if (!(error instanceof FileError)) throw error;
  } finally {
    await table.close();
  }
  const totalLines = totals.lines;
  const layout = {
    ...encoded,
    ...(titleLines > 0 ? { titleLines } : {}),
    ...(totalLines.length > 0 ? { totalLines } : {}),
    rows: rows - totalLines.length,
  };
  return { ...head, preview: preview.slice(0, layout.rows), numbers: tally.found(totalLines), layout };
}

function oneColumn(line: number, heading: string): string {
  return `line ${line}: the header has one column, ${JSON.stringify(heading.slice(0, 60))}. Separate the columns by commas, semicolons, tabs or |.`;
}
