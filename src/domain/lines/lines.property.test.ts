import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { landedPrice, offerStatus } from '#domain/competition/competitors.ts';
import { type Offer, sellerKey } from '#domain/competition/offer.ts';
import { decide, evaluate } from '#domain/decision/decide.ts';
import { explain } from '#domain/decision/explain.ts';
import { type ListingFacts, type ListingSignals, NO_SIGNALS } from '#domain/decision/facts.ts';
import { isAllowed } from '#domain/limits/allowed-prices.ts';
import type { Rule } from '#domain/rules/rule.ts';
import { type Cents, hours, type Instant, WHOLE } from '#domain/units.ts';
import { aListing, anOffer, aPolicy, chosen, NOW, pct } from '#tests/builders/facts.ts';
import { law as wideLaw } from '#tests/builders/law.ts';
import { storiesWith, storiesWithLines as withLines } from '#tests/builders/line-stories.ts';
import { anyCondition, linesOf } from '#tests/builders/lines.ts';
import { isAllowedPrice, isWithinReach, lowestByTrying } from '#tests/builders/oracle.ts';
import { type Story, stories, termsOf } from '#tests/builders/scenarios.ts';
import type { Condition, Line, Target } from './line.ts';
import type { LineStep } from './lines-price.ts';

/** Such stories take long to make. @param atLeast the share of them that the law has to be about */
function law<Told>(
  name: string,
  reported: fc.Arbitrary<Told>,
  holds: (story: Told) => unknown,
  atLeast = 0,
): void {
  wideLaw(name, reported, holds, 0.3, atLeast);
}

const withText = (text: string, rest: Partial<Rule> = {}): fc.Arbitrary<Story> =>
  storiesWith(fc.constant({ lines: linesOf(text), targetMargin: pct(35), onlySameShipping: false, ...rest }));

function decided({ facts, choice, policy }: Story) {
  return decide(facts, choice, policy);
}

