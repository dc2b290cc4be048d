import { type FeeScheduleForm, FeeScheduleInput, type FeeScheduleView } from '#contract/fees.ts';
import type { BandKind, EdgeBase, FeeSchedule } from '#domain/fees/fee-schedule.ts';
import { checkFeeSchedule } from '#domain/fees/fee-tables.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import { shortPercent } from '#web/lib/format.ts';
import { typedMoney, typedPercent } from '#web/lib/typed-numbers.ts';

/** One band as typed. The last one has no upper end; its `upTo` is ignored. */
export interface BandFields {
  /** Key of the row. */
  readonly key: number;
  readonly upTo: string;
  readonly percent: string;
  /** Of the total with sales tax. */
  readonly percentTaxed: string;
  readonly fixed: string;
  readonly perUnit: string;
  readonly minimum: string;
}

/** The dialog's values, as typed. */
export interface FeeFields {
  readonly marketplace: Marketplace;
  /** Blank: the marketplace's default. */
  readonly category: string;
  /** "2026-12-01", or blank: no start date. */
  readonly startsOn: string;
  readonly kind: BandKind;
  readonly edgeBase: EdgeBase;
  readonly bands: readonly BandFields[];
}

/** The parsed fields. */
export interface FeeReading {
  readonly form: FeeScheduleForm | null;
  /** The same in the domain's form. */
  readonly schedule: FeeSchedule | null;
  /** Errors by field: "bands.0.percent". */
  readonly errors: Readonly<Record<string, string>>;
  /** The error of the bands as a whole. */
  readonly problem: string | null;
}

const ZERO = '0.00';

/** Fields to add a schedule: one band for every price. */
export function emptyFees(marketplace: Marketplace, category: string | null): FeeFields {
  const band = {
    key: 1,
    upTo: '',
    percent: '',
    percentTaxed: '0',
    fixed: ZERO,
    perUnit: ZERO,
    minimum: ZERO,
  };
  const edgeBase = 'revenue';
  return { marketplace, category: category ?? '', startsOn: '', kind: 'whole', edgeBase, bands: [band] };
}

/** The fields of a stored schedule, to edit it. */
export function fieldsOf(schedule: FeeScheduleView): FeeFields {
  const { marketplace, category, effectiveFrom, kind, edgeBase, bands } = schedule;
  return {
    marketplace,
    category: category ?? '',
    startsOn: effectiveFrom?.slice(0, 10) ?? '',
    kind,
    edgeBase,
    bands: bands.map(({ upTo, percent, percentTaxed, fixed, perUnit, minimum }, index) => ({
      key: index + 1,
      upTo: upTo ?? '',
      percent: shortPercent(percent),
      percentTaxed: shortPercent(percentTaxed),
      fixed,
      perUnit,
      minimum,
    })),
  };
}

/** Adds a band before the last one, which stays the one for all higher prices. */
export function withBand(fields: FeeFields): FeeFields {
  const last = fields.bands.at(-1);
  if (last === undefined) return fields;
  const key = Math.max(...fields.bands.map((band) => band.key)) + 1;
  return { ...fields, bands: [...fields.bands.slice(0, -1), { ...last, key, upTo: '' }, last] };
}

/**
 * Parses the fields.
 * @param stored the edited schedule: its exact time stays while the day is unchanged
 */
export function readFees(fields: FeeFields, stored: FeeScheduleView | null): FeeReading {
  const errors: Record<string, string> = {};
  const bands = fields.bands.map((band, index) =>
    readBand(band, `bands.${index}`, index === fields.bands.length - 1, errors),
  );
  const category = fields.category.trim();
  if (category.length > 200) errors.category = 'Enter at most 200 characters';
  if (Object.keys(errors).length > 0) return { form: null, schedule: null, errors, problem: null };
  const form: FeeScheduleForm = {
    marketplace: fields.marketplace,
    category: category === '' ? null : category,
    effectiveFrom: momentOf(fields.startsOn, stored),
    kind: fields.kind,
    edgeBase: fields.edgeBase,
    bands,
  };
  const parsed = FeeScheduleInput.safeParse(form);
  if (!parsed.success) {
    const problem = parsed.error.issues[0]?.message ?? 'Correct the bands';
    return { form: null, schedule: null, errors, problem };
  }
  const { kind, ...rest } = parsed.data;
  const schedule: FeeSchedule = { ...rest, bandKind: kind };
  const problem = checkFeeSchedule(schedule);
  return problem === null
    ? { form, schedule, errors, problem }
    : { form: null, schedule: null, errors, problem };
}

function readBand(
  band: BandFields,
  path: string,
  isLast: boolean,
  errors: Record<string, string>,
): FeeScheduleForm['bands'][number] {
  const upTo = isLast ? null : typedMoney(band.upTo);
  const percent = typedPercent(band.percent);
  const percentTaxed = typedPercent(band.percentTaxed);
  const fixed = typedMoney(band.fixed);
  const perUnit = typedMoney(band.perUnit);
  const minimum = typedMoney(band.minimum);
  if (!isLast && (upTo === null || Number(upTo) <= 0)) errors[`${path}.upTo`] = 'Enter a price such as 15.00';
  for (const [name, share] of Object.entries({ percent, percentTaxed })) {
    if (share === null || Number(share) < 0 || Number(share) > 100) {
      errors[`${path}.${name}`] = 'Enter 0 to 100';
    }
  }
  for (const [name, amount] of Object.entries({ fixed, perUnit, minimum })) {
    if (amount === null || amount.startsWith('-')) errors[`${path}.${name}`] = 'Enter 0.00 or more';
  }
  return {
    upTo,
    percent: percent ?? '0',
    percentTaxed: percentTaxed ?? '0',
    fixed: fixed ?? ZERO,
    perUnit: perUnit ?? ZERO,
    minimum: minimum ?? ZERO,
  };
}

function momentOf(startsOn: string, stored: FeeScheduleView | null): string | null {
  if (startsOn === '') return null;
  const before = stored?.effectiveFrom ?? null;
  return before?.slice(0, 10) === startsOn ? before : `${startsOn}T00:00:00.000Z`;
}
