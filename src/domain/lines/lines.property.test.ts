import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { landedPrice, offerStatus } from '#domain/competition/competitors.ts';
import { type Offer, sellerKey } from '#domain/competition/offer.ts';
import { decide, evaluate } from '#domain/decision/decide.ts';
import { explain } from '#domain/decision/explain.ts';
import type { ListingFacts } from '#domain/decision/facts.ts';
import { isAllowed } from '#domain/limits/allowed-prices.ts';
import type { Rule } from '#domain/rules/rule.ts';
import { hours, WHOLE } from '#domain/units.ts';
import { NOW, pct } from '#tests/builders/facts.ts';
import { storiesWith, storiesWithLines as withLines } from '#tests/builders/line-stories.ts';
import { linesOf } from '#tests/builders/lines.ts';
import { isAllowedPrice, isWithinReach, lowestByTrying } from '#tests/builders/oracle.ts';
import { law as wideLaw } from '#tests/builders/properties.ts';
import { type Story, stories, termsOf } from '#tests/builders/scenarios.ts';
import type { Line } from './line.ts';

/** Such stories take long to make. */
function law<Told>(name: string, told: fc.Arbitrary<Told>, holds: (story: Told) => void): void {
  wideLaw(name, told, holds, 0.3);
}

const withText = (text: string, rest: Partial<Rule> = {}): fc.Arbitrary<Story> =>
  storiesWith(fc.constant({ lines: linesOf(text), targetMargin: pct(35), onlySameShipping: false, ...rest }));

function decided({ facts, choice, policy }: Story) {
  return decide(facts, choice, policy);
}

describe('whatever the lines of a rule say', () => {
  law('every price is allowed, and every change is within the move range', withLines, (story) => {
    const decision = decided(story);
    const { currentPrice, priceDayAgo } = story.facts;
    if (decision.kind === 'blocked' || decision.kind === 'keep') return;
    const terms = termsOf(story);
    if (terms === null || currentPrice === null) throw new Error('a price from unknown facts');
    const floor = lowestByTrying(terms, decision.price);
    expect(floor !== null && isAllowedPrice(decision.price, terms, floor)).toBe(true);
    if (decision.kind === 'change') {
      expect(isWithinReach(decision.price, currentPrice, priceDayAgo, story.policy)).toBe(true);
    }
  });

  law('decide and explain agree, and the trace survives JSON', withLines, (story) => {
    const { decision, sentence, trace } = explain(story.facts, story.choice, story.policy);
    expect(decision).toEqual(decided(story));
    expect(sentence).not.toMatch(/undefined|NaN|unknown|null/);
    expect(JSON.parse(JSON.stringify(trace))).toEqual(trace);
    const last = trace.lines?.each.at(-1);
    if ((decision.line?.number ?? 0) > 0)
      expect(last).toMatchObject({ line: decision.line?.number, verdict: 'decided' });
  });

  law(
    'the order of the offers changes nothing but the name of one of two equal offers',
    withLines,
    (story) => {
      const offers = story.facts.offers.toReversed();
      expect(decided({ ...story, facts: { ...story.facts, offers } })).toEqual(decided(story));
    },
  );

  law('offers that do not count change nothing', withLines, (story) => {
    const { facts, choice, policy } = story;
    const [ours] = policy.ownSellers;
    const own: Offer = { ...anyOffer(facts), sellerName: 'Our Shop', seller: ours ?? null };
    const elsewhere: Offer = {
      ...anyOffer(facts),
      sellerName: 'Third',
      seller: sellerKey('Third'),
      channel: 'etsy',
    };
    const added = choice.rule?.otherChannels === true ? [own] : [own, elsewhere];
    expect(decide({ ...facts, offers: [...facts.offers, ...added] }, choice, policy)).toEqual(decided(story));
  });

  law('silence never moves a price that is allowed', withLines, (story) => {
    const unread = { ...story, facts: { ...story.facts, readAt: null, coverage: 'all' as const } };
    const decision = decided(unread);
    const { line } = decision;
    if (line === null || line.situation !== 'not_read' || decision.kind === 'blocked') return;
    const { allowed } = evaluate(unread.facts, unread.choice, unread.policy);
    const current = unread.facts.currentPrice ?? 0;
    const deciding = unread.choice.rule?.lines?.[line.number - 1];
    const names =
      deciding?.when.some((each) => each.kind === 'situation' && each.any.includes('not_read')) ?? false;
    if (allowed !== null && isAllowed(allowed, current) && !names) {
      expect(decision).toMatchObject({ kind: 'keep', price: current });
    }
  });

  law('a line below one that always decides changes nothing', withLines, (story) => {
    const { rule } = story.choice;
    const lines = rule?.lines ?? null;
    const always = lines?.findIndex(isLast) ?? -1;
    if (rule === null || lines === null || always < 0) return;
    const more = {
      ...rule,
      lines: [...lines.slice(0, always + 1), ...linesOf('ceiling'), ...lines.slice(always + 1)],
    };
    const { price, kind, reason } = decided({ ...story, choice: { ...story.choice, rule: more } } as Story);
    expect({ price, kind, reason }).toMatchObject(pick(decided(story)));
  });
});

function pick({ price, kind, reason }: ReturnType<typeof decided>) {
  return { price, kind, reason };
}

/** A line that decides wherever a line may: nothing can pass it over. */
function isLast({ when, action, turn }: Line): boolean {
  return when.length === 0 && turn === null && action.kind === 'hold';
}

