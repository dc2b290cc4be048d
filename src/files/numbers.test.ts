import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cents, MAX_CENTS } from '#domain/units.ts';
import { columnMark, NO_MARKS, writtenMark } from '#domain/written/find-decimal-mark.ts';
import { asMany } from '#tests/support/breadth.ts';
import { ColumnTally } from './column-tally.ts';
import { readWithPoint } from './comma-to-point.ts';
import { CsvRow } from './csv-row.ts';
import { readAmount, readCount, readOffset, readPercent, readWeight } from './numbers.ts';

function amount(text: string): number | null {
  const bytes = Buffer.from(`x${text}9`);
  return readAmount(bytes, 1, bytes.length - 1);
}

const GRAMMAR = /^\$?(\d{1,8}|[1-9]\d{0,2}(,\d{3})+)(\.\d{1,2})?$/;

describe('amounts', () => {
  test.each([
    ['19.99', 1999],
    ['$19.99', 1999],
    ['1,299.00', 129_900],
    ['$1,299', 129_900],
    ['0', 0],
    ['0.1', 10],
    ['007', 700],
    ['99999999.99', MAX_CENTS],
    ['99,999,999.99', MAX_CENTS],
  ])('%s is read', (text, value) => expect(amount(text)).toBe(value));

  test.each([
    '',
    '$',
    '.',
    '.99',
    '19.',
    '12,99',
    '1e3',
    '1.999',
    '-1.00',
    '+1',
    '1 000',
    '1,2345',
    '0,250',
    '12,34,567',
    '1,',
    ',100',
    '1234,567',
    '100000000',
    '100,000,000',
    '$$1',
    '1$',
    'NaN',
    'Infinity',
    '0x10',
    '１',
    '1.-1',
    '1.0a',
  ])('%j is refused', (text) => expect(amount(text)).toBeNull());

  test('agree with the grammar on anything', () => {
    const text = fc
      .array(fc.constantFrom(...'00123456789.,,$-e '), { maxLength: 14 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, (text) => {
        const isAmount = GRAMMAR.test(text) && text.replace(/\D.*$/s, '').length <= 8;
        const digits = text.replace(/[$,]/g, '');
        const isSmallEnough =
          isAmount &&
          digits.split('.')[0]?.length !== undefined &&
          (digits.split('.')[0] as string).length <= 8;
        expect(amount(text)).toBe(isSmallEnough ? Math.round(Number(digits) * 100) : null);
      }),
      { numRuns: asMany(5_000, 20_000) },
    );
  });
});

test.each([
  ['-0.05', -5],
  ['-$0.05', -5],
  ['0.05', 5],
  ['-0', 0],
  ['--1', null],
  ['$-1', null],
])('an offset of %s is %s', (text, value) => {
  const bytes = Buffer.from(text);
  expect(readOffset(bytes, 0, bytes.length)).toBe(value === null ? null : cents(value));
});

test.each([
  ['15', 1_500],
  ['13.6', 1_360],
  ['12.34%', 1_234],
  ['100', 10_000],
  ['100.01', null],
  ['-1', null],
  ['$5', null],
  ['5.123', null],
  ['%', null],
])('a share of %s is %s', (text, value) => {
  const bytes = Buffer.from(text);
  expect(readPercent(bytes, 0, bytes.length)).toBe(value);
});

test.each([
  ['12', 12],
  ['12.5', 12.5],
  ['0', 0],
  ['0.1', 0.1],
  ['9999999.9999', 9_999_999.9999],
  ['12345678', null],
  ['1.', null],
  ['.5', null],
  ['-1', null],
  ['1e3', null],
  ['1,000', null],
  ['NaN', null],
])('a weight of %s is %s', (text, value) => {
  const bytes = Buffer.from(text);
  expect(readWeight(bytes, 0, bytes.length)).toBe(value);
});

test.each([
  ['0', 0],
  ['12', 12],
  ['999999999', 999_999_999],
  ['1234567890', null],
  ['1.0', null],
  ['-1', null],
  ['', null],
])('a count of %j is %s', (text, value) => {
  const bytes = Buffer.from(text);
  expect(readCount(bytes, 0, bytes.length)).toBe(value);
});

