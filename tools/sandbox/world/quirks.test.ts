import { describe, expect, test } from 'vitest';
import { type Cents, cents, instant } from '#domain/units.ts';
import type { ItemPlan } from './catalog.ts';
import type { Market } from './market.ts';
import { nextPacificMidnight } from './pacific-day.ts';
import type { QuirkPlan } from './quirks.ts';
import { createWorld, type World } from './world.ts';

const START = instant(Date.parse('2026-03-02T08:00:00Z'));
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

function pass(world: World, milliseconds: number): void {
  world.advance(instant(world.now() + milliseconds));
}

/** One listing without shoppers at 20.00. */
function open(quirks: QuirkPlan, plan: Partial<ItemPlan> = {}): { world: World; market: Market } {
  const item = {
    marketplace: 'amazon' as const,
    sku: 'A-1',
    title: 'Mug',
    fulfillmentType: 'FBM' as const,
    price: cents(2_000),
    competitors: [],
    viewsPerDay: 0,
    ...plan,
  };
  const world = createWorld({
    seed: 'quirks',
    startsAt: START,
    items: [item],
    stock: [],
    quirks: { amazon: quirks },
  });
  return { world, market: world.market('amazon') };
}

function send(market: Market, price: number, liveAfter = 0): void {
  market.receivePrice({ sku: 'A-1', price: cents(price), liveAfter, requestId: 'r', operation: 'patch' });
}

function livePrice(market: Market): Cents | undefined {
  return market.item('A-1')?.price;
}

describe('stores with a lag', () => {
  const seen = (market: Market) =>
    (['item', 'list', 'document'] as const).map((store) => market.itemsIn(store)[0]?.price);

  test('each shows a price after its own delay, and the truth says when', () => {
    const { world, market } = open({ lag: { list: [600, 600], document: [3_600, 3_600] } });
    pass(world, MINUTE);
    send(market, 1_900);
    expect(seen(market)).toEqual([1_900, 2_000, 2_000]);
    pass(world, 10 * MINUTE);
    expect(seen(market)).toEqual([1_900, 1_900, 2_000]);
    pass(world, HOUR);
    expect(seen(market)).toEqual([1_900, 1_900, 1_900]);
    const at = (minutes: number) => instant(START + minutes * MINUTE);
    const truth = world.truth();
    expect([truth.priceAt('amazon', 'A-1', at(0)), truth.priceAt('amazon', 'A-1', at(1))]).toEqual([
      2_000, 1_900,
    ]);
    expect(truth.shownAt('amazon', 'A-1', 'list', at(10))).toBe(2_000);
    expect(truth.shownAt('amazon', 'A-1', 'list', at(11))).toBe(1_900);
    expect(truth.priceAt('amazon', 'A-1', instant(START - 1))).toBeNull();
  });

  test('a store that is behind never goes back, in one step or in many', () => {
    const shown = (step: number) => {
      const { world, market } = open({ lag: { list: [0, 1_800] } });
      const prices: (number | undefined)[] = [];
      for (let minute = 0; minute < 240; minute++) {
        if (minute % 5 === 0 && minute < 180) send(market, 2_000 + minute);
        for (let part = 0; part < step; part++) pass(world, MINUTE / step);
        prices.push(market.itemsIn('list')[0]?.price);
      }
      return prices;
    };
    const prices = shown(1);
    expect(prices).toEqual(shown(4));
    expect(prices.toSorted((a = 0, b = 0) => a - b)).toEqual(prices);
    expect(prices.at(-1)).toBe(2_175);
    expect(prices[9]).toBeLessThan(2_005 + 5);
  });

  test('what is arranged besides the price reaches a store with the same delay', () => {
    const { world, market } = open({ lag: { list: [600, 600] } });
    market.edit('A-1', { terms: { bounds: { min: cents(1_500), max: null } } });
    expect(market.itemsIn('list')[0]?.terms.bounds.min).toBeNull();
    pass(world, 10 * MINUTE);
    expect(market.itemsIn('list')[0]?.terms.bounds.min).toBe(1_500);
  });

  test('the box shows the offers as they were', () => {
    const competitors = [{ name: 'Corner Store', habit: 'stubborn' as const, price: cents(2_500) }];
    const { world, market } = open({}, { competitors });
    market.setQuirks({ lag: { box: [900, 900] } });
    send(market, 1_900);
    const box = () => {
      const item = market.item('A-1');
      return item === null ? null : market.seenIn('box', item).price;
    };
    expect(box()).toBe(2_000);
    pass(world, 15 * MINUTE);
    expect(box()).toBe(1_900);
    expect(world.truth().boxes('amazon', 'A-1')).toMatchObject([
      { ourPrice: 2_000 },
      { ourPrice: 1_900, at: START, shownAt: START + 15 * MINUTE, featured: { isOurs: true } },
    ]);
    market.setQuirks({ lag: {} });
    send(market, 1_800);
    expect(box()).toBe(1_800);
  });
});

