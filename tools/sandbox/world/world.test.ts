import { describe, expect, test } from 'vitest';
import { cents, instant } from '#domain/units.ts';
import type { ItemPlan } from './catalog.ts';
import { HABITS } from './item.ts';
import { featuredOffer, shownOffers } from './offers.ts';
import { sampleWorld } from './sample-world.ts';
import { createWorld, type World } from './world.ts';

const START = instant(Date.parse('2026-03-02T08:00:00Z'));
const MINUTE = 60_000;
const DAY = 86_400_000;

function later(world: World, milliseconds: number): void {
  world.advance(instant(world.now() + milliseconds));
}

function worldOf(...items: readonly Partial<ItemPlan>[]): World {
  const plans = items.map((plan, at) => ({
    marketplace: 'amazon' as const,
    sku: `S-${at + 1}`,
    title: 'Mug',
    fulfillmentType: 'FBM' as const,
    price: cents(2_000),
    competitors: [],
    viewsPerDay: 0,
    ...plan,
  }));
  return createWorld({ seed: 'test', startsAt: START, items: plans, stock: [] });
}

function sendPrice(world: World, price: number, liveAfter: number, sku = 'S-1') {
  return world
    .market('amazon')
    .receivePrice({ sku, price: cents(price), liveAfter, requestId: `r-${price}`, operation: 'patch' });
}

describe('time', () => {
  test('nothing changes until time passes', () => {
    const world = createWorld(sampleWorld('still', START));
    const before = JSON.stringify(world.market('amazon').items());
    world.advance(START);
    world.advance(instant(START - DAY));
    expect(JSON.stringify(world.market('amazon').items())).toBe(before);
    expect(world.now()).toBe(START);
  });

  test('a week in one step equals a week in hourly steps', () => {
    const one = createWorld(sampleWorld('steps', START));
    const many = createWorld(sampleWorld('steps', START));
    later(one, 7 * DAY);
    for (let hour = 0; hour < 7 * 24; hour++) later(many, DAY / 24);
    for (const marketplace of ['amazon', 'walmart', 'etsy'] as const) {
      expect(many.market(marketplace).items()).toEqual(one.market(marketplace).items());
      expect(many.market(marketplace).orders()).toEqual(one.market(marketplace).orders());
      expect(one.market(marketplace).orders().length).toBeGreaterThan(5);
    }
  });

  test('another seed makes another world', () => {
    const [one, other] = ['a', 'b'].map((seed) => createWorld(sampleWorld(seed, START)));
    expect(one?.market('amazon').items()).not.toEqual(other?.market('amazon').items());
  });
});

describe('prices', () => {
  test('an accepted price is live after its delay, not before', () => {
    const world = worldOf({});
    expect(sendPrice(world, 1_850, 15 * MINUTE)).toMatchObject({ outcome: 'pending' });
    later(world, 15 * MINUTE - 1);
    expect(world.market('amazon').item('S-1')?.price).toBe(2_000);
    later(world, 1);
    expect(world.market('amazon').item('S-1')?.price).toBe(1_850);
    expect(world.receivedPrices()).toEqual([
      expect.objectContaining({
        sku: 'S-1',
        price: 1_850,
        outcome: 'applied',
        appliedAt: START + 15 * MINUTE,
      }),
    ]);
  });

  test('the price received last wins, even over an older one with a longer delay', () => {
    const world = worldOf({});
    sendPrice(world, 1_700, 60 * MINUTE);
    sendPrice(world, 1_800, 5 * MINUTE);
    later(world, DAY);
    expect(world.market('amazon').item('S-1')?.price).toBe(1_800);
    expect(world.receivedPrices().map(({ outcome }) => outcome)).toEqual(['replaced', 'applied']);
  });

  test('rejected, dropped and unknown prices are in the ledger and change nothing', () => {
    const world = worldOf({});
    const market = world.market('amazon');
    const requested = { sku: 'S-1', price: cents(100), liveAfter: 0, requestId: 'r', operation: 'patch' };
    market.receivePrice({ ...requested, refusal: 'too low' });
    market.receivePrice({ ...requested, isDropped: true });
    market.receivePrice({ ...requested, sku: 'NO-SUCH-SKU' });
    later(world, DAY);
    expect(market.item('S-1')?.price).toBe(2_000);
    expect(world.receivedPrices().map(({ outcome }) => outcome)).toEqual(['refused', 'dropped', 'refused']);
  });

  test('a price without a delay is live immediately', () => {
    const world = worldOf({});
    sendPrice(world, 1_999, 0);
    expect(world.market('amazon').item('S-1')?.price).toBe(1_999);
  });
});

