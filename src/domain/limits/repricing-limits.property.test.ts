import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { allowedPricesOf, decide } from '#domain/decision/decide.ts';
import type { Decision } from '#domain/decision/decision.ts';
import type { ListingFacts } from '#domain/decision/facts.ts';
import { feesInForce, feeTables } from '#domain/fees/fee-tables.ts';
import type { Rule } from '#domain/rules/rule.ts';
import type { Bps, Cents } from '#domain/units.ts';
import { aRule } from '#tests/builders/facts.ts';
import { law } from '#tests/builders/law.ts';
import { OUR_KEY, offersAround, type Story, stories } from '#tests/builders/scenarios.ts';
import { isAllowed } from './allowed-prices.ts';
import type { Policy } from './policy.ts';

interface Changed {
  readonly facts?: Partial<ListingFacts>;
  readonly policy?: Partial<Policy>;
  readonly rule?: Partial<Rule>;
}

function decided({ facts, choice, policy }: Story, changed: Changed = {}): Decision {
  const rule = choice.rule === null ? null : { ...choice.rule, ...changed.rule };
  return decide({ ...facts, ...changed.facts }, { ...choice, rule } as Story['choice'], {
    ...policy,
    ...changed.policy,
  });
}

describe('with any review reason, the engine changes nothing', () => {
  const HOLD = { until: null, by: 'ada', reason: 'typed a price' };
  const reviews = fc.constantFrom<Changed>(
    { policy: { halted: true } },
    { policy: { mode: 'recommend_only' } },
    { policy: { mode: 'paused' } },
    { policy: { autoRepricing: false } },
    { facts: { autoRepricing: false } },
    { facts: { hold: HOLD } },
    { rule: { requiresReview: true } },
    { rule: { strategy: 'Beat Competitor' }, policy: { areOwnSellersKnown: false } },
    { rule: { isActive: false }, policy: { halted: true } },
  );

  law(
    'and every review reason alone is enough',
    fc.record({ story: stories, review: reviews }),
    ({ story, review }) => {
      expect(decided(story, review).kind).not.toBe('change');
    },
  );

  law(
    'and before its upload an allowed price stays, and one that is not allowed is corrected',
    stories,
    (story) => {
      const { facts, choice } = story;
      const waiting = decided(story, { facts: { awaitingUpload: true } });
      const uploaded = decided(story, { facts: { awaitingUpload: false } });
      if (uploaded.kind !== 'change' && uploaded.kind !== 'recommend') {
        expect(waiting.kind).toBe(uploaded.kind);
        return;
      }
      const set = allowedPricesOf(facts, choice.minimumMargin as Bps);
      const isCurrentAllowed = isAllowed(set, facts.currentPrice as Cents);
      if (isCurrentAllowed) expect(waiting).toMatchObject({ kind: 'keep', reason: 'awaiting_upload' });
      else expect(waiting).toEqual(uploaded);
    },
  );

  law('and a review reason changes nothing but who applies the price', stories, (story) => {
    const open: Changed = { policy: { halted: false } };
    const free = decided(story, open);
    const halted = decided(story, { policy: { halted: true } });
    expect([halted.price, halted.reason, halted.bindingLimit]).toEqual([
      free.price,
      free.reason,
      free.bindingLimit,
    ]);
  });
});

describe('unknown is never zero', () => {
  const PARTS = ['product', 'shipping', 'fulfillment', 'packaging', 'misc', 'total'] as const;

  law('a missing cost part, price, charge or fee schedule blocks', stories, (story) => {
    const { cost } = story.facts;
    for (const part of PARTS) {
      expect(decided(story, { facts: { cost: { ...cost, [part]: null } } }).kind).toBe('blocked');
    }
    for (const fact of ['currentPrice', 'shippingCharge', 'fees'] as const) {
      expect(decided(story, { facts: { [fact]: null } }).kind).toBe('blocked');
    }
  });

  const torn = fc.record({
    story: stories,
    index: fc.nat(),
    part: fc.constantFrom('percent', 'fixed', 'minimum'),
    value: fc.constantFrom(null, undefined, Number.NaN, -1, 0.5),
  });

  law('a missing part of any fee band blocks', torn, ({ story, index, part, value }) => {
    const { bands } = story.schedule;
    const broken = bands.map((band, place) =>
      place === index % bands.length ? { ...band, [part]: value } : band,
    );
    const book = feeTables([story.schedule, { ...story.schedule, bands: broken } as Story['schedule']]);
    const fees = feesInForce(book, 'walmart', null, story.policy.now);
    expect(decided(story, { facts: { fees } }).kind).toBe('blocked');
  });

  law('an offer without a price or a shipping counts like none, or as not read', stories, (story) => {
    const { offers } = story.facts;
    // Ours says who holds the only box that is shown, at any price.
    const own = offers.filter(({ isOurs, seller }) => isOurs || seller === OUR_KEY);
    const without = decided(story, { facts: { offers: own } });
    const unread = decided(story, { facts: { offers: own, readAt: null, coverage: 'all' } });
    for (const part of ['price', 'shipping'] as const) {
      const unknown = offers.map((offer) =>
        own.includes(offer) ? offer : ({ ...offer, [part]: null } as unknown as (typeof offers)[number]),
      );
      expect([without, unread]).toContainEqual(decided(story, { facts: { offers: unknown } }));
    }
  });
});

describe('our own offers never count', () => {
  const ours = fc
    .integer({ min: 1, max: 3_000 })
    .chain((price) => offersAround(price, fc.constantFrom('Corner Store', 'Our Shop', ' OUR SHOP', null)))
    .map((offers) => offers.map((offer) => ({ ...offer, isOurs: offer.seller !== OUR_KEY })));
  const joined = fc.record({ story: stories, ours, first: fc.boolean() });

  law('wherever they stand among the others', joined, ({ story, ours, first }) => {
    const { offers, coverage } = story.facts;
    // Holding the only box that is shown is no offer of another, but it says who has won.
    const shown = coverage === 'box' ? ours.map((offer) => ({ ...offer, isFeatured: false })) : ours;
    const together = first ? [...shown, ...offers] : [...offers, ...shown];
    expect(decided(story, { facts: { offers: together } })).toEqual(decided(story));
  });

  const beat = fc.record({
    story: stories,
    ours,
    strategy: fc.constantFrom('Beat Competitor', 'Match Competitor'),
  });

  law('so that against ourselves alone a price never moves', beat, ({ story, ours, strategy }) => {
    const { currentPrice, shippingCharge } = story.facts;
    if (currentPrice === null || shippingCharge === null) return;
    const nameless = ours.map((offer) => ({
      ...offer,
      isOurs: false,
      isMarketplace: false,
      sellerName: null,
      seller: null,
      price: currentPrice,
      shipping: shippingCharge,
    }));
    const rule = aRule({ strategy: strategy as Rule['strategy'], noCompetitor: 'keep' });
    const decision = decided(story, { facts: { offers: [...ours, ...nameless] }, rule });
    if (decision.kind === 'change' || decision.kind === 'recommend') expect(decision.reason).toBe('repair');
    else if (decision.kind === 'keep') expect(decision.price).toBe(currentPrice);
  });
});
