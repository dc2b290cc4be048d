import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { evaluate } from '#domain/decision/decide.ts';
import { NO_SIGNALS } from '#domain/decision/facts.ts';
import type { RuleChoice } from '#domain/rules/rule.ts';
import { type Cents, hours, type Instant } from '#domain/units.ts';
import { aListing, anOffer, aPolicy, aRule, NOW, pct, usd } from '#tests/builders/facts.ts';
import { linesOf } from '#tests/builders/lines.ts';
import { asMany } from '#tests/support/breadth.ts';
import { RULE_TEMPLATES } from './templates.ts';

type TemplateName = (typeof RULE_TEMPLATES)[number]['name'];

/** The lines that go back up, from 1: that they do is in the name, the summary or the advice of a template, or all there is to do. */
const UPWARD: Readonly<Record<TemplateName, readonly number[]>> = {
  'Back up at night': [2, 4],
  'Win and hold': [5],
  'Win and climb': [2, 5],
  'Always back up': [4],
  'War exit': [5],
  'Warehouse premium': [5],
  'Box winner only': [2, 6],
  'Match the buy box': [],
  'Featured price': [5],
  'Target margin': [],
  'Skip the dumper': [],
  'A cent below': [],
  'Night reset': [2],
  'Sell off': [],
  'Last units': [1],
  'Follow my Amazon price': [],
};

/** The lines of the night come before any that holds a winning price. */
const isOfNight = (name: TemplateName): boolean => name === 'Back up at night' || name === 'Night reset';

const linesNamed = (name: TemplateName): string =>
  RULE_TEMPLATES.find((each) => each.name === name)?.lines ?? '';

const cents = (min: number, max: number) => fc.integer({ min, max }) as fc.Arbitrary<Cents>;
const ago = fc.integer({ min: 0, max: 60 * 4 }).map((quarters) => (NOW - hours(quarters / 4)) as Instant);

/** A listing that costs $10.00 and pays 15%, so that its floor is $14.29, at any time of the day and of a price war. */
const situations = fc.record({
  current: cents(1_429, 3_200),
  own: cents(1_100, 3_200),
  lowest: fc.option(cents(1_200, 3_400), { freq: 9 }),
  next: fc.option(cents(1_200, 3_400)),
  ships: fc.constantFrom('FBM' as const, 'FBA/WFS' as const, null),
  boxShare: fc.constantFrom(null, pct(0), pct(30), pct(100)),
  followShare: fc.constantFrom(null, pct(0), pct(60)),
  stock: fc.constantFrom(null, 3, 50),
  minuteOfDay: fc.integer({ min: 0, max: 95 }).map((quarter) => quarter * 15),
  lastChangedAt: fc.option(ago),
  turns: fc.dictionary(fc.constantFrom('2', '4'), ago, { maxKeys: 2 }),
});

type Situation = typeof situations extends fc.Arbitrary<infer One> ? One : never;

function decidedBy(lines: string, situation: Partial<Situation>) {
  const { current = usd(20), own = usd(20), lowest = null, next = null, ships = 'FBM' } = situation;
  const { minuteOfDay = 720, lastChangedAt = null, boxShare = null, ...known } = situation;
  const offers = [lowest, next].flatMap((price, index) =>
    price === null
      ? []
      : [anOffer(price / 100, { by: `Seller ${index}`, channel: 'amazon', fulfillmentType: ships })],
  );
  const { followShare = null, stock = null, turns = {} } = known;
  const facts = aListing({
    marketplace: 'amazon',
    currentPrice: current,
    anchorPrice: own,
    maxPrice: usd(40),
    ownPrices: [current],
    lastChangedAt,
    offers,
    signals: { ...NO_SIGNALS, boxShare, followShare, stock, turns },
  });
  const rule = aRule({ lines: linesOf(lines), targetMargin: pct(35), onlySameShipping: false });
  const choice: RuleChoice = { kind: 'matched', rule, minimumMargin: pct(15) };
  return evaluate(facts, choice, aPolicy({ local: { minuteOfDay, weekday: 6, day: '2026-11-21' } })).decision;
}

describe.each(RULE_TEMPLATES.filter(({ name }) => UPWARD[name].length > 0))('$name', ({ name, lines }) => {
  test(`lowers no ${isOfNight(name) ? '' : 'winning '}price by going back up`, () => {
    let raised = 0;
    let aboveOwn = 0;
    let winning = 0;
    fc.assert(
      fc.property(situations, (situation) => {
        const decision = decidedBy(lines, situation);
        if (decision.kind === 'blocked') throw new Error(decision.reason);
        const isUpward = UPWARD[name].includes(decision.line?.number ?? 0);
        const isWinning = decision.line?.situation === 'winning';
        if (isUpward && decision.price > situation.current) raised += 1;
        if (isUpward && situation.own < situation.current) aboveOwn += 1;
        if (isWinning && situation.own < situation.current) winning += 1;
        if (isOfNight(name) ? isUpward : isWinning)
          expect(decision.price).toBeGreaterThanOrEqual(situation.current);
      }),
      { seed: 16, numRuns: asMany(600, 6_000) },
    );
    // The situations are the ones that matter: such a line decides, and for prices above the own one too, winning ones as well.
    expect(raised).toBeGreaterThan(10);
    expect(aboveOwn).toBeGreaterThan(10);
    expect(winning).toBeGreaterThan(10);
  });
});

/** $20.00 is the own price, and the only competitor went below the lowest allowed price. */
test.each([
  ['Win and hold', 5, usd(22)],
  ['Win and climb', 5, usd(22)],
  ['Always back up', 4, usd(22)],
  ['War exit', 5, usd(20)],
  ['Warehouse premium', 5, usd(22)],
  ['Box winner only', 6, usd(22)],
  ['Featured price', 5, usd(22)],
  ['Skip the dumper', 4, usd(16.67)],
] as const)('%s comes down from a price that wins nothing', (name, line, end) => {
  const turns = { 4: (NOW - hours(30)) as Instant };
  const decidedAt = (current: Cents) =>
    decidedBy(linesNamed(name), { current, own: usd(20), lowest: usd(12), boxShare: pct(0), turns });
  expect(decidedAt(usd(40))).toMatchObject({ kind: 'change', price: usd(34), line: { number: line } });
  expect(decidedAt(usd(23))).toMatchObject({ kind: 'change', price: Math.max(end, usd(19.55)) });
});

/** Connected while prices were low: $20.00 is the own price, and the market has recovered to $28.00 since. */
test.each(['Back up at night', 'Night reset'] as const)('%s keeps a winning price all night', (name) => {
  const lines = linesNamed(name);
  const recovered = { own: usd(20), lowest: usd(28), boxShare: pct(100) };
  for (const minuteOfDay of [0, 30, 120, 135, 210, 345]) {
    const decision = decidedBy(lines, { ...recovered, current: usd(27.99), minuteOfDay });
    expect([minuteOfDay, decision.kind, decision.price]).toEqual([minuteOfDay, 'keep', usd(27.99)]);
  }
  // A price below the own one still goes back up to it.
  const low = decidedBy(lines, { own: usd(20), lowest: usd(18), current: usd(17.99), minuteOfDay: 180 });
  expect(low).toMatchObject({ kind: 'change', price: usd(20) });
});
