import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ListingFacts } from '#domain/decision/facts.ts';
import { checkManualPrice, manualPriceMargin } from '#domain/decision/manual-price.ts';
import { isAllowed } from '#domain/limits/allowed-prices.ts';
import type { Policy } from '#domain/limits/policy.ts';
import type { Rule } from '#domain/rules/rule.ts';
import { type Cents, hours, isPrice, type Millis } from '#domain/units.ts';
import { aCost, aListing, aPolicy, chosen, fees, NOW, usd } from '#tests/builders/facts.ts';
import { stories } from '#tests/builders/scenarios.ts';
import {
  checkExternalEdit,
  EXTERNAL_EDIT_POLICIES,
  type ExternalEdit,
  type ExternalEditPolicy,
  maxRepairs,
  PROVEN_AFTER,
} from './repair-or-hold.ts';

/** Cost $19.00, fees 15%, minimum margin 10%: the margin floor is $25.34, and $22.36 covers the cost. */
const anEdit = (price: number, over: Partial<ExternalEdit> = {}): ExternalEdit => ({
  price: usd(price),
  priceBefore: usd(29.9),
  inForceFor: hours(48),
  wasRepaired: false,
  wasLeft: false,
  isPricedElsewhere: false,
  ...over,
});
const resultFor = (
  edit: ExternalEdit,
  {
    setting = 'repair_loss',
    facts = {},
    policy = {},
    rule = {},
  }: {
    setting?: ExternalEditPolicy;
    facts?: Partial<ListingFacts>;
    policy?: Partial<Policy>;
    rule?: Partial<Rule>;
  } = {},
) =>
  checkExternalEdit(
    edit,
    [
      {
        facts: aListing({ cost: aCost(19), currentPrice: edit.price, anchorPrice: usd(29.9), ...facts }),
        choice: chosen(rule),
        policy: aPolicy(policy),
      },
    ],
    setting,
  );

describe('an external edit that loses money', () => {
  it('goes back to the price before, past hold and limits of movement (C30)', () => {
    const hold = { until: null, by: 'Ann', reason: 'Manual price' };
    expect(resultFor(anEdit(0.5), { facts: { hold, lastChangedAt: NOW } })).toEqual({
      kind: 'repair',
      problem: 'loses_money',
      price: usd(29.9),
      marginFloor: usd(25.34),
    });
  });

  it('goes to the lowest allowed price where the one before was not proven, if that is at most twice the edit', () => {
    const young = { inForceFor: (PROVEN_AFTER - 1) as Millis };
    expect(resultFor(anEdit(12.67, young))).toMatchObject({ kind: 'repair', price: usd(25.34) });
    expect(resultFor(anEdit(12.66, young))).toEqual({
      kind: 'hold',
      problem: 'loses_money',
      because: 'doubtful',
      price: usd(25.34),
    });
    expect(resultFor(anEdit(13, { priceBefore: usd(25.33) }))).toMatchObject({ price: usd(25.34) });
  });

  it('is not repaired where our own cost is the likelier slip (C33)', () => {
    const wrongCost = { facts: { cost: aCost(190), anchorPrice: usd(28) } };
    const edit = anEdit(27, { priceBefore: usd(28) });
    expect(resultFor(edit, wrongCost)).toMatchObject({ kind: 'hold', because: 'doubtful' });
  });

  it('is not repaired twice within a day, nor after a user left it (C31)', () => {
    expect(resultFor(anEdit(0.5, { wasRepaired: true }))).toMatchObject({
      kind: 'hold',
      because: 'repeated',
    });
    expect(resultFor(anEdit(0.5, { wasLeft: true }))).toMatchObject({ kind: 'hold', because: 'left' });
  });

  it.each<[string, Parameters<typeof resultFor>[1]]>([
    ['recommending only', { policy: { mode: 'recommend_only' } }],
    ['halted', { policy: { halted: true } }],
    ['switched off', { facts: { autoRepricing: false } }],
    ['reviewed by a user', { rule: { requiresReview: true } }],
    ['not confirmed', { facts: { isPriceUnverified: true } }],
  ])('is held where the listing is %s', (_, where) => {
    expect(resultFor(anEdit(0.5), where)).toMatchObject({
      kind: 'hold',
      problem: 'loses_money',
      because: 'not_automatic',
    });
  });

  it('is accepted where it is not known to lose', () => {
    expect(resultFor(anEdit(0.5), { facts: { cost: { ...aCost(19), total: null } } })).toEqual({
      kind: 'accept',
    });
    expect(resultFor(anEdit(0.5), { facts: { fees: null } })).toEqual({ kind: 'accept' });
  });
});

