import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chunkedSource } from './byte-source.ts';
import { exportLine, plainCell, textCell } from './export-cells.ts';
import { Table } from './table.ts';

/** The texts of a file of one column, as an import reads them. */
async function readBack(file: string): Promise<string[]> {
  const bytes = (async function* () {
    yield Buffer.from(file);
  })();
  const table = await Table.open('file', chunkedSource(bytes), {
    columns: { first: 'required', text: 'required' },
  });
  const found: string[] = [];
  await table.read((row) => found.push(row.text(1)));
  await table.close();
  return found;
}

test.each([
  ['=1+1', `'=1+1`],
  ['+5', `'+5`],
  ['-5 oz mug', `'-5 oz mug`],
  ['@home', `'@home`],
  [`'=1`, `''=1`],
  [`'t Mug`, `'t Mug`],
  ['24" pan, red', '"24"" pan, red"'],
  ['two\nlines', '"two\nlines"'],
  ['Mug;=1+1', `"Mug;'=1+1"`],
  ['Mug\t=1+1', `"Mug\t'=1+1"`],
  [`Mug;'"=1`, `"Mug;''""=1"`],
  ['Mug; =1+1', '"Mug; =1+1"'],
  ['\uff1d1+1', `'\uff1d1+1`],
  ['\uff0b5', `'\uff0b5`],
  ['\uff0d5', `'\uff0d5`],
  [`'\uff20home`, `''\uff20home`],
  ['00123', '00123'],
  ['', ''],
])('the text %j is written as %j', (text, cell) => {
  expect(textCell(text)).toBe(cell);
});

test('numbers keep their sign and unknown is blank', () => {
  expect(exportLine([plainCell('-5.59'), plainCell(null), plainCell(false), textCell(null)])).toBe(
    '-5.59,,false,\n',
  );
});

test('no text becomes a formula, whichever of comma, semicolon and tab ends a cell there', () => {
  const piece = fc.constantFrom(
    ...`'=+-@",;|`,
    '\t',
    '\n',
    '\uff1d',
    '\uff0b',
    '\uff0d',
    '\uff20',
    'a',
    ' ',
    '1',
  );
  fc.assert(
    fc.property(fc.string({ unit: piece, maxLength: 12 }), (text) => {
      const cell = textCell(text);
      expect(/^"?[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/.test(cell)).toBe(false);
      // Where semicolons or tabs end cells, a quote within the line protects nothing.
      for (const end of [';', '\t']) {
        const pieces = exportLine(['x', cell, 'y']).split(new RegExp(`[${end}\\r\\n]`));
        for (const piece of pieces.slice(1)) expect(piece).not.toMatch(/^"*[=+\-@\uff1d\uff0b\uff0d\uff20]/);
      }
      // What could end a cell is quoted.
      expect(/[,;\t\r\n]/.test(cell)).toBe(/^"[\s\S]*"$/.test(cell) && /[,;\t\r\n]/.test(text));
    }),
  );
});

test('an import reads back whatever text was exported', async () => {
  const piece = fc.constantFrom(
    `'`,
    '=',
    '+',
    '-',
    '@',
    '"',
    ',',
    '\n',
    ';',
    'a',
    'é',
    ' ',
    '🙂',
    '\t',
    '0',
    '\uff1d',
    '\uff0d',
    '\uff20',
    '\uff0b',
  );
  const text = fc
    .array(piece, { maxLength: 8 })
    .map((pieces) => pieces.join('').trim())
    .filter((one) => one !== '');
  await fc.assert(
    fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 5 }), async (texts) => {
      const lines = texts.map((one) => exportLine(['x', textCell(one)]));
      expect(await readBack(`first,text\n${lines.join('')}`)).toEqual(texts);
    }),
  );
});
