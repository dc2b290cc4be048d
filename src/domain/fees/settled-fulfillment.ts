import type { Marketplace } from '#domain/marketplaces.ts';
import { type Cents, hours, type Instant } from '#domain/units.ts';
import { timeOf } from './fee-fact.ts';
import { type FulfillmentAnswer, isAnswerIn } from './reported-fulfillment.ts';
import { feesChangedAt, type PriceBand, priceBandsOf } from './warehouse-fee.ts';

/** What was charged counts for this long, and only in its season. */
export const SETTLED_FULFILLMENT_COUNTS = hours(60 * 24);

/** What is known of the fulfillment fee of a listing. */
interface KnownFulfillment {
  readonly marketplace: Marketplace;
  /** In any order. */
  readonly answers: readonly FulfillmentAnswer[];
  /** What was charged since is doubted: it only raises the fee. Null or absent: nothing is. */
  readonly doubtedSince?: Instant | null;
  readonly now: Instant;
}

/**
 * The answers that a fulfillment fee is found from: what the marketplace answered; else what it charged for sales. Of each
 * price band these are its charges, older ones too, none below the median per unit of the last 60 days. In their order a rise
 * counts at once, but one far above all others waits (`aloneAbove`), and a fall only with two sales at least 24 hours apart: a
 * wrong row of a report, for however many units, lowers nothing. What was charged before the published fees or the package
 * changed, or by a listing without a sale in 60 days, only says what the fee is at least. What an administrator accepted
 * replaces everything before it.
 * @returns oldest first
 */
export function countingFulfillment(known: KnownFulfillment): FulfillmentAnswer[] {
  const answered = known.answers.filter(({ source }) => source === 'estimate');
  if (answered.length > 0) return answered.sort((one, other) => one.toldAt - other.toldAt);
  if (known.answers.length === 0) return [];
  return priceBandsOf(known.marketplace)
    .flatMap((band) => decidingCharges(chargesOf(band, known), known.doubtedSince ?? null))
    .sort((one, other) => one.toldAt - other.toldAt);
}

/** After two sales this far apart, each at the same fee as those before it, nothing waits any longer. */
const SETTLES_AFTER = hours(24);

/**
 * Of charges in a row with the same fee those that decide: until two of them are each 24 hours later than one before, by when a
 * rise and a fall count, and the newest. A listing has one for each sale.
 * @param charges of a price band, oldest first
 */
export function decidingCharges(
  charges: readonly FulfillmentAnswer[],
  doubtedSince: Instant | null,
): FulfillmentAnswer[] {
  const deciding: FulfillmentAnswer[] = [];
  let [confirmedAt, confirmations] = [0, 0];
  for (const [index, charge] of charges.entries()) {
    const at = timeOf(charge);
    const isDoubted = doubtedSince !== null && at >= doubtedSince;
    const [before, next] = [charges[index - 1], charges[index + 1]];
    if (before === undefined || isDoubted || !isAlike(before, charge)) [confirmedAt, confirmations] = [at, 0];
    const isSettled = confirmations === 2;
    if (at - confirmedAt >= SETTLES_AFTER) [confirmedAt, confirmations] = [at, confirmations + 1];
    if (!isSettled || next === undefined || !isAlike(charge, next)) deciding.push(charge);
    if (isSettled) confirmations = 2;
  }
  return deciding;
}

function isAlike(one: FulfillmentAnswer, other: FulfillmentAnswer): boolean {
  return (
    one.fee === other.fee &&
    one.isAccepted === other.isAccepted &&
    one.isFormer === other.isFormer &&
    one.isOfOtherPackage === other.isOfOtherPackage &&
    one.aloneAbove === other.aloneAbove
  );
}