describe('whatever the lines of a rule say', () => {
  law(
    'every price is allowed, and every change is within the move range',
    withLines,
    (story) => {
      const decision = decided(story);
      const { currentPrice, priceDayAgo } = story.facts;
      if (decision.kind === 'blocked' || decision.kind === 'keep') return false;
      const terms = termsOf(story);
      if (terms === null || currentPrice === null) throw new Error('a price from unknown facts');
      const floor = lowestByTrying(terms, decision.price);
      expect(floor !== null && isAllowedPrice(decision.price, terms, floor)).toBe(true);
      if (decision.kind !== 'change') return false;
      expect(isWithinReach(decision.price, currentPrice, priceDayAgo, story.policy)).toBe(true);
      return decision.reason === 'line';
    },
    0.2,
  );

  law('decide and explain agree, and the trace survives JSON', withLines, (story) => {
    const { decision, sentence, trace } = explain(story.facts, story.choice, story.policy);
    expect(decision).toEqual(decided(story));
    expect(sentence).not.toMatch(/undefined|NaN|null/);
    expect(JSON.parse(JSON.stringify(trace))).toEqual(trace);
    const last = trace.lines?.each.at(-1);
    if ((decision.line?.number ?? 0) > 0)
      expect(last).toMatchObject({ line: decision.line?.number, status: 'decided' });
  });

  law('what is known of competitors is what the lines saw', withLines, (story) => {
    const { decision, trace } = explain(story.facts, story.choice, story.policy);
    const situation = decision.line?.situation ?? null;
    const status = situation === null ? null : STATUS_OF[situation];
    if (status !== null) expect(trace.competition.status).toBe(status);
  });

  law('the same facts give the same decision, copied and with lines prepared anew', withLines, (story) => {
    expect(decided(structuredClone(story))).toEqual(decided(story));
  });

  law(
    'the order of the offers changes nothing but the name of one of two equal offers',
    withLines,
    (story) => {
      const offers = story.facts.offers.toReversed();
      expect(decided({ ...story, facts: { ...story.facts, offers } })).toEqual(decided(story));
    },
  );

  law(
    'offers that do not count change nothing, whatever their prices',
    fc.tuple(
      withLines,
      fc.array(fc.double({ min: 0.02, max: 2, noNaN: true }), { minLength: 3, maxLength: 3 }),
    ),
    ([story, [ourShare = 1, elsewhereShare = 1, ignoredShare = 1]]) => {
      const { facts, choice, policy } = story;
      const [ours] = policy.ownSellers;
      const own: Offer = { ...anyOffer(facts, ourShare), sellerName: 'Our Shop', seller: ours ?? null };
      const elsewhere: Offer = {
        ...anyOffer(facts, elsewhereShare),
        sellerName: 'Third',
        seller: sellerKey('Third'),
        channel: 'etsy',
      };
      const ignored: Offer = {
        ...anyOffer(facts, ignoredShare),
        sellerName: 'Other',
        seller: sellerKey('Other'),
      };
      const isIgnored = choice.rule?.filter?.ignoreSellers.has(ignored.seller as never) ?? false;
      const added = [
        own,
        ...(choice.rule?.otherChannels === true ? [] : [elsewhere]),
        ...(isIgnored ? [ignored] : []),
      ];
      const before = decided(story);
      expect(decide({ ...facts, offers: [...facts.offers, ...added] }, choice, policy)).toEqual(before);
      // Where they counted, these prices would be the lowest, and the line would be another or its price.
      const lowest = Math.min(...facts.offers.map(landedPrice));
      return before.line?.situation != null && added.some((offer) => landedPrice(offer) < lowest);
    },
    0.2,
  );

  law(
    'silence never moves a price that is allowed',
    withLines,
    (story) => {
      const unread = { ...story, facts: { ...story.facts, readAt: null, coverage: 'all' as const } };
      const decision = decided(unread);
      const { line } = decision;
      if (line === null || line.situation !== 'not_read' || decision.kind === 'blocked') return false;
      const { allowed } = evaluate(unread.facts, unread.choice, unread.policy);
      const current = unread.facts.currentPrice ?? 0;
      const deciding = unread.choice.rule?.lines?.[line.number - 1];
      const names =
        deciding?.when.some((each) => each.kind === 'situation' && each.any.includes('not_read')) ?? false;
      if (allowed === null || !isAllowed(allowed, current) || names) return false;
      expect(decision).toMatchObject({ kind: 'keep', price: current });
      return true;
    },
    0.5,
  );

  law(
    'where they ask for no price, one that is allowed stays',
    withLines,
    (story) => {
      const { strategyPrice, allowed, decision } = evaluate(story.facts, story.choice, story.policy);
      if (strategyPrice == null || strategyPrice.price !== null || allowed === null) return false;
      const current = story.facts.currentPrice ?? 0;
      if (isAllowed(allowed, current)) expect(decision).toMatchObject({ kind: 'keep', price: current });
      else if (decision.kind !== 'keep') expect(decision.reason).toBe('repair');
      return true;
    },
    0.25,
  );

  law(
    'a price that is not allowed is corrected to the same one',
    withLines,
    (story) => {
      const decision = decided(story);
      const { rule } = story.choice;
      if (decision.reason !== 'repair' || rule === null) return false;
      const held = {
        ...story,
        choice: { ...story.choice, rule: { ...rule, lines: linesOf('hold') } },
      } as Story;
      expect(decided(held)).toMatchObject({ price: decision.price, reason: 'repair' });
      return true;
    },
    0.02,
  );

  law(
    'a line that passes a low price on never decides by it',
    withLines,
    (story) => {
      const steps: LineStep[] = [];
      const { strategyPrice } = evaluate(story.facts, story.choice, story.policy, steps);
      const last = steps.at(-1);
      const action = story.choice.rule?.lines?.[(last?.line ?? 0) - 1]?.action;
      if (strategyPrice?.price == null || last === undefined || action?.kind !== 'ask') return false;
      const passesOn = action.ifTooLow === 'next_line' || action.ifTooLow === 'next_competitor';
      expect(last.status).toBe('decided');
      if (passesOn)
        expect(strategyPrice.price).toBeGreaterThanOrEqual(last.least ?? Number.POSITIVE_INFINITY);
      return passesOn;
    },
    0.06,
  );

  law(
    'a line below one that always decides changes nothing',
    fc.tuple(withLines, fc.constantFrom(...OTHERS), fc.nat(6)),
    ([story, other, below]) => {
      const { rule } = story.choice;
      const lines = rule?.lines ?? null;
      const always = lines?.findIndex(isLast) ?? -1;
      if (rule === null || lines === null || always < 0) return false;
      const before = decided(story);
      // While competitors are not read, lines below may decide, and know their turns by their numbers.
      const place = before.line?.situation === 'not_read' ? lines.length : always + 1 + below;
      const more = { ...rule, lines: lines.toSpliced(place, 0, ...linesOf(other)) };
      const after = decided({ ...story, choice: { ...story.choice, rule: more } } as Story);
      expect(pick(after)).toEqual(pick(before));
      return before.line?.number === always + 1;
    },
    0.15,
  );
});

/** Null where each is possible: that no one has the buy box can be known without any offer that counts. */
const STATUS_OF = {
  winning: 'competitors',
  suppressed: null,
  losing: 'competitors',
  alone: 'alone',
  not_read: 'not_read',
} as const;

type Known = Pick<Story, 'facts' | 'policy'>;

