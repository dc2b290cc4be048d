import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aRule } from '#tests/builders/facts.ts';
import { MARKETPLACES } from './marketplaces.ts';
import { RULE_FULFILLMENTS } from './rule.ts';
import { ruleBook } from './rule-choice.ts';
import { competingRules, LISTING_KINDS, winningRules } from './rule-precedence.ts';

const anywhere = aRule({ id: 'anywhere', order: 1 });
const younger = aRule({ id: 'younger', order: 9 });
const fbm = aRule({ id: 'fbm', fulfillmentType: 'FBM', order: 2 });
const walmart = aRule({ id: 'walmart', marketplace: 'walmart', order: 3 });
const ebay = aRule({ id: 'ebay', marketplace: 'ebay', order: 4 });
const paused = aRule({ id: 'paused', isActive: false, order: 0 });

describe('competing rules', () => {
  it('are the active rules for some of the same listings, with who wins and why', () => {
    const competitors = competingRules(walmart, [anywhere, fbm, walmart, ebay, paused]);
    expect(competitors).toEqual([
      {
        rule: fbm,
        wins: true,
        because: 'marketplace',
        places: [{ marketplace: 'walmart', fulfillmentType: 'FBM' }],
      },
      {
        rule: anywhere,
        wins: true,
        because: 'marketplace',
        places: [
          { marketplace: 'walmart', fulfillmentType: 'FBA/WFS' },
          { marketplace: 'walmart', fulfillmentType: 'FBM' },
        ],
      },
    ]);
  });

  it('win by fulfillment type where neither names a marketplace, then by age', () => {
    expect(competingRules(anywhere, [fbm])).toMatchObject([{ wins: false, because: 'fulfillment' }]);
    expect(competingRules(anywhere, [younger])).toMatchObject([{ wins: true, because: 'age' }]);
    expect(competingRules(younger, [anywhere])).toMatchObject([{ wins: false, because: 'age' }]);
  });

  it('are compared for a draft too, which is not active yet', () => {
    expect(competingRules(paused, [anywhere]).map(({ rule, wins }) => [rule.id, wins])).toEqual([
      ['anywhere', true],
    ]);
  });

  it('do not exist where no listing matches both', () => {
    expect(competingRules(ebay, [walmart])).toEqual([]);
  });
});

describe('the winning rules', () => {
  it('are those that the engine chooses, for every kind of listing', () => {
    const someRule = fc.record({
      marketplace: fc.constantFrom(null, ...MARKETPLACES),
      fulfillmentType: fc.constantFrom(...RULE_FULFILLMENTS),
      isActive: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(someRule, { maxLength: 8 }), (drafts) => {
        const rules = drafts.map((draft, order) => aRule({ ...draft, order, id: `rule-${order}` }));
        const book = ruleBook(rules);
        for (const { place, rule } of winningRules(rules)) {
          expect(rule).toBe(book.choose({ ...place, ownRule: null }).rule);
        }
      }),
    );
  });

  it('win against all competing rules there', () => {
    const rules = [anywhere, younger, fbm, walmart, ebay];
    for (const { place, rule } of winningRules(rules)) {
      const losers =
        rule === null ? [] : competingRules(rule, rules).filter(({ places }) => places.includes(place));
      expect(losers.every(({ wins }) => wins)).toBe(true);
    }
    expect(winningRules(rules)).toHaveLength(LISTING_KINDS.length);
  });

  it('are null where no active rule matches', () => {
    expect(winningRules([ebay, paused]).filter(({ rule }) => rule === null)).toHaveLength(
      LISTING_KINDS.length - 2,
    );
  });
});
