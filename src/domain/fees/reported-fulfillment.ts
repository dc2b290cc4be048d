import type { Marketplace } from '#domain/marketplaces.ts';
import { type Cents, hours, type Instant, instant } from '#domain/units.ts';
import { dayOf } from './fee-answer.ts';
import type { FulfillmentStep } from './fee-basis.ts';
import type { AnswerKey } from './fee-fact.ts';
import { type FulfillmentAnswer, isAnswerIn } from './fulfillment-answer.ts';
import { MAX_QUESTIONS_A_DAY } from './next-question.ts';
import { CONFIRMED_AFTER, highest, type ReportedBand, readBand } from './reported-band.ts';
import {
  doFeesRise,
  feeAtPrice,
  feesChangedAt,
  isInBand,
  mergedSteps,
  type PriceBand,
  type PublishedRow,
  priceBandsOf,
  publishedRows,
} from './warehouse-fee.ts';

/** What was reported of the fulfillment fee of a listing. */
export interface FulfillmentEvidence {
  readonly marketplace: Marketplace;
  /** At least one, oldest first. */
  readonly answers: readonly FulfillmentAnswer[];
  readonly feeCategory: string | null;
  /** A hazardous SKU is in it. */
  readonly isHazardous: boolean;
  /** What was reported since is doubted, as the other fees: `FeeEvidence`. Null or absent: nothing is. */
  readonly doubtedSince?: Instant | null;
}

/** The same, with the moment that its fees are for. */
export interface DatedFulfillmentEvidence extends FulfillmentEvidence {
  readonly now: Instant;
}

/** Price bands with the fee of the published table for the package; null without one. */
export type PublishedSteps = readonly FulfillmentStep[] | null;

/** What is reported of a band longer ago is requested again. */
const OLD_AFTER = hours(30 * 24);

function reportedBands(
  { marketplace, answers, doubtedSince = null }: FulfillmentEvidence,
  estimate: PublishedSteps,
): (ReportedBand | null)[] {
  const counting = answers.filter(({ waits }) => waits === undefined);
  return priceBandsOf(marketplace).map((band) => {
    const published = estimate === null ? null : feeAtPrice(estimate, band.from);
    const own = counting.filter((answer) => isAnswerIn(band, answer));
    return readBand(own, published, doubtedSince);
  });
}

/** Whether a band was reported before another one changed. */
function isBefore(
  band: ReportedBand,
  bands: readonly (ReportedBand | null)[],
  of: 'roseAt' | 'changedAt',
): boolean {
  return bands.some((other) => {
    const at = other === band ? null : (other?.[of] ?? null);
    return at !== null && band.toldAt < at;
  });
}

/** What is known of each price band: what was reported of it, and what the published table says of it. */
interface KnownBand {
  readonly band: PriceBand;
  /**
   * Null where nothing was reported, or only before the fee of another band rose or the published fees changed: it may be from
   * before. Also null where no charge decides the fee yet.
   */
  readonly current: ReportedBand | null;
  /** What was reported of it, from before or not. */
  readonly last: ReportedBand | null;
  /** The fee of the published rows that have every reported fee; null without such a row. */
  readonly published: Cents | null;
}

function knownBands(evidence: DatedFulfillmentEvidence, estimate: PublishedSteps): KnownBand[] {
  const { marketplace, now } = evidence;
  const all = reportedBands(evidence, estimate);
  const comparable = all.map((reported) =>
    reported !== null && (reported.atLeast !== null || isBefore(reported, all, 'roseAt')) ? null : reported,
  );
  const currentBands = comparable.map((reported) =>
    reported !== null && isOutdated(reported, marketplace, now) ? null : reported,
  );
  const rows = currentBands.every((reported) => reported !== null) ? [] : rowsWithAll(comparable, evidence);
  return priceBandsOf(marketplace).map((band, index) => ({
    band,
    current: currentBands[index] ?? null,
    last: all[index] ?? null,
    published: rows.length === 0 ? null : highest(rows.map((row) => row[index])),
  }));
}

