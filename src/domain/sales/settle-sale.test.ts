import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileFees } from '#domain/fees/compose-fees.ts';
import { MONEY_KINDS, type MoneyKind } from '#domain/money/money-event.ts';
import { type OrderMoney, REVENUE_KINDS, shareMoney } from '#domain/money/share-money.ts';
import { type Cents, cents, type Instant } from '#domain/units.ts';
import { aFeeSchedule, usd } from '#tests/builders/facts.ts';
import { law } from '#tests/builders/law.ts';
import { estimateFees, FEE_KINDS } from './sale-fees.ts';
import { saleFigures } from './sale-profit.ts';
import { type SaleToSettle, settleSale } from './settle-sale.ts';

const BOOKED_AT = 1_764_000_000_000 as Instant;

function booked(kind: MoneyKind, amount: number, over: Partial<OrderMoney> = {}): OrderMoney {
  const own = { lineRef: null, sku: null, quantity: null, postedAt: BOOKED_AT, releasedAt: BOOKED_AT };
  return { kind, rawType: kind, amount: usd(amount), ...own, ...over };
}

/** The sale of example 20: two for $24.99 at 17%, with FBA at $4.09 and a cost of $8.70 each. */
const FEES = compileFees(aFeeSchedule([{ percent: 17, minimum: 0.3 }]));
const TWO = {
  marketplace: 'amazon',
  fulfillmentType: 'FBA/WFS',
  quantity: 2,
  revenue: usd(49.98),
  shippingRevenue: usd(0),
  isShippingEstimate: false,
  orderFees: null,
  restocked: null,
} as const satisfies Partial<SaleToSettle>;

function settled(events: readonly OrderMoney[], over: Partial<SaleToSettle> = {}) {
  const sale = { ...TWO, ...over };
  const { marketplace, quantity, revenue, fulfillmentType, shippingRevenue } = sale;
  const shipping = shippingRevenue ?? usd(0);
  const sold = {
    quantity,
    revenue,
    shipping,
    fulfillmentType,
    fees: FEES,
    scheduledFees: null,
    fulfillmentFee: usd(4.09),
  };
  const [estimate = { chargeback: usd(0) }] = estimateFees(marketplace, [sold]);
  const paid = cents(revenue + shipping);
  const isShippingUnknown = sale.isShippingEstimate;
  const line = { externalId: 'line-1', sku: 'A-1', quantity, paid, isShippingUnknown };
  const [shares = []] = shareMoney([line], events);
  const result = settleSale({ ...sale, estimate, shares, ...over });
  const { fees, adjustment, ads, label, refunded } = result;
  const { profit } = saleFigures({
    quantity,
    revenue,
    shippingRevenue,
    fees,
    unitCost: usd(8.7),
    unitShippingCost: usd(0),
    told: { adjustment, ads, label, refunds: refunded ?? usd(0) },
  });
  return { ...result, profit };
}
const TOLD = [booked('commission', -8.49), booked('fulfillment', -8.1)];
const inDollars = (amount: Cents | null) => (amount === null ? null : amount / 100);

