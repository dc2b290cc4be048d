import { type Bps, type Cents, WHOLE } from '#domain/units.ts';
import { type FeeAnswer, revenueOf } from './fee-answer.ts';
import { type FeeBand, type FeeSchedule, takesCommissionWithTax } from './fee-schedule.ts';
import { haveSameRate, unchangedAnswers } from './told-rates.ts';

/** The share that a marketplace took of a sale. */
interface SettledPoint {
  /** What the bands of the schedule are measured on. */
  readonly at: Cents;
  /** What the commission is a share of. */
  readonly revenue: Cents;
  readonly commission: Cents;
  /** The highest that rounds to the commission, so that it is never understated. */
  readonly rate: Bps;
}

/**
 * A fee schedule with the commission that was taken of sales, for a listing that no known schedule fits. Between two sales
 * with different rates the higher one counts. A sale cannot be asked for at another price: beyond the lowest and the highest
 * price sold, the higher of the rate there and that of the schedules counts.
 * @param answers settled ones, oldest first, at least one
 * @param schedule tells everything but the commission
 * @param atLeast another schedule that may apply; null for none
 */
export function settledSchedule(
  answers: readonly FeeAnswer[],
  schedule: FeeSchedule,
  atLeast: FeeSchedule | null,
): FeeSchedule {
  const isTaxed = takesCommissionWithTax(schedule);
  const points = unchangedAnswers(answers)
    .map((answer) => pointOf(answer, schedule, isTaxed))
    .sort((a, b) => a.at - b.at);
  const edges = new Set<Cents | null>(schedule.bands.map(({ upTo }) => upTo));
  for (const { at } of points) {
    edges.add(at);
    if (at > 1) edges.add((at - 1) as Cents);
  }
  const bands: FeeBand[] = [];
  for (const upTo of [...edges].sort((a, b) => (a ?? Infinity) - (b ?? Infinity))) {
    const known = bandAt(schedule, upTo);
    const outside = Math.max(rateUpTo(schedule, upTo), atLeast === null ? 0 : rateUpTo(atLeast, upTo)) as Bps;
    const rate = rateAt(points, upTo ?? Number.POSITIVE_INFINITY, outside);
    const band: FeeBand = { ...known, upTo, ...(isTaxed ? { percentTaxed: rate } : { percent: rate }) };
    const last = bands.at(-1);
    if (last !== undefined && isSameFee(last, band)) bands.pop();
    bands.push(band);
  }
  return { ...schedule, category: null, effectiveFrom: null, bandKind: 'whole', bands };
}

function pointOf(answer: FeeAnswer, { edgeBase }: FeeSchedule, isTaxed: boolean): SettledPoint {
  const base = answer.settled?.base ?? null;
  const charged = isTaxed && base !== null ? answer.settled : undefined;
  const commission = charged?.commission ?? answer.commission;
  const revenue = charged?.base ?? revenueOf(answer);
  const at = edgeBase === 'with_tax' ? (base ?? revenueOf(answer)) : revenueOf(answer);
  const rate = Math.ceil(((2 * commission + 1) * WHOLE) / (2 * revenue));
  return { at, revenue, commission, rate: Math.min(rate, WHOLE) as Bps };
}

/** The band that holds an amount; the last one for null. */
function bandAt({ bands }: FeeSchedule, amount: Cents | null): FeeBand {
  const found = bands.find(({ upTo }) => upTo === null || (amount !== null && amount <= upTo));
  if (found === undefined) throw new Error('A fee schedule has no last band.');
  return found;
}

/** The highest percentage up to an amount: each band of a marginal schedule counts in the fee of the next ones. */
function rateUpTo(schedule: FeeSchedule, amount: Cents | null): Bps {
  const { bands, bandKind } = schedule;
  const last = bands.indexOf(bandAt(schedule, amount));
  const counted = bands.slice(bandKind === 'whole' ? last : 0, last + 1);
  const isTaxed = takesCommissionWithTax(schedule);
  return Math.max(...counted.map(({ percent, percentTaxed }) => (isTaxed ? percentTaxed : percent))) as Bps;
}

/** @param points ascending @param outside what counts beyond them, where it is higher */
function rateAt(points: readonly SettledPoint[], amount: number, outside: Bps): Bps {
  const above = points.findIndex(({ at }) => at >= amount);
  const high = points[above];
  const low = above === -1 ? points.at(-1) : points[above - 1];
  if (high?.at === amount) {
    // Several sales of the same total, at different taxes.
    return Math.max(...points.filter(({ at }) => at === amount).map(({ rate }) => rate)) as Bps;
  }
  if (high === undefined || low === undefined) return Math.max((high ?? low)?.rate ?? 0, outside) as Bps;
  const rates = [low.rate, high.rate];
  return (haveSameRate(low, high) ? Math.min(...rates) : Math.max(...rates)) as Bps;
}

function isSameFee({ upTo: _, ...one }: FeeBand, { upTo: __, ...other }: FeeBand): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
