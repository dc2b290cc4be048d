import type { Marketplace } from '#domain/marketplaces.ts';
import { type Bps, type Cents, hours, type Instant, instant, WHOLE } from '#domain/units.ts';
import { dayOf } from './fee-answer.ts';
import type { FulfillmentStep } from './fee-basis.ts';
import { type AnswerKey, type FeeFact, timeOf } from './fee-fact.ts';
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
  /** Of a charge: when that was; null or absent where it is not known. */
  readonly acceptedAt?: Instant | null;
  /** Of a charge: the units of its sale, from 1. Absent: 1. */
  readonly units?: number;
  /** Of a charge: it is from before the fees changed, and only says what they are at least. */
  readonly isFormer?: true;
  /** Of a charge: it was for another package: `FeeFact`. */
  readonly isOfOtherPackage?: true;
  /** Of a charge: it is far above its revenue, or the usual charge, and no second one a day apart is. */
  readonly aloneAbove?: 'revenue' | 'usual';
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
      const { units = 1, acceptedAt = null } = fact;
      // Written out: a listing has hundreds of them, and a spread takes longer than all the rest.
      charges.push({
        source,
        fulfillmentType,
        askedPrice,
        askedShipping,
        fee: amount,
        toldAt,
        isAccepted,
        acceptedAt,
        units,
        ...(fact.isOfOtherPackage ? { isOfOtherPackage: true } : {}),
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
  /** Of charges: the fee before it rose. */
  readonly roseFrom: Cents | null;
  readonly held: HeldFulfillment | null;
  /** A rise is in it that no administrator has accepted. */
  readonly isDoubted: boolean;
  /**
   * Set where no charge decides the fee yet: the least that charges say it is. They are from before the fees changed, or the
   * first one waits for a second one.
   */
  readonly atLeast: Cents | null;
  /** When the first charge was, where there was nothing to compare it with and no second one a day later. */
  readonly aloneSince: Instant | null;
  /** The newest charges, where they are so high that they wait for a second one. */
  readonly higher?: readonly FulfillmentAnswer[];
}

/** Price bands with the fee of the published table for the package; null without one. */
type Estimate = readonly FulfillmentStep[] | null;

/**
 * Reads the answers of each price band in their order: a rise counts at once, a fall when it is reported again. A first charge
 * is compared with the published fee and with earlier charges: it may be that of a wrong row of a report.
 */
function reportedBands(
  { marketplace, answers, doubtedSince }: FulfillmentEvidence,
  estimate: Estimate,
): (ReportedBand | null)[] {
  const isDoubted = ({ toldAt: at, isAccepted }: FulfillmentAnswer) =>
    doubtedSince != null && at >= doubtedSince && !isAccepted;
  return priceBandsOf(marketplace).map((band) => {
    const published = estimate === null ? null : feeAtPrice(estimate, band.from);
    let former: ReportedBand | null = null;
    let isOfOtherPackage = false;
    let reported: ReportedBand | null = null;
    const own = answers.filter((answer) => isAnswerIn(band, answer));
    const isKnown = published !== null || own.some(({ aloneAbove }) => aloneAbove === undefined);
    const higher = own.filter((answer) => isKnown && isTooHigh(answer, published));
    for (const answer of own) {
      if (higher.includes(answer)) continue;
      if (answer.isFormer === true) {
        former = former === null ? withFirst(answer) : withAnswer(former, answer);
        isOfOtherPackage = answer.isOfOtherPackage === true;
        continue;
      }
      // The same package was charged more: where only the season changed, one row near the published fee may be wrong.
      const near = former === null || isOfOtherPackage ? published : null;
      if (reported === null) {
        const known = highest([former?.fee, published]);
        reported = firstOf(answer, { former: former?.fee ?? null, known, near }, isDoubted(answer));
      } else if (isDoubted(answer)) reported = withDoubted(reported, answer);
      else reported = withCharge(reported, answer, near);
    }
    const waiting = higher.filter(({ isFormer }) => isFormer !== true);
    if (reported !== null) return withHigher(reported, waiting);
    if (former === null) return onlyHigher(waiting, published);
    // A package that changed so little that its published fee is near the one charged has no other fee; heavier, the published one.
    if (!isOfOtherPackage || !isNear(published, former.fee)) {
      return withHigher({ ...former, held: null, atLeast: former.fee }, waiting);
    }
    return withHigher({ ...former, fee: highest([former.fee, published]) as Cents }, waiting);
  });
}

/** How often a charge is above the published fee before it may be that of a wrong row. */
const MAX_TIMES_PUBLISHED = 3;

/** Whether a charge waits for a second one, since it is far above its revenue, or above both the usual charge and the published fee. */
function isTooHigh({ aloneAbove, fee }: FulfillmentAnswer, published: Cents | null): boolean {
  if (aloneAbove === undefined) return false;
  return aloneAbove === 'revenue' || (published !== null && fee > MAX_TIMES_PUBLISHED * published);
}

/** With charges that wait because they are so high, until a sale a day later is charged less. */
function withHigher(reported: ReportedBand, waiting: readonly FulfillmentAnswer[]): ReportedBand {
  const higher = waiting.filter((each) => timeOf(reported) - timeOf(each) < CONFIRMED_AFTER);
  return higher.length === 0 ? reported : { ...reported, higher };
}

/** Where nothing else was charged the published fee counts. */
function onlyHigher(waiting: readonly FulfillmentAnswer[], published: Cents | null): ReportedBand | null {
  const [first] = waiting;
  if (first === undefined || published === null) return null;
  return { ...withFirst(first), fee: published, atLeast: published, higher: waiting };
}

/** The first answer or charge of a band, which counts. */
function withFirst({ fee, toldAt }: FulfillmentAnswer): ReportedBand {
  const rest = { roseAt: null, changedAt: null, roseFrom: null, held: null, isDoubted: false };
  return { ...rest, fee, toldAt, atLeast: null, aloneSince: null };
}

/** What a first charge is compared with. */
interface Compared {
  /** What was charged before. */
  readonly former: Cents | null;
  /** The higher one of that and the published fee. */
  readonly known: Cents | null;
  /** The published fee, where a charge near it counts at once. */
  readonly near: Cents | null;
}

/**
 * The first one since the fees changed. A charge below the published fee, or below an earlier charge, waits for a second one; near
 * the published fee only where the earlier one was for the same package. One with which nothing can be compared is only assumed until then.
 */
function firstOf(
  answer: FulfillmentAnswer,
  { former, known, near }: Compared,
  isDoubted: boolean,
): ReportedBand {
  const { fee, toldAt, source, isAccepted } = answer;
  const first = withFirst(answer);
  if (source === 'estimate' || isAccepted) return first;
  const waiting = { fee, askedPrice: answer.askedPrice, since: toldAt, answers: [answer], isDoubted };
  if (known === null) return { ...first, held: waiting, atLeast: fee, aloneSince: toldAt };
  const isLower = isDoubted ? fee < known - 1 : isFall(known, fee) && !isNear(near, fee);
  if (isLower) return { ...first, fee: known, held: waiting, atLeast: highest([former, fee]) };
  return isDoubted && fee > known + 1 ? { ...first, isDoubted } : first;
}

/** Whether a charge is the published fee, or as little from it as counts at once. */
function isNear(published: Cents | null, fee: Cents): boolean {
  return published !== null && !isFall(published, fee) && !isFall(fee, published);
}

/** A further answer or charge, where the first one may wait. */
function withCharge(reported: ReportedBand, answer: FulfillmentAnswer, near: Cents | null): ReportedBand {
  const { fee, toldAt, isAccepted } = answer;
  const { atLeast, aloneSince, held } = reported;
  if (atLeast === null) return withAnswer(reported, answer);
  if (isAccepted || (aloneSince === null && isNear(near, fee))) return withFirst(answer);
  if (aloneSince === null) {
    const next = withAnswer(reported, answer);
    // What still waits decides nothing.
    return next.fee === reported.fee && next.held !== null && next.held.since === held?.since
      ? { ...next, atLeast: highest([atLeast, fee]) }
      : { ...next, atLeast: null };
  }
  if (toldAt - aloneSince >= CONFIRMED_AFTER) {
    return withAnswer({ ...reported, held: null, atLeast: null, aloneSince: null }, answer);
  }
  const most = highest([reported.fee, fee]) as Cents;
  const waiting = held === null ? null : { ...held, fee: most, answers: [...held.answers, answer] };
  return { ...reported, fee: most, toldAt, held: waiting, atLeast: most };
}

/** A doubted rise counts and is marked; nothing doubted lowers a fee, however often it is reported. */
function withDoubted(reported: ReportedBand, answer: FulfillmentAnswer): ReportedBand {
  const { fee, toldAt, askedPrice } = answer;
  if (fee > reported.fee + 1) {
    const { aloneSince, held } = reported;
    return { ...withFee(reported, fee, answer, held, true), atLeast: aloneSince === null ? null : fee };
  }
  if (fee >= reported.fee - 1) return { ...reported, toldAt };
  const { held } = reported;
  const answers = [...(held?.answers ?? []), answer];
  const highest = Math.max(held?.fee ?? 0, fee) as Cents;
  const waiting = { fee: highest, askedPrice, since: held?.since ?? toldAt, answers, isDoubted: true };
  return { ...reported, toldAt, held: waiting };
}

function withAnswer(reported: ReportedBand, answer: FulfillmentAnswer): ReportedBand {
  const { fee, toldAt, askedPrice, isAccepted } = answer;
  // Of charges that were accepted together one alone is no proof: they lower the fee as others do.
  const isDecided = isAccepted && answer.source === 'estimate';
  if (isDecided || !isFall(reported.fee, fee)) return withFee(reported, fee, answer, null, false);
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
 * A cent is rounding, and no change. A charge that rose and fell back says nothing of other bands: nothing can be requested about
 * them again, and one parcel measured wrongly would make all of them assumed for good.
 */
function withFee(
  reported: ReportedBand,
  fee: Cents,
  { toldAt, source }: FulfillmentAnswer,
  held: HeldFulfillment | null,
  isDoubted: boolean,
): ReportedBand {
  const isCharge = source === 'settled';
  const isRise = fee > reported.fee + 1;
  const roseFrom = isCharge && isRise ? (reported.roseFrom ?? reported.fee) : reported.roseFrom;
  const isBack = isCharge && roseFrom !== null && fee <= roseFrom + 1;
  return {
    ...reported,
    fee,
    toldAt,
    roseAt: isBack ? null : isRise ? toldAt : reported.roseAt,
    roseFrom: isBack ? null : roseFrom,
    changedAt: !isCharge && Math.abs(fee - reported.fee) > 1 ? toldAt : reported.changedAt,
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

/** Whether an answer is about a price in a band. */
export function isAnswerIn(band: PriceBand, { askedPrice }: FulfillmentAnswer): boolean {
  return isInBand(band, askedPrice);
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

function knownBands(evidence: DatedFulfillmentEvidence, estimate: Estimate): KnownBand[] {
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

function highest(fees: readonly (Cents | null | undefined)[]): Cents | null {
  const known = fees.filter((fee) => typeof fee === 'number');
  return known.length === 0 ? null : (Math.max(...known) as Cents);
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
  estimate: Estimate,
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
export function reportedSteps(evidence: DatedFulfillmentEvidence, estimate: Estimate): FulfillmentStep[] {
  return stepsOf(evidence, knownBands(evidence, estimate), estimate);
}

function stepsOf(
  { marketplace }: FulfillmentEvidence,
  known: readonly KnownBand[],
  estimate: Estimate,
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

/**
 * The answers with a lower fee that waits, and charges so high that they do.
 * @param estimate what a first charge is compared with
 */
export function heldFulfillment(
  evidence: FulfillmentEvidence,
  estimate: Estimate = null,
): FulfillmentAnswer[] {
  return reportedBands(evidence, estimate).flatMap((band) => [
    ...(band?.held?.answers ?? []),
    ...(band?.higher ?? []),
  ]);
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