describe('the decimal mark of a file', () => {
  test.each([
    ...['12,5', '16,10', '0,250', '1.234,50', '1.234.567', '1234,567', '-$8,3', '012,345', '12,5%'].map(
      (text) => [text, 'comma'] as const,
    ),
    ...['12.5', '0.250', '1,234.50', '1,234,567', '1234.567', '.5', '$1,234.00', '-$12,345'].map(
      (text) => [text, 'point'] as const,
    ),
    ...['1,234', '1.250', '$1.250', '999.999%'].map((text) => [text, 'either'] as const),
    ...['12', '', '1,2,3', '15.01.2026', '12,34.5', 'A-1,5', '1.23.456,7'].map(
      (text) => [text, null] as const,
    ),
  ])('%j says %s', (text, mark) => expect(writtenMark(text)).toBe(mark));

  test.each([
    ['12,5', ',', 'comma'],
    ['12,5 19.99', ',', 'point'],
    ['1.250', ',', 'point'],
    ['1,250', ',', 'ask'],
    ['1,250 12.5', ',', 'point'],
    ['1,250 12.5 12,5', ',', 'ask'],
    ['1.250 12,5', ',', 'ask'],
    ['1.250', ';', 'ask'],
    ['1.250 12,5', ';', 'comma'],
    ['12.5 12,5', ';', 'ask'],
    ['12', ';', 'point'],
    ['1,234 USD', ';', 'ask'],
    ['1.234,50_USD US$_2,10', ';', 'comma'],
  ] as const)('%s between %s is %s', (cells, separator, mark) => {
    const own = marksOf(cells.split(' ').map((text) => text.replace('_', ' ')));
    expect(columnMark({ own, others: [], separator })).toBe(mark);
  });

  test.each([
    ['1,250', '12.5', ';', 'point'],
    ['1,250', '12,5', ';', 'comma'],
    ['1,250', '12.5', ',', 'point'],
    ['1,250', '12,5', ',', 'ask'],
    ['1,250', '12,5 12.5', ';', 'ask'],
    ['12,5', '12.5', ';', 'comma'],
  ] as const)('%s next to a column of %s between %s is %s', (cells, other, separator, mark) => {
    const others = [marksOf(other.split(' ').slice(0, 1)), marksOf(other.split(' ').slice(1))];
    expect(columnMark({ own: marksOf(cells.split(' ')), others, separator })).toBe(mark);
  });

  test('reads every amount rightly, however it is written, or not at all, or asks', () => {
    const written = fc.record({
      amount: fc.oneof(fc.integer({ min: 0, max: 500_000 }), fc.integer({ min: 0, max: 999_999_999 })),
      isComma: fc.boolean(),
      isGrouped: fc.boolean(),
      hasCents: fc.boolean(),
    });
    const files = fc.array(written, { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(files, fc.boolean(), fc.constantFrom(',', ';'), (cells, isMixed, separator) => {
        const like = cells[0]?.isComma === true;
        const texts = cells.map((cell) => textOf({ ...cell, isComma: isMixed ? cell.isComma : like }));
        const own = marksOf(texts.map(({ text }) => text));
        const mark = columnMark({ own, others: [], separator });
        if (mark === 'ask') return;
        for (const { text, amount } of texts) {
          const bytes = Buffer.from(text);
          const read =
            mark === 'comma' ? readWithPoint(text, readAmount) : readAmount(bytes, 0, bytes.length);
          expect([amount, null]).toContain(read);
          if (!isMixed && separator === ';') expect(read).toBe(amount);
        }
      }),
      { numRuns: asMany(2_000, 5_000) },
    );
  });
});

function marksOf(texts: readonly string[]) {
  const tally = new ColumnTally(1);
  const row = new CsvRow();
  for (const [at, text] of texts.entries()) {
    row.bytes = Buffer.from(text);
    row.line = at + 2;
    row.count = 1;
    row.ends[0] = row.bytes.length;
    tally.add(row);
  }
  const { comma, point, either } = tally.found()['0'] ?? NO_MARKS;
  return { comma, point, either };
}

/** An amount as a person writes it, and the cents that are meant. */
function textOf(given: { amount: number; isComma: boolean; isGrouped: boolean; hasCents: boolean }) {
  const amount = given.hasCents ? given.amount : given.amount - (given.amount % 100);
  const whole = String(Math.floor(amount / 100));
  const groups = given.isGrouped ? whole.replace(/\B(?=(\d{3})+$)/g, ',') : whole;
  const text = given.hasCents ? `${groups}.${String(amount % 100).padStart(2, '0')}` : groups;
  const swapped = text.replace(/[.,]/g, (sign) => (sign === ',' ? '.' : ','));
  return { text: given.isComma ? swapped : text, amount };
}
