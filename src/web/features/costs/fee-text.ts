import type { FeeScheduleView, FeeTermsView } from '#contract/fees.ts';
import { bpsFromDecimal, parseBps, parseCents } from '#domain/decimal.ts';
import { compileFees } from '#domain/fees/compose-fees.ts';
import type { EdgeBase, FeeBand, FeeSchedule } from '#domain/fees/fee-schedule.ts';
import { feeTimesWhole } from '#domain/fees/fee-table.ts';
import { edgeOf, ofRevenue } from '#domain/fees/schedule-pieces.ts';
import { moneyText, percentText } from '#domain/text.ts';
import { type Bps, type Cents, instant, WHOLE } from '#domain/units.ts';
import { countOf } from '#web/lib/format.ts';

/** A stored schedule in the domain's form. */
export function scheduleOf({
  marketplace,
  category,
  effectiveFrom,
  kind,
  edgeBase,
  bands,
}: FeeScheduleView): FeeSchedule {
  return {
    marketplace,
    category,
    effectiveFrom: effectiveFrom === null ? null : instant(Date.parse(effectiveFrom)),
    bandKind: kind,
    edgeBase,
    bands: bands.map(({ upTo, percent, percentTaxed, fixed, perUnit, minimum }) => ({
      upTo: upTo === null ? null : parseCents(upTo),
      percent: parseBps(percent) ?? (0 as Bps),
      percentTaxed: parseBps(percentTaxed) ?? (0 as Bps),
      fixed: parseCents(fixed) ?? (0 as Cents),
      perUnit: parseCents(perUnit) ?? (0 as Cents),
      minimum: parseCents(minimum) ?? (0 as Cents),
    })),
  };
}

const OF_TOTAL = 'of the total with sales tax';

/** "13.6% of the total with sales tax + $0.30 per order + $0.20 per unit, at least $0.50" */
function rateText({ percent, percentTaxed, fixed, perUnit, minimum }: FeeBand): string {
  const shares = [
    ...(percent > 0 || percentTaxed === 0 ? [percentText(percent)] : []),
    ...(percentTaxed > 0 ? [`${percentText(percentTaxed)} ${OF_TOTAL}`] : []),
  ];
  return [
    shares.join(' + '),
    ...(fixed > 0 ? [` + ${moneyText(fixed)} per order`] : []),
    ...(perUnit > 0 ? [` + ${moneyText(perUnit)} per unit`] : []),
    ...(minimum > 0 ? [`, at least ${moneyText(minimum)}`] : []),
  ].join('');
}

/** One line for each band: "5% up to $15.00", "15% above". */
export function bandLines({ bands, bandKind, edgeBase }: FeeSchedule): string[] {
  if (bands.length === 1 && bands[0] !== undefined) return [rateText(bands[0])];
  return bands.map((band) => {
    const rate = rateText(band);
    if (band.upTo === null) return bandKind === 'whole' ? `${rate} above` : `${rate} on the rest`;
    const part = bandKind === 'whole' ? 'up to' : 'on the part up to';
    return `${rate} ${part} ${endText(band.upTo, edgeBase)}`;
  });
}

/** The percentages of all bands in one line, each once: "8%", "5%, 10% or 17%". */
export function percentLine({ bands }: FeeSchedule): string {
  const percents = [...new Set(bands.map(({ percent, percentTaxed }) => percent + percentTaxed))];
  const texts = percents.map((percent) => percentText(percent as Bps));
  const last = texts.pop() ?? '';
  return texts.length === 0 ? last : `${texts.join(', ')} or ${last}`;
}

function endText(upTo: Cents, edgeBase: EdgeBase): string {
  return edgeBase === 'revenue' ? moneyText(upTo) : `${moneyText(upTo)} with tax`;
}

/** A fee with its calculation. */
export interface FeeCalculation {
  /** "$1.80"; "about $2.04" when a fraction of a cent was rounded. */
  readonly fee: string;
  /** Revenue after the fee, before the cost. */
  readonly left: string;
  /** The calculation, a sentence for each step. */
  readonly steps: readonly string[];
}

/**
 * The fee on a revenue, as text, of an order of one unit.
 * @param schedule must pass `checkFeeSchedule`
 * @param revenue price plus shipping charge, above zero
 * @param salesTax for what is taken on the total with tax
 */
