import { type Bps, type Cents, hours, type Instant, WHOLE } from '#domain/units.ts';
import { timeOf } from './fee-fact.ts';
import type { FulfillmentAnswer } from './fulfillment-answer.ts';

/** A fee that falls by more than this share waits until it is reported again. */
const MAX_SUDDEN_FALL = 500 as Bps;
/** A second answer or sale so much later is no wrong row of the same report. */
export const CONFIRMED_AFTER = hours(24);
/** A charge so many times the highest known fee may be that of a wrong row. */
export const MAX_TIMES_KNOWN = 3;

/** A lower fee that waits until it is reported again. */
export interface HeldFulfillment {
  readonly fee: Cents;
  readonly askedPrice: Cents;
  /** When a lower fee was reported first. */
  readonly since: Instant;
  /** The answers that say so, oldest first: at least one, the first of which may have confirmed a smaller fall. */
  readonly answers: readonly FulfillmentAnswer[];
  /** It waits for an administrator: to ask again changes nothing. */
  readonly isDoubted: boolean;
  /** The first answer also confirmed a fall that was smaller. */
  readonly hasConfirmed?: true;
}

/** What was reported of a price band. A fee holds for its whole band, and a newer one replaces it. */
export interface ReportedBand {
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
}

/**
 * Reads the answers of a price band in their order: a rise counts at once, a fall when it is reported again. A first charge is
 * compared with the published fee and with earlier charges: it may be that of a wrong row of a report.
 * @param answers oldest first, without charges that wait
 * @param published the fee of the table for the package; null without one
 * @param doubtedSince what was reported since only raises the fee; null: nothing is doubted
 * @returns null without answers
 */
export function readBand(
  answers: readonly FulfillmentAnswer[],
  published: Cents | null,
  doubtedSince: Instant | null,
): ReportedBand | null {
  let former: ReportedBand | null = null;
  let isOfOtherPackage = false;
  let reported: ReportedBand | null = null;
  for (const answer of answers) {
    if (answer.isFormer === true) {
      former = former === null ? withFirst(answer) : withAnswer(former, answer);
      isOfOtherPackage = answer.isOfOtherPackage === true;
      continue;
    }
    // The same package was charged more: where only the season changed, one row near the published fee may be wrong.
    const near = former === null || isOfOtherPackage ? published : null;
    if (reported === null) {
      const known = highest([former?.fee, published]);
      reported = firstOf(answer, { former: former?.fee ?? null, known, near }, doubtedSince);
    } else if (isDoubted(answer, doubtedSince)) reported = withDoubted(reported, answer);
    else reported = withCharge(reported, answer, near);
  }
  if (reported !== null || former === null) return reported;
  // A package that changed so little that its published fee is near the one charged has no other fee; heavier, the published one.
  const isLeast = !isOfOtherPackage || !isNear(published, former.fee);
  const fee = isLeast ? former.fee : (highest([former.fee, published]) as Cents);
  return { ...former, fee, held: null, atLeast: isLeast ? fee : null };
}

/** The first answer or charge of a band, which counts. */
function withFirst({ fee, toldAt }: FulfillmentAnswer): ReportedBand {
  const rest = { roseAt: null, changedAt: null, roseFrom: null, held: null, isDoubted: false };
  return { ...rest, fee, toldAt, atLeast: null, aloneSince: null };
}

/** Whether it was reported since then and no administrator accepted it. */
export function isDoubted(answer: FulfillmentAnswer, doubtedSince: Instant | null): boolean {
  return doubtedSince !== null && timeOf(answer) >= doubtedSince && !answer.isAccepted;
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
  doubtedSince: Instant | null,
): ReportedBand {
  const { fee, toldAt, source, isAccepted } = answer;
  const first = withFirst(answer);
  if (source === 'estimate' || isAccepted) return first;
  const isOfDoubt = isDoubted(answer, doubtedSince);
  const { askedPrice } = answer;
  const waiting = { fee, askedPrice, since: toldAt, answers: [answer], isDoubted: isOfDoubt };
  if (known === null) return { ...first, atLeast: fee, aloneSince: toldAt };
  const isLower = isOfDoubt ? fee < known - 1 : isFall(known, fee) && !isNear(near, fee);
  if (isLower) return { ...first, fee: known, held: waiting, atLeast: highest([former, fee]) };
  return isOfDoubt && fee > known + 1 ? { ...first, isDoubted: true } : first;
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
  const isOther = fee > MAX_TIMES_KNOWN * reported.fee || reported.fee > MAX_TIMES_KNOWN * fee;
  if (!isOther && toldAt - aloneSince >= CONFIRMED_AFTER) {
    const confirmed = withAnswer({ ...reported, atLeast: null, aloneSince: null }, answer);
    // What was only assumed did not rise.
    return { ...confirmed, roseAt: null, roseFrom: null };
  }
  const most = highest([reported.fee, fee]) as Cents;
  // Of two that have nothing to do with each other the higher one is assumed.
  const since = isOther && fee > reported.fee ? toldAt : aloneSince;
  return { ...reported, fee: most, toldAt, atLeast: most, aloneSince: since };
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
        { fee, askedPrice, since: toldAt, answers: [answer], isDoubted: false, hasConfirmed: true },
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

/** The highest known fee; null without any. */
export function highest(fees: readonly (Cents | null | undefined)[]): Cents | null {
  const known = fees.filter((fee) => typeof fee === 'number');
  return known.length === 0 ? null : (Math.max(...known) as Cents);
}
