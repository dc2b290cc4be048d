import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type MoneyShare, shareMoney } from '#domain/money/share-money.ts';
import { type Bps, type Cents, hours, type Instant, WHOLE } from '#domain/units.ts';
import { aFeeSchedule, NOW, usd } from '#tests/builders/facts.ts';
import { law } from '#tests/builders/law.ts';
import { composeFees } from './compose-fees.ts';
import { answersOf } from './fee-answer.ts';
import { feeCandidates } from './fee-candidates.ts';
import { type FeeFact, precedingFacts } from './fee-fact.ts';
import type { FeeSchedule } from './fee-schedule.ts';
import { feeTimesWhole } from './fee-table.ts';
import { feesOfListing } from './fees-of-listing.ts';
import { type SettledLine, settledFees } from './settled-fee.ts';

const TAX = 800 as Bps;
const DAY = hours(24);
const share = (kind: MoneyShare['kind'], dollars: number, over: Partial<MoneyShare> = {}): MoneyShare => ({
  kind,
  rawType: kind,
  amount: Math.round(dollars * 100) as Cents,
  units: 1,
  postedAt: NOW,
  isPending: false,
  isPart: false,
  ...over,
});
const line = (shares: readonly MoneyShare[], over: Partial<SettledLine> = {}): SettledLine => ({
  marketplace: 'walmart',
  fulfillmentType: 'FBM',
  quantity: 1,
  shipping: usd(0),
  shares,
  ...over,
});
const brief = (facts: readonly FeeFact[]) =>
  facts.map(({ kind, askedPrice, askedShipping, amount }) => [kind, askedPrice, askedShipping, amount]);

