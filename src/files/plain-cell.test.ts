import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { columnMark } from '#domain/written/find-decimal-mark.ts';
import { asMany } from '#tests/support/breadth.ts';
import { type CellReading, Cells, OWN_READING } from './cells.ts';
import { ColumnTally } from './column-tally.ts';
import { CsvRow } from './csv-row.ts';

type Name = 'productCost' | 'packagingCost' | 'weight' | 'length' | 'feeRate' | 'stock';

function rowOf(text: string, line = 2): CsvRow {
  const row = new CsvRow();
  row.bytes = Buffer.from(text);
  row.line = line;
  row.count = 1;
  row.ends[0] = row.bytes.length;
  return row;
}

/** What is read from one cell: the value, or its problem. */
function read(name: Name, text: string, reading: Partial<CellReading> = {}): number | string | null {
  const at = {
    productCost: -1,
    packagingCost: -1,
    weight: -1,
    length: -1,
    feeRate: -1,
    stock: -1,
    [name]: 0,
  };
  const header = { at, names: [name], unknown: [] };
  const cells = new Cells<Name>('a.csv', header, () => undefined, null, {
    ...OWN_READING,
    isWritten: true,
    ...reading,
  });
  cells.begin(rowOf(text));
  const value = {
    productCost: () => cells.amount('productCost'),
    packagingCost: () => cells.amount('packagingCost'),
    weight: () => cells.weight('weight'),
    length: () => cells.inches('length'),
    feeRate: () => cells.margin('feeRate'),
    stock: () => cells.count('stock'),
  }[name]();
  return cells.bad[0]?.problem ?? value;
}

const COMMA = { commaColumns: new Set(['productCost', 'weight', 'feeRate']) };

test.each([
  ['productCost', '$12.50', 1_250],
  ['productCost', '12.5 USD', 1_250],
  ['productCost', 'USD 1,299.00', 129_900],
  ['productCost', 'US$\u00a012.50', 1_250],
  ['productCost', '1 234.50', 123_450],
  ['productCost', "1'234.50", 123_450],
  ['productCost', '12.50 €', 'is in another currency (€)'],
  ['productCost', 'CAD 12.50', 'is in another currency (CAD)'],
  ['productCost', 'C$12.50', 'is in another currency (C$)'],
  ['productCost', '12.5O', 'is not an amount'],
  ['productCost', '12.50 per case', 'is not an amount'],
  ['productCost', 'n/a', null],
  ['productCost', ' - ', null],
  ['packagingCost', 'N/A', 'means unknown'],
  ['packagingCost', '0', 0],
  ['weight', '14', 14],
  ['weight', '14 oz', 14],
  ['weight', '2 lb', 32],
  ['weight', '4 lb 6 oz', 70],
  ['weight', '4lbs, 6.5oz.', 70.5],
  ['weight', '900 g', 31.7466],
  ['weight', '0.25kg', 8.8185],
  ['weight', '2 stone', 'is not a weight'],
  ['weight', '2 lb 3 lb', 'is not a weight'],
  ['weight', 'tbd', null],
  ['length', '10 in', 10],
  ['length', '10.5"', 10.5],
  ['length', '25.4 cm', 10],
  ['length', '5 ft 3 in', 63],
  ['feeRate', '15%', 1_500],
  ['feeRate', '15 %', 1_500],
  ['feeRate', '0.15', 15],
  ['stock', '1,234', 1_234],
  ['stock', '12.00', 12],
  ['stock', '12.50', 'is not a whole number'],
] as const)('%s "%s" is %s', (name, text, value) => {
  expect(read(name, text)).toBe(value);
});

test.each([
  ['productCost', '12,50 USD', 1_250],
  ['productCost', '1 234,50', 123_450],
  ['weight', '1,5 kg', 52.9109],
  ['feeRate', '12,5 %', 1_250],
] as const)('in a column with decimal commas %s "%s" is %s', (name, text, value) => {
  expect(read(name, text, COMMA)).toBe(value);
});

test.each([
  ['0.15', 1_500],
  ['0.1275', 1_275],
  ['1', 10_000 - 1],
  ['0', 0],
  ['15%', 1_500],
] as const)('as a share of 1, %s is read as a percentage', (text, value) => {
  const share = read('feeRate', text, { shares: new Set(['feeRate']) });
  // A margin of 100% is none.
  expect(share).toBe(text === '1' ? 'is not a margin' : value);
});

test('our own files are read as strictly as ever', () => {
  for (const text of ['12.5 USD', 'n/a', '2 lb']) {
    expect(read('productCost', text, { isWritten: false })).toBe('is not an amount');
  }
});

describe('an amount that people in some country write', () => {
  /** Marks of thousands and decimals, as locales have them. */
  const LOCALES = [',.', '.,', ' ,', '\u00a0,', "'.", '\u202f,', ',.'] as const;
  const around = fc.constantFrom<readonly [string, string]>(['', ''], ['$', ''], ['US$ ', ''], ['', ' USD']);
  const amounts = fc.array(fc.integer({ min: 0, max: 9_999_999_999 }), { minLength: 1, maxLength: 6 });

  test('is read as it is printed, or asked about, and never changed by a factor', () => {
    fc.assert(
      fc.property(
        amounts,
        fc.constantFrom(...LOCALES),
        around,
        fc.boolean(),
        fc.constantFrom(',', ';', '\t', '|'),
        (all, [group = '', decimal = ''], [before, behind], hasCents, separator) => {
          const cents = hasCents ? all : all.map((amount) => amount - (amount % 100));
          const texts = cents.map((amount) => {
            const whole = String(Math.floor(amount / 100)).replace(/\B(?=(\d{3})+$)/g, group);
            const rest = hasCents ? `${decimal}${String(amount % 100).padStart(2, '0')}` : '';
            return `${before}${whole}${rest}${behind}`;
          });
          const tally = new ColumnTally(1);
          for (const [at, text] of texts.entries()) tally.add(rowOf(text, at + 2));
          const own = tally.found()['0'];
          if (own === undefined) throw new Error('Nothing was counted.');
          const mark = columnMark({ own, others: [], separator });
          if (mark === 'ask') return;
          const commaColumns = new Set(mark === 'comma' ? ['productCost'] : []);
          for (const [at, text] of texts.entries()) {
            const value = read('productCost', text, { commaColumns });
            expect([cents[at], 'is too large', 'is not an amount', 'has more than two decimals']).toContain(
              value === 'is not a number with a decimal comma' ? 'is not an amount' : value,
            );
            // With cents the file itself shows its marks.
            if (hasCents && cents[at] !== undefined && cents[at] <= 9_999_999_999 && separator !== ',') {
              expect(value).toBe(cents[at]);
            }
          }
        },
      ),
      { numRuns: asMany(1_000, 5_000) },
    );
  });
});
