import { type Bps, type Cents, WHOLE } from '#domain/units.ts';
import { type FeeAnswer, revenueOf } from './fee-answer.ts';
import { type FeeBand, type FeeSchedule, takesCommissionWithTax } from './fee-schedule.ts';
import { unchangedAnswers } from './reported-rates.ts';

/** Sales of neighboring prices of which the same share was taken. */
interface SettledRun {
  /** The lowest and the highest of what the bands of the schedule are measured on. */
  readonly from: Cents;
  readonly to: Cents;
  /** The shares that round to every commission, in basis points; the higher end, so that the fee is never understated. */
  readonly low: number;
  readonly high: number;
}

/**
 * A fee schedule with the commission that was taken of sales, for a listing that no known schedule fits. Between two sales
 * with different rates the higher one counts. A sale cannot be requested at another price: beyond the lowest and the highest
 * price sold, the higher of the rate there and that of the schedules counts.
 * @param answers settled ones, oldest first; none for a listing that was not sold
 * @param schedule has everything but the commission
 * @param atLeast another schedule that may apply; null for none
 * @param others answers of other listings: where the listing's own report no rate, the higher one with them counts
 */
export function settledSchedule(
  answers: readonly FeeAnswer[],
  schedule: FeeSchedule,
  atLeast: FeeSchedule | null,
  others: readonly FeeAnswer[] = [],
): FeeSchedule {
  const isTaxed = takesCommissionWithTax(schedule);
  const own = unchangedAnswers(answers).map((answer) => pointOf(answer, schedule));
  const runs = runsOf(own);
  const added = others
    .map((answer) => pointOf(answer, schedule))
    .filter(({ from }) => !runs.some((run) => isWithin(run, from)));
  const withOthers = added.length === 0 ? runs : runsOf([...own, ...added]);
  const edges = new Set<Cents | null>(schedule.bands.map(({ upTo }) => upTo));
  for (const { from, to } of [...runs, ...withOthers]) {
    edges.add(to);
    if (from > 1) edges.add((from - 1) as Cents);
  }
  const bands: FeeBand[] = [];
  for (const upTo of [...edges].sort((a, b) => (a ?? Infinity) - (b ?? Infinity))) {
    const known = bandAt(schedule, upTo);
    const outside = Math.max(rateUpTo(schedule, upTo), atLeast === null ? 0 : rateUpTo(atLeast, upTo)) as Bps;
    const amount = upTo ?? Number.POSITIVE_INFINITY;
    const ownRate = rateAt(runs, amount, outside);
    const isOwnReported = runs.some((run) => isWithin(run, amount));
    const rate = isOwnReported ? ownRate : (Math.max(ownRate, rateAt(withOthers, amount, outside)) as Bps);
    const band: FeeBand = { ...known, upTo, ...(isTaxed ? { percentTaxed: rate } : { percent: rate }) };
    const last = bands.at(-1);
    if (last !== undefined && isSameFee(last, band)) bands.pop();
    bands.push(band);
  }
  return { ...schedule, category: null, effectiveFrom: null, bandKind: 'whole', bands };
}

/**
 * What was taken of sales of several listings by one category, as far as it counts for another one: what is unchanged of
 * each, where the same share was taken of two sales at least. One alone may be charged by mistake.
 * @param listings the answers of each, oldest first
 * @param schedule says what a commission is taken on
 */
export function agreedAnswers(
  listings: readonly (readonly FeeAnswer[])[],
  schedule: FeeSchedule,
): readonly FeeAnswer[] {
  const sales = listings.flat().map((answer) => ({ answer, point: pointOf(answer, schedule) }));
  const unchanged = new Set(listings.flatMap(unchangedAnswers));
  const isAgreed = ({ answer, point }: (typeof sales)[number]) =>
    sales.some(
      (other) => other.answer !== answer && other.point.low <= point.high && point.low <= other.point.high,
    );
  return sales.filter((sale) => unchanged.has(sale.answer) && isAgreed(sale)).map(({ answer }) => answer);
}

/** One sale. */
function pointOf(answer: FeeAnswer, schedule: FeeSchedule): SettledRun {
  const { edgeBase } = schedule;
  const isTaxed = takesCommissionWithTax(schedule);
  const base = answer.settled?.base ?? null;
  const charged = isTaxed && base !== null ? answer.settled : undefined;
  const commission = charged?.commission ?? answer.commission;
  const revenue = charged?.base ?? revenueOf(answer);
  const at = edgeBase === 'with_tax' ? (base ?? revenueOf(answer)) : revenueOf(answer);
  const end = (halfCents: number) => ((2 * commission + halfCents) * WHOLE) / (2 * revenue);
  return { from: at, to: at, low: end(-1), high: end(1) };
}

function runsOf(points: readonly SettledRun[]): SettledRun[] {
  const runs: SettledRun[] = [];
  for (const point of points.toSorted((a, b) => a.from - b.from)) {
    const last = runs.at(-1);
    const [low, high] = [Math.max(last?.low ?? 0, point.low), Math.min(last?.high ?? 0, point.high)];
    if (last !== undefined && low <= high)
      runs[runs.length - 1] = { from: last.from, to: point.to, low, high };
    else runs.push(point);
  }
  return runs;
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

/** @param runs ascending @param outside what counts beyond them, where it is higher */
function rateAt(runs: readonly SettledRun[], amount: number, outside: Bps): Bps {
  const within = runs.filter((run) => isWithin(run, amount));
  const [low, high] = [runs.findLast(({ to }) => to < amount), runs.find(({ from }) => from > amount)];
  const neighbors = [low, high].flatMap((run) => run ?? []);
  const rates = (within.length > 0 ? within : neighbors).map((run) => Math.min(Math.ceil(run.high), WHOLE));
  const isBetween = within.length > 0 || neighbors.length === 2;
  return Math.max(...rates, isBetween ? 0 : outside) as Bps;
}

function isWithin({ from, to }: SettledRun, amount: number): boolean {
  return from <= amount && amount <= to;
}

function isSameFee({ upTo: _, ...one }: FeeBand, { upTo: __, ...other }: FeeBand): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