describe('the fees of a settled sale', () => {
  it('are the regular commission of what the buyer and the marketplace paid', () => {
    const fee = { base: null, saved: usd(2.5), category: 'Grocery' };
    const shares = [
      share('principal', 45),
      share('funded', 5),
      share('shipping', 4),
      share('tax', 3.6),
      share('tax', -3.6, { rawType: 'withheld' }),
      share('commission', -5, { fee }),
      share('commission', -0.6, { rawType: 'on shipping' }),
    ];
    expect(settledFees(line(shares))).toEqual([
      {
        kind: 'commission',
        name: null,
        source: 'settled',
        fulfillmentType: 'FBM',
        askedPrice: usd(50),
        askedShipping: usd(4),
        amount: usd(8.1),
        promotion: usd(2.5),
        toldAt: NOW,
        isAccepted: false,
        feeBase: null,
        categoryTold: 'Grocery',
      },
    ]);
  });

  it('are those of one unit, with the fulfillment fee where the marketplace ships', () => {
    const two = { units: 2 };
    const shares = [
      share('principal', 30, two),
      share('commission', -4.51, two),
      share('fulfillment', -9, two),
    ];
    const ofTwo = line(shares, { quantity: 2, fulfillmentType: 'FBA/WFS' });
    expect(brief(settledFees(ofTwo))).toEqual([
      ['commission', usd(15), usd(0), usd(2.26)],
      ['fulfillment', usd(15), usd(0), usd(4.5)],
    ]);
    expect(settledFees(ofTwo).map(({ units }) => units)).toEqual([undefined, 2]);
    expect(brief(settledFees({ ...ofTwo, fulfillmentType: 'FBM' }))).toHaveLength(1);
    // Amazon answers what it would take: only the fulfillment fee is kept, for listings without an answer.
    expect(brief(settledFees({ ...ofTwo, marketplace: 'amazon' }))).toEqual([
      ['fulfillment', usd(15), usd(0), usd(4.5)],
    ]);
    expect(settledFees({ ...ofTwo, marketplace: 'amazon', fulfillmentType: 'FBM' })).toEqual([]);
  });

  it('have no fulfillment fee of a part of the units, and none without an amount', () => {
    const two = { units: 2 };
    const wfs = (charge: number, of: { units: number }) =>
      line([share('principal', 30, two), share('commission', -4.5, two), share('fulfillment', -charge, of)], {
        quantity: 2,
        fulfillmentType: 'FBA/WFS',
      });
    for (const wrong of [wfs(9, { units: 1 }), wfs(0, two)]) {
      expect(settledFees(wrong).map(({ kind }) => kind)).toEqual(['commission']);
    }
    // More than the buyer paid: the worst rises count most.
    for (const charge of [30, 45, 200]) {
      expect(settledFees(wfs(charge, two)).at(-1)).toMatchObject({ amount: usd(charge / 2), refusal: null });
    }
    expect(settledFees(wfs(300.02, two)).at(-1)).toMatchObject({
      amount: usd(150.01),
      refusal: 'out_of_range',
    });
  });

  it('have no fulfillment fee that was booked for an order and split over different listings', () => {
    const skus = (...codes: string[]) =>
      codes.map((sku) => ({ sku, externalId: null, quantity: 1, paid: usd(20), isShippingUnknown: false }));
    const booked = { rawType: '', lineRef: null, quantity: null, postedAt: NOW, releasedAt: NOW };
    const feesOf = (...codes: string[]) =>
      shareMoney(skus(...codes), [
        ...[...new Set(codes)].flatMap((sku) => {
          const units = codes.filter((code) => code === sku).length;
          return [
            { ...booked, sku, kind: 'principal' as const, amount: (usd(20) * units) as Cents },
            { ...booked, sku, kind: 'commission' as const, amount: (-usd(3) * units) as Cents },
          ];
        }),
        { ...booked, sku: null, kind: 'fulfillment', amount: -usd(9) as Cents },
      ]).map((shares) => settledFees(line(shares, { fulfillmentType: 'FBA/WFS' })).map(({ kind }) => kind));
    expect(feesOf('A-1', 'B-1')).toEqual([['commission'], ['commission']]);
    const both = ['commission', 'fulfillment'];
    expect(feesOf('A-1', 'A-1')).toEqual([both, both]);
  });

  it('have a fulfillment fee before promotions, which may end any day', () => {
    const two = { units: 2 };
    const fee = { base: null, saved: usd(2), category: null };
    const shares = [
      share('principal', 40, two),
      share('commission', -6, two),
      share('fulfillment', -8.7, { ...two, rawType: 'Fee > Base' }),
      share('fulfillment', 2, { ...two, rawType: 'Fee > Promo', fee }),
    ];
    const facts = settledFees(line(shares, { quantity: 2, fulfillmentType: 'FBA/WFS' }));
    expect(facts.at(-1)).toMatchObject({ kind: 'fulfillment', amount: usd(4.35), promotion: usd(1) });
  });

  it('are before promotions, and of their category, where an amount is for two lines', () => {
    const lines = [{ externalId: 'L-1' }, { externalId: 'L-2' }].map((of) => ({
      ...of,
      sku: 'A-1',
      quantity: 1,
      paid: usd(20),
      isShippingUnknown: false,
    }));
    const booked = { rawType: '', lineRef: null, sku: 'A-1', quantity: 2, postedAt: NOW, releasedAt: NOW };
    const fee = { base: usd(43.2), saved: usd(2.81), category: 'Grocery' };
    const shares = shareMoney(lines, [
      { ...booked, kind: 'principal', amount: usd(40) },
      { ...booked, kind: 'commission', amount: -usd(3.2) as Cents, fee },
    ]);
    const facts = shares.flatMap((ofLine) => settledFees(line(ofLine)));
    expect(
      facts.map(({ amount, promotion, feeBase, categoryTold }) => [amount, promotion, feeBase, categoryTold]),
    ).toEqual([
      [usd(3.01), usd(1.41), usd(21.6), 'Grocery'],
      [usd(3), usd(1.4), usd(21.6), 'Grocery'],
    ]);
  });

  it('are a share of the total with sales tax on eBay, where it is reported', () => {
    const shares = (base: number | null) => [
      share('principal', 35),
      share('commission', -5.14, {
        fee: { base: base === null ? null : usd(base), saved: null, category: null },
      }),
    ];
    const ebay = (base: number | null) =>
      settledFees(line(shares(base), { marketplace: 'ebay', shipping: usd(5) }));
    expect(ebay(37.8)).toMatchObject([{ askedPrice: usd(30), askedShipping: usd(5), feeBase: usd(37.8) }]);
    expect(ebay(null)).toEqual([]);
  });

  const sold = share('principal', 20);
  it.each<[string, SettledLine]>([
    ['nothing was booked', line([])],
    ['no commission was', line([sold])],
    ['the commission is 0%', line([sold, share('commission', 0)])],
    ['it is 100%', line([sold, share('commission', -20)])],
    ['it is below 1%', line([sold, share('commission', -0.1)])],
    ['it came back', line([sold, share('commission', 3)])],
    ['all of it is of a return', line([share('refund_principal', -20), share('refund_commission', 3)])],
    ['nothing was paid', line([share('principal', 0), share('commission', -3)])],
    ['it was told for some of the units', line([sold, share('commission', -3)], { quantity: 2 })],
    ['the quantity is 0', line([sold, share('commission', -3)], { quantity: 0 })],
    ['a line of the order is missing', line([sold, share('commission', -3, { isPart: true })])],
    [
      'the marketplace answers before a sale',
      line([sold, share('commission', -3)], { marketplace: 'amazon' }),
    ],
    ['it takes no commission', line([sold, share('commission', -3)], { marketplace: 'shopify' })],
  ])('are not known where %s', (_, given) => {
    expect(settledFees(given)).toEqual([]);
  });
});