function anyOffer({ currentPrice, offers }: ListingFacts): Offer {
  const [first] = offers;
  return {
    sellerName: null,
    seller: null,
    isMarketplace: false,
    price: currentPrice ?? (1 as never),
    shipping: 0 as never,
    fulfillmentType: 'FBM',
    isFeatured: false,
    isOurs: false,
    seenAt: NOW,
    rating: null,
    ratingCount: null,
    handlingDays: null,
    ...(first === undefined ? {} : { shipping: first.shipping }),
    channel: 'walmart',
  };
}

describe('one line against the lowest offer', () => {
  law('asks within a cent of its share of the landed price', withText('4% under the lowest'), (story) => {
    const { facts, choice, policy } = story;
    const { strategyPrice } = evaluate(facts, choice, policy);
    if (strategyPrice == null || strategyPrice.price === null || choice.rule === null) return;
    const { rule } = choice;
    const counted = facts.offers.filter((offer) => offerStatus(offer, facts, rule, policy) === 'counted');
    const lowest = Math.min(...counted.map(landedPrice));
    const charge = facts.shippingCharge ?? 0;
    const exact = lowest * (WHOLE - 400) - charge * WHOLE;
    expect(strategyPrice.price * WHOLE <= exact && exact < (strategyPrice.price + 1) * WHOLE).toBe(true);
  });

  law('never asks more where it goes further under', stories, (story) => {
    if (story.choice.rule === null || story.choice.minimumMargin === null) return;
    const want = (text: string): number => {
      const rule = { ...story.choice.rule, lines: linesOf(text) };
      const choice = { ...story.choice, rule } as Story['choice'];
      return evaluate(story.facts, choice, story.policy).strategyPrice?.price ?? Number.NEGATIVE_INFINITY;
    };
    expect(want('8% under the lowest')).toBeLessThanOrEqual(want('3% under the lowest'));
  });
});

describe('what a line must not do', () => {
  law(
    'next competitor never asks less than allowed',
    withText('4% under the lowest, else next competitor'),
    (story) => {
      const { strategyPrice, allowed } = evaluate(story.facts, story.choice, story.policy);
      if (strategyPrice == null || strategyPrice.price === null || allowed === null) return;
      expect(strategyPrice.price).toBeGreaterThanOrEqual(allowed.ranges[0] ?? 0);
    },
  );

  for (const text of [
    'the lowest, not under margin 20%',
    'the lowest, not under margin 20%, not over 30% under own price',
  ]) {
    law(
      `the target of ${text} is never below its own bound where that is allowed`,
      withText(text),
      (story) => {
        const { move, decision, allowed } = evaluate(story.facts, story.choice, story.policy);
        const bound = decision.line?.notUnder ?? null;
        if (move === null || move.reason !== 'line' || bound === null) return;
        if (allowed !== null && isAllowed(allowed, bound)) expect(move.target).toBeGreaterThanOrEqual(bound);
      },
    );
  }

  law(
    'raise ends at its end and lower too, a step at a time',
    withText('losing: lower 3% every 6 h down to own price; raise 2% every 6 h up to own price'),
    (story) => {
      const { strategyPrice } = evaluate(story.facts, story.choice, story.policy);
      const { currentPrice, anchorPrice, lastChangedAt } = story.facts;
      if (
        strategyPrice == null ||
        strategyPrice.price === null ||
        currentPrice === null ||
        anchorPrice === null
      )
        return;
      const moved = strategyPrice.price - currentPrice;
      if (moved > 0) expect(strategyPrice.price).toBeLessThanOrEqual(anchorPrice);
      else expect(strategyPrice.price).toBeGreaterThanOrEqual(anchorPrice);
      expect(Math.abs(moved)).toBeLessThanOrEqual(Math.max(1, Math.floor((currentPrice * 3) / 100)));
      expect(lastChangedAt === null || story.policy.now - lastChangedAt >= hours(6)).toBe(true);
    },
  );

  law('hold never changes a price that is allowed', withText('hold'), (story) => {
    const decision = decided(story);
    if (decision.kind === 'change' || decision.kind === 'recommend') expect(decision.reason).toBe('repair');
  });
});

law(
  'a turned line never decides while it rests',
  withText('floor, for 24 h then not for 48 h; hold'),
  (story) => {
    const { line } = decided(story);
    const start = story.facts.signals?.turns[1] ?? null;
    if (line === null || start === null) return;
    const since = story.policy.now - start;
    expect(line.number).toBe(since >= hours(24) && since < hours(72) ? 2 : 1);
    expect(line.startsTurn).toBe(line.number === 1 && since >= hours(72));
  },
);

law(
  'what is not known makes no condition hold',
  withText(
    'stock 5 or less: floor; stock age 10 days or more: floor; no sale for 3 days: floor; sold 1 or less in 7 days: floor; supply 3 days or less: floor; hours 8 to 18: floor; hold',
  ),
  (story) => {
    const unknown = {
      ...story,
      facts: { ...story.facts, signals: null },
      policy: { ...story.policy, local: null },
    };
    const { line } = decided(unknown);
    if (line !== null) expect(line.number).toBe(7);
  },
);

law('the target margin is kept, and no lower price keeps it', withText('target margin'), (story) => {
  const { strategyPrice } = evaluate(story.facts, story.choice, story.policy);
  const terms = termsOf(story);
  if (strategyPrice == null || strategyPrice.price === null || terms === null) return;
  // A target is aimed at without the greatest discount, which bounds only the allowed prices.
  const aimed = { ...terms, minimumMargin: Math.max(terms.minimumMargin, 3_500), greatestDiscount: 0 };
  expect(lowestByTrying(aimed, strategyPrice.price)).toBe(strategyPrice.price);
});