describe('effects', () => {
  test('an accepted price that is never live', () => {
    const { world, market } = open({ effects: { neverLive: 1 } });
    send(market, 1_900, MINUTE);
    pass(world, HOUR);
    expect([livePrice(market), world.receivedPrices()[0]?.outcome]).toEqual([2_000, 'dropped']);
  });

  test('a price that falls back to the former one', () => {
    const { world, market } = open({ effects: { fallsBack: 1, fallsBackAfterMinutes: 30 } });
    send(market, 1_900);
    expect(livePrice(market)).toBe(1_900);
    pass(world, 30 * MINUTE);
    expect(livePrice(market)).toBe(2_000);
    const causes = world
      .truth()
      .prices('amazon', 'A-1')
      .map(({ cause }) => cause);
    expect(causes).toEqual(['start', 'sent', 'fell_back']);
  });

  test('an older price that goes live after a newer one', () => {
    const { world, market } = open({ effects: { outOfOrder: 1 } });
    send(market, 1_900, 20 * MINUTE);
    send(market, 1_800, 5 * MINUTE);
    pass(world, 5 * MINUTE);
    expect(livePrice(market)).toBe(1_800);
    pass(world, 15 * MINUTE);
    expect(livePrice(market)).toBe(1_900);
  });

  test('a late price', () => {
    const { world, market } = open({ effects: { late: 1, lateByMinutes: 45 } });
    send(market, 1_900, MINUTE);
    pass(world, 45 * MINUTE);
    expect(livePrice(market)).toBe(2_000);
    pass(world, MINUTE);
    expect(livePrice(market)).toBe(1_900);
  });
});