const schedule = (category: string | null, ...bands: Parameters<typeof aFeeSchedule>[0]): FeeSchedule => ({
  ...aFeeSchedule(bands),
  category,
});
const DEFAULT = schedule(null, { percent: 15 });
const EBAY: FeeSchedule = {
  ...schedule(null, { upTo: 10, percentTaxed: 13.6, fixed: 0.3 }, { percentTaxed: 13.6, fixed: 0.4 }),
  edgeBase: 'with_tax',
};

const fact = (price: number, commission: number, over: Partial<FeeFact> = {}): FeeFact => ({
  kind: 'commission',
  name: null,
  source: 'settled',
  fulfillmentType: 'FBM',
  askedPrice: usd(price),
  askedShipping: usd(0),
  amount: usd(commission),
  promotion: usd(0),
  toldAt: NOW,
  isAccepted: false,
  ...over,
});
const later = (days: number) => ({ toldAt: (NOW + days * DAY) as Instant });

/** What counts for a listing, of which this was reported. */
function feesFor(
  facts: readonly FeeFact[],
  {
    schedules = [DEFAULT],
    now = (NOW + 10 * DAY) as Instant,
    others = [],
  }: {
    schedules?: readonly FeeSchedule[];
    now?: Instant;
    others?: readonly (readonly FeeFact[])[];
  } = {},
) {
  const [first = null] = schedules;
  const { inForce, held } = feesOfListing({
    marketplace: 'walmart',
    fulfillmentType: 'FBM',
    ownRate: null,
    answers: answersOf(precedingFacts(facts), TAX),
    sameCategory: others.map((reported) => answersOf(reported, TAX)),
    candidates: feeCandidates(schedules, TAX),
    schedule: first,
    category: 'none',
    revenue: usd(25),
    salesTax: TAX,
    doubtedSince: null,
    now,
  });
  if (inForce === null) throw new Error('The fee is unknown.');
  const none = { fulfillment: [], shippingCharge: usd(0), adShare: 0 as Bps, returnShare: 0 as Bps };
  const table = composeFees({ source: inForce, salesTax: TAX, ...none });
  return {
    inForce,
    held,
    table,
    /** In dollars: its rate is rounded up, the fee down. */
    at: (price: number) => Math.floor(feeTimesWhole(table, usd(price)) / WHOLE) / 100,
  };
}

