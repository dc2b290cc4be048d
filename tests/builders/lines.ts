import fc from 'fast-check';
import {
  type Condition,
  DAY_MINUTES,
  type Line,
  type LineAction,
  OFFER_GROUPS,
  RELATIONS,
  SAME,
  type Shift,
  type Shifts,
  SITUATIONS,
  SOLD_DAYS,
  type Target,
  type Weekday,
} from '#domain/lines/line.ts';
import { parseLines } from '#domain/lines/parse-lines.ts';
import { MARKETPLACES } from '#domain/marketplaces.ts';
import { type Bps, type Cents, hours, type Millis } from '#domain/units.ts';

/** The lines of a text that is understood. */
export function linesOf(text: string): readonly Line[] {
  const { lines, problem } = parseLines(text);
  if (lines === null) throw new Error(JSON.stringify(problem));
  return lines;
}

const percent = (min: number, max: number) => fc.integer({ min, max }) as fc.Arbitrary<Bps>;
const amount = (min: number, max: number) => fc.integer({ min, max }) as fc.Arbitrary<Cents>;
/** In hundredths of an hour, as a text has them. */
const durations = fc.integer({ min: 25, max: 72_000 }).map((each) => Math.round(hours(each / 100)) as Millis);
const names = fc.constantFrom('Acme', 'Corner Store', 'Other', 'Amazon.com');
const groups = fc.option(fc.constantFrom(...OFFER_GROUPS));

const shifts: fc.Arbitrary<Shift> = fc.oneof(
  percent(-5_000, -1).map((each) => ({ percent: each })),
  percent(1, 10_000).map((each) => ({ percent: each })),
  amount(-100_000, -1).map((each) => ({ amount: each })),
  amount(1, 100_000).map((each) => ({ amount: each })),
);

const relationShifts: fc.Arbitrary<Shifts> = fc
  .uniqueArray(
    fc.tuple(
      fc.constantFrom(...RELATIONS),
      fc.oneof(shifts, fc.constant(SAME), fc.constant('ignore' as const)),
    ),
    { minLength: 1, maxLength: 5, selector: ([relation]) => relation },
  )
  .map((pairs) => ({ byRelation: Object.fromEntries(pairs) }));

const allShifts: fc.Arbitrary<Shifts | null> = fc.option(
  fc.oneof(
    shifts.map((all) => ({ all })),
    relationShifts,
  ),
);

const oneShift = fc.option(shifts);

const targets: fc.Arbitrary<Target> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('lowest' as const), only: groups, by: allShifts }) },
  fc.record({ kind: fc.constant('seller' as const), name: names, by: allShifts }),
  fc.record({ kind: fc.constant('box' as const), by: allShifts }),
  fc.record({
    kind: fc.constantFrom('featured' as const, 'own' as const, 'current' as const, 'external' as const),
    by: oneShift,
  }),
  fc.record({
    kind: fc.constant('sister' as const),
    sku: fc.constantFrom('MUG-2', 'MUG 3', '5% (x), y; z'),
    marketplace: fc.option(fc.constantFrom(...MARKETPLACES)),
    by: oneShift,
  }),
  fc.record({
    kind: fc.constant('channel' as const),
    marketplace: fc.constantFrom(...MARKETPLACES),
    by: oneShift,
  }),
  fc.record({ kind: fc.constant('margin' as const), margin: fc.option(percent(0, 9_999)) }),
  fc.record({ kind: fc.constant('cost_plus' as const), percent: percent(0, 100_000) }),
  fc.record({ kind: fc.constant('between' as const), percent: percent(0, 10_000) }),
  fc.record({ kind: fc.constantFrom('floor' as const, 'ceiling' as const, 'learned' as const) }),
);

const steps: fc.Arbitrary<Shift> = fc.oneof(
  percent(10, 1_500).map((each) => ({ percent: each })),
  amount(1, 10_000).map((each) => ({ amount: each })),
);

const actions: fc.Arbitrary<LineAction> = fc.oneof(
  fc.constant({ kind: 'hold' as const }),
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('ask' as const),
      target: targets,
      notUnder: fc.option(targets, { freq: 3 }),
      notOver: fc.option(targets, { freq: 3 }),
      ifTooLow: fc.constantFrom('stop', 'keep', 'next_competitor', 'next_line'),
    }),
  },
  fc.record({
    kind: fc.constantFrom('raise' as const, 'lower' as const),
    by: steps,
    every: durations,
    to: fc.option(targets),
  }),
);

const spans = <Unit extends number>(value: fc.Arbitrary<Unit>) =>
  fc.oneof(
    value.map((min) => ({ min, max: null })),
    value.map((max) => ({ min: null, max })),
  );
