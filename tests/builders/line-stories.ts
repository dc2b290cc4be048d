import fc from 'fast-check';
import type { ListingSignals } from '#domain/decision/facts.ts';
import { refusedLine } from '#domain/lines/check-lines.ts';
import { SITUATIONS } from '#domain/lines/line.ts';
import { MARKETPLACES } from '#domain/marketplaces.ts';
import type { Rule } from '#domain/rules/rule.ts';
import { type Bps, type Cents, hours, type Instant } from '#domain/units.ts';
import { NOW } from './facts.ts';
import { anyLines, decidingLines } from './lines.ts';
import { mostlySettledStories, type Story } from './scenarios.ts';

const HOUR = hours(1);
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { freq: 2 });
const before = (most: number) => fc.integer({ min: 0, max: most }).map((age) => (NOW - age) as Instant);
const share = (max: number) => fc.integer({ min: 0, max }) as fc.Arbitrary<Bps>;

const price = fc.integer({ min: 100, max: 6_000 }) as fc.Arbitrary<Cents>;

const signals: fc.Arbitrary<ListingSignals> = fc.record({
  boxShare: maybe(share(10_000)),
  followShare: maybe(share(10_000)),
  boxSuppressedAt: fc.oneof(
    { weight: 5, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: before(30 * HOUR) },
  ),
  situation: maybe(fc.record({ kind: fc.constantFrom(...SITUATIONS), since: before(80 * HOUR) })),
  turns: fc.dictionary(fc.constantFrom('1', '2', '3'), before(100 * HOUR)),
  stock: maybe(fc.nat(300)),
  daysOfSupply: maybe(fc.nat(90)),
  stockAgeDays: maybe(fc.nat(300)),
  lastSaleAt: maybe(before(900 * HOUR)),
  listedAt: maybe(before(900 * HOUR)),
  sold: maybe(fc.record({ d1: fc.nat(3), d7: fc.nat(9), d30: fc.nat(30) })),
  externalPrice: maybe(fc.record({ price, at: before(200 * HOUR) })),
  sisters: fc.uniqueArray(
    fc.record({
      sku: fc.constantFrom('MUG-2', 'MUG 3'),
      marketplace: fc.constantFrom(...MARKETPLACES),
      price,
      shippingCharge: fc.constantFrom(0 as Cents, 499 as Cents),
    }),
    { maxLength: 4, selector: ({ sku, marketplace }) => `${sku} ${marketplace}` },
  ),
});

/** A rule with lines that can be saved. */
export const lineRules = fc
  .record({
    lines: fc.oneof({ weight: 3, arbitrary: decidingLines }, { weight: 1, arbitrary: anyLines }),
    targetMargin: share(5_000),
    winShare: share(10_000),
    onlySameShipping: fc.boolean(),
    ignoreUnderFloor: maybe(share(5_000)),
  })
  .filter((rule) => refusedLine(rule.lines, { ...rule, marketplaceTargets: {} }, 6) === null);

/** A story whose rule has these lines. */
export function storiesWith(rules: fc.Arbitrary<Partial<Rule>>): fc.Arbitrary<Story> {
  return fc
    .record({
      story: mostlySettledStories,
      rule: rules,
      signals: maybe(signals),
      minute: fc.option(fc.nat(1_439)),
    })
    .map(({ story, rule, signals: known, minute }) => ({
      ...story,
      facts: { ...story.facts, signals: known },
      choice:
        story.choice.rule === null
          ? story.choice
          : { ...story.choice, rule: { ...story.choice.rule, ...rule } },
      policy: {
        ...story.policy,
        local: minute === null ? null : { minuteOfDay: minute, weekday: 6 as const, day: '2026-11-21' },
      },
    })) as fc.Arbitrary<Story>;
}

/** Listings of which what only lines ask is known too, but for a suppressed buy box: a strategy does not see that. */
export const situationsOfStrategies = storiesWith(fc.constant({})).map(({ facts, policy }) => {
  const { signals: known } = facts;
  return {
    facts: { ...facts, signals: known === null ? null : { ...known, boxSuppressedAt: null } },
    policy,
  };
});

/** Stories of rules with lines of every kind. */
export const storiesWithLines = storiesWith(lineRules);
