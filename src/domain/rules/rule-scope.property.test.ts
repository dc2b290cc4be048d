import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LocalTime } from '#domain/limits/policy.ts';
import type { Weekday } from '#domain/lines/line.ts';
import { MARKETPLACES } from '#domain/marketplaces.ts';
import type { Cents } from '#domain/units.ts';
import { aRule, usd } from '#tests/builders/facts.ts';
import { NOON, someListing, someRules } from '#tests/builders/rule-scopes.ts';
import { RULE_FULFILLMENTS, type Rule, WITHOUT_SCOPE } from './rule.ts';
import { ruleIndex, scopeMatcher } from './rule-choice.ts';
import { byPrecedence } from './rule-precedence.ts';
import { isInSchedule } from './schedule.ts';
import {
  FIGURE_SCOPES,
  fieldsNamed,
  figureOfPart,
  type LabelScope,
  labelKey,
  NOTHING_KNOWN,
  type ScopeFacts,
  usedScope,
  WHOLE_CATALOG,
} from './segment.ts';

/** The order before segments and priorities. */
function formerOrder(a: Rule, b: Rule): number {
  return (
    Number(a.marketplace === null) - Number(b.marketplace === null) ||
    Number(a.fulfillmentType === 'All') - Number(b.fulfillmentType === 'All') ||
    a.order - b.order
  );
}

describe('the order of rules', () => {
  it('is strict and total', () => {
    fc.assert(
      fc.property(someRules, (rules) => {
        for (const a of rules) {
          for (const b of rules) {
            expect(Math.sign(byPrecedence(a, b))).toBe(-Math.sign(byPrecedence(b, a)) + 0);
            if (a !== b) expect(byPrecedence(a, b)).not.toBe(0);
            for (const c of rules) {
              if (byPrecedence(a, b) < 0 && byPrecedence(b, c) < 0)
                expect(byPrecedence(a, c)).toBeLessThan(0);
            }
          }
        }
      }),
    );
  });

  it('is the former one without priorities and segments', () => {
    const plain = fc.record({
      marketplace: fc.constantFrom(null, ...MARKETPLACES),
      fulfillmentType: fc.constantFrom(...RULE_FULFILLMENTS),
    });
    fc.assert(
      fc.property(fc.array(plain, { maxLength: 8 }), (drafts) => {
        const rules = drafts.map((draft, order) => aRule({ ...draft, order, id: String(order) }));
        expect([...rules].sort(byPrecedence)).toEqual([...rules].sort(formerOrder));
      }),
    );
  });

  it('compares priority, marketplace, fulfillment type, fields of the segment and age, in this order', () => {
    const brand = { ...WHOLE_CATALOG, brands: ['Acme'] };
    const rules = [
      aRule({ id: 'first', priority: 1, order: 9 }),
      aRule({ id: 'last priority', priority: 999, order: 8 }),
      aRule({ id: 'one marketplace', marketplace: 'etsy', order: 7 }),
      aRule({ id: 'two', segment: { ...WHOLE_CATALOG, marketplaces: ['amazon', 'etsy'] }, order: 8 }),
      aRule({ id: 'merchant', fulfillmentType: 'FBM', order: 6 }),
      aRule({ id: 'two fields', segment: { ...brand, stock: { min: 1, max: null } }, order: 5 }),
      aRule({ id: 'one field', segment: brand, order: 4 }),
      aRule({ id: 'older', order: 1 }),
      aRule({ id: 'younger', order: 2 }),
    ];
    expect([...rules].reverse().sort(byPrecedence)).toEqual(rules);
  });
});

