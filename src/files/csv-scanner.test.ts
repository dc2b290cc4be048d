import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { asMany } from '#tests/support/breadth.ts';
import type { ByteSource } from './byte-source.ts';
import { MAX_CELL_BYTES } from './csv-limits.ts';
import { FileError } from './file-error.ts';
import { Table } from './table.ts';

/** Bytes that arrive at most `size` at a time. */
function dripping(bytes: Uint8Array, size: number): ByteSource {
  let at = 0;
  return {
    async read(target) {
      const part = bytes.subarray(at, at + Math.min(size, target.length));
      target.set(part);
      at += part.length;
      return part.length;
    },
    async close() {
      at = bytes.length;
    },
  };
}

interface Read {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly lines: readonly number[];
  readonly faults: readonly string[];
}

async function readAll(text: string | Uint8Array, chunk = 1_000_000): Promise<Read> {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  const table = await Table.open('a.csv', dripping(bytes, chunk), { columns: {} });
  const rows: string[][] = [];
  const lines: number[] = [];
  const faults: string[] = [];
  await table.read((row) => {
    rows.push(Array.from({ length: row.count }, (_, cell) => row.raw(cell)));
    lines.push(row.line);
    if (row.fault !== null) faults.push(`${row.fault.kind} ${row.line}:${row.fault.cell}`);
  });
  return { header: table.header.names, rows, lines, faults };
}

const OPTIONS = { relax_column_count: true, skip_empty_lines: true, record_delimiter: ['\r\n', '\n'] };

const nastyCell = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.string({ unit: 'grapheme', maxLength: 8 }),
  fc
    .array(fc.constantFrom('"', '""', ',', ';', '\t', '\n', '\r\n', 'a', 'é', "'"), { maxLength: 8 })
    .map((parts) => parts.join('')),
);
// A cell that is only a carriage return is written without quotes by the writer, and NUL is refused: both have tests below.
const cell = nastyCell.map((text) => text.replace(/\0/g, '').replace(/\r(?!\n)/g, ''));

describe('what spreadsheets make of a file', () => {
  const text = 'sku;name\r\n001;"Tasse, \u{1F375} grün"\r\n';
  const utf16le = Buffer.from(`\ufeff${text}`, 'utf16le');

  test.each([
    ['UTF-16, the low byte first', utf16le],
    ['UTF-16, the high byte first', Buffer.from(utf16le).swap16()],
    ['a first line that names the separator', Buffer.from(`sep=;\r\n${text}`)],
    ['that line behind a byte order mark', Buffer.from(`\ufeff"sep=;"\n${text}`)],
  ])('%s is read in pieces of any size', async (_, bytes) => {
    for (const size of [1, 2, 3, 7, 1_000]) {
      const { header, rows, faults } = await readAll(bytes, size);
      expect({ header, rows, faults }).toEqual({
        header: ['sku', 'name'],
        rows: [['001', 'Tasse, \u{1F375} grün']],
        faults: [],
      });
    }
  });

  test('lines count on from the top of the file', async () => {
    expect((await readAll('sep=,\na,b\n1,2\n')).lines).toEqual([3]);
  });
});

describe('the same cells as csv-parse', () => {
  test('for anything a CSV writer writes, in pieces of any size', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(cell, { minLength: 3, maxLength: 3 }), { maxLength: 6 }),
        fc.constantFrom(',', ';', '\t'),
        fc.constantFrom('\n', '\r\n'),
        fc.boolean(),
        fc.boolean(),
        fc.integer({ min: 1, max: 40 }),
        async (rows, delimiter, lineEnd, bom, lastLineEnd, chunk) => {
          const all = [['one', 'two', 'three'], ...rows];
          const quoted = stringify(all, { delimiter, record_delimiter: lineEnd, quoted_match: /[\r\n]/ });
          const text = (bom ? '\ufeff' : '') + (lastLineEnd ? quoted : quoted.slice(0, -lineEnd.length));
          const theirs: string[][] = parse(text, { ...OPTIONS, delimiter, bom: true });
          const ours = await readAll(text, chunk);
          expect([ours.header, ...ours.rows]).toEqual(theirs);
          expect(ours.faults).toEqual([]);
        },
      ),
      { numRuns: asMany(150, 400) },
    );
  });

  test('for any bytes, broken ones too: what csv-parse refuses is a fault here', async () => {
    const piece = fc.constantFrom('"', '"', ',', ',', '\n', '\r\n', 'a', 'b', 'é');
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { maxLength: 24 }).map((parts) => parts.join('')),
        fc.integer({ min: 1, max: 30 }),
        async (body, chunk) => {
          const text = `h1,h2,h3\n${body}`;
          let theirs: string[][] | 'refused';
          try {
            theirs = parse(text, { ...OPTIONS, delimiter: ',' });
          } catch {
            theirs = 'refused';
          }
          const ours = await readAll(text, chunk).catch((error: unknown) => {
            if (error instanceof FileError) return 'refused' as const;
            throw error;
          });
          if (theirs === 'refused') {
            expect(ours === 'refused' || ours.faults.length > 0).toBe(true);
          } else {
            // A line of one empty pair of quotes is blank here.
            const wanted = theirs.filter((row) => row.length > 1 || row[0] !== '');
            expect(ours === 'refused' ? ours : [ours.header, ...ours.rows]).toEqual(wanted);
          }
        },
      ),
      { numRuns: asMany(700, 2_000) },
    );
  });
});

