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
    rivals: [],
    viewsPerDay: 0,
    ...plan,
  }));
  return createWorld({ seed: 'test', startsAt: START, items: plans, stock: [] });
}

function hear(world: World, price: number, liveAfter: number, sku = 'S-1') {
  return world
    .market('amazon')
    .hear({ sku, price: cents(price), liveAfter, requestId: `r-${price}`, operation: 'patch' });
}

describe('time', () => {
  test('nothing moves until time passes', () => {
    const world = createWorld(sampleWorld('still', START));
    const before = JSON.stringify(world.market('amazon').items());
    world.advance(START);
    world.advance(instant(START - DAY));
    expect(JSON.stringify(world.market('amazon').items())).toBe(before);
    expect(world.now()).toBe(START);
  });

  test('a week in one step is the same as a week in steps of an hour', () => {
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

  test('another seed is another world', () => {
    const [one, other] = ['a', 'b'].map((seed) => createWorld(sampleWorld(seed, START)));
    expect(one?.market('amazon').items()).not.toEqual(other?.market('amazon').items());
  });
});

describe('prices', () => {
  test('an accepted price is live after its delay and not before', () => {
    const world = worldOf({});
    expect(hear(world, 1_850, 15 * MINUTE)).toMatchObject({ fate: 'pending' });
    later(world, 15 * MINUTE - 1);
    expect(world.market('amazon').item('S-1')?.price).toBe(2_000);
    later(world, 1);
    expect(world.market('amazon').item('S-1')?.price).toBe(1_850);
    expect(world.heardPrices()).toEqual([
      expect.objectContaining({ sku: 'S-1', price: 1_850, fate: 'applied', appliedAt: START + 15 * MINUTE }),
    ]);
  });

  test('the price heard last wins, also over a slow one that would be live after it', () => {
    const world = worldOf({});
    hear(world, 1_700, 60 * MINUTE);
    hear(world, 1_800, 5 * MINUTE);
    later(world, DAY);
    expect(world.market('amazon').item('S-1')?.price).toBe(1_800);
    expect(world.heardPrices().map(({ fate }) => fate)).toEqual(['replaced', 'applied']);
  });

  test('refused, forgotten and unknown ones stand in the ledger and change nothing', () => {
    const world = worldOf({});
    const market = world.market('amazon');
    const asked = { sku: 'S-1', price: cents(100), liveAfter: 0, requestId: 'r', operation: 'patch' };
    market.hear({ ...asked, refusal: 'too low' });
    market.hear({ ...asked, isDropped: true });
    market.hear({ ...asked, sku: 'nobody' });
    later(world, DAY);
    expect(market.item('S-1')?.price).toBe(2_000);
    expect(world.heardPrices().map(({ fate }) => fate)).toEqual(['refused', 'dropped', 'refused']);
  });

  test('a price of zero delay is live at once', () => {
    const world = worldOf({});
    hear(world, 1_999, 0);
    expect(world.market('amazon').item('S-1')?.price).toBe(1_999);
  });
});

describe('rivals', () => {
  const rival = {
    name: 'Maple Goods',
    price: cents(2_100),
    shippingCharge: cents(0),
    fulfillmentType: 'FBM',
  } as const;

  test('the undercutter goes a cent below us, and home when that is too cheap', () => {
    const world = worldOf({ rivals: [{ ...rival, habit: 'undercutter', lowest: cents(1_500) }] });
    later(world, 45 * MINUTE);
    expect(world.market('amazon').item('S-1')?.rivals[0]?.price).toBe(1_999);
    hear(world, 1_500, 0);
    later(world, 45 * MINUTE);
    expect(world.market('amazon').item('S-1')?.rivals[0]?.price).toBe(2_100);
  });

  test('the follower matches us within hours, the stubborn one never does', () => {
    const world = worldOf({
      rivals: [
        { ...rival, habit: 'follower', lowest: cents(1_500) },
        { ...rival, habit: 'stubborn' },
      ],
    });
    later(world, 5 * 60 * MINUTE);
    expect(
      world
        .market('amazon')
        .item('S-1')
        ?.rivals.map(({ price }) => price),
    ).toEqual([2_000, 2_100]);
  });

  test.each(HABITS)('a %s never goes below its lowest price', (habit) => {
    const world = worldOf({ rivals: [{ ...rival, habit, lowest: cents(1_900) }] });
    hear(world, 300, 0);
    for (let day = 0; day < 30; day++) {
      later(world, DAY);
      expect(world.market('amazon').item('S-1')?.rivals[0]?.price).toBeGreaterThanOrEqual(1_900);
    }
  });

  test('one that comes and goes is missing from the page at times', () => {
    const world = worldOf({ rivals: [{ ...rival, habit: 'comes_and_goes' }] });
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
  const rivals = [
    {
      name: 'Maple Goods',
      habit: 'stubborn',
      price: cents(2_000),
      shippingCharge: cents(0),
      fulfillmentType: 'FBM',
    },
  ] as const;

  test('buy more from the cheaper one, by what they pay in the end', () => {
    const cheap = worldOf({ price: cents(1_700), rivals, viewsPerDay: 200, quantity: 100_000 });
    const dear = worldOf({ price: cents(1_700), shippingCharge: cents(600), rivals, viewsPerDay: 200 });
    for (const world of [cheap, dear]) later(world, 10 * DAY);
    const sold = [cheap, dear].map((world) => world.market('amazon').item('S-1')?.unitsSold ?? 0);
    expect(sold[0]).toBeGreaterThan(3 * (sold[1] ?? 0));
  });

  test('orders take pieces, some are cancelled, and what is sold out cannot be bought', () => {
    const world = worldOf({ viewsPerDay: 400, quantity: 40 });
    later(world, 30 * DAY);
    const orders = world.market('amazon').orders();
    const statuses = new Set(orders.map(({ status }) => status));
    expect(statuses).toEqual(new Set(['open', 'shipped', 'cancelled']));
    expect(orders.every(({ lines }) => lines.every(({ quantity }) => quantity >= 1))).toBe(true);
    expect(world.market('amazon').item('S-1')?.quantity).toBeGreaterThanOrEqual(0);
  });

  test('the buy box is the cheapest, and the share of views in it is counted', () => {
    const world = worldOf({ price: cents(1_500), rivals, viewsPerDay: 100 });
    const item = world.market('amazon').item('S-1');
    expect(item === null ? null : featuredOffer(item)?.rival).toBeNull();
    later(world, 2 * DAY);
    expect(item?.views).toBeGreaterThan(100);
    expect(item?.featuredViews).toBe(item?.views);
  });
});

describe('tokens and tasks', () => {
  test('a token ends with its time, and is good for nothing else', () => {
    const world = worldOf({});
    const { tokens } = world.market('amazon');
    const token = tokens.issue(15 * MINUTE, { grant: 'prices' });
    expect(tokens.check(token, 'prices')).toBe('good');
    expect(tokens.check(token)).toBe('unknown');
    later(world, 15 * MINUTE);
    expect(tokens.check(token, 'prices')).toBe('expired');
    expect(tokens.check(undefined)).toBe('unknown');
  });

  test('a refresh token that is replaced is worth nothing any more', () => {
    const { tokens } = worldOf({}).market('etsy');
    tokens.plantRefresh('first');
    const second = tokens.rotateRefresh('first', DAY);
    expect(second).not.toBeNull();
    expect(tokens.rotateRefresh('first', DAY)).toBeNull();
    expect(tokens.knowsRefresh(second ?? '')).toBe(true);
  });

  test('a task waits, is worked on, and sees the world as it is when it is done', () => {
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
    hear(world, 1_234, 0);
    later(world, 3 * MINUTE);
    expect([...states, task.state]).toEqual(['waiting', 'working', 'working', 'done']);
    expect(tasks.find('t-1')).toMatchObject({ output: '1234', doneAt: START + 9 * MINUTE });
  });
});
