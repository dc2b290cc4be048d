import type { Marketplace } from '#domain/marketplaces.ts';
import { type Bps, type Cents, hours, type Instant, instant, WHOLE } from '#domain/units.ts';
import { dayOf } from './fee-answer.ts';
import type { FulfillmentStep } from './fee-basis.ts';
import type { AnswerKey, FeeFact } from './fee-fact.ts';
import { MAX_QUESTIONS_A_DAY } from './next-question.ts';
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

/** The fulfillment fee of a unit that a marketplace reported for one price, which is without shipping. */
export interface FulfillmentAnswer extends AnswerKey {
  readonly fee: Cents;
  /** An administrator accepted it. */
  readonly isAccepted: boolean;
  /** Of a charge: the units of its sale, from 1. Absent: 1. */
  readonly units?: number;
}

/**
 * The fulfillment fees of FBA/WFS among these. The parts of one answer are added up; charges of several sales are apart.
 * @param facts used ones of a listing, in any order
 * @returns oldest first
 */
export function fulfillmentAnswers(facts: readonly FeeFact[]): FulfillmentAnswer[] {
  const answers = new Map<string, FulfillmentAnswer>();
  const charges: FulfillmentAnswer[] = [];
  for (const fact of facts) {
    const { kind, fulfillmentType, askedPrice, askedShipping, amount, source, toldAt, isAccepted } = fact;
    if (kind !== 'fulfillment' || fulfillmentType !== 'FBA/WFS') continue;
    if (source === 'settled') {
      const { units = 1 } = fact;
      // Written out: a listing has hundreds of them, and a spread takes longer than all the rest.
      charges.push({
        source,
        fulfillmentType,
        askedPrice,
        askedShipping,
        fee: amount,
        toldAt,
        isAccepted,
        units,
      });
      continue;
    }
    const question = { source, fulfillmentType, askedPrice, askedShipping };
    const key = [toldAt, askedPrice, askedShipping].join(' ');
    const known = answers.get(key)?.fee ?? 0;
    answers.set(key, { ...question, fee: (known + amount) as Cents, toldAt, isAccepted });
  }
  return [...answers.values(), ...charges].sort((a, b) => a.toldAt - b.toldAt);
}

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

/** A fee that falls by more than this share waits until it is reported again. */
const MAX_SUDDEN_FALL = 500 as Bps;
const CONFIRMED_AFTER = hours(24);
/** What was reported of a band longer ago is asked again. */
const OLD_AFTER = hours(30 * 24);

/** A lower fee that waits until it is reported again. */
export interface HeldFulfillment {
  readonly fee: Cents;
  readonly askedPrice: Cents;
  /** When a lower fee was reported first. */
  readonly since: Instant;
  /** The answers that say so, oldest first: at least one. */
  readonly answers: readonly FulfillmentAnswer[];
  /** It waits for an administrator: to ask again changes nothing. */
  readonly isDoubted: boolean;
}

/** What was reported of a price band. A fee holds for its whole band, and a newer one replaces it. */
interface ReportedBand {
  /** The fee that counts. */
  readonly fee: Cents;
  /** Of the newest answer. */
  readonly toldAt: Instant;
  /** When the fee that counts last rose, and last changed. */
  readonly roseAt: Instant | null;
  readonly changedAt: Instant | null;
  readonly held: HeldFulfillment | null;
  /** A rise is in it that no administrator has accepted. */
  readonly isDoubted: boolean;
}

/** Reads the answers of each price band in their order: a rise counts at once, a fall when it is reported again. */
function reportedBands({ marketplace, answers, doubtedSince }: FulfillmentEvidence): (ReportedBand | null)[] {
  const isDoubted = ({ toldAt, isAccepted }: FulfillmentAnswer) =>
    doubtedSince != null && toldAt >= doubtedSince && !isAccepted;
  return priceBandsOf(marketplace).map((band) =>
    answers
      .filter(({ askedPrice }) => isInBand(band, askedPrice))
      .reduce<ReportedBand | null>(
        (reported, answer) =>
          reported !== null && isDoubted(answer)
            ? withDoubted(reported, answer)
            : withAnswer(reported, answer),
        null,
      ),
  );
}

/** A doubted rise counts and is marked; nothing doubted lowers a fee, however often it is reported. */
function withDoubted(reported: ReportedBand, answer: FulfillmentAnswer): ReportedBand {
  const { fee, toldAt, askedPrice } = answer;
  if (fee > reported.fee + 1) return withFee(reported, fee, answer, reported.held, true);
  if (fee >= reported.fee - 1) return { ...reported, toldAt };
  const { held } = reported;
  const answers = [...(held?.answers ?? []), answer];
  const highest = Math.max(held?.fee ?? 0, fee) as Cents;
  const waiting = { fee: highest, askedPrice, since: held?.since ?? toldAt, answers, isDoubted: true };
  return { ...reported, toldAt, held: waiting };
}

