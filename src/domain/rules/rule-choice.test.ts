import { describe, expect, it } from 'vitest';
import { aRule, pct } from '#tests/builders/facts.ts';
import type { Rule } from './rule.ts';
import { minimumMarginOf, type RuleQuestion, ruleIndex } from './rule-choice.ts';

const WALMART_FBM: RuleQuestion = { marketplace: 'walmart', fulfillmentType: 'FBM', ownRule: null };

const anywhere = aRule({ id: 'anywhere', order: 1 });
const fbm = aRule({ id: 'fbm', fulfillmentType: 'FBM', order: 2 });
const walmart = aRule({ id: 'walmart', marketplace: 'walmart', order: 3 });
const walmartFbm = aRule({ id: 'walmart fbm', marketplace: 'walmart', fulfillmentType: 'FBM', order: 4 });

function winner(rules: readonly Rule[], question: Partial<RuleQuestion> = {}): string | undefined {
  return ruleIndex(rules).choose({ ...WALMART_FBM, ...question }).rule?.id;
}

describe('which rule decides', () => {
  it('is the most specific: marketplace first, then fulfillment type', () => {
    expect(winner([anywhere, fbm, walmart, walmartFbm])).toBe('walmart fbm');
    expect(winner([anywhere, fbm, walmart])).toBe('walmart');
    expect(winner([walmart, fbm, anywhere])).toBe('walmart');
    expect(winner([anywhere, fbm])).toBe('fbm');
    expect(winner([fbm, anywhere])).toBe('fbm');
    expect(winner([anywhere])).toBe('anywhere');
  });

  it('is the oldest of equally specific ones', () => {
    const older = aRule({ id: 'older', order: 0 });
    expect(winner([anywhere, older])).toBe('older');
    expect(winner([older, anywhere])).toBe('older');
    expect(winner([aRule({ id: 'old walmart', marketplace: 'walmart', order: 1 }), walmart])).toBe(
      'old walmart',
    );
  });

  it('must match and be active', () => {
    expect(winner([walmartFbm, anywhere], { marketplace: 'ebay' })).toBe('anywhere');
    expect(winner([walmartFbm, anywhere], { fulfillmentType: 'FBA/WFS' })).toBe('anywhere');
    expect(winner([{ ...walmartFbm, isActive: false }, anywhere])).toBe('anywhere');
    expect(winner([fbm, walmart], { marketplace: 'ebay', fulfillmentType: 'FBA/WFS' })).toBeUndefined();
  });

  it('returns the same choice for the same kind of listing, and another one for another kind', () => {
    const book = ruleIndex([walmartFbm, anywhere]);
    const first = book.choose(WALMART_FBM);
    expect(book.choose(WALMART_FBM)).toBe(first);
    expect(book.choose({ ...WALMART_FBM, marketplace: 'etsy' }).rule?.id).toBe('anywhere');
    expect(book.choose({ ...WALMART_FBM, fulfillmentType: 'FBA/WFS' }).rule?.id).toBe('anywhere');
  });

  it('is none when none matches', () => {
    expect(ruleIndex([]).choose(WALMART_FBM)).toEqual({ kind: 'none', rule: null, minimumMargin: null });
  });
});

describe('only the assigned rule prices a listing', () => {
  const ownChoice = (own: Rule | 'missing') =>
    ruleIndex([walmartFbm]).choose({ ...WALMART_FBM, ownRule: own });

  it('wins over a more specific one', () => {
    expect(ownChoice(anywhere)).toEqual({ kind: 'own', rule: anywhere, minimumMargin: pct(10) });
  });

  it('never falls to another rule', () => {
    const paused = { ...anywhere, isActive: false };
    const other = aRule({ marketplace: 'ebay' });
    const warehouse = aRule({ fulfillmentType: 'FBA/WFS' });
    expect(ownChoice(paused)).toEqual({ kind: 'own_paused', rule: paused, minimumMargin: null });
    expect(ownChoice(other)).toEqual({ kind: 'own_mismatch', rule: other, minimumMargin: null });
    expect(ownChoice(warehouse)).toMatchObject({ kind: 'own_mismatch' });
    expect(ownChoice('missing')).toEqual({ kind: 'own_missing', rule: null, minimumMargin: null });
  });
});

describe('the minimum margin', () => {
  const rule = aRule({ minimumMargin: pct(10), marketplaceMargins: { ebay: pct(12), etsy: pct(0) } });

  it("is the marketplace's row, else the rule's own", () => {
    expect(minimumMarginOf(rule, 'ebay')).toBe(pct(12));
    expect(minimumMarginOf(rule, 'etsy')).toBe(0);
    expect(minimumMarginOf(rule, 'walmart')).toBe(pct(10));
  });

  it('comes with the choice, own or matched', () => {
    const book = ruleIndex([rule]);
    const question: RuleQuestion = { marketplace: 'ebay', fulfillmentType: 'FBM', ownRule: null };
    expect(book.choose(question)).toEqual({ kind: 'matched', rule, minimumMargin: pct(12) });
    expect(book.choose({ ...question, ownRule: rule })).toEqual({
      kind: 'own',
      rule,
      minimumMargin: pct(12),
    });
  });
});
