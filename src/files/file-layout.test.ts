import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { asMany } from '#tests/support/breadth.ts';
import { textSource } from './byte-source.ts';
import { decodedSource, EncodingSniffer, type TextEncoding } from './text-encoding.ts';
import { countTitleLines } from './title-lines.ts';
import { isTotalRow } from './total-rows.ts';

/** The encoding of bytes that arrive in pieces. */
function sniff(bytes: Uint8Array, size = 3): TextEncoding {
  const sniffer = new EncodingSniffer();
  for (let at = 0; at < bytes.length; at += size) sniffer.add(bytes.subarray(at, at + size));
  return sniffer.encoding;
}

async function decoded(bytes: Uint8Array, encoding: TextEncoding): Promise<string> {
  const source = decodedSource(textSource(bytes), encoding);
  const target = Buffer.alloc(1_000);
  const parts: string[] = [];
  for (let size = await source.read(target); size > 0; size = await source.read(target)) {
    parts.push(target.toString('utf8', 0, size));
  }
  return parts.join('');
}

describe('the encoding of a file', () => {
  test.each([
    ['plain letters', 'sku,name\n', 'utf-8'],
    ['UTF-8', 'Café, 5 €, \u{1F375}', 'utf-8'],
    ['half a character at the end', Buffer.from('Café').subarray(0, 4), 'windows-1252'],
    ['Windows-1252', Buffer.from('Caf\xe9, 5 \x80', 'latin1'), 'windows-1252'],
    ['UTF-8 with a damaged row', Buffer.concat([Buffer.from('Café\n'), Buffer.from([0xe9, 10])]), 'utf-8'],
    ['UTF-16', Buffer.from('\ufeffCaf\xe9', 'utf16le'), 'utf-8'],
    ['a byte that is no character in Windows-1252', Buffer.from('Caf\x8f', 'latin1'), 'utf-8'],
  ] as const)('%s', (_, text, encoding) => {
    expect(sniff(Buffer.from(text as string))).toBe(encoding);
  });

  test('reads Windows-1252 as it is written', async () => {
    const text = 'Café “Zoë” – 5 € ™, naïve';
    const bytes = Buffer.from('Caf\xe9 \x93Zo\xeb\x94 \x96 5 \x80 \x99, na\xefve', 'latin1');
    expect(await decoded(bytes, 'windows-1252')).toBe(text);
  });

  test('of any text in UTF-8 is UTF-8, in pieces of any size', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 9 }), (text, size) => {
        expect(sniff(Buffer.from(text), size)).toBe('utf-8');
      }),
      { numRuns: asMany(300, 3_000) },
    );
  });
});

describe('lines above the header', () => {
  const NAMES = new Set(['sku', 'cost', 'name']);
  const known = (cells: readonly string[]) => cells.filter((cell) => NAMES.has(cell.toLowerCase())).length;

  test.each([
    ['none', 'sku,cost\nA,1\n', 0],
    ['a title', 'Price list, November\nsku,name,cost\nA,B,1\n', 1],
    ['a title, a date and a blank line', '\ufeffAcme;\nValid from;2026-11-01\n\nsku;name;cost\nA;B;1\n', 3],
    ['a title in another encoding of cells', '"Acme\nWholesale"\nsku\tname\tcost\nA\tB\t1\n', 2],
    ['a title, under unknown names', 'Preisliste 2026;;\nArtikel;Bezeichnung;EK\nA;B;1\n', 1],
    ['data that has the words of a header', 'Code,Text\nsku,cost\n', 0],
    ['an unknown header', 'Code,Text\nA,B\n', 0],
    ['a row as wide as the header', 'a,b,c\nsku,name,cost\n', 0],
    ['a quote that never ends', '12" pans\nsku,cost\n', 0],
    ['nothing', '', 0],
  ])('%s', async (_, text, lines) => {
    expect(await countTitleLines(textSource(text), known)).toBe(lines);
  });
});

test.each([
  [['Total', '', '1,234.50', '12'], true],
  [['', 'Grand total:', '$1,234.50'], true],
  [['Subtotal (47 items)', '', '3'], true],
  [['TOTAL', 'Total whitening paste', '3.20'], false],
  [['TOTAL', '', ''], false],
  [['T-1', '', '3.20'], false],
  [['Totally Tea', '', '3.20'], false],
])('%j is a row of totals: %s', (cells, isTotal) => {
  expect(isTotalRow(cells)).toBe(isTotal);
});