function withAnswer(reported: ReportedBand | null, answer: FulfillmentAnswer): ReportedBand {
  const { fee, toldAt, askedPrice, isAccepted } = answer;
  if (reported === null) return { fee, toldAt, roseAt: null, changedAt: null, held: null, isDoubted: false };
  if (isAccepted || !isFall(reported.fee, fee)) return withFee(reported, fee, answer, null, false);
  const { held } = reported;
  const since = held?.since ?? toldAt;
  if (held === null || toldAt - since < CONFIRMED_AFTER) {
    const highest = Math.max(held?.fee ?? 0, fee) as Cents;
    const answers = [...(held?.answers ?? []), answer];
    return { ...reported, toldAt, held: { fee: highest, askedPrice, since, answers, isDoubted: false } };
  }
  return isFall(held.fee, fee)
    ? // Reported again, but lower still: that waits in turn.
      withFee(
        reported,
        held.fee,
        answer,
        { fee, askedPrice, since: toldAt, answers: [answer], isDoubted: false },
        reported.isDoubted,
      )
    : withFee(reported, fee, answer, null, reported.isDoubted);
}

function isFall(before: Cents, after: Cents): boolean {
  return after * WHOLE < before * (WHOLE - MAX_SUDDEN_FALL);
}

/**
 * A cent is rounding, and no change. A charge says nothing of other bands: nothing could be asked about them again, and one
 * parcel measured wrongly would make all of them assumed.
 */
function withFee(
  reported: ReportedBand,
  fee: Cents,
  { toldAt, source }: FulfillmentAnswer,
  held: HeldFulfillment | null,
  isDoubted: boolean,
): ReportedBand {
  const isAnswer = source === 'estimate';
  return {
    fee,
    toldAt,
    roseAt: isAnswer && fee > reported.fee + 1 ? toldAt : reported.roseAt,
    changedAt: isAnswer && Math.abs(fee - reported.fee) > 1 ? toldAt : reported.changedAt,
    held,
    isDoubted,
  };
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
   * before.
   */
  readonly told: ReportedBand | null;
  /** What was reported of it, from before or not. */
  readonly last: ReportedBand | null;
  /** The fee of the published rows that have every reported fee; null without such a row. */
  readonly published: Cents | null;
}

function knownBands(evidence: DatedFulfillmentEvidence): KnownBand[] {
  const { marketplace, now } = evidence;
  const all = reportedBands(evidence);
  const comparable = all.map((reported) =>
    reported !== null && isBefore(reported, all, 'roseAt') ? null : reported,
  );
  const current = comparable.map((reported) =>
    reported !== null && isOutdated(reported, marketplace, now) ? null : reported,
  );
  const rows = current.every((reported) => reported !== null) ? [] : rowsWithAll(comparable, evidence);
  return priceBandsOf(marketplace).map((band, index) => ({
    band,
    told: current[index] ?? null,
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
  const goods = { marketplace, feeCategory, isHazardous };
  return publishedRows({ ...goods, now }).filter((_, place) =>
    reported.every(({ fee, toldAt, index }) => {
      const then = publishedRows({ ...goods, now: toldAt });
      return then[place]?.[index] === fee;
    }),
  );
}

function highest(fees: readonly (Cents | null | undefined)[]): Cents | null {
  const known = fees.filter((fee) => typeof fee === 'number');
  return known.length === 0 ? null : (Math.max(...known) as Cents);
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
  estimate: readonly FulfillmentStep[] | null,
): FulfillmentStep[] {
  const known = knownBands(evidence);
  const highestReported = highest(known.map(({ last }) => last?.fee));
  const lastReported = known.findLastIndex(({ told }) => told !== null);
  const lastEver = known.findLastIndex(({ last }) => last !== null);
  const isAnyDoubted = known.some(({ last }) => last?.isDoubted);
  const isRising = doFeesRise(evidence.marketplace);
  return mergedSteps(
    known.map(({ band: { from, to: upTo }, told, last, published }, index): FulfillmentStep => {
      // What is not reported of a band follows from the others.
      const doubt = (told === null ? isAnyDoubted : told.isDoubted) ? ({ isDoubted: true } as const) : {};
      if (told !== null) return { upTo, fee: told.fee, ...doubt };
      if (published !== null) return { upTo, fee: highest([published, last?.fee]), ...doubt };
      const estimated = estimate === null ? null : feeAtPrice(estimate, from);
      const fee = highest([highestReported, estimated]);
      if (isRising && index < lastReported) return { upTo, fee, ...doubt };
      const isUnknown = isRising ? index > lastEver : last === null;
      return estimated === null && isUnknown ? { upTo, fee: null } : { upTo, fee, isAssumed: true };
    }),
  );
}

/** The answers with a lower fee that waits. */
export function heldFulfillment(evidence: FulfillmentEvidence): FulfillmentAnswer[] {
  return reportedBands(evidence).flatMap((band) => band?.held?.answers ?? []);
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
  const known = knownBands(question);
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
