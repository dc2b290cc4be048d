import { describe, expect, test } from 'vitest';
import { VALID_FEATURED_PRICE } from '#domain/competition/featured-price.ts';
import { longestPriceWarStreak, priceDayAgo, type RecentMove } from '#domain/competition/recent-moves.ts';
import { explain } from '#domain/decision/explain.ts';
import { NO_SIGNALS } from '#domain/decision/facts.ts';
import type { RuleChoice } from '#domain/rules/rule.ts';
import { type Cents, hours, type Instant } from '#domain/units.ts';
import { aListing, anOffer, aPolicy, aRule, NOW, pct, usd } from '#tests/builders/facts.ts';
import { linesOf } from '#tests/builders/lines.ts';

/** Each hour Acme is $0.10 under our price, and so is the featured offer price: a price that follows goes down with it. */
function warOf(text: string) {
  const rule = aRule({ lines: linesOf(text), targetMargin: pct(35), onlySameShipping: false });
  const choice: RuleChoice = { kind: 'matched', rule, minimumMargin: pct(15) };
  let moves: readonly RecentMove[] = [];
  let price = usd(20);
  let lastChangedAt: Instant | null = null;
  for (let hour = 0; hour < 24; hour += 1) {
    const now = (NOW + hours(hour)) as Instant;
    const under = (price - 10) as Cents;
    const listing = aListing({
      marketplace: 'amazon',
      currentPrice: price,
      anchorPrice: usd(20),
      readAt: now,
      lastChangedAt,
      priceDayAgo: priceDayAgo(price, moves),
      priceWarStreak: longestPriceWarStreak(moves),
      featuredPrice: { price: under, status: VALID_FEATURED_PRICE, readAt: now },
      offers: [anOffer(under / 100, { by: 'Acme', channel: 'amazon', seenAt: now })],
      signals: { ...NO_SIGNALS, boxShare: pct(0), stockAgeDays: 200 },
    });
    const { decision, against } = explain(listing, choice, aPolicy({ now }));
    if (decision.kind !== 'change') continue;
    moves = [...moves, { oldPrice: price, newPrice: decision.price, source: 'rule', at: now, against }];
    price = decision.price;
    lastChangedAt = now;
  }
  return moves;
}

const opponentsIn = (moves: readonly RecentMove[]) => [...new Set(moves.map(({ against }) => against))];

describe('a price that competitors lead down', () => {
  // Six cuts, a pause of six hours, and one more cut after each pause.
  test.each([
    ['$0.05 under the lowest', 'acme'],
    ['own price, not over $0.05 under the lowest', 'acme'],
    ['featured price', ''],
    ['floor, not under featured price', ''],
    ['losing: lower 1% every 1 h', ''],
    ['lower 1% every 1 h down to $0.05 under the lowest', ''],
    ['losing: 1% under current price', ''],
  ])('pauses: %s', (text, against) => {
    const moves = warOf(text);
    expect(moves.map(({ at }) => (at - NOW) / hours(1))).toEqual([0, 1, 2, 3, 4, 5, 11, 17, 23]);
    expect(opponentsIn(moves)).toEqual([against]);
  });

  test('is counted by a line that waits until it was lowered so often', () => {
    const text =
      'lowered 3 times or more in 24 h: hold; otherwise: own price, not over $0.05 under the lowest';
    expect(warOf(text)).toHaveLength(3);
  });

  test('does not pause where the line that sells off looks at no competitors, even below one that does', () => {
    for (const text of [
      'lower 1% every 1 h',
      'winning: hold; stock age 181 days or more: lower 1% every 1 h',
    ]) {
      const moves = warOf(text);
      expect(moves).toHaveLength(24);
      expect(opponentsIn(moves)).toEqual([null]);
    }
  });
});

test('a bound from an offer names it only where it lowers what the line asks for', () => {
  const rule = aRule({
    lines: linesOf('own price, not over $0.05 under the lowest'),
    onlySameShipping: false,
  });
  const competitorOf = (ownPrice: number) => {
    const listing = aListing({ anchorPrice: usd(ownPrice), offers: [anOffer(19, { by: 'Acme' })] });
    return explain(listing, { kind: 'matched', rule, minimumMargin: pct(15) }, aPolicy()).competitor;
  };
  expect(competitorOf(20)?.seller).toBe('acme');
  expect(competitorOf(18)).toBeNull();
});