describe('what was taken of sales', () => {
  it('is the known schedule that it fits, at once, by whatever sales tax', () => {
    const facts = [
      fact(30, 4.08, { feeBase: usd(30) }),
      fact(50, 7.34, { feeBase: usd(54), ...later(1) }),
      fact(9.5, 1.41, { feeBase: usd(10.33), ...later(2) }),
    ];
    const { inForce, held } = feesFor(facts, { schedules: [EBAY] });
    expect([inForce, held]).toMatchObject([{ kind: 'told', by: 'settled', schedules: [EBAY] }, null]);
  });

  it('is that of the category by which it was charged, of several that it fits', () => {
    const grocery = schedule('Grocery', { upTo: 15, percent: 8 }, { percent: 15 });
    const schedules = [DEFAULT, grocery];
    expect(feesFor([fact(25, 3.75)], { schedules }).at(10)).toBe(1.5);
    expect(feesFor([fact(25, 3.75, { categoryTold: 'grocery' })], { schedules }).at(10)).toBe(0.8);
    // Charged otherwise than by that category.
    expect(feesFor([fact(12, 1.8, { categoryTold: 'Grocery' })], { schedules }).at(10)).toBe(1.5);
  });

  it('counts at once where it is higher: between two prices the higher, beyond them at least the schedule', () => {
    const { inForce, at } = feesFor([fact(20, 4), fact(40, 12, later(1)), fact(30, 6, later(2))]);
    expect([10, 20, 25, 30, 35, 40, 50].map(at)).toEqual([2, 4, 7.5, 9, 10.5, 12, 15.01]);
    expect(inForce).toMatchObject({ kind: 'told', by: 'settled', marketplace: 'walmart' });
  });

  it('counts the second time where it is lower, a day later', () => {
    const once = feesFor([fact(25, 2.5)]);
    expect([once.at(25), once.held?.toldAt]).toEqual([3.75, NOW]);
    expect(feesFor([fact(25, 2.5), fact(30, 3, { toldAt: (NOW + DAY - 1) as Instant })]).at(25)).toBe(3.75);
    const twice = feesFor([fact(25, 2.5), fact(30, 3, later(1))]);
    expect([twice.at(25), twice.at(27), twice.at(24), twice.held]).toEqual([2.5, 2.7, 3.6, null]);
  });

  it('says nothing of a schedule whose commission has the payment fee in it, which Etsy charges apart', () => {
    const facts = [fact(20, 1.2), fact(20, 1.2, later(2))];
    const etsy = (band: Parameters<typeof aFeeSchedule>[0][number]): FeeSchedule => ({
      ...schedule(null, band),
      marketplace: 'etsy',
    });
    const joined = etsy({ percent: 9.5, fixed: 0.45 });
    const apart = etsy({ percent: 6.5, percentTaxed: 3, fixed: 0.25, perUnit: 0.2 });
    expect(feesFor(facts, { schedules: [joined] }).at(20)).toBe(2.35);
    // 6% and not 6.5%; the payment fee stays.
    const schedules = [apart];
    expect([feesFor([], { schedules }).at(20), feesFor(facts, { schedules }).at(20)]).toEqual([2.39, 2.3]);
  });

  it('is raised by what two sales of other listings by its category agree on, where no own sale reports', () => {
    const secret = (price: number, commission: number, days = 0) =>
      fact(price, commission, { categoryTold: 'Secret', ...later(days) });
    const own = [secret(12, 1.44), secret(14, 1.68, 2)];
    expect([10, 13, 20, 70].map(feesFor(own).at)).toEqual([1.5, 1.56, 3, 10.5]);
    const one = [secret(19.5, 3.9)];
    const raised = feesFor(own, { others: [one, [secret(60, 12)]] });
    expect([10, 13, 14, 18, 25, 70].map(raised.at)).toEqual([1.5, 1.56, 1.68, 3.6, 5, 14]);
    expect([feesFor(own, { others: [one] }).at(20), feesFor([fact(12, 1.44)]).at(20)]).toEqual([3, 3]);
    // By chance as the default, which others are not.
    const byChance = [secret(30, 4.5), secret(30, 4.5, 2)];
    const higher = feesFor(byChance, { others: [[secret(12, 2.4), secret(12, 2.4, 2)]] });
    expect([12, 30].map(higher.at)).toEqual([2.4, 4.5]);
  });

  it('raises the schedule of a listing never sold at prices between two sales of others, and lowers it nowhere', () => {
    const of = (price: number, commission: number) => [fact(price, commission, { categoryTold: 'Secret' })];
    const raised = feesFor([], { others: [of(20, 4), of(60, 12), of(8, 0.4), of(10, 0.5)] });
    expect(raised.inForce).toMatchObject({ kind: 'schedule', category: 'none', isRaisedByType: true });
    expect([5, 9, 20, 40, 60].map(raised.at)).toEqual([0.75, 1.35, 4, 8, 12]);
    // One sale alone may be charged by mistake.
    expect(feesFor([], { others: [of(20, 4)] }).inForce).not.toHaveProperty('isRaisedByType');
  });

  it('is not lowered by what was taken of other listings, and not where an own sale reports', () => {
    const at = (days: number, commission: number) =>
      fact(25, commission, { categoryTold: 'Secret', ...later(days) });
    for (const commission of [3, 6]) {
      const others = [[at(6, commission)], [at(7, commission), at(9, commission)]];
      const { at: fee, held } = feesFor([at(1, 4.25), at(3, 4.25)], { others });
      expect([fee(25), held]).toEqual([4.25, null]);
    }
  });

  it('counts for 180 days', () => {
    const now = (days: number) => ({ now: (NOW + days * DAY) as Instant });
    expect(feesFor([fact(25, 5)], now(179)).at(25)).toBe(5);
    expect(feesFor([fact(25, 5)], now(180)).at(25)).toBe(3.75);
  });
});

