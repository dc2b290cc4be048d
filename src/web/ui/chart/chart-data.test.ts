import { expect, test } from 'vitest';
import { csvOf, readoutOf } from './chart-data.ts';
import { spread } from './time-plot.ts';

test('the file holds plain values, and quotes where needed', () => {
  const data = {
    columns: ['When', 'Your price', 'Reason'],
    points: [
      {
        key: '1',
        cells: [
          { text: 'Nov 1, 14:05', value: '2026-11-01T14:05:00.000Z' },
          { text: '$1,234.50', value: '1234.50' },
          { text: 'Beat "A", by $0.05' },
        ],
      },
    ],
  };
  expect(csvOf(data)).toBe(
    'When,Your price,Reason\r\n2026-11-01T14:05:00.000Z,1234.50,"Beat ""A"", by $0.05"\r\n',
  );
});

test('a text that a spreadsheet would run is escaped; a negative number is unchanged', () => {
  const cells = ['=1+1', '@SUM(A1)', '-12.50', '-x', '\uff1d1', 'a;b'].map((text) => ({ text }));
  expect(csvOf({ columns: ['a', 'b', 'c', 'd', 'e', 'f'], points: [{ key: '1', cells }] })).toContain(
    `'=1+1,'@SUM(A1),-12.50,'-x,'\uff1d1,"a;b"`,
  );
});

test('the readout of a missing point is empty', () => {
  expect(readoutOf({ columns: ['When'], points: [] }, 0)).toBe('');
});

test('labels that would overlap move apart, keep their order and stay inside', () => {
  expect(spread([10, 12, 100], 14, 200)).toEqual([10, 24, 100]);
  expect(spread([195, 198], 14, 200)).toEqual([186, 200]);
  expect(spread([50, 10], 14, 200)).toEqual([50, 10]);
});