/** Makes everything unknown that a condition asks about; null for one about what is always known. */
const FORGOTTEN: Readonly<Record<Condition['kind'], ((known: Known) => Known) | null>> = {
  situation: unread,
  box_share: without('boxShare'),
  follow: without('followShare'),
  lowest_under_floor: unread,
  lowest_above: unread,
  competitors: unread,
  lowered: ({ facts, policy }) => ({ facts: { ...facts, priceWarStreak: null }, policy }),
  stock: without('stock'),
  supply: without('daysOfSupply'),
  stock_age: without('stockAgeDays'),
  no_sale: without('lastSaleAt', 'sold', 'listedAt'),
  sold: without('sold', 'listedAt'),
  margin: null,
  at_floor: null,
  at_ceiling: null,
  box_held_by: unread,
  seller_present: unread,
  hours: untimed,
  weekdays: untimed,
  dates: untimed,
  ships: null,
};

/** Everything that a condition needs to know, forgotten one after the other. */
function forgettersOf(condition: Condition): ((known: Known) => Known)[] {
  const forget = FORGOTTEN[condition.kind];
  if (forget === null) return [];
  if (condition.kind !== 'situation') return [forget];
  // That competitors are not read is no silence for a line that names it; since when it is has to be known as well.
  const current = condition.any.includes('not_read') ? [] : [forget];
  return condition.atLeast === null ? current : [...current, without('situation')];
}

function unread({ facts, policy }: Known): Known {
  return { facts: { ...facts, readAt: null, coverage: 'all' }, policy };
}

function untimed({ facts, policy }: Known): Known {
  return { facts, policy: { ...policy, local: null } };
}

function without(...members: readonly (keyof ListingSignals)[]): (known: Known) => Known {
  return ({ facts, policy }) => {
    if (facts.signals === null) return { facts, policy };
    const nothing = Object.fromEntries(members.map((member) => [member, null]));
    return { facts: { ...facts, signals: { ...facts.signals, ...nothing } }, policy };
  };
}

function pick({ price, kind, reason }: ReturnType<typeof decided>) {
  return { price, kind, reason };
}

/** A line that decides wherever a line may: nothing can pass it over. */
function isLast({ when, action, turn }: Line): boolean {
  if (when.length > 0 || turn !== null) return false;
  if (action.kind !== 'ask') return true;
  const { target, notUnder, ifTooLow } = action;
  const isKnown = ALWAYS_KNOWN.has(target.kind) && (notUnder === null || ALWAYS_KNOWN.has(notUnder.kind));
  return isKnown && (ifTooLow === 'stop' || ifTooLow === 'keep');
}

const ALWAYS_KNOWN: ReadonlySet<Target['kind']> = new Set(['floor', 'ceiling', 'between', 'current']);

/** Lines that would decide, and look at no competitors. */
const OTHERS = ['ceiling', 'floor', 'hold', 'own price', 'margin 40%', 'raise 2% every 0.25 h'] as const;