it('is left to the other repricer where one sets the price', () => {
  expect(resultFor(anEdit(0.5, { isPricedElsewhere: true }))).toMatchObject({ because: 'not_automatic' });
});

describe('an external edit outside the limits that loses nothing', () => {
  it('is held below the margin floor, unless the settings repair it too (C32)', () => {
    const held = { kind: 'hold', problem: 'below_floor', because: 'policy', price: usd(25.34) };
    expect(resultFor(anEdit(23))).toEqual(held);
    expect(resultFor(anEdit(23), { setting: 'hold' })).toEqual(held);
    expect(resultFor(anEdit(23), { setting: 'repair_floor' })).toMatchObject({
      kind: 'repair',
      problem: 'below_floor',
      price: usd(29.9),
    });
  });

  it('is held above the price ceiling', () => {
    expect(resultFor(anEdit(51), { setting: 'repair_floor' })).toMatchObject({
      kind: 'hold',
      problem: 'above_ceiling',
    });
    expect(resultFor(anEdit(50))).toEqual({ kind: 'accept' });
  });

  it('is held above all allowed prices that end below the ceiling, and never lowered', () => {
    const facts = {
      fees: fees([{ upTo: 40, percent: 15 }, { percent: 70 }]),
      maxPrice: usd(50),
    };
    for (const inForceFor of [0 as Millis, hours(48)]) {
      expect(resultFor(anEdit(45, { inForceFor }), { setting: 'repair_floor', facts })).toMatchObject({
        kind: 'hold',
        problem: 'above_ceiling',
        price: usd(40),
      });
    }
  });
});

describe('repairs', () => {
  it('only go to allowed prices, of edits that are not allowed, once a day, and never where nothing may change', () => {
    fc.assert(
      fc.property(
        stories,
        fc.record({
          price: fc.integer({ min: 1, max: 5_000 }).map((price) => price as Cents),
          priceBefore: fc.integer({ min: 1, max: 5_000 }).map((price) => price as Cents),
          inForceFor: fc.integer({ min: 0, max: 7_200_000 }).map((time) => time as Millis),
          wasRepaired: fc.boolean(),
          wasLeft: fc.boolean(),
          isPricedElsewhere: fc.boolean(),
        }),
        fc.constantFrom(...EXTERNAL_EDIT_POLICIES),
        ({ facts: reported, choice, policy }, edit, setting) => {
          const facts = { ...reported, currentPrice: edit.price };
          const result = checkExternalEdit(edit, [{ facts, choice, policy }], setting);
          if (result.kind !== 'repair') return;
          const { set } = checkManualPrice(facts, manualPriceMargin(choice, facts), edit.price);
          expect(isPrice(result.price) && set !== null && isAllowed(set, result.price)).toBe(true);
          expect(set !== null && isAllowed(set, edit.price)).toBe(false);
          expect(result.price > edit.price && result.price >= result.marginFloor).toBe(true);
          expect(edit.wasRepaired || edit.wasLeft || edit.isPricedElsewhere || setting === 'hold').toBe(
            false,
          );
          expect(policy.halted || policy.mode !== 'live').toBe(false);
          expect(setting === 'repair_floor' || result.problem === 'loses_money').toBe(true);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('are at most ten an hour, and at most 2% of a larger store', () => {
    expect([1, 149, 150, 200, 499, 500, 100_000].map(maxRepairs)).toEqual([3, 3, 3, 4, 9, 10, 10]);
  });
});
