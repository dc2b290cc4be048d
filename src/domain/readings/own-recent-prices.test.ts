import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cents, hours, type Instant, instant } from '#domain/units.ts';
import { NOW, usd } from '#tests/builders/facts.ts';
import { law } from '#tests/builders/law.ts';
import {
  OWN_PRICE_WINDOW,
  ownRecentPrices,
  type PriceInForce,
  type RecentPrices,
  recentlyShownPrices,
} from './own-recent-prices.ts';

const ago = (time: number): Instant => instant(NOW - hours(time));
const by =
  (isOwn: boolean) =>
  (price: number, hoursAgo: number): PriceInForce => ({ price: usd(price), since: ago(hoursAgo), isOwn });
const ours = by(true);
const theirs = by(false);
const NEVER_SENT = { replacedAt: null, sentAt: null, isGivenUp: false };
const own = (inForce: readonly PriceInForce[], sent: RecentPrices['sent'] = []) =>
  ownRecentPrices({ inForce, sent }, NOW);

describe('own recent prices', () => {
  test('are the price in force before the first own one, and every own one', () => {
    const prices = own([theirs(20, 90), ours(19, 3), ours(18.5, 1)]);
    expect([...prices]).toEqual([
      [usd(20), { ...NEVER_SENT, replacedAt: ago(3) }],
      [usd(19), { ...NEVER_SENT, replacedAt: ago(1) }],
      [usd(18.5), NEVER_SENT],
    ]);
  });

  test('include the own price that was in force when the window began, and not what it had replaced', () => {
    expect([...own([ours(19, 48)]).keys()]).toEqual([usd(19)]);
    expect([...own([theirs(20, 50), ours(19, 48), theirs(17, 12)]).keys()]).toEqual([usd(19)]);
    expect([...own([theirs(20, 50), ours(19, 48), theirs(17, 24)]).keys()]).toEqual([]);
  });

  test('do not include a price adopted from the marketplace in between', () => {
    expect([...own([ours(20, 20), theirs(17, 10), ours(19, 2)]).keys()]).toEqual([usd(20), usd(19)]);
  });

  test('do not include the external edit that a repair undid, not even as the price before the first', () => {
    const repair: PriceInForce = { ...ours(20, 2), isRepair: true };
    expect([...own([theirs(20, 90), theirs(0.5, 2.1), repair]).keys()]).toEqual([usd(20)]);
    const sent = [{ price: usd(20), at: ago(2.05), isGivenUp: false }];
    expect([...own([theirs(20, 90), theirs(0.5, 2.1), repair], sent).keys()]).toEqual([usd(20)]);
  });

  test('include what was sent and never came into force, with the price in force before', () => {
    const sent = [
      { price: usd(18), at: ago(2), isGivenUp: false },
      { price: usd(18), at: ago(5), isGivenUp: true },
      { price: usd(16), at: ago(24), isGivenUp: true },
    ];
    expect([...own([theirs(20, 90)], sent)]).toEqual([
      [usd(20), NEVER_SENT],
      [usd(18), { replacedAt: null, sentAt: ago(2), isGivenUp: false }],
    ]);
  });

  test('are none for a listing that was never priced here', () => {
    expect(own([theirs(20, 90), theirs(21, 2)]).size).toBe(0);
    expect(own([]).size).toBe(0);
  });
});

test('prices shown recently include those that were adopted', () => {
  const recent = { inForce: [ours(20, 20), theirs(17, 10), ours(19, 2)], sent: [] };
  expect([...recentlyShownPrices(recent, NOW)].sort()).toEqual([usd(17), usd(19), usd(20)]);
});

const DAYS = 3 * OWN_PRICE_WINDOW;
const price = fc.integer({ min: 1, max: 6 }).map(cents);
const age = fc.integer({ min: 0, max: DAYS }).map((time) => instant(NOW - time));
const stories = fc.record({
  inForce: fc
    .array(fc.record({ price, since: age, isOwn: fc.boolean() }), { minLength: 1, maxLength: 8 })
    .map((prices) => prices.toSorted((one, other) => one.since - other.since)),
  sent: fc.array(fc.record({ price, at: age, isGivenUp: fc.boolean() }), { maxLength: 4 }),
});

law('a price of ours that buyers could see in the last 24 hours is an own recent price', stories, (story) => {
  const found = ownRecentPrices(story, NOW);
  story.inForce.forEach(({ price, isOwn }, index) => {
    const until = story.inForce[index + 1]?.since ?? NOW + 1;
    if (isOwn && until > NOW - OWN_PRICE_WINDOW) expect(found.has(price)).toBe(true);
  });
  for (const { price, at } of story.sent) {
    if (at > NOW - OWN_PRICE_WINDOW) expect(found.has(price)).toBe(true);
  }
  const shown = recentlyShownPrices(story, NOW);
  expect([...found.keys()].filter((price) => !shown.has(price))).toEqual([]);
});

law('at most one own recent price is neither ours nor sent: the one before the first', stories, (story) => {
  const known = new Set([
    ...story.inForce.filter(({ isOwn }) => isOwn).map(({ price }) => price),
    ...story.sent.map(({ price }) => price),
  ]);
  const others = [...ownRecentPrices(story, NOW).keys()].filter((price) => !known.has(price));
  expect(others.length).toBeLessThanOrEqual(1);
});