describe('competing hands', () => {
  test('the seller edits at random, the same way every time', () => {
    const edits = () => {
      const { world } = open({ hands: { seller: { perDay: 6 } } });
      pass(world, 48 * HOUR);
      return world.truth().prices('amazon', 'A-1');
    };
    const made = edits();
    expect(made.length).toBeGreaterThan(3);
    expect(new Set(made.slice(1).map(({ cause }) => cause))).toEqual(new Set(['seller']));
    expect(edits()).toEqual(made);
  });

  test('each kind of edit', () => {
    const edited = (kind: 'typo' | 'markdown' | 'former') => {
      const { world, market } = open({});
      send(market, 1_800);
      market.setQuirks({ hands: { seller: { perDay: 24, kinds: [kind] } } });
      for (let hours = 0; livePrice(market) === 1_800 && hours < 24; hours++) pass(world, HOUR);
      return livePrice(market);
    };
    expect(edited('typo')).toBe(50);
    expect(edited('markdown')).toBe(1_200);
    expect(edited('former')).toBe(2_000);
  });

  test('another program that moves a price every ten minutes', () => {
    const { world, market } = open({ hands: { tool: { everyMinutes: 10, skus: ['A-1'] } } });
    pass(world, 10 * MINUTE);
    expect(livePrice(market)).toBe(2_001);
    pass(world, 10 * MINUTE);
    expect(livePrice(market)).toBe(2_000);
    market.setQuirks({ hands: {} });
    pass(world, HOUR);
    expect(livePrice(market)).toBe(2_000);
  });

  test("the marketplace's repricer follows the lowest offer within its limits", () => {
    const competitors = [
      { name: 'Corner Store', habit: 'stubborn' as const, price: cents(1_700), shippingCharge: cents(0) },
    ];
    const { world, market } = open({}, { competitors });
    market.edit('A-1', { terms: { repricer: { min: cents(1_750), max: cents(2_200) } } });
    pass(world, 15 * MINUTE);
    expect(livePrice(market)).toBe(1_750);
    market.edit('A-1', { terms: { repricer: { min: cents(1_000), max: null } } });
    pass(world, 15 * MINUTE);
    expect(livePrice(market)).toBe(1_699);
    // Other terms leave it as it is: one look every fifteen minutes.
    market.edit('A-1', { terms: { mapPrice: cents(1_500) } });
    market.edit('A-1', { price: cents(1_900) });
    pass(world, 14 * MINUTE);
    market.edit('A-1', { price: cents(1_800) });
    pass(world, 14 * MINUTE);
    expect(livePrice(market)).toBe(1_699);
    const changes = world.truth().prices('amazon', 'A-1');
    expect(changes.filter(({ cause, price }) => cause === 'repricer' && price === 1_699)).toHaveLength(2);
    market.edit('A-1', { price: cents(2_000), terms: { repricer: null } });
    pass(world, HOUR);
    expect(livePrice(market)).toBe(2_000);
  });

  test('during a sale buyers pay its price, then the usual one again', () => {
    const { world, market } = open({});
    const sale = { price: cents(1_500), from: instant(START + HOUR), to: instant(START + 2 * HOUR) };
    market.edit('A-1', { terms: { sale } });
    pass(world, HOUR);
    market.sell('A-1');
    pass(world, HOUR);
    market.sell('A-1');
    expect(world.truth().sales('amazon')).toMatchObject([{ price: 1_500 }, { price: 2_000 }]);
    expect(market.orders().flatMap(({ lines }) => lines.map(({ unitPrice }) => unitPrice))).toEqual([
      1_500, 2_000,
    ]);
    expect(world.truth().priceAt('amazon', 'A-1', instant(START + HOUR))).toBe(1_500);
    expect(livePrice(market)).toBe(2_000);
  });

  test('an offer of a buyer that is accepted automatically sells below the price', () => {
    const { world, market } = open({}, { viewsPerDay: 200, quantity: 900 });
    market.edit('A-1', { terms: { bestOffer: { autoAccept: cents(1_600), autoDecline: null } } });
    pass(world, 24 * HOUR);
    const prices = new Set(
      world
        .truth()
        .sales('amazon')
        .map(({ price }) => price),
    );
    expect(prices).toEqual(new Set([1_600, 2_000]));
  });
});

test('the truth knows what competitors sold', () => {
  const competitors = [{ name: 'Corner Store', habit: 'stubborn' as const, price: cents(1_500) }];
  const { world } = open({}, { competitors, viewsPerDay: 50 });
  pass(world, 24 * HOUR);
  const sales = world.truth().sales('amazon');
  expect(sales.length).toBeGreaterThan(3);
  expect(sales.every(({ seller, price }) => seller === 'Corner Store' && price === 1_500)).toBe(true);
});

test.each([
  ['2026-03-02T08:00:00Z', '2026-03-03T08:00:00Z'],
  ['2026-03-02T07:59:59Z', '2026-03-02T08:00:00Z'],
  // The clock goes forward on March 8 and back on November 1.
  ['2026-03-08T09:00:00Z', '2026-03-09T07:00:00Z'],
  ['2026-11-01T08:00:00Z', '2026-11-02T08:00:00Z'],
])('the day in Los Angeles of %s ends at %s', (moment, midnight) => {
  expect(nextPacificMidnight(instant(Date.parse(moment)))).toBe(Date.parse(midnight));
});