describe('a settled sale', () => {
  it('example 21: has the reported fees, and keeps what was estimated', () => {
    expect(settled([])).toMatchObject({ profit: usd(15.9), state: 'estimated', isAbout: true });
    expect(settled(TOLD)).toMatchObject({ profit: usd(15.99), state: 'told', isAbout: false });
    expect(settled(TOLD).parts).toEqual([
      { kind: 'commission', estimated: usd(-8.5), told: usd(-8.49) },
      { kind: 'fulfillment', estimated: usd(-8.18), told: usd(-8.1) },
    ]);
  });

  it('is reported in part while a fee, or one of its units, is not reported', () => {
    const [commission = booked('commission', 0)] = TOLD;
    expect(settled([commission])).toMatchObject({ profit: usd(15.91), state: 'partly_told', isAbout: true });
    const half = booked('commission', -4.25, { quantity: 1 });
    expect(settled([half])).toMatchObject({ fees: usd(16.68), state: 'partly_told' });
    expect(settled([half, { ...half, amount: usd(-4.3) }])).toMatchObject({ fees: usd(16.73) });
    // Two parts of the commission of one unit are not that of both.
    const promotion = { ...half, amount: usd(0.25), rawType: 'promotion' };
    expect(settled([half, promotion])).toMatchObject({ fees: usd(16.43), state: 'partly_told' });
  });

  it('example 25: receives what the marketplace funded, and pays commission on it', () => {
    const walmart = {
      marketplace: 'walmart',
      fulfillmentType: 'FBM',
      quantity: 1,
      revenue: usd(45),
    } as const;
    const reported = [booked('principal', 45), booked('funded', 5), booked('commission', -7.5)];
    const sale = settled(reported, walmart);
    expect(sale).toMatchObject({ fees: usd(7.5), adjustment: usd(5), state: 'told' });
    expect(sale.profit).toBe(usd(42.5 - 8.7));
  });

  it('example 26: a returned unit that was written off costs its price and its fees', () => {
    const refund = [
      booked('refund_principal', -24.99, { quantity: 1 }),
      booked('refund_commission', 4.25, { quantity: 1 }),
      booked('refund_fee', -0.85, { quantity: 1 }),
    ];
    const before = settled([]).profit ?? 0;
    const { profit, refunded, refunds } = settled(refund);
    // The unit left 7.95.
    expect(7.95 + ((profit ?? 0) - before) / 100).toBeCloseTo(-13.64);
    expect(refunded).toBe(usd(21.59));
    const restocked = { value: usd(8), at: BOOKED_AT };
    expect(7.95 + ((settled(refund, { restocked }).profit ?? 0) - before) / 100).toBeCloseTo(-5.64);
    expect(refunds).toEqual([{ at: BOOKED_AT, amount: usd(21.59) }]);
  });

  it('a refund larger than its sale is booked whole, and the sale stays reported', () => {
    const before = settled(TOLD);
    const { profit, refunded, state } = settled([...TOLD, booked('refund_principal', -60, { quantity: 2 })]);
    expect([refunded, state, before.state]).toEqual([usd(60), 'told', 'told']);
    expect(profit).toBe((before.profit ?? 0) - usd(60));
  });

  it('example 28: an amount for two lines of one SKU is split by quantity or by revenue', () => {
    const line = (externalId: string, quantity: number, paid: number) => ({
      externalId,
      sku: 'A-1',
      quantity,
      paid: usd(paid),
      isShippingUnknown: false,
    });
    const events = [
      booked('commission', -11.25, { sku: 'A-1', quantity: 3 }),
      booked('fulfillment', -12.27, { sku: 'A-1', quantity: 3 }),
    ];
    const shares = shareMoney([line('1', 1, 25), line('2', 2, 50)], events);
    expect(shares.map((each) => each.map(({ amount, units }) => [inDollars(amount), units]))).toEqual([
      [
        [-3.75, 1],
        [-4.09, 1],
      ],
      [
        [-7.5, 2],
        [-8.18, 2],
      ],
    ]);
  });

  it('reported for one of two lines of a SKU after the other, is reported for both', () => {
    const sold = { sku: 'A-1', quantity: 1, paid: usd(25), isShippingUnknown: false };
    const lines = ['1', '2'].map((externalId) => ({ ...sold, externalId }));
    const one = booked('commission', -3.75, { sku: 'A-1', quantity: 1 });
    const unitsOf = (events: readonly OrderMoney[]) =>
      shareMoney(lines, events).map((each) => total(each.map(({ units }) => units)));
    expect(unitsOf([one])).toEqual([1, 0]);
    expect(unitsOf([one, one])).toEqual([1, 1]);
    // The line that an amount names is not reported by another one.
    expect(unitsOf([one, { ...one, lineRef: '1' }])).toEqual([1, 1]);
  });

  it('is unknown while a fee without a known schedule is not reported', () => {
    const sold = { quantity: 1, revenue: usd(20), shipping: usd(0), fulfillmentType: 'FBM' } as const;
    const unknown = { ...sold, fees: null, scheduledFees: null, fulfillmentFee: null };
    const [estimate = { chargeback: usd(0) }] = estimateFees('etsy', [unknown]);
    const etsy = { marketplace: 'etsy', estimate, ...sold } as const;
    const reported = [booked('commission', -1.3), booked('payment', -0.85)];
    expect(settled(reported, etsy)).toMatchObject({ fees: null, isAbout: true });
    expect(settled([...reported, booked('renewal', -0.2)], etsy)).toMatchObject({
      fees: usd(2.35),
      isAbout: false,
    });
  });

  it('counts the reported revenue once it is reported for all units, with the sales tax that was taken back', () => {
    const ship = { fulfillmentType: 'FBM', quantity: 1, revenue: usd(24), shippingRevenue: usd(5) } as const;
    const paid = [booked('principal', 31.32), booked('tax', -2.32)];
    expect(settled(paid, ship).adjustment).toBe(0);
    const unknown = settled(paid, { ...ship, shippingRevenue: usd(3), isShippingEstimate: true });
    expect(unknown.adjustment).toBe(usd(2));
    expect(settled([booked('principal', 20, { quantity: 1 })], { ...ship, quantity: 2 }).adjustment).toBe(0);
  });

  it('has no money of a line that is not recorded, named or within an amount for the order', () => {
    const one = { fulfillmentType: 'FBM', quantity: 1, revenue: usd(20) } as const;
    const own = [booked('principal', 20, { sku: 'A-1' }), booked('commission', -3, { sku: 'A-1' })];
    const other = [
      booked('principal', 100, { sku: 'B-9' }),
      booked('commission', -15, { lineRef: 'line-9' }),
    ];
    expect(settled([...own, ...other], one)).toMatchObject({ adjustment: 0, fees: usd(3), state: 'told' });
    const ofOrder = [booked('principal', 120), booked('commission', -18)];
    expect(settled(ofOrder, one)).toMatchObject({
      adjustment: 0,
      fees: usd(3),
      state: 'partly_told',
      isAbout: true,
    });
    // Also where the other line is named in other amounts.
    expect(settled([...own, ...other, booked('per_order', -0.6)], one)).toMatchObject({
      fees: usd(3.1),
      state: 'partly_told',
    });
  });

  it('takes back the shipping of a marketplace that ships, estimated and reported', () => {
    const paid = { shippingRevenue: usd(4.99) } as const;
    const guess = settled([], paid);
    const reported = [
      booked('principal', 49.98),
      booked('shipping', 4.99),
      booked('shipping', -4.99),
      ...TOLD,
    ];
    expect(guess.profit).toBe(usd(15.9));
    expect(settled(reported, paid)).toMatchObject({ profit: usd(15.99), state: 'told' });
  });

  it('has the fees of its order until the marketplace books the commission', () => {
    const order = { marketplace: 'ebay', fulfillmentType: 'FBM', orderFees: usd(7) } as const;
    expect(settled([], order)).toMatchObject({ fees: usd(7), state: 'told', isAbout: false });
    expect(settled([booked('commission', -6), booked('ad', -2)], order)).toMatchObject({
      fees: usd(6),
      ads: usd(2),
      state: 'told',
    });
  });

  it('has no part of the fee of its order that was reported for another line', () => {
    const estimate = { commission: usd(1.47), per_order: usd(0.1), chargeback: usd(0) };
    const line = { marketplace: 'ebay', fulfillmentType: 'FBM', quantity: 2, estimate } as const;
    const half = [booked('commission', -0.75, { quantity: 1 })];
    expect(settled(half, line)).toMatchObject({ fees: usd(0.75 + 0.73 + 0.1), isAbout: true });
    expect(settled(half, { ...line, isOrderFeeReported: true })).toMatchObject({ fees: usd(0.75 + 0.73) });
  });

  it('has no estimate of a fee that its settled commission would have come with', () => {
    const book = { fulfillmentType: 'FBM', quantity: 2, revenue: usd(24) } as const;
    const media = { commission: usd(3.6), closing: usd(3.6), chargeback: usd(0) };
    const half = [booked('commission', -1.8, { quantity: 1 })];
    const amazon = { ...book, estimate: media };
    expect(settled(half, amazon)).toMatchObject({ fees: usd(7.2), state: 'partly_told' });
    expect(settled([...half, ...half], amazon)).toMatchObject({
      fees: usd(3.6),
      state: 'told',
      isAbout: false,
      parts: [
        { kind: 'commission', estimated: usd(-3.6), told: usd(-3.6) },
        { kind: 'closing', estimated: usd(-3.6), told: null },
      ],
    });
    // Charged for one of the units: not for the other one.
    const closing = booked('closing', -1.8, { quantity: 1 });
    expect(settled([...half, ...half, closing], amazon)).toMatchObject({ fees: usd(5.4), isAbout: false });
    const ebay = { ...media, closing: usd(0), per_order: usd(0.4) };
    expect(
      settled([booked('commission', -3.5)], { ...book, marketplace: 'ebay', estimate: ebay }),
    ).toMatchObject({ fees: usd(3.5), isAbout: false });
    // The fee of a warehouse comes later.
    const shipped = { ...media, fulfillment: usd(8.18) };
    expect(
      settled([booked('commission', -3.6)], { ...amazon, fulfillmentType: 'FBA/WFS', estimate: shipped }),
    ).toMatchObject({ fees: usd(11.78), state: 'partly_told' });
    // Etsy books each fee alone.
    const renewal = { commission: usd(1.56), payment: usd(0.97), renewal: usd(0.4), chargeback: usd(0) };
    expect(
      settled([booked('commission', -1.56)], { ...book, marketplace: 'etsy', estimate: renewal }),
    ).toMatchObject({ fees: usd(2.93), isAbout: true });
  });

  it('has no renewal that Etsy did not book on its day: a listing that sold out is not renewed', () => {
    const estimate = { commission: usd(1.56), payment: usd(0.97), renewal: usd(0.4), chargeback: usd(0) };
    const etsy = { marketplace: 'etsy', fulfillmentType: 'FBM', revenue: usd(24), estimate } as const;
    const read = { ...etsy, isDayRead: true };
    const [commission, payment] = [booked('commission', -1.56), booked('payment', -0.95)];
    expect(settled([commission, payment], etsy)).toMatchObject({ fees: usd(2.91), isAbout: true });
    expect(settled([commission, payment], read)).toMatchObject({
      fees: usd(2.51),
      state: 'told',
      isAbout: false,
      parts: expect.arrayContaining([{ kind: 'renewal', estimated: usd(-0.4), told: null }]),
    });
    // Renewed for the first of two, which were the last ones.
    const one = booked('renewal', -0.2, { quantity: 1 });
    expect(settled([commission, payment, one], read)).toMatchObject({ fees: usd(2.71), isAbout: false });
    // The payment fee is missing too: the day is not complete.
    expect(settled([commission], read)).toMatchObject({ fees: usd(2.93), isAbout: true });
  });

  it('pays the reported label instead of the shipping cost, and reports what is not released yet', () => {
    const parcel = settled([booked('label', -4.2, { releasedAt: null })], { fulfillmentType: 'FBM' });
    expect(parcel).toMatchObject({ label: usd(4.2), isPending: true });
  });

  it('of a sum beyond an amount is unknown', () => {
    const most = booked('other', 0, { ...{ amount: 9_999_999_999 as Cents } });
    expect(settled([most, most]).profit).toBeNull();
  });
});