describe('lines', () => {
  test('are counted as an editor counts them, through quoted line ends, blank lines and CRLF', async () => {
    const { lines } = await readAll('a,b\r\n\r\n1,"x\ny\r\nz"\r\n  \r\n2,3\r\n');
    expect(lines).toEqual([3, 7]);
  });

  test('a blank line before the header moves it', async () => {
    expect(await readAll('\n\na,b\n1,2\n')).toMatchObject({ header: ['a', 'b'], lines: [4] });
  });
});

describe('a row that cannot be trusted', () => {
  test.each([
    ['a NUL byte', 'a,b\n1,x\0y\n2,ok\n', 'nul 2:1'],
    ['a NUL byte in quotes', 'a,b\n1,"x\0y"\n2,ok\n', 'nul 2:1'],
    ['a quote inside a cell', 'a,b\n1,12" ruler\n2,ok\n', 'stray_quote 2:1'],
    ['a carriage return alone', 'a,b\n1,x\ry\n2,ok\n', 'bare_return 2:1'],
  ])('%s', async (_, text, problem) => {
    const read = await readAll(text);
    expect(read.faults).toEqual([problem]);
    expect(read.rows[1]).toEqual(['2', 'ok']);
  });

  test.each([1, 7, 1_000])('bytes that are not UTF-8, read %i at a time', async (chunk) => {
    const bytes = Buffer.concat([Buffer.from('a,b\n1,caf'), Buffer.from([0xe9]), Buffer.from('\n2,café\n')]);
    const read = await readAll(bytes, chunk);
    expect(read.faults).toEqual(['encoding 2:1']);
    expect(read.rows[1]).toEqual(['2', 'café']);
  });
});

describe('a file that cannot be trusted', () => {
  test.each([
    ['nothing', '', 'a.csv, the file is empty'],
    ['blank lines only', '\n \n', 'a.csv, the file is empty'],
    ['a quote never closed', 'a,b\n1,2\n3,"4\n5,6\n', 'a.csv, line 3: a quote is opened and never closed'],
    ['text after a quote', 'a,b\n1,"2"3\n', 'a.csv, line 2: text follows a closing quote'],
    [
      'a cell too long',
      `a,b\n1,${'x'.repeat(MAX_CELL_BYTES + 1)}\n`,
      'a.csv, line 2: a cell is longer than 65536',
    ],
    [
      'a quoted cell too long',
      `a,b\n1,"${'x'.repeat(2_000_000)}"\n`,
      'a.csv, line 2: a cell is longer than 65536',
    ],
    [
      'a row too long',
      `a,b\n${`${'x'.repeat(60_000)},`.repeat(30)}\n`,
      'a.csv, line 2: a row is longer than',
    ],
    ['too many columns', `${'a,'.repeat(256)}a\n`, 'a.csv, line 1: 257 columns; at most 256'],
    ['a workbook', Buffer.from('PK\u0003\u0004rest'), 'a.csv, the file is an Excel workbook'],
    ['an old workbook', Buffer.from('d0cf11e0a1b1', 'hex'), 'a.csv, the file is an Excel workbook'],
    ['half a character of UTF-16', Buffer.from('fffe61002c0062', 'hex'), 'a.csv, reading stopped'],
    ['lines of an old Macintosh', 'a,b\r1,2\r', 'a.csv, line 1: lines end with a carriage return alone'],
    ['a header with NUL', 'a,\0\n', 'a.csv, line 1: the header is not plain text'],
    ['a header named __proto__', 'a,__proto__\n', 'a.csv, line 1: a column may not be called "__proto__"'],
  ])('%s', async (_, text, message) => {
    await expect(readAll(text)).rejects.toThrow(message);
  });
});
