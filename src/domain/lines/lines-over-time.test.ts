import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { landedPrice } from '#domain/competition/competitors.ts';
import type { Offer } from '#domain/competition/offer.ts';
import {
  longestPriceWarStreak,
  opponentKey,
  priceDayAgo,
  type RecentMove,
} from '#domain/competition/recent-moves.ts';
import { evaluate } from '#domain/decision/decide.ts';
import { NO_SIGNALS } from '#domain/decision/facts.ts';
import type { FeeTable } from '#domain/fees/fee-table.ts';
import type { RuleChoice } from '#domain/rules/rule.ts';
import { type Bps, type Cents, hours, type Instant, WHOLE } from '#domain/units.ts';
import { aListing, anOffer, aPolicy, aRule, fees, NOW, pct, usd } from '#tests/builders/facts.ts';
import { law } from '#tests/builders/law.ts';
import { storiesWithLines } from '#tests/builders/line-stories.ts';
import { linesOf } from '#tests/builders/lines.ts';
import type { Line } from './line.ts';
import { type LineMemory, NOTHING_REMEMBERED, rememberDecision } from './line-memory.ts';
import { RULE_TEMPLATES } from './templates.ts';

/** A listing that costs $10.00 and pays 15%, with competitors that never move: its floor is $14.29. */
interface Shop {
  readonly lines: readonly Line[];
  readonly startPrice: Cents;
  readonly ownPrice: Cents;
  readonly fulfillmentType: 'FBM' | 'FBA/WFS';
  readonly competitors: readonly Offer[];
  /** 15% unless it is given. */
  readonly fees?: FeeTable;
}

/** One decision. */
interface Decided {
  /** Hours since the first one. */
  readonly at: number;
  /** Before it, and after it. */
  readonly from: Cents;
  readonly price: Cents;
  readonly line: number;
  readonly startsTurn: boolean;
}

/** Decides at these hours, each time from what the product would have stored of the decisions before. */
function runOf(
  { lines, startPrice, ownPrice, fulfillmentType, competitors, ...fees }: Shop,
  times: readonly number[],
) {
  const rule = aRule({ lines, targetMargin: pct(35), onlySameShipping: false });
  const choice: RuleChoice = { kind: 'matched', rule, minimumMargin: pct(15) };
  const decisions: Decided[] = [];
  let moves: readonly RecentMove[] = [];
  let memory: LineMemory = NOTHING_REMEMBERED;
  let lastChangedAt: Instant | null = null;
  let price = startPrice;
  for (const at of times) {
    const now = (NOW + hours(at)) as Instant;
    moves = moves.filter((move) => now - move.at <= hours(24));
    const facts = aListing({
      marketplace: 'amazon',
      fulfillmentType,
      currentPrice: price,
      anchorPrice: ownPrice,
      readAt: now,
      lastChangedAt,
      priceDayAgo: priceDayAgo(price, moves),
      priceWarStreak: longestPriceWarStreak(moves),
      offers: offersAt(price, competitors, now),
      signals: { ...NO_SIGNALS, ...memory, boxShare: boxShareAt(price, competitors) },
      ...fees,
    });
    const { decision, strategyPrice } = evaluate(facts, choice, aPolicy({ now }));
    memory = rememberDecision(memory, decision.line, now);
    const from = price;
    if (decision.kind === 'change') {
      price = decision.price;
      lastChangedAt = now;
      const against = opponentKey(strategyPrice);
      moves = [...moves, { oldPrice: from, newPrice: price, source: 'rule', at: now, against }];
    }
    const { number = 0, startsTurn = false } = decision.line ?? {};
    decisions.push({ at, from, price, line: number, startsTurn });
  }
  return decisions;
}

/** The buy box answers to prices alone: the lowest one has it, and of equal ones ours. */
function isOurs(price: Cents, competitors: readonly Offer[]): boolean {
  return competitors.every((offer) => landedPrice(offer) >= price);
}

function boxShareAt(price: Cents, competitors: readonly Offer[]): Bps | null {
  return competitors.length === 0 ? null : isOurs(price, competitors) ? WHOLE : (0 as Bps);
}