const kinds = fc.constantFrom(...MONEY_KINDS.filter((kind) => kind !== 'transfer'));
const event = fc.record({
  kind: kinds,
  rawType: fc.constantFrom('Base', 'Promo'),
  amount: fc.integer({ min: -5_000, max: 5_000 }).map(cents),
  lineRef: fc.constantFrom(null, 'line-0', 'line-1', 'other'),
  sku: fc.constantFrom(null, 'A', 'B', 'other'),
  quantity: fc.option(fc.integer({ min: 1, max: 5 })),
  postedAt: fc.constantFrom(BOOKED_AT, (BOOKED_AT + 86_400_000) as Instant),
  releasedAt: fc.constantFrom(null, BOOKED_AT),
});
const line = fc.record({
  sku: fc.constantFrom('A', 'B'),
  quantity: fc.integer({ min: 1, max: 4 }),
  paid: fc.integer({ min: 0, max: 20_000 }).map(cents),
});
const order = fc.record({
  lines: fc.array(line, { minLength: 1, maxLength: 4 }),
  events: fc.array(event, { maxLength: 8 }),
});
const named = (lines: readonly { sku: string; quantity: number; paid: Cents }[]) =>
  lines.map((each, index) => ({ ...each, externalId: `line-${index}`, isShippingUnknown: true }));
