import type { FeeScheduleView } from '#contract/fees.ts';
import { parseBps, parseCents } from '#domain/decimal.ts';
import { compileFees } from '#domain/fees/compose-fees.ts';
import { type FeeBand, type FeeSchedule, PLAIN_BAND } from '#domain/fees/fee-schedule.ts';
import { feeTimesWhole } from '#domain/fees/fee-table.ts';
import { moneyText, percentText } from '#domain/text.ts';
import { type Bps, type Cents, instant, WHOLE } from '#domain/units.ts';

/** A stored schedule in the domain's form. */
export function scheduleOf({
  marketplace,
  category,
  effectiveFrom,
  kind,
  bands,
}: FeeScheduleView): FeeSchedule {
  return {
    marketplace,
    category,
    effectiveFrom: effectiveFrom === null ? null : instant(Date.parse(effectiveFrom)),
    bandKind: kind,
    edgeBase: 'revenue',
    bands: bands.map(({ upTo, percent, fixed, minimum }) => ({
      ...PLAIN_BAND,
      upTo: upTo === null ? null : parseCents(upTo),
      percent: parseBps(percent) ?? (0 as Bps),
      fixed: parseCents(fixed) ?? (0 as Cents),
      minimum: parseCents(minimum) ?? (0 as Cents),
    })),
  };
}

/** "13.6% + $0.30, at least $0.50" */
function rateText({ percent, fixed, minimum }: FeeBand): string {
  return [
    percentText(percent),
    ...(fixed > 0 ? [` + ${moneyText(fixed)} per order`] : []),
    ...(minimum > 0 ? [`, at least ${moneyText(minimum)}`] : []),
  ].join('');
}

/** One line for each band: "5% up to $15.00", "15% above". */
export function bandLines({ bands, bandKind }: FeeSchedule): string[] {
  if (bands.length === 1 && bands[0] !== undefined) return [rateText(bands[0])];
  return bands.map((band, index) => {
    const rate = rateText(band);
    if (band.upTo === null) return bandKind === 'whole' ? `${rate} above` : `${rate} on the rest`;
    const part = index === 0 || bandKind === 'whole' ? 'up to' : 'on the part up to';
    return `${rate} ${index === 0 && bandKind === 'marginal' ? 'on the part up to' : part} ${moneyText(band.upTo)}`;
  });
}

/** A fee with its calculation. */
export interface FeeTold {
  /** "$1.80"; "about $2.04" when a fraction of a cent was rounded. */
  readonly fee: string;
  /** Revenue after the fee, before the cost. */
  readonly left: string;
  /** The calculation, a sentence for each step. */
  readonly steps: readonly string[];
}

/**
 * The fee on a revenue, as text.
 * @param schedule must pass `checkFeeSchedule`
 * @param revenue price plus shipping charge, above zero
 */
export function tellFee(schedule: FeeSchedule, revenue: Cents): FeeTold {
  const exact = feeTimesWhole(compileFees(schedule), revenue);
  return {
    fee: amountText(exact),
    left: amountText(revenue * WHOLE - exact),
    steps: [...shareSteps(schedule, revenue), ...extraSteps(schedule, revenue, exact)],
  };
}

function shareSteps({ bands, bandKind }: FeeSchedule, revenue: Cents): string[] {
  const held = bandOf(bands, revenue);
  if (bandKind === 'whole' || bands.length === 1) {
    const share = `${percentText(held.percent)} of ${moneyText(revenue)} is ${amountText(held.percent * revenue)}.`;
    return [bands.length === 1 ? share : `${placeText(bands, held)}: ${share}`];
  }
  const steps: string[] = [];
  let from = 0;
  for (const band of bands) {
    if (from >= revenue) break;
    const part = Math.min(band.upTo ?? revenue, revenue) - from;
    const which = from === 0 ? 'the first' : 'the next';
    steps.push(
      `${percentText(band.percent)} of ${which} ${moneyText(part as Cents)} is ${amountText(band.percent * part)}.`,
    );
    from += part;
  }
  return steps;
}

function extraSteps({ bands, bandKind }: FeeSchedule, revenue: Cents, exact: number): string[] {
  const { fixed, minimum } = bandOf(bands, revenue);
  const isRaised = minimum > 0 && exact - fixed * WHOLE === minimum * WHOLE;
  const from = bandKind === 'marginal' && bands.length > 1 ? ' of the band for this price' : '';
  return [
    ...(isRaised ? [`The minimum${from} is ${moneyText(minimum)}, so that is charged.`] : []),
    ...(fixed > 0 ? [`Plus ${moneyText(fixed)} per order${from}.`] : []),
  ];
}

function bandOf(bands: readonly FeeBand[], revenue: Cents): FeeBand {
  const held = bands.find(({ upTo }) => upTo === null || revenue <= upTo) ?? bands.at(-1);
  if (held === undefined) throw new RangeError('a fee schedule without bands');
  return held;
}

function placeText(bands: readonly FeeBand[], band: FeeBand): string {
  const index = bands.indexOf(band);
  const below = bands[index - 1]?.upTo ?? null;
  if (band.upTo === null) return `Band ${index + 1} (above ${moneyText(below ?? (0 as Cents))})`;
  return `Band ${index + 1} (up to ${moneyText(band.upTo)})`;
}

/** @param times ten-thousandths of a cent */
function amountText(times: number): string {
  const whole = Math.round(times / WHOLE);
  const text = moneyText(whole as Cents);
  return whole * WHOLE === times ? text : `about ${text}`;
}