/** Whether a band was reported before the day on which the fees last changed: a table, a surcharge or a season began or ended. */
function isOutdated({ toldAt }: ReportedBand, marketplace: Marketplace, now: Instant): boolean {
  const changedAt = feesChangedAt(marketplace, now);
  return changedAt !== null && toldAt < changedAt;
}

/** The published rows of now that have what was reported of each band when it was reported. */
function rowsWithAll(
  bands: readonly (ReportedBand | null)[],
  { marketplace, feeCategory, isHazardous, now }: DatedFulfillmentEvidence,
): readonly PublishedRow[] {
  const reported = bands.flatMap((each, index) => (each === null ? [] : [{ ...each, index }]));
  if (reported.length === 0) return [];
  const goods = { marketplace, feeCategory, isHazardous };
  return publishedRows({ ...goods, now }).filter((_, place) =>
    reported.every(({ fee, toldAt, index }) => {
      const then = publishedRows({ ...goods, now: toldAt });
      return then[place]?.[index] === fee;
    }),
  );
}

/** What was reported of a fulfillment fee, at every price. */
export interface ReportedFulfillment {
  readonly steps: FulfillmentStep[];
  /** False where no charge decides the fee of any band yet: the published table does, and the charges say what it is at least. */
  readonly isReported: boolean;
}

/**
 * The reported fulfillment fee at every price: `reportedSteps`; that of the published table where charges only say what it is at
 * least.
 */
export function reportedFulfillment(
  evidence: DatedFulfillmentEvidence,
  estimate: PublishedSteps,
): ReportedFulfillment {
  const known = knownBands(evidence, estimate);
  const isReported = estimate === null || known.some(({ last }) => last !== null && last.atLeast === null);
  if (isReported) return { steps: stepsOf(evidence, known, estimate), isReported };
  // Where fees rise with the price, a package that costs more in one band does so in all.
  const everywhere = doFeesRise(evidence.marketplace)
    ? highest(known.map(({ last }) => last?.atLeast))
    : null;
  const steps = known.map(({ band: { from, to: upTo }, last }): FulfillmentStep => {
    const published = feeAtPrice(estimate, from);
    const atLeast = highest([everywhere, last?.atLeast]);
    if (published !== null) return { upTo, fee: highest([published, atLeast]) };
    return atLeast === null ? { upTo, fee: null } : { upTo, fee: atLeast, isAssumed: true };
  });
  return { steps: mergedSteps(steps), isReported };
}

/**
 * The reported fulfillment fee at every price. Of a band that was not reported since the fees changed counts what the published row
 * of the reported fees has now; else, below a reported band, the highest fee of all, since fees rise with the price; above it that or
 * the estimate, which is assumed; without an estimate it is unknown where nothing was ever reported of it or above it. Where low
 * prices have further fees (WFS), a band below is unknown as well.
 * @param estimate by the published table for the package; null without one
 */
export function reportedSteps(
  evidence: DatedFulfillmentEvidence,
  estimate: PublishedSteps,
): FulfillmentStep[] {
  return stepsOf(evidence, knownBands(evidence, estimate), estimate);
}