export function calculateFee(schedule: FeeSchedule, revenue: Cents, salesTax: Bps): FeeCalculation {
  const exact = feeTimesWhole(compileFees(schedule, salesTax), revenue);
  const ends = schedule.bands.map((band) => edgeOf(band, schedule, salesTax));
  const held = Math.max(
    0,
    ends.findIndex((end) => revenue <= end),
  );
  const plain = shareSteps(schedule, ends, held, revenue, ({ percent }) => ({
    share: percent,
    text: percentText(percent),
  }));
  const taxed = shareSteps(schedule, ends, held, revenue, ({ percentTaxed }) => {
    const share = ofRevenue(percentTaxed, salesTax);
    return { share, text: `${percentText(percentTaxed)} ${OF_TOTAL}, counted as ${percentText(share)}` };
  });
  const usesTax = taxed.total > 0;
  return {
    fee: amountText(exact),
    left: amountText(revenue * WHOLE - exact),
    steps: [
      ...(plain.total > 0 || !usesTax ? plain.steps : []),
      ...extraSteps(schedule, held, plain.total),
      ...(usesTax ? [...taxed.steps, `${percentText(salesTax)} sales tax is counted.`] : []),
      ...fixedSteps(schedule, held),
    ],
  };
}

interface Shares {
  /** Ten-thousandths of a cent. */
  readonly total: number;
  readonly steps: readonly string[];
}

/** What one of the percentages comes to, band by band where they are marginal. */
function shareSteps(
  { bands, bandKind, edgeBase }: FeeSchedule,
  ends: readonly Cents[],
  held: number,
  revenue: Cents,
  rateOf: (band: FeeBand) => { readonly share: Bps; readonly text: string },
): Shares {
  const steps: string[] = [];
  let total = 0;
  let from = 0;
  const isMarginal = bandKind === 'marginal' && bands.length > 1;
  for (const [index, band] of bands.entries()) {
    if (isMarginal ? index > held : index !== held) continue;
    const { share, text } = rateOf(band);
    const end = Math.min(ends[index] ?? revenue, revenue);
    const part = (isMarginal ? end - from : revenue) as Cents;
    from = end;
    total += share * part;
    const which = isMarginal ? (index === 0 ? 'the first ' : 'the next ') : '';
    const step = `${text} of ${which}${moneyText(part)} is ${amountText(share * part)}.`;
    steps.push(isMarginal || bands.length === 1 ? step : `${placeText(bands, index, edgeBase)}: ${step}`);
  }
  return { total, steps };
}

function ofBand({ bands, bandKind }: FeeSchedule): string {
  return bandKind === 'marginal' && bands.length > 1 ? ' of the band for this price' : '';
}

function extraSteps(schedule: FeeSchedule, held: number, plain: number): string[] {
  const minimum = schedule.bands[held]?.minimum ?? 0;
  if (minimum === 0 || plain > minimum * WHOLE) return [];
  return [`The minimum${ofBand(schedule)} is ${moneyText(minimum as Cents)}, so that is charged.`];
}

function fixedSteps(schedule: FeeSchedule, held: number): string[] {
  const { fixed = 0, perUnit = 0 } = schedule.bands[held] ?? {};
  return [
    ...(fixed > 0 ? [`Plus ${moneyText(fixed as Cents)} per order${ofBand(schedule)}.`] : []),
    ...(perUnit > 0 ? [`Plus ${moneyText(perUnit as Cents)} per unit${ofBand(schedule)}.`] : []),
  ];
}

function placeText(bands: readonly FeeBand[], index: number, edgeBase: EdgeBase): string {
  const upTo = bands[index]?.upTo ?? null;
  const below = bands[index - 1]?.upTo ?? (0 as Cents);
  if (upTo === null) return `Band ${index + 1} (above ${endText(below, edgeBase)})`;
  return `Band ${index + 1} (up to ${endText(upTo, edgeBase)})`;
}

/** @param times ten-thousandths of a cent */
function amountText(times: number): string {
  const whole = Math.round(times / WHOLE);
  const text = moneyText(whole as Cents);
  return whole * WHOLE === times ? text : `about ${text}`;
}

type SalesTaxTerms = Pick<FeeTermsView, 'countedSalesTax' | 'salesTaxSource' | 'learnedFromOrders'>;

/** "8% sales tax (assumed)", "9.5% sales tax (learned from 41 orders)", "7.25% sales tax (entered)". */
export function salesTaxText({ countedSalesTax, salesTaxSource, learnedFromOrders }: SalesTaxTerms): string {
  const share = `${percentText(bpsFromDecimal(countedSalesTax))} sales tax`;
  if (salesTaxSource !== 'learned') return `${share} (${salesTaxSource})`;
  const orders = learnedFromOrders === null ? 'your orders' : countOf(learnedFromOrders, 'order', 'orders');
  return `${share} (learned from ${orders})`;
}
