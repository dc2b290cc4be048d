import { type Bps, type Cents, WHOLE } from '#domain/units.ts';
import type { FeeBasis, FeeSource, FulfillmentStep, ReportedRate, ReportedSource } from './fee-basis.ts';
import { type FeeBand, type FeeSchedule, PLAIN_BAND, takesCommissionWithTax } from './fee-schedule.ts';
import { type FeePiece, type FeeTable, feeTimesWhole, MAX_REVENUE } from './fee-table.ts';
import { highestFee } from './highest-fee.ts';
import { schedulePieces } from './schedule-pieces.ts';

/** Sales tax over revenue, until settled orders show the seller's own share: a usual US average. */
export const ASSUMED_SALES_TAX = 800 as Bps;

/**
 * The fee at every revenue from all its parts: percentages add up, fixed amounts and the fulfillment fee of the price
 * band come on top. Exact, in ten-thousandths of a cent.
 * @param basis its schedules are ones that `checkFeeSchedule` accepts; one unit per order is assumed
 */
export function composeFees(basis: FeeBasis): FeeTable {
  const { source, salesTax, fulfillment, shippingCharge, adShare, returnShare } = basis;
  const shares = (adShare + returnShare) as Bps;
  const pieces = withShares(piecesOf(source, salesTax), shares);
  return {
    version: versionOf(basis),
    pieces: fulfillment.length === 0 ? pieces : withFulfillment(pieces, fulfillment, shippingCharge),
    basis,
  };
}

/** The table of a schedule alone, without fulfillment and shares. */
export function compileFees(schedule: FeeSchedule, salesTax: Bps = ASSUMED_SALES_TAX): FeeTable {
  const none = 0 as Bps;
  return composeFees({
    source: { kind: 'schedule', schedule, category: schedule.category === null ? 'none' : 'person' },
    salesTax,
    fulfillment: [],
    shippingCharge: 0 as Cents,
    adShare: none,
    returnShare: none,
  });
}

function piecesOf(source: FeeSource, salesTax: Bps): readonly FeePiece[] {
  switch (source.kind) {
    case 'schedule':
      return highestFee(schedulesOf(source).map((schedule) => schedulePieces(schedule, salesTax)));
    case 'person':
      return schedulePieces(withRate(source.schedule, source.rate), salesTax);
    case 'told':
      return source.schedules.length === 0
        ? source.rates.map(ratePiece)
        : highestFee(source.schedules.map((schedule) => schedulePieces(schedule, salesTax)));
  }
}

/** A schedule whose commission is another percentage: that of the total with tax where it takes none of revenue. */
function withRate(schedule: FeeSchedule, rate: Bps): FeeSchedule {
  const isTaxed = takesCommissionWithTax(schedule);
  const bands = schedule.bands.map((band) => ({ ...band, [isTaxed ? 'percentTaxed' : 'percent']: rate }));
  return { ...schedule, bands };
}

function ratePiece({ from, to, percent, perUnit }: ReportedRate): FeePiece {
  const none = { carried: 0, minimum: 0 as Cents, other: 0 as Bps };
  return { from, to, percent, ...none, added: perUnit * WHOLE };
}

function withShares(pieces: readonly FeePiece[], shares: Bps): readonly FeePiece[] {
  if (shares === 0) return pieces;
  return pieces.map((piece) => ({ ...piece, other: (piece.other + shares) as Bps }));
}

/** Splits the pieces at the price bands of the fulfillment fee, and adds the fee of each. */
function withFulfillment(
  pieces: readonly FeePiece[],
  steps: readonly FulfillmentStep[],
  shippingCharge: Cents,
): FeePiece[] {
  const split: FeePiece[] = [];
  for (const piece of pieces) {
    let above = 0;
    for (const { upTo, fee } of steps) {
      const end = upTo === null ? MAX_REVENUE : upTo + shippingCharge;
      const from = Math.max(piece.from, above) as Cents;
      const to = Math.min(piece.to, end) as Cents;
      if (fee !== null && from <= to) split.push({ ...piece, from, to, added: piece.added + fee * WHOLE });
      above = end + 1;
    }
  }
  return split;
}