function chargesOf(
  band: PriceBand,
  { marketplace, answers, doubtedSince = null, now }: KnownFulfillment,
): FulfillmentAnswer[] {
  const changedAt = feesChangedAt(marketplace, now) ?? 0;
  const charges = answers.filter((answer) => isAnswerIn(band, answer) && answer.toldAt <= now).sort(byTime);
  // Also in other bands, and before the published fees changed: a second one is no wrong row of the same report.
  const others = answers.filter((each) => each.toldAt <= now && each.isOfOtherPackage !== true);
  const startedAt = lastAccepted(charges)?.toldAt ?? 0;
  const counting = charges.filter(({ toldAt }) => startedAt <= toldAt);
  const isFormer = ({ toldAt, isOfOtherPackage }: FulfillmentAnswer) =>
    isOfOtherPackage === true || toldAt < changedAt;
  const ofNow = counting.filter((each) => !isFormer(each));
  const current = raisedToMedian(withAlone(ofNow, others, doubtedSince), doubtedSince, now);
  // Without a sale in 60 days those before are all that is known, and only say what the fee is at least.
  const isExpired = current.length === 0 && ofNow.length > 0;
  const former = current.length === 0 ? counting : counting.filter(isFormer);
  const lastAt = former.at(-1)?.toldAt ?? now;
  const least = raisedToMedian(withAlone(former, others, doubtedSince), doubtedSince, lastAt);
  return [
    ...(isExpired ? withoutHighest(least, lastAt) : least).map(({ isOfOtherPackage, ...each }) => ({
      ...each,
      isFormer: true as const,
      // Too old, it says no more of a package that did not change.
      ...(isOfOtherPackage && now - lastAt < SETTLED_FULFILLMENT_COUNTS ? { isOfOtherPackage } : {}),
    })),
    ...current,
  ];
}

/** A charge so many times the usual one may be that of a wrong row. */
const MAX_TIMES_USUAL = 3;

/** So many sales with the same fee, whatever their distance, are no single wrong row. */
const SALES_THAT_AGREE = 3;
/** Fees that differ by less than 5% are the same. */
const SAME_FEE = 0.95;

/**
 * Marks the highest charges where no second one a day apart, nor two more at any time, is as far above the revenue, or above the
 * median of those below it: a wrong row would keep the price of a listing so high that no further sale shows the fee.
 * @param charges of a price band, oldest first
 * @param others all of the listing for the same package, which may confirm one
 */
function withAlone(
  charges: readonly FulfillmentAnswer[],
  others: readonly FulfillmentAnswer[],
  doubtedSince: Instant | null,
): readonly FulfillmentAnswer[] {
  const least = Math.min(...charges.map(({ fee }) => fee));
  // Of almost every listing none is.
  const isAny = charges.some((each) => isAboveRevenue(each) || each.fee > MAX_TIMES_USUAL * least);
  if (!isAny) return charges;
  const alone = new Map<FulfillmentAnswer, 'revenue' | 'usual'>();
  for (const charge of charges.toSorted((one, other) => other.fee - one.fee)) {
    const lower = charges.filter(({ fee }) => fee < charge.fee);
    const isFar = lower.length > 0 && charge.fee > MAX_TIMES_USUAL * medianOf(lower);
    if (!isFar && !isAboveRevenue(charge)) break;
    const isDoubted = doubtedSince !== null && timeOf(charge) >= doubtedSince;
    const isSecond = [...alone.keys()].some(
      (each) => Math.abs(timeOf(each) - timeOf(charge)) >= SETTLES_AFTER,
    );
    if (charge.isAccepted || isDoubted || isSecond || isConfirmed(charge, others)) return charges;
    alone.set(charge, isAboveRevenue(charge) ? 'revenue' : 'usual');
  }
  if (alone.size === 0) return charges;
  return charges.map((each) => {
    const aloneAbove = alone.get(each);
    return aloneAbove === undefined ? each : { ...each, aloneAbove };
  });
}

function isConfirmed(charge: FulfillmentAnswer, others: readonly FulfillmentAnswer[]): boolean {
  const asHigh = others.filter(({ fee }) => fee >= SAME_FEE * charge.fee);
  const isApart = asHigh.some((each) => Math.abs(timeOf(each) - timeOf(charge)) >= SETTLES_AFTER);
  return isApart || asHigh.length >= SALES_THAT_AGREE;
}

function isAboveRevenue({ fee, askedPrice, askedShipping }: FulfillmentAnswer): boolean {
  return fee > askedPrice + askedShipping;
}

