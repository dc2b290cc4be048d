import { expect, test } from 'vitest';
import type { FeeScheduleView } from '#contract/fees.ts';
import { emptyFees, fieldsOf, readFees, withBand } from './fee-form.ts';

const STORED: FeeScheduleView = {
  id: '7',
  marketplace: 'walmart',
  category: 'Apparel',
  effectiveFrom: '2026-03-01T05:30:00.000Z',
  kind: 'whole',
  edgeBase: 'revenue',
  bands: [
    {
      upTo: '15.00',
      percent: '10.00',
      percentTaxed: '0.00',
      fixed: '0.00',
      perUnit: '0.00',
      minimum: '0.00',
    },
    { upTo: null, percent: '13.60', percentTaxed: '0.00', fixed: '0.30', perUnit: '0.00', minimum: '0.00' },
  ],
  state: 'in_force',
  listings: 3,
  deletionBlocks: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  createdBy: null,
  origin: 'edited',
  publication: null,
};

test('a stored schedule is unchanged by the form, to the exact time', () => {
  const { form, problem } = readFees(fieldsOf(STORED), STORED);
  const { marketplace, category, effectiveFrom, kind, edgeBase, bands } = STORED;
  expect(form).toEqual({ marketplace, category, effectiveFrom, kind, edgeBase, bands });
  expect(problem).toBeNull();
});

test('percentages show only the decimals there are', () => {
  expect(fieldsOf(STORED).bands.map(({ percent }) => percent)).toEqual(['10', '13.6']);
});

test('another day starts at midnight, a blank day is no start, and a blank category is the default', () => {
  const fields = { ...fieldsOf(STORED), startsOn: '2026-12-01', category: ' ' };
  expect(readFees(fields, STORED).form).toMatchObject({
    effectiveFrom: '2026-12-01T00:00:00.000Z',
    category: null,
  });
  expect(readFees({ ...fields, startsOn: '' }, STORED).form).toMatchObject({ effectiveFrom: null });
});

test('a new band comes below the last one, with an end to enter', () => {
  const fields = withBand({ ...emptyFees('ebay', null) });
  expect(fields.bands.map(({ key }) => key)).toEqual([2, 1]);
  expect(readFees(fields, null).errors).toMatchObject({
    'bands.0.upTo': expect.any(String),
    'bands.0.percent': expect.any(String),
  });
});

test("descending bands are rejected with the domain's message", () => {
  const { bands, ...rest } = fieldsOf(STORED);
  const [first, last] = bands;
  if (first === undefined || last === undefined) throw new Error('two bands');
  const fields = { ...rest, bands: [first, { ...first, key: 9, upTo: '9.00' }, last] };
  const { form, problem } = readFees(fields, null);
  expect(form).toBeNull();
  expect(problem).toMatch(/^Band 2: /);
});
