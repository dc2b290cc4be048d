import { z } from 'zod';
import type { Span } from '#domain/lines/line.ts';
import { MARKETPLACES } from '#domain/marketplaces.ts';
import {
  MAX_WINDOWS,
  parseWindow,
  type Schedule,
  type ScheduleWindow,
  WINDOW_EXAMPLE,
} from '#domain/rules/schedule.ts';
import { MAX_SCOPE_LABEL, MAX_SCOPE_LABELS } from '#domain/rules/segment.ts';
import { AmountInput, Day, Money } from './fields.ts';

const LabelsInput = z
  .array(
    z
      .string()
      .trim()
      .min(1, 'Enter a value')
      .max(MAX_SCOPE_LABEL, `At most ${MAX_SCOPE_LABEL} characters`)
      .regex(/^[^|]*$/, 'Without |'),
  )
  .max(MAX_SCOPE_LABELS, `At most ${MAX_SCOPE_LABELS} values`)
  .default([]);

const COUNT_HINT = 'Enter a whole number from 0 to 1,000,000';
const CountInput = z.int(COUNT_HINT).min(0, COUNT_HINT).max(1_000_000, COUNT_HINT);

/** A range with both ends included; both blank: not set. */
function rangeInput<Unit extends number, Input>(unit: z.ZodType<Unit, Input>) {
  return z
    .strictObject({ from: unit.nullable().default(null), to: unit.nullable().default(null) })
    .refine(({ from, to }) => from === null || to === null || from <= to, {
      message: 'Enter a value that is not below the first',
      path: ['to'],
    })
    .transform(({ from: min, to: max }): Span<Unit> | null =>
      min === null && max === null ? null : { min, max },
    )
    .nullable()
    .default(null);
}

/** The listings of a rule besides its marketplace and fulfillment type. All fields that are set have to match. */
export const SegmentInput = z.strictObject({
  /** Several marketplaces; then `marketplace` is null. */
  marketplaces: z.array(z.enum(MARKETPLACES)).max(MARKETPLACES.length).default([]),
  brands: LabelsInput,
  categories: LabelsInput,
  tags: LabelsInput,
  suppliers: LabelsInput,
  ownPrice: rangeInput(AmountInput),
  /** Without the fulfillment fee. */
  cost: rangeInput(AmountInput),
  /** Days since the listing was added. */
  listedDays: rangeInput(CountInput),
  stockAgeDays: rangeInput(CountInput),
  /** At the start of the day. */
  stock: rangeInput(CountInput),
});

/** "mon-fri 08:00-18:00", "sat 22:00-04:00": from inclusive, to exclusive, over midnight where `to` is earlier. */
const WindowInput = z
  .string()
  .max(40)
  .transform((text, context): ScheduleWindow => {
    const window = parseWindow(text);
    if (window !== null) return window;
    context.addIssue({ code: 'custom', message: `Enter days and times such as ${WINDOW_EXAMPLE}` });
    return z.NEVER;
  });

/** When a rule applies, in the time of the shop. All blank: always. */
export const ScheduleInput = z
  .strictObject({
    activeFrom: Day.nullable().default(null),
    /** The first day on which it no longer applies. */
    activeUntil: Day.nullable().default(null),
    windows: z.array(WindowInput).max(MAX_WINDOWS, `At most ${MAX_WINDOWS} windows`).default([]),
  })
  .refine(
    ({ activeFrom, activeUntil }) => activeFrom === null || activeUntil === null || activeFrom < activeUntil,
    {
      message: 'Enter a day after the first',
      path: ['activeUntil'],
    },
  )
  .transform((schedule): Schedule | null => {
    const { activeFrom, activeUntil, windows } = schedule;
    return activeFrom === null && activeUntil === null && windows.length === 0 ? null : schedule;
  });

const MoneyRange = z.object({ from: Money.nullable(), to: Money.nullable() }).nullable();
const CountRange = z.object({ from: z.int().nullable(), to: z.int().nullable() }).nullable();

export const RuleSegment = z.object({
  marketplaces: z.array(z.enum(MARKETPLACES)),
  brands: z.array(z.string()),
  categories: z.array(z.string()),
  tags: z.array(z.string()),
  suppliers: z.array(z.string()),
  ownPrice: MoneyRange,
  cost: MoneyRange,
  listedDays: CountRange,
  stockAgeDays: CountRange,
  stock: CountRange,
});
export type RuleSegment = z.output<typeof RuleSegment>;

export const RuleSchedule = z.object({
  activeFrom: Day.nullable(),
  activeUntil: Day.nullable(),
  windows: z.array(z.string()),
});
export type RuleSchedule = z.output<typeof RuleSchedule>;