function versionOf({
  source,
  salesTax,
  fulfillment,
  shippingCharge,
  adShare,
  returnShare,
}: FeeBasis): string {
  const steps = fulfillment
    .map(
      ({ upTo, fee, isAssumed, isDoubted }) =>
        `${upTo ?? 'up'}:${fee ?? 'unknown'}${isAssumed ? '?' : ''}${isDoubted ? '!' : ''}`,
    )
    .join(' ');
  return [
    sourceVersion(source),
    ...(schedulesOf(source).some(usesTax) ? [`tax ${salesTax}`] : []),
    ...(fulfillment.length > 0 ? [`fulfillment -${shippingCharge} ${steps}`] : []),
    ...(adShare > 0 ? [`ads ${adShare}`] : []),
    ...(returnShare > 0 ? [`returns ${returnShare}`] : []),
  ].join(' ');
}

function sourceVersion(source: FeeSource): string {
  switch (source.kind) {
    case 'schedule':
      return schedulesOf(source).map(scheduleVersion).join(' or at least ');
    case 'person':
      return `rate ${source.rate} in ${scheduleVersion(source.schedule)}`;
    case 'told': {
      const rates = source.rates.map(
        ({ from, to, percent, perUnit }) => `${from}-${to}:${percent}+${perUnit}`,
      );
      const what = source.schedules.length === 0 ? rates : source.schedules.map(scheduleVersion);
      const doubt = source.isDoubted ? ' doubted' : '';
      return `${source.by} ${source.toldAt} at ${source.askedPrice}${doubt}: ${what.join(' | ')}`;
    }
  }
}

/**
 * The schedule whose fee counts at a revenue: of several the one that charges the most; a rate of the listing's own as a
 * schedule of one band, a basis point lower: the rate was rounded up, and an estimate is not.
 * @returns null where the fee is unknown
 */
export function scheduleAt({ source, salesTax }: FeeBasis, revenue: Cents): FeeSchedule | null {
  if (source.kind === 'person') return withRate(source.schedule, source.rate);
  const feeOf = (schedule: FeeSchedule) =>
    feeTimesWhole({ pieces: schedulePieces(schedule, salesTax) }, revenue);
  const [highest] = schedulesOf(source).toSorted((a, b) => feeOf(b) - feeOf(a));
  return highest ?? (source.kind === 'told' ? rateSchedule(source, revenue) : null);
}

function rateSchedule({ rates, marketplace }: ReportedSource, revenue: Cents): FeeSchedule | null {
  const rate = rates.find(({ from, to }) => from <= revenue && revenue <= to);
  if (rate === undefined) return null;
  const none = 0 as Cents;
  const { perUnit } = rate;
  const percent = Math.max(0, rate.percent - 1) as Bps;
  const band: FeeBand = { ...PLAIN_BAND, upTo: null, percent, perUnit, fixed: none, minimum: none };
  return {
    marketplace,
    category: null,
    effectiveFrom: null,
    bandKind: 'whole',
    edgeBase: 'revenue',
    bands: [band],
  };
}

/** The schedules that a fee may come from: at each revenue the highest counts. */
export function schedulesOf(source: FeeSource): readonly FeeSchedule[] {
  if (source.kind === 'told') return source.schedules;
  if (source.kind === 'person' || source.atLeast === undefined) return [source.schedule];
  return [source.schedule, source.atLeast];
}

function usesTax({ edgeBase, bands }: FeeSchedule): boolean {
  return edgeBase === 'with_tax' || bands.some(({ percentTaxed }) => percentTaxed > 0);
}

function scheduleVersion(schedule: FeeSchedule): string {
  const { marketplace, category, effectiveFrom, bandKind, edgeBase, bands } = schedule;
  const rows = bands.map(({ upTo, percent, percentTaxed, fixed, perUnit, minimum }) => {
    const taxed = percentTaxed === 0 ? '' : `+${percentTaxed}t`;
    return `${upTo ?? 'up'}:${percent}${taxed}+${fixed}${perUnit === 0 ? '' : `+${perUnit}u`}>${minimum}`;
  });
  const kind = edgeBase === 'revenue' ? bandKind : `${bandKind} with_tax`;
  return `${marketplace}/${category ?? 'default'}@${effectiveFrom ?? 'always'} ${kind} ${rows.join(' ')}`;
}