const shareSpans = spans(percent(0, 9_999));
const countSpans = spans(fc.nat(500));
const minutes = fc.integer({ min: 0, max: DAY_MINUTES });
const weekdays = fc.integer({ min: 1, max: 7 }) as fc.Arbitrary<Weekday>;
const days = fc.constantFrom('2026-11-20', '2026-11-21', '2026-12-24');

/** A condition of any kind. */
export const anyCondition: fc.Arbitrary<Condition> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('situation' as const),
      any: fc.subarray([...SITUATIONS], { minLength: 1 }),
      atLeast: fc.option(durations),
    }),
  },
  shareSpans.map((span) => ({ kind: 'box_share' as const, ...span })),
  shareSpans.map((span) => ({ kind: 'follow' as const, ...span })),
  shareSpans.map((span) => ({ kind: 'margin' as const, ...span })),
  percent(0, 20_000).map((min) => ({ kind: 'lowest_above' as const, min })),
  fc.tuple(groups, spans(fc.nat(6))).map(([only, span]) => ({ kind: 'competitors' as const, only, ...span })),
  fc.integer({ min: 1, max: 5 }).map((min) => ({ kind: 'lowered' as const, min })),
  countSpans.map((span) => ({ kind: 'stock' as const, ...span })),
  countSpans.map((span) => ({ kind: 'supply' as const, ...span })),
  fc.record({ kind: fc.constantFrom('stock_age' as const, 'no_sale' as const), min: fc.nat(400) }),
  fc
    .tuple(fc.constantFrom(...SOLD_DAYS), countSpans)
    .map(([period, span]) => ({ kind: 'sold' as const, days: period, ...span })),
  fc.record({
    kind: fc.constantFrom('at_floor' as const, 'at_ceiling' as const, 'lowest_under_floor' as const),
  }),
  fc.record({ kind: fc.constantFrom('box_held_by' as const, 'seller_present' as const), name: names }),
  fc.record({ kind: fc.constant('hours' as const), from: minutes, to: minutes }),
  fc.record({ kind: fc.constant('weekdays' as const), from: weekdays, to: weekdays }),
  fc
    .tuple(days, days)
    .map(([one, other]) => (one < other ? { from: one, to: other } : { from: other, to: one }))
    .map((span) => ({ kind: 'dates' as const, ...span })),
  fc.record({
    kind: fc.constant('ships' as const),
    by: fc.constantFrom('us' as const, 'warehouse' as const),
  }),
);

const line: fc.Arbitrary<Line> = fc.record({
  when: fc.array(anyCondition, { maxLength: 3 }),
  action: actions,
  turn: fc.option(fc.record({ lasts: durations, rests: durations }), { freq: 3 }),
  asksFirst: fc.oneof(
    { weight: 8, arbitrary: fc.constant(false) },
    { weight: 1, arbitrary: fc.constant(true) },
  ),
});

/** The lines of a rule, one to six, of every kind. */
export const anyLines: fc.Arbitrary<readonly Line[]> = fc.array(line, { minLength: 1, maxLength: 6 });

/** Prices that are known of most listings, and mostly near the present one. */
const knownTargets: fc.Arbitrary<Target> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('lowest' as const), only: groups, by: allShifts }) },
  fc.record({ kind: fc.constantFrom('own' as const, 'current' as const), by: oneShift }),
  fc.record({ kind: fc.constant('margin' as const), margin: percent(0, 6_000) }),
  fc.record({ kind: fc.constant('between' as const), percent: percent(0, 10_000) }),
  fc.record({ kind: fc.constantFrom('floor' as const, 'ceiling' as const) }),
);

/** A line without conditions, mostly for a known price: nothing else can pass it over. */
const lastLine: fc.Arbitrary<Line> = fc
  .record({
    line,
    target: fc.option(knownTargets, { freq: 8 }),
    notUnder: fc.option(knownTargets, { freq: 2 }),
    notOver: fc.option(knownTargets, { freq: 2 }),
    ifTooLow: fc.constantFrom('stop', 'stop', 'stop', 'keep', 'next_competitor', 'next_line'),
  })
  .map(({ line: { action }, target, ...rest }) => ({
    when: [],
    action: target === null ? action : { kind: 'ask', target, ...rest },
    turn: null,
    asksFirst: false,
  }));

/** Lines of every kind, of which one decides in most cases: the last has no condition. */
export const decidingLines: fc.Arbitrary<readonly Line[]> = fc
  .tuple(fc.array(line, { maxLength: 3 }), lastLine, fc.array(lastLine, { maxLength: 2 }))
  .map(([some, one, more]) => [...some, one, ...more]);