function offersAt(price: Cents, competitors: readonly Offer[], now: Instant): readonly Offer[] {
  const lowest = Math.min(...competitors.map(landedPrice));
  const holder = isOurs(price, competitors)
    ? -1
    : competitors.findIndex((one) => landedPrice(one) === lowest);
  return competitors.map((offer, index) => ({ ...offer, seenAt: now, isFeatured: index === holder }));
}

const amount = (min: number, max: number) => fc.integer({ min, max }) as fc.Arbitrary<Cents>;
const seen = fc.record({
  price: amount(800, 4_000),
  fulfillmentType: fc.constantFrom('FBM' as const, 'FBA/WFS' as const, null),
});
/** With each of these all start prices are allowed, and above an edge a price leaves less than at it. */
const FEES = [
  fees([{ percent: 15 }]),
  fees([{ upTo: 15, percent: 14.95 }, { upTo: 20, percent: 16 }, { percent: 17 }]),
  fees([
    { upTo: 20, percent: 12.9, fixed: 0.3 },
    { percent: 15, fixed: 0.4 },
  ]),
];
const shopsWith = (text: string): fc.Arbitrary<Shop> =>
  fc.record({
    lines: fc.constant(linesOf(text)),
    // Allowed prices: none has to be corrected first.
    startPrice: amount(1_429, 2_850),
    ownPrice: amount(1_600, 3_000),
    fulfillmentType: fc.constantFrom('FBM', 'FBA/WFS'),
    competitors: fc
      .array(seen, { maxLength: 4 })
      .map((all) =>
        all.map((offer, index) => anOffer(20, { by: `Seller ${index}`, channel: 'amazon', ...offer })),
      ),
    fees: fc.constantFrom(...FEES),
  });

const template = (name: (typeof RULE_TEMPLATES)[number]['name']): string =>
  RULE_TEMPLATES.find((each) => each.name === name)?.lines ?? '';

/** Every so many hours. */
const timesEvery = (length: number, count: number) => Array.from({ length: count }, (_, at) => at * length);

function changesOfDirection(decisions: readonly Decided[]): number {
  const moves = decisions.map(({ from, price }) => Math.sign(price - from)).filter((sign) => sign !== 0);
  return moves.filter((sign, index) => index > 0 && sign !== moves[index - 1]).length;
}

describe('with competitors that never move', () => {
  for (const name of ['Win and hold', 'Always back up', 'Skip the dumper'] as const) {
    law(
      `${name} comes to a price that stays, and turns around once at most`,
      shopsWith(template(name)),
      (shop) => {
        // More than a day apart, so that no limit of a day stops it.
        const decisions = runOf(shop, timesEvery(25, 40));
        expect(changesOfDirection(decisions)).toBeLessThanOrEqual(1);
        expect(new Set(decisions.slice(20).map(({ price }) => price)).size).toBe(1);
      },
      0.3,
    );
  }

  law(
    'Win and climb turns around once at most',
    fc.tuple(shopsWith(template('Win and climb')), fc.constantFrom(1, 6, 25)),
    ([shop, apart]) => {
      expect(changesOfDirection(runOf(shop, timesEvery(apart, 200)))).toBeLessThanOrEqual(1);
    },
    0.1,
  );

  law(
    'a raise without an end and the offset below it take turns once per step at most',
    fc.tuple(
      shopsWith(`winning: raise 2% every 24 h; 4% under the lowest (12% under faster)`),
      fc.constantFrom(0.5, 1, 6),
    ),
    ([shop, apart]) => {
      const decisions = runOf(shop, timesEvery(apart, 200));
      expect(changesOfDirection(decisions)).toBeLessThanOrEqual(2 * Math.ceil((apart * 200) / 24));
      expectWaits(decisions, 1, 24);
    },
    0.1,
  );
});

