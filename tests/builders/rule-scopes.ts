import fc from 'fast-check';
import type { LocalTime } from '#domain/limits/policy.ts';
import { FULFILLMENT_TYPES, MARKETPLACES } from '#domain/marketplaces.ts';
import { RULE_FULFILLMENTS, type Rule } from '#domain/rules/rule.ts';
import type { PickQuestion } from '#domain/rules/rule-choice.ts';
import type { Schedule } from '#domain/rules/schedule.ts';
import { FIGURE_SCOPES, type FigureScope, type ScopeFacts, type Segment } from '#domain/rules/segment.ts';
import type { Cents } from '#domain/units.ts';
import { aRule } from './facts.ts';

/** A Wednesday. */
export const NOON: LocalTime = { minuteOfDay: 720, weekday: 3, day: '2026-11-25' };
export const NIGHTS: Schedule = {
  activeFrom: null,
  activeUntil: null,
  windows: [{ fromDay: 1, toDay: 7, from: 22 * 60, to: 4 * 60 }],
};
const WEEKDAYS: Schedule = { ...NIGHTS, windows: [{ fromDay: 1, toDay: 5, from: 480, to: 1_080 }] };

const LABELS = ['Acme', 'acme', 'Bluebird', 'Corner'] as const;
const labels = fc.oneof(
  { weight: 3, arbitrary: fc.constant([]) },
  { weight: 1, arbitrary: fc.subarray([...LABELS], { minLength: 1, maxLength: 2 }) },
);
const FIGURES = [0, 1, 2, 3, 4, 5] as const;
const span = fc.oneof(
  { weight: 4, arbitrary: fc.constant(null) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom(null, ...FIGURES), fc.constantFrom(null, ...FIGURES))
      .filter(([min, max]) => min !== null || max !== null)
      .map(([min, max]) =>
        min !== null && max !== null && min > max ? { min: max, max: min } : { min, max },
      ),
  },
);

/** Segments over few values, so that they often meet. @param figures those that they may compare */
function segmentsOf(figures: readonly FigureScope[] = FIGURE_SCOPES): fc.Arbitrary<Segment> {
  const spans = Object.fromEntries(
    FIGURE_SCOPES.map((field) => [field, figures.includes(field) ? span : fc.constant(null)]),
  ) as Record<FigureScope, fc.Arbitrary<Segment['stock']>>;
  return fc.record({
    marketplaces: fc.oneof(fc.constant([]), fc.subarray([...MARKETPLACES], { minLength: 2 })),
    brands: labels,
    categories: labels,
    tags: labels,
    suppliers: labels,
    ...spans,
  }) as fc.Arbitrary<Segment>;
}

/** Rules that differ in what decides which of them applies. @param figures those that their segments may compare */
export function rulesOver(figures?: readonly FigureScope[]): fc.Arbitrary<Rule[]> {
  const one = fc.record({
    marketplace: fc.constantFrom(null, null, ...MARKETPLACES),
    fulfillmentType: fc.constantFrom(...RULE_FULFILLMENTS),
    isActive: fc.constantFrom(true, true, true, false),
    priority: fc.constantFrom(null, null, 1, 2),
    schedule: fc.constantFrom(null, null, NIGHTS, WEEKDAYS),
    segment: segmentsOf(figures),
  });
  return fc.array(one, { maxLength: 8 }).map((drafts) =>
    drafts.map((draft, order) =>
      aRule({
        ...draft,
        segment: draft.marketplace === null ? draft.segment : { ...draft.segment, marketplaces: [] },
        order,
        id: `rule-${order}`,
        name: `Rule ${order}`,
      }),
    ),
  );
}

export const someRules = rulesOver();

const label = fc.constantFrom(null, ...LABELS);
const figure = fc.constantFrom(null, ...FIGURES);

const someScope: fc.Arbitrary<ScopeFacts> = fc.record({
  brand: label,
  category: label,
  tags: fc.subarray([...LABELS]),
  supplier: label,
  ownPrice: figure as fc.Arbitrary<Cents | null>,
  cost: figure as fc.Arbitrary<Cents | null>,
  listedDays: figure,
  stockAgeDays: figure,
  stock: figure,
});

export const someListing: fc.Arbitrary<PickQuestion & { readonly scope: ScopeFacts }> = fc.record({
  marketplace: fc.constantFrom(...MARKETPLACES),
  fulfillmentType: fc.constantFrom(...FULFILLMENT_TYPES),
  scope: someScope,
});
