import { describe, expect } from 'vitest';
import { isAllowed } from '#domain/limits/allowed-prices.ts';
import { law } from '#tests/builders/law.ts';
import { isAllowedPrice, isWithinReach, leftAt, lowestByTrying } from '#tests/builders/oracle.ts';
import { type Story, stories, termsOf } from '#tests/builders/scenarios.ts';
import { unreadableStories } from '#tests/builders/unreadable-scenarios.ts';
import { decide, evaluate } from './decide.ts';
import { explain } from './explain.ts';

function decided({ facts, choice, policy }: Story) {
  return decide(facts, choice, policy);
}

/** Every price of the engine keeps the margin, the listing's own limits, the step limit and the daily limit. */
function expectLawful(story: Story): void {
  const decision = decided(story);
  const { currentPrice, priceDayAgo } = story.facts;
  if (decision.kind === 'blocked' || decision.kind === 'keep') return;
  const terms = termsOf(story);
  if (terms === null || currentPrice === null) throw new Error('a price from unknown facts');
  const { price } = decision;
  const floor = lowestByTrying(terms, price);
  expect(floor !== null && isAllowedPrice(price, terms, floor)).toBe(true);
  expect(decision.marginFloor).toBe(floor);
  if (decision.kind === 'recommend') return;
  expect(isWithinReach(price, currentPrice, priceDayAgo, story.policy)).toBe(true);
  expect(price).not.toBe(currentPrice);
}

describe('every price of the engine is allowed, and every change is within the move range', () => {
  law('from readable facts', stories, expectLawful);

  law('from facts, rules and limits that cannot be read', unreadableStories, expectLawful);
});

describe('nothing throws', () => {
  law(
    'neither decide nor explain, with any invalid value',
    unreadableStories,
    ({ facts, choice, policy }) => {
      const { decision, sentence } = explain(facts, choice, policy);
      expect(decide(facts, choice, policy)).toEqual(decision);
      expect(sentence).not.toContain('undefined');
      expect(decision.kind === 'blocked').toBe(decision.price === null);
      if (decision.price !== null) expect(Number.isInteger(decision.price) && decision.price > 0).toBe(true);
    },
  );
});

describe('a decision depends only on its inputs', () => {
  law('explain reports what decide decides', stories, ({ facts, choice, policy }) => {
    expect(explain(facts, choice, policy).decision).toEqual(decide(facts, choice, policy));
  });

  law('the same facts give the same bytes, copied or frozen', stories, ({ facts, choice, policy }) => {
    const explained = JSON.stringify(explain(facts, choice, policy));
    const copy = structuredClone({ facts, choice, policy });
    freeze(copy);
    expect(JSON.stringify(explain(copy.facts, copy.choice, copy.policy))).toBe(explained);
    expect(JSON.stringify(explain(facts, choice, policy))).toBe(explained);
  });

  law('the trace survives JSON', stories, ({ facts, choice, policy }) => {
    const { trace } = explain(facts, choice, policy);
    expect(JSON.parse(JSON.stringify(trace))).toEqual(trace);
  });
});

function freeze(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  Object.freeze(value);
  for (const held of Object.values(value)) freeze(held);
}

describe('the steps', () => {
  law('aim at a price of L: the highest at or below the wanted one, else the lowest', stories, (story) => {
    const { allowed, move } = evaluate(story.facts, story.choice, story.policy);
    if (allowed === null || move === null) return;
    const { strategyPrice, price } = move;
    const target = move.passedOver ?? move.target;
    expect(isAllowed(allowed, target)).toBe(true);
    if (target < strategyPrice)
      for (let p = target + 1; p <= Math.min(strategyPrice, 5_000); p += 1) expectNotAllowed(p);
    if (target > strategyPrice) for (let p = 1; p < target; p += 1) expectNotAllowed(p);
    if (price !== null) expect(isAllowed(allowed, price)).toBe(true);

    function expectNotAllowed(between: number): void {
      if (allowed !== null && isAllowed(allowed, between))
        expect.fail(`${between} is nearer to ${strategyPrice} than ${target}`);
    }
  });

  law(
    'L4: never aim at a price if a lower one of L leaves as much, and pass over no other',
    stories,
    (story) => {
      const { allowed, move } = evaluate(story.facts, story.choice, {
        ...story.policy,
        avoidBandEdges: true,
      });
      const terms = termsOf(story);
      if (allowed === null || move === null || terms === null) return;
      let best = { price: 0, left: -1n << 64n };
      for (let price = 1; price <= (move.passedOver ?? move.target); price += 1) {
        if (!isAllowed(allowed, price)) continue;
        const left = leftAt(price, terms);
        if (left > best.left) best = { price, left };
      }
      expect(move.target).toBe(best.price);
    },
  );

  law('end at the price of L and R nearest to the target on the way there', stories, (story) => {
    const { facts, choice, policy } = story;
    const { allowed, move } = evaluate(facts, choice, policy);
    const current = facts.currentPrice;
    if (allowed === null || move === null || current === null) return;
    const { target } = move;
    const step = target > current ? -1 : 1;
    let nearest: number | null = null;
    for (let p: number = target; nearest === null && p !== current + step; p += step) {
      if (isAllowed(allowed, p) && isWithinReach(p, current, facts.priceDayAgo, policy)) nearest = p;
    }
    expect(move.price).toBe(nearest);
  });
});