for (const [text, direction] of [
  ['raise 2% every 6 h up to own price', 1],
  ['lower 2% every 6 h down to own price', -1],
] as const) {
  law(
    `${text}: never past its end, and one step at a time`,
    fc.tuple(shopsWith(text), fc.constantFrom(0.5, 1, 5)),
    ([shop, apart]) => {
      const decisions = runOf(shop, timesEvery(apart, 100));
      for (const { from, price } of decisions.filter(({ from, price }) => from !== price)) {
        expect(Math.sign(price - from)).toBe(direction);
        expect(Math.abs(price - from)).toBeLessThanOrEqual(Math.max(1, Math.floor((from * 2) / 100)));
        expect((shop.ownPrice - price) * direction).toBeGreaterThanOrEqual(0);
      }
      expectWaits(decisions, 1, 6);
    },
    0.1,
  );
}

/** Every change by a line comes so many hours after the last change, of whatever line. */
function expectWaits(decisions: readonly Decided[], line: number, wait: number): void {
  const changes = decisions.filter(({ from, price }) => from !== price);
  for (const [index, change] of changes.entries()) {
    const before = changes[index - 1];
    if (change.line === line && before !== undefined)
      expect(change.at - before.at).toBeGreaterThanOrEqual(wait);
  }
}

describe('a line with turns', () => {
  const quarters = fc.integer({ min: 1, max: 60 }).map((each) => each / 4);
  const reported = fc.record({
    lasts: quarters,
    rests: quarters,
    gaps: fc.array(
      fc.integer({ min: 1, max: 30 }).map((each) => each / 4),
      { minLength: 1, maxLength: 60 },
    ),
    startPrice: amount(1_429, 2_850),
  });

  law('decides for its time, rests for its time, and is never skipped for good', reported, (story) => {
    const { lasts, rests, gaps, startPrice } = story;
    const lines = linesOf(`floor, for ${lasts} h then not for ${rests} h; otherwise: own price`);
    const ownPrice = usd(20);
    const times = [0];
    for (const gap of gaps) times.push((times.at(-1) ?? 0) + gap);
    const decisions = runOf({ lines, startPrice, ownPrice, fulfillmentType: 'FBM', competitors: [] }, times);
    let start = Number.NEGATIVE_INFINITY;
    for (const { at, line, startsTurn } of decisions) {
      const isOver = at - start >= lasts + rests;
      expect(startsTurn).toBe(isOver);
      if (isOver) start = at;
      expect(line).toBe(at - start < lasts ? 1 : 2);
    }
  });

  test('whose price is in force already uses its turn up: a day at the floor is over after a day', () => {
    const lines = linesOf('floor, for 24 h then not for 48 h; hold');
    const shop = { lines, ownPrice: usd(20), fulfillmentType: 'FBM', competitors: [] } as const;
    const decisions = runOf({ ...shop, startPrice: usd(14.29) }, timesEvery(12, 8));
    expect(decisions.every(({ price }) => price === usd(14.29))).toBe(true);
    expect(decisions.map(({ line }) => line)).toEqual([1, 1, 2, 2, 2, 2, 1, 1]);
  });
});

law(
  'whatever lines change, the price ceiling stays where it is',
  storiesWithLines,
  (story) => {
    let { facts } = story;
    let ceiling: number | null = null;
    for (let decision = 0; decision < 12; decision += 1) {
      const now = (story.policy.now + hours(25 * decision)) as Instant;
      const offers = facts.offers.map((offer) => ({ ...offer, seenAt: now }));
      const at = { ...facts, offers, readAt: now };
      const { decision: made, allowed } = evaluate(at, story.choice, { ...story.policy, now });
      if (allowed === null) return;
      ceiling ??= allowed.priceCeiling;
      expect(allowed.priceCeiling).toBe(ceiling);
      if (made.kind !== 'change') continue;
      expect(made.price).toBeLessThanOrEqual(ceiling ?? 0);
      const moved = {
        currentPrice: made.price,
        ownPrices: [made.price],
        priceDayAgo: null,
        pendingPrice: null,
      };
      facts = { ...facts, ...moved, lastChangedAt: now };
    }
  },
  0.1,
);