const total = (amounts: readonly number[]) => amounts.reduce((sum, each) => sum + each, 0);

describe('what was reported of sales', () => {
  law('L8: reported parts of all lines add up to what was booked', order, ({ lines, events: all }) => {
    const sold = named(lines);
    const isOfSale = ({ lineRef, sku }: OrderMoney) =>
      sold.some((each) => each.externalId === lineRef || each.sku === sku) ||
      (lineRef === null && sku === null);
    // With revenue of another line, what was booked for the order is given in part.
    const events = all.filter((each) => isOfSale(each) || !REVENUE_KINDS.includes(each.kind));
    const shares = shareMoney(sold, events);
    const ofSales = total(events.filter(isOfSale).map(({ amount }) => amount));
    expect(total(shares.flat().map(({ amount }) => amount))).toBe(ofSales);
    const parts = shares.flatMap((each, index) => {
      const { quantity = 1, paid: revenue = cents(0) } = lines[index] ?? {};
      return settleSale({ ...TWO, quantity, revenue, estimate: { chargeback: usd(0) }, shares: each }).parts;
    });
    expect(total(parts.map(({ told }) => told ?? 0))).toBe(ofSales);
  });

  law(
    'L7: amounts in any order give the same figures',
    fc.tuple(fc.array(event, { maxLength: 8 }), fc.infiniteStream(fc.nat())),
    ([anywhere, keys]) => {
      const events = anywhere.map((each) => ({ ...each, sku: each.lineRef === null ? null : each.sku }));
      const places = new Map(events.map((each) => [each, keys.next().value]));
      const shuffled = events.toSorted((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0));
      expect(settled(shuffled)).toEqual(settled(events));
    },
  );

  law(
    'L11: an estimate that is reported as it was changes the state alone',
    fc.subarray([...FEE_KINDS]),
    (chosen) => {
      const guess = settled([]);
      const reported = guess.parts.flatMap(({ kind, estimated }) =>
        estimated !== null && chosen.some((each) => each === kind) ? [booked(kind, estimated / 100)] : [],
      );
      const after = settled(reported);
      expect({ ...after, parts: [], state: '', isAbout: true }).toEqual({
        ...guess,
        parts: [],
        state: '',
        isAbout: true,
      });
    },
  );

  law(
    'L17: a return of everything, with all fees and the goods, costs the packaging, misc and shipping',
    fc.tuple(fc.integer({ min: 1, max: 99_999 }), fc.integer({ min: 0, max: 9_999 })),
    ([price, fee]) => {
      const revenue = cents(price * 2);
      const events = [
        booked('principal', revenue / 100),
        booked('commission', -fee / 100),
        booked('fulfillment', -8.1),
        booked('refund_principal', -revenue / 100),
        booked('refund_commission', fee / 100),
        booked('refund_other', 8.1),
      ];
      const restocked = { value: usd(16), at: BOOKED_AT };
      // Packaging and misc cost 0.70 per unit.
      expect(settled(events, { revenue, restocked }).profit).toBe(usd(-1.4));
    },
  );

  law('L16: a reported 0 counts, and no estimate does', fc.array(event, { maxLength: 8 }), (anywhere) => {
    const events = anywhere.map((each) => ({ ...each, lineRef: null, sku: null }));
    const sale = settled(events);
    const reportedKinds = new Set<MoneyKind>(events.map(({ kind }) => kind));
    for (const { kind, told } of sale.parts) expect(told !== null).toBe(reportedKinds.has(kind));
    if (!reportedKinds.has('commission')) expect(sale.state).not.toBe('told');
    if (sale.state !== 'told') expect(sale.isAbout).toBe(true);
    expect(settled([booked('commission', 0), booked('fulfillment', 0)])).toMatchObject({
      fees: 0,
      state: 'told',
      isAbout: false,
    });
  });
});