describe('competitors', () => {
  const competitor = {
    name: 'Maple Goods',
    price: cents(2_100),
    shippingCharge: cents(0),
    fulfillmentType: 'FBM',
  } as const;

  test('the undercutter goes one cent below us, and back to its usual price at its floor', () => {
    const world = worldOf({ competitors: [{ ...competitor, habit: 'undercutter', lowest: cents(1_500) }] });
    later(world, 45 * MINUTE);
    expect(world.market('amazon').item('S-1')?.competitors[0]?.price).toBe(1_999);
    sendPrice(world, 1_500, 0);
    later(world, 45 * MINUTE);
    expect(world.market('amazon').item('S-1')?.competitors[0]?.price).toBe(2_100);
  });

  test('the follower matches us within hours, the stubborn competitor never does', () => {
    const world = worldOf({
      competitors: [
        { ...competitor, habit: 'follower', lowest: cents(1_500) },
        { ...competitor, habit: 'stubborn' },
      ],
    });
    later(world, 5 * 60 * MINUTE);
    expect(
      world
        .market('amazon')
        .item('S-1')
        ?.competitors.map(({ price }) => price),
    ).toEqual([2_000, 2_100]);
  });

  test.each(HABITS)('a %s never goes below its lowest price', (habit) => {
    const world = worldOf({ competitors: [{ ...competitor, habit, lowest: cents(1_900) }] });
    sendPrice(world, 300, 0);
    for (let day = 0; day < 30; day++) {
      later(world, DAY);
      expect(world.market('amazon').item('S-1')?.competitors[0]?.price).toBeGreaterThanOrEqual(1_900);
    }
  });

  test('a competitor that comes and goes is out of stock at times', () => {
    const world = worldOf({ competitors: [{ ...competitor, habit: 'comes_and_goes' }] });
    const seen = new Set<number>();
    for (let day = 0; day < 20; day++) {
      later(world, DAY);
      const item = world.market('amazon').item('S-1');
      if (item !== null) seen.add(shownOffers(item).length);
    }
    expect(seen).toEqual(new Set([1, 2]));
  });
});

describe('shoppers', () => {
  const competitors = [
    {
      name: 'Maple Goods',
      habit: 'stubborn',
      price: cents(2_000),
      shippingCharge: cents(0),
      fulfillmentType: 'FBM',
    },
  ] as const;

  test('buy more at a lower landed price', () => {
    const lower = worldOf({ price: cents(1_700), competitors, viewsPerDay: 200, quantity: 100_000 });
    const higher = worldOf({
      price: cents(1_700),
      shippingCharge: cents(600),
      competitors,
      viewsPerDay: 200,
    });
    for (const world of [lower, higher]) later(world, 10 * DAY);
    const sold = [lower, higher].map((world) => world.market('amazon').item('S-1')?.unitsSold ?? 0);
    expect(sold[0]).toBeGreaterThan(3 * (sold[1] ?? 0));
  });

  test('orders reduce the stock, some are canceled, and nothing sells beyond the stock', () => {
    const world = worldOf({ viewsPerDay: 400, quantity: 40 });
    later(world, 30 * DAY);
    const orders = world.market('amazon').orders();
    const statuses = new Set(orders.map(({ status }) => status));
    expect(statuses).toEqual(new Set(['open', 'shipped', 'cancelled']));
    expect(orders.every(({ lines }) => lines.every(({ quantity }) => quantity >= 1))).toBe(true);
    expect(world.market('amazon').item('S-1')?.quantity).toBeGreaterThanOrEqual(0);
  });

  test('the lowest offer is featured, and views with it are counted', () => {
    const world = worldOf({ price: cents(1_500), competitors, viewsPerDay: 100 });
    const item = world.market('amazon').item('S-1');
    expect(item === null ? null : featuredOffer(item)?.competitor).toBeNull();
    later(world, 2 * DAY);
    expect(item?.views).toBeGreaterThan(100);
    expect(item?.featuredViews).toBe(item?.views);
  });
});

describe('tokens and tasks', () => {
  test('a token expires, and is valid only for its grant', () => {
    const world = worldOf({});
    const { tokens } = world.market('amazon');
    const token = tokens.issue(15 * MINUTE, { grant: 'prices' });
    expect(tokens.check(token, 'prices')).toBe('good');
    expect(tokens.check(token)).toBe('unknown');
    later(world, 15 * MINUTE);
    expect(tokens.check(token, 'prices')).toBe('expired');
    expect(tokens.check(undefined)).toBe('unknown');
  });

  test('a rotated refresh token is invalid', () => {
    const { tokens } = worldOf({}).market('etsy');
    tokens.addRefreshToken('first');
    const second = tokens.rotateRefreshToken('first', DAY);
    expect(second).not.toBeNull();
    expect(tokens.rotateRefreshToken('first', DAY)).toBeNull();
    expect(tokens.hasRefreshToken(second ?? '')).toBe(true);
  });

  test('a task waits, works, and takes its output from the state at its end', () => {
    const world = worldOf({});
    const { tasks } = world.market('amazon');
    const task = tasks.start('t-1', 'report', 9 * MINUTE, () =>
      String(world.market('amazon').item('S-1')?.price),
    );
    const states = [task.state];
    for (const minutes of [3, 3]) {
      later(world, minutes * MINUTE);
      states.push(task.state);
    }
    sendPrice(world, 1_234, 0);
    later(world, 3 * MINUTE);
    expect([...states, task.state]).toEqual(['waiting', 'working', 'working', 'done']);
    expect(tasks.find('t-1')).toMatchObject({ output: '1234', doneAt: START + 9 * MINUTE });
  });
});
