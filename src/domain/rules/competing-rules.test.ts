import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aRule } from '#tests/builders/facts.ts';
import { NIGHTS, NOON, someListing, someRules } from '#tests/builders/rule-scopes.ts';
import { competingRules, isCrowdedOut } from './competing-rules.ts';
import { ruleIndex } from './rule-choice.ts';
import { WHOLE_CATALOG } from './segment.ts';

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

describe('rules with segments and schedules', () => {
  const acme = aRule({ id: 'acme', order: 5, segment: { ...WHOLE_CATALOG, brands: ['Acme'] } });
  const others = aRule({ id: 'others', order: 6, segment: { ...WHOLE_CATALOG, brands: ['Bluebird'] } });
  const urgent = aRule({ id: 'urgent', order: 7, priority: 1 });

  it('compete where both may match, by priority and by the number of fields', () => {
    expect(competingRules(acme, [anywhere, others, urgent])).toMatchObject([
      { rule: urgent, wins: false, because: 'priority' },
      { rule: anywhere, wins: true, because: 'segment' },
    ]);
  });

  it('do not compete on days that never meet', () => {
    const schedule = { activeFrom: null, activeUntil: '2026-12-01', windows: [] };
    const december = { activeFrom: '2026-12-01', activeUntil: null, windows: [] };
    expect(
      competingRules({ ...anywhere, schedule }, [aRule({ id: 'december', schedule: december })]),
    ).toEqual([]);
  });
});

describe('a rule that is crowded out', () => {
  it('never prices a listing that is not assigned to it', () => {
    fc.assert(
      fc.property(someRules, someListing, (rules, listing) => {
        const choice = ruleIndex(rules, NOON).choose({ ...listing, ownRule: null });
        if (choice.rule !== null) expect(isCrowdedOut(choice.rule, rules)).toBe(false);
      }),
    );
  });

  it('is one of which others match everything, as those without segment and schedule do', () => {
    expect(isCrowdedOut(younger, [anywhere])).toBe(true);
    expect(isCrowdedOut(anywhere, [younger])).toBe(false);
    expect(isCrowdedOut(fbm, [aRule({ id: 'now and then', priority: 1, schedule: NIGHTS })])).toBe(false);
  });
});