const settled = fc
  .array(
    fc.record({
      percent: fc.constantFrom(5, 8, 12.3, 15, 15.3, 17, 31),
      price: fc.integer({ min: 500, max: 6_000 }),
      tax: fc.constantFrom(null, 0, 600, 975),
      hours: fc.integer({ min: 1, max: 60 }),
    }),
    { minLength: 1, maxLength: 6 },
  )
  .map((sales) => {
    let time = NOW as number;
    return sales.map(({ percent, price, tax, hours: passed }) => {
      time += hours(passed);
      const base = tax === null ? price : Math.round((price * (WHOLE + tax)) / WHOLE);
      return fact(1, 1, {
        askedPrice: price as Cents,
        amount: Math.round((base * percent) / 100) as Cents,
        feeBase: tax === null ? null : (base as Cents),
        toldAt: time as Instant,
      });
    });
  });

law('L5: what was taken of a sale counts at once where it is higher, at its price', settled, (facts) => {
  const newest = facts.at(-1) as FeeFact;
  const { table } = feesFor(facts, { now: newest.toldAt });
  const [answer] = answersOf([newest], TAX);
  const paid = newest.feeBase == null ? newest.amount : (answer?.commission ?? 0);
  // A known schedule that fits may be a cent lower once it is rounded.
  expect(feeTimesWhole(table, newest.askedPrice)).toBeGreaterThanOrEqual((paid - 1.5) * WHOLE);
});

law('L6: what was taken of sales changes nothing where the marketplace answered', settled, (facts) => {
  const answered = [fact(25, 2, { source: 'estimate' }), fact(30, 2.4, { source: 'estimate', ...later(2) })];
  const shuffled = [...facts.slice(1), ...answered, ...facts.slice(0, 1)];
  expect(feesFor(shuffled).inForce).toEqual(feesFor(answered).inForce);
});

law(
  'L6: what was taken of sales of other listings never lowers a fee, and changes none at the price of an own newest sale',
  fc.tuple(settled, settled, settled),
  ([own, ...sales]) => {
    const unsold = [feesFor([]), feesFor([], { others: sales })] as const;
    for (const price of sales.flat().map(({ askedPrice }) => askedPrice)) {
      const [alone, raised] = unsold.map(({ table }) => feeTimesWhole(table, price));
      expect(raised).toBeGreaterThanOrEqual(alone ?? Number.NaN);
    }
    const facts = own.map((reported) => ({ ...reported, categoryTold: 'Secret' }));
    const now = (NOW + 20 * DAY) as Instant;
    const [alone, together] = [feesFor(facts, { now }), feesFor(facts, { now, others: sales })];
    for (const price of [...facts, ...sales.flat()].map(({ askedPrice }) => askedPrice)) {
      expect(feeTimesWhole(together.table, price)).toBeGreaterThanOrEqual(feeTimesWhole(alone.table, price));
    }
    const { askedPrice } = facts.at(-1) as FeeFact;
    // A known schedule that fits may be 1.5 cents lower, and a rate of sales is rounded up by half a cent.
    const most = feeTimesWhole(alone.table, askedPrice) + 2 * WHOLE + askedPrice;
    expect(feeTimesWhole(together.table, askedPrice)).toBeLessThanOrEqual(most);
  },
);