/**
 * Charges that are too old to count, none above the highest fee that two of their last 60 days, a day apart, were charged: the
 * highest one alone, perhaps a wrong row, would say for good what the fee is at least. A single sale stays as it is.
 * @param charges none below their median
 */
function withoutHighest(charges: readonly FulfillmentAnswer[], at: Instant): readonly FulfillmentAnswer[] {
  const recent = charges.filter((each) => at - timeOf(each) < SETTLED_FULFILLMENT_COUNTS);
  let [first, last] = [Number.POSITIVE_INFINITY, 0];
  for (const charge of recent.toSorted((one, other) => other.fee - one.fee)) {
    const { fee: most, aloneAbove } = charge;
    if (aloneAbove !== undefined) continue;
    [first, last] = [Math.min(first, timeOf(charge)), Math.max(last, timeOf(charge))];
    if (last - first < SETTLES_AFTER) continue;
    return charges.map((each) =>
      each.fee > most && each.aloneAbove === undefined && !each.isAccepted ? { ...each, fee: most } : each,
    );
  }
  return charges;
}

/** Charges, none below the median per unit of the 60 days before a moment; empty without any in these. */
function raisedToMedian(
  charges: readonly FulfillmentAnswer[],
  doubtedSince: Instant | null,
  at: Instant,
): FulfillmentAnswer[] {
  const recent = charges.filter(({ toldAt }) => at - toldAt < SETTLED_FULFILLMENT_COUNTS);
  if (recent.length === 0) return [];
  const isDoubted = ({ toldAt, isAccepted }: FulfillmentAnswer) =>
    doubtedSince !== null && toldAt >= doubtedSince && !isAccepted;
  // One above the revenue that waits for a second one says nothing of others.
  const usual = recent.filter(({ aloneAbove }) => aloneAbove !== 'revenue');
  const [trusted, all] = [medianOf(usual.filter((each) => !isDoubted(each))), medianOf(usual)];
  return charges.map((each) => {
    const median = isDoubted(each) ? all : trusted;
    return each.fee >= median ? each : { ...each, fee: median as Cents };
  });
}

/**
 * What is usually charged for a unit, in cents: the median of the 60 days before a moment.
 * @returns null without a charge in them
 */
export function usualCharge(answers: readonly FulfillmentAnswer[], at: Instant): number | null {
  const recent = answers.filter(
    ({ source, toldAt: when }) => source === 'settled' && at - when < SETTLED_FULFILLMENT_COUNTS,
  );
  return recent.length === 0 ? null : medianOf(recent);
}

/**
 * The first one of those that were last accepted together: they replace what was charged before it.
 * @param charges oldest first
 */
function lastAccepted(charges: readonly FulfillmentAnswer[]): FulfillmentAnswer | undefined {
  const accepted = charges.filter(({ isAccepted }) => isAccepted);
  const momentOf = ({ acceptedAt, toldAt }: FulfillmentAnswer) => acceptedAt ?? toldAt;
  const last = Math.max(...accepted.map(momentOf));
  return accepted.find((each) => momentOf(each) === last);
}

/** Of one moment the higher one last, which then is the newest. */
function byTime(one: FulfillmentAnswer, other: FulfillmentAnswer): number {
  return timeOf(one) - timeOf(other) || one.fee - other.fee;
}

/**
 * The fee of the unit in the middle, in cents; of an even number the higher one of the two, never less than is charged. A sale
 * with more units than all others together counts as many as they have: alone it never decides that the fee is lower.
 * @returns 0 without charges
 */
function medianOf(charges: readonly FulfillmentAnswer[]): number {
  const ordered = charges.toSorted(
    (one, other) => one.fee - other.fee || (one.units ?? 1) - (other.units ?? 1),
  );
  let [all, most] = [0, 0];
  for (const { units = 1 } of ordered) {
    all += units;
    most = Math.max(most, units);
  }
  // Of a single sale nothing else is known.
  const excess = most === all ? 0 : Math.max(0, 2 * most - all);
  let passed = 0;
  for (const { fee, units = 1 } of ordered) {
    passed += units - (excess > 0 && units === most ? excess : 0);
    if (passed > (all - excess) / 2) return fee;
  }
  return ordered.at(-1)?.fee ?? 0;
}