describe('the rule of a listing', () => {
  it('is the first that is active, in its schedule and matches', () => {
    fc.assert(
      fc.property(someRules, someListing, fc.constantFrom(null, NOON), (rules, listing, local) => {
        const first = [...rules]
          .sort(byPrecedence)
          .find((rule) => rule.isActive && isInSchedule(rule.schedule, local) && scopeMatcher(rule)(listing));
        expect(ruleIndex(rules, local).choose({ ...listing, ownRule: null }).rule).toBe(first ?? null);
      }),
    );
  });

  it('is the same at any two times at which the same schedules apply', () => {
    const someTime = fc.record({
      minuteOfDay: fc.nat(1_439),
      weekday: fc.integer({ min: 1, max: 7 }) as fc.Arbitrary<Weekday>,
      day: fc.constant(NOON.day),
    });
    fc.assert(
      fc.property(someRules, someListing, someTime, someTime, (rules, listing, one, other) => {
        const isOpenAt = (local: LocalTime) => rules.map(({ schedule }) => isInSchedule(schedule, local));
        fc.pre(isOpenAt(one).join() === isOpenAt(other).join());
        const ruleAt = (local: LocalTime) =>
          ruleIndex(rules, local).choose({ ...listing, ownRule: null }).rule;
        expect(ruleAt(one)).toBe(ruleAt(other));
      }),
    );
  });

  it('never matches by a field that is not known', () => {
    fc.assert(
      fc.property(someRules, someListing, (rules, { scope, ...kind }) => {
        for (const rule of rules) {
          const requested = fieldsNamed(rule.segment);
          expect(scopeMatcher(rule)({ ...kind, scope: NOTHING_KNOWN }) && requested.length > 0).toBe(false);
          if (!scopeMatcher(rule)({ ...kind, scope })) continue;
          for (const field of FIGURE_SCOPES.filter((each) => requested.includes(each))) {
            expect(scopeMatcher(rule)({ ...kind, scope: { ...scope, [field]: null } })).toBe(false);
          }
        }
      }),
    );
  });

  it('is that of all listings that rules cannot distinguish', () => {
    fc.assert(
      fc.property(someRules, someListing, (rules, { scope, ...kind }) => {
        const alike = inParts(rules, scope);
        const book = ruleIndex(rules, NOON);
        expect(book.choose({ ...kind, scope: alike, ownRule: null }).rule).toBe(
          book.choose({ ...kind, scope, ownRule: null }).rule,
        );
      }),
    );
  });
});

/** As the database groups listings. */
function inParts(rules: readonly Rule[], scope: ScopeFacts): ScopeFacts {
  const { labels, edges } = usedScope(rules.map(({ segment }) => segment));
  const figures = FIGURE_SCOPES.map((field) => {
    const figure = scope[field];
    const part = figure === null ? null : edges[field].filter((edge) => edge <= figure).length;
    return [field, edges[field].length === 0 ? null : figureOfPart(edges[field], part)];
  });
  const named = (field: LabelScope, label: string | null): string | null =>
    label !== null && labels[field].some((one) => labelKey(one) === labelKey(label)) ? label : null;
  return {
    ...scope,
    ...(Object.fromEntries(figures) as Pick<ScopeFacts, (typeof FIGURE_SCOPES)[number]>),
    brand: named('brands', scope.brand),
    category: named('categories', scope.category),
    tags: scope.tags.filter((tag) => named('tags', tag) !== null),
    supplier: named('suppliers', scope.supplier),
  };
}

describe('worked examples', () => {
  const of = { fulfillmentType: 'FBM', ownRule: null, scope: { ...NOTHING_KNOWN, brand: 'ACME' } } as const;
  const a = aRule({ id: 'A', order: 1, segment: { ...WHOLE_CATALOG, brands: ['Acme'] } });
  const b = aRule({ id: 'B', order: 2, marketplace: 'amazon' });

  it('example 53: a rule for a marketplace goes before one for a brand, unless that has a priority', () => {
    const ruleOn = (marketplace: 'amazon' | 'ebay', first: Rule) =>
      ruleIndex([first, b]).choose({ ...of, marketplace }).rule?.id;
    expect([ruleOn('amazon', a), ruleOn('ebay', a)]).toEqual(['B', 'A']);
    const urgent = { ...a, priority: 1 };
    expect([ruleOn('amazon', urgent), ruleOn('ebay', urgent)]).toEqual(['A', 'A']);
  });

  it('example 54: a rule for own prices keeps its listing when the engine moves the price', () => {
    const band = { min: usd(10), max: usd(20) };
    const rule = aRule({ segment: { ...WHOLE_CATALOG, ownPrice: band } });
    const choiceAt = (ownPrice: Cents) =>
      ruleIndex([rule]).choose({ ...of, marketplace: 'amazon', scope: { ...NOTHING_KNOWN, ownPrice } }).kind;
    // The engine moved the price to $22.00; the own price stays.
    expect(choiceAt(usd(20))).toBe('matched');
    expect(choiceAt(usd(20.01))).toBe('none');
  });

  it('an assigned rule outside its schedule leaves the listing to no other', () => {
    const schedule = { activeFrom: '2026-12-01', activeUntil: null, windows: [] };
    const own = aRule({ id: 'own', schedule });
    const choice = ruleIndex([own, a], NOON).choose({ ...of, marketplace: 'amazon', ownRule: own });
    expect(choice).toMatchObject({ kind: 'own_off_hours', rule: own, minimumMargin: null });
    expect(
      ruleIndex([{ ...own, ...WITHOUT_SCOPE }], NOON).choose({ ...of, marketplace: 'amazon' }).kind,
    ).toBe('matched');
  });
});