/** @param share of our price that it costs */
function anyOffer({ currentPrice, offers }: ListingFacts, share: number): Offer {
  const [first] = offers;
  return {
    sellerName: null,
    seller: null,
    isMarketplace: false,
    price: Math.max(1, Math.round((currentPrice ?? 1) * share)) as Cents,
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

const UNDER_BY_SHIPPING = '4% under the lowest (12% under faster, 3% over slower)';

/** The same listing and offers with every amount a hundred times as large. */
function hundredfold(facts: ListingFacts): ListingFacts {
  const more = <Amount extends Cents | null>(amount: Amount): Amount =>
    (amount === null ? null : amount * 100) as Amount;
  const { currentPrice, anchorPrice, minPrice, maxPrice, shippingCharge, ownPrices, offers, cost } = facts;
  return {
    ...facts,
    currentPrice: more(currentPrice),
    anchorPrice: more(anchorPrice),
    minPrice: more(minPrice),
    maxPrice: more(maxPrice),
    marketplaceLimits: null,
    shippingCharge: more(shippingCharge),
    ownPrices: ownPrices.map(more),
    offers: offers.map((offer) => ({ ...offer, price: more(offer.price), shipping: more(offer.shipping) })),
    cost: { ...cost, product: more(cost.product), total: more(cost.total) },
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

  law('asks by the lowest of its prices against single offers', withText(UNDER_BY_SHIPPING), (story) => {
    const { decision, trace } = explain(story.facts, story.choice, story.policy);
    const last = trace.lines?.each.at(-1);
    if (decision.line?.number !== 1 || last?.want == null) return;
    const wants = trace.offers.flatMap(({ want }) => want ?? []);
    expect(Math.min(...wants)).toBe(last.want);
  });

  law(
    'never asks less where a competitor asks more',
    fc.tuple(withText(UNDER_BY_SHIPPING), fc.nat(5), fc.integer({ min: 1, max: 500 })),
    ([story, place, more]) => {
      const { facts, choice, policy } = story;
      const one = facts.offers[place];
      // A nameless offer at another price can be another offer: ours, or a competitor's.
      if (one === undefined || one.seller === null) return;
      const offers = facts.offers.with(place, { ...one, price: (one.price + more) as Cents });
      const wantOf = (each: ListingFacts): number =>
        evaluate(each, choice, policy).strategyPrice?.price ?? Number.NEGATIVE_INFINITY;
      expect(wantOf({ ...facts, offers })).toBeGreaterThanOrEqual(wantOf(facts));
    },
  );

  law('asks a hundred times as much where every amount is', withText(UNDER_BY_SHIPPING), (story) => {
    const { facts, choice, policy } = story;
    const { strategyPrice } = evaluate(facts, choice, policy);
    const large = evaluate(hundredfold(facts), choice, policy).strategyPrice;
    // Fees with bands and fixed amounts may allow no price at all at a hundred times the cost.
    if (strategyPrice?.price == null || large?.price == null) return;
    const more = large.price - 100 * strategyPrice.price;
    expect(more >= 0 && more < 100).toBe(true);
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
        if (move === null || move.reason !== 'line' || bound === null) return false;
        if (allowed === null || !isAllowed(allowed, bound)) return false;
        expect(move.target).toBeGreaterThanOrEqual(bound);
        return true;
      },
      0.2,
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
        return false;
      const moved = strategyPrice.price - currentPrice;
      if (moved > 0) expect(strategyPrice.price).toBeLessThanOrEqual(anchorPrice);
      else expect(strategyPrice.price).toBeGreaterThanOrEqual(anchorPrice);
      expect(Math.abs(moved)).toBeLessThanOrEqual(Math.max(1, Math.floor((currentPrice * 3) / 100)));
      expect(lastChangedAt === null || story.policy.now - lastChangedAt >= hours(6)).toBe(true);
      return moved !== 0;
    },
    0.15,
  );

  law(
    'hold never changes a price that is allowed',
    withText('hold'),
    (story) => {
      const decision = decided(story);
      if (decision.kind === 'change' || decision.kind === 'recommend') expect(decision.reason).toBe('repair');
      return decision.kind === 'keep' && decision.line?.number === 1;
    },
    0.5,
  );
});

law(
  'a turned line never decides while it rests',
  withText('floor, for 24 h then not for 48 h; hold'),
  (story) => {
    const { line } = decided(story);
    const start = story.facts.signals?.turns[1] ?? null;
    if (line === null || start === null) return false;
    const since = story.policy.now - start;
    expect(line.number).toBe(since >= hours(24) && since < hours(72) ? 2 : 1);
    expect(line.startsTurn).toBe(line.number === 1 && since >= hours(72));
    return line.number === 2;
  },
  0.07,
);

law(
  'what is not known makes no condition hold',
  fc.tuple(withLines, anyCondition),
  ([{ facts, choice, policy }, condition]) => {
    if (choice.rule === null) return false;
    const lines = [{ ...(linesOf('floor')[0] as Line), when: [condition] }, ...linesOf('hold')];
    const choiceBy = { ...choice, rule: { ...choice.rule, lines } } as Story['choice'];
    const holds = (known: Known) => decide(known.facts, choiceBy, known.policy).line?.number === 1;
    const known = { facts, policy };
    const all = forgettersOf(condition);
    for (const forget of all) expect(holds(forget(known))).toBe(false);
    return all.length > 0 && holds(known);
  },
  0.1,
);

test('a situation that has lasted for some time does not hold where it is unknown since when', () => {
  const lines = linesOf('losing for 48 h: floor; hold');
  const lineAt = (since: number | null) => {
    const situation =
      since === null ? null : { kind: 'losing' as const, since: (NOW - hours(since)) as Instant };
    const facts = aListing({ offers: [anOffer(18)], signals: { ...NO_SIGNALS, situation } });
    return decide(facts, chosen({ lines }), aPolicy()).line?.number;
  };
  expect([lineAt(47), lineAt(48), lineAt(null)]).toEqual([2, 1, 2]);
});

law(
  'the target margin is kept, and no lower price keeps it',
  withText('target margin'),
  (story) => {
    const { strategyPrice } = evaluate(story.facts, story.choice, story.policy);
    const terms = termsOf(story);
    if (strategyPrice == null || strategyPrice.price === null || terms === null) return false;
    // A target is aimed at without the greatest discount, which bounds only the allowed prices.
    const aimed = { ...terms, minimumMargin: Math.max(terms.minimumMargin, 3_500), greatestDiscount: 0 };
    expect(lowestByTrying(aimed, strategyPrice.price)).toBe(strategyPrice.price);
    return true;
  },
  0.5,
);