function stepsOf(
  { marketplace }: FulfillmentEvidence,
  known: readonly KnownBand[],
  estimate: PublishedSteps,
): FulfillmentStep[] {
  const highestReported = highest(known.map(({ last }) => last?.atLeast ?? last?.fee));
  const lastReported = known.findLastIndex(({ current }) => current !== null);
  const lastEver = known.findLastIndex(({ last }) => last !== null);
  const isAnyDoubted = known.some(({ last }) => last?.isDoubted);
  const isRising = doFeesRise(marketplace);
  return mergedSteps(
    known.map(({ band: { from, to: upTo }, current, last, published }, index): FulfillmentStep => {
      // What is not reported of a band follows from the others.
      const doubt = (current === null ? isAnyDoubted : current.isDoubted)
        ? ({ isDoubted: true } as const)
        : {};
      if (current !== null) return { upTo, fee: current.fee, ...doubt };
      if (published !== null) return { upTo, fee: highest([published, last?.fee]), ...doubt };
      const estimated = estimate === null ? null : feeAtPrice(estimate, from);
      const fee = highest([highestReported, estimated]);
      if (isRising && index < lastReported) return { upTo, fee, ...doubt };
      const isUnknown = isRising ? index > lastEver : last === null;
      return estimated === null && isUnknown ? { upTo, fee: null } : { upTo, fee, isAssumed: true };
    }),
  );
}

/** The answers with a lower fee that waits, and the charges that wait. */
export function heldFulfillment(evidence: FulfillmentEvidence): FulfillmentAnswer[] {
  const lower = reportedBands(evidence, null).flatMap((band) => band?.held?.answers ?? []);
  return [
    ...lower.filter(({ source }) => source === 'estimate'),
    ...evidence.answers.filter(({ waits }) => waits === 'low' || waits === 'high'),
  ];
}

/** What the next question about a fulfillment fee depends on. */
export interface FulfillmentQuestion extends DatedFulfillmentEvidence {
  readonly currentPrice: Cents;
  /** The prices that matter; null where they are not known, then only the current one does. */
  readonly range: { readonly lowest: number; readonly highest: number } | null;
  /** All answers about the listing: of one whose fulfillment fee was rejected the rest is used. Absent: those of the fee. */
  readonly asked?: readonly AnswerKey[];
}

/**
 * The price to ask next for the fulfillment fee: in a price band that matters and was not reported, or not since another one or
 * the published fees changed, or not in 30 days; else where a lower fee waits.
 * @returns with the moment before which it is not asked, null for at once; null when nothing is left to ask
 */
export function nextFulfillmentQuestion(
  question: FulfillmentQuestion,
): { readonly price: Cents; readonly after: Instant | null } | null {
  const { marketplace, currentPrice, range, now } = question;
  // Charges are compared with the published fee, answers are not.
  const known = knownBands(question, null);
  const reported = known.map(({ last }) => last);
  const open = known.filter(({ band, last, published }) => {
    const isNear =
      isInBand(band, currentPrice) ||
      (range !== null && band.from <= range.highest && (band.to === null || band.to >= range.lowest));
    if (!isNear || (last === null && published !== null)) return false;
    return (
      last === null ||
      now - last.toldAt > OLD_AFTER ||
      isOutdated(last, marketplace, now) ||
      isBefore(last, reported, 'changedAt')
    );
  });
  const first = open.find(({ band }) => isInBand(band, currentPrice)) ?? open[0];
  if (first !== undefined) {
    const today = (question.asked ?? question.answers).filter(({ toldAt }) => dayOf(toldAt) === dayOf(now));
    // What was just answered and not used would be answered in the same way.
    const isUnused = today.some(
      ({ askedPrice, toldAt }) =>
        isInBand(first.band, askedPrice) && (first.last === null || toldAt > first.last.toldAt),
    );
    const isEnough = isUnused || today.length >= MAX_QUESTIONS_A_DAY;
    const after = isEnough ? instant(now + CONFIRMED_AFTER) : null;
    return { price: nearest(first.band, currentPrice), after };
  }
  const [held] = reported
    .flatMap((each) => each?.held ?? [])
    .filter(({ isDoubted }) => !isDoubted)
    .sort((a, b) => a.since - b.since);
  if (held === undefined) return null;
  return { price: held.askedPrice, after: instant(held.since + CONFIRMED_AFTER) };
}

function nearest({ from, to }: PriceBand, price: Cents): Cents {
  return Math.max(from, Math.min(price, to ?? price)) as Cents;
}
