import type { Marketplace } from '#domain/marketplaces.ts';
import type { Cents, Instant } from '#domain/units.ts';
import { confirmedFee, ENOUGH_SALES } from './confirmed-charge.ts';
import { timeOf } from './fee-fact.ts';
import { type FulfillmentAnswer, isAnswerIn } from './fulfillment-answer.ts';
import { farCharges as farFrom } from './high-charges.ts';
import { CONFIRMED_AFTER, highest, isDoubted, readBand } from './reported-band.ts';
import type { PublishedSteps } from './reported-fulfillment.ts';
import { medianOf, SETTLED_FULFILLMENT_COUNTS } from './usual-charge.ts';
import { feeAtPrice, feesChangedAt, type PriceBand, priceBandsOf } from './warehouse-fee.ts';

/** What is known of the fulfillment fee of a listing. */
export interface KnownFulfillment {
  readonly marketplace: Marketplace;
  /** In any order. */
  readonly answers: readonly FulfillmentAnswer[];
  /** What was charged since is doubted: it only raises the fee. Null or absent: nothing is. */
  readonly doubtedSince?: Instant | null;
  readonly now: Instant;
}

/** The answers that a fulfillment fee is found from, by the published fee for the package. */
export type CountingAnswers = (published: PublishedSteps) => readonly FulfillmentAnswer[];

/** Those of a listing of which nothing was reported. */
export const NOTHING_COUNTS: CountingAnswers = () => [];

/** `countingFulfillment`, found once for each published fee: many sales have the same charges before them. */
export function countedOnce(known: KnownFulfillment): CountingAnswers {
  if (known.answers.length === 0) return NOTHING_COUNTS;
  const found = new Map<string, readonly FulfillmentAnswer[]>();
  return (published) => {
    const key = JSON.stringify(published);
    const counting = found.get(key) ?? countingFulfillment(known, published);
    found.set(key, counting);
    return counting;
  };
}

/** Whether no charge decides a fee: they only say what it is at least, or wait. */
export function areAllUndecided(answers: readonly FulfillmentAnswer[]): boolean {
  return answers.every(({ isFormer, waits }) => isFormer === true || waits !== undefined);
}

/**
 * The answers that a fulfillment fee is found from: what the marketplace answered; else what it charged for sales. Of each price
 * band these are its charges, older ones too, in their order, none below the median per unit of the last 60 days. What waits for
 * other sales, since it is far higher or lower, is marked and decides nothing. What was charged before the published fees or the
 * package changed, or by a listing without a sale in 60 days, only says what the fee is at least. What an administrator accepted
 * replaces everything before it.
 * @param published the fee of the table for the package, with which charges are compared; null without one
 * @returns oldest first
 */
export function countingFulfillment(known: KnownFulfillment, published: PublishedSteps): FulfillmentAnswer[] {
  const answered = known.answers.filter(({ source }) => source === 'estimate');
  if (answered.length > 0) return answered.sort((one, other) => one.toldAt - other.toldAt);
  const all = priceBandsOf(known.marketplace).map((band) => chargedBand(band, known, published));
  const high = new Set<FulfillmentAnswer>();
  const low = new Set<FulfillmentAnswer>();
  for (;;) {
    // What waits says nothing of the others either.
    const bands = all.map((band) => without(band, new Set([...high, ...low])));
    const far = farCharges(bands, known);
    const tooHigh = [...far].flatMap(([charge, atMost]) => (atMost === null ? [charge] : []));
    if (tooHigh.length > 0) {
      for (const charge of tooHigh) high.add(charge);
      // They may have waited only since they are lower than one that waits itself.
      low.clear();
      continue;
    }
    const counting = bands.map((band) => countingCharges(band, far, known));
    const tooLow = counting.flatMap(({ low: some }) => some);
    if (tooLow.length === 0) {
      const deciding = counting.flatMap(({ raised }) => decidingCharges(raised, known.doubtedSince ?? null));
      const waiting = [...marked(high, 'high'), ...marked(low, 'low')];
      return [...deciding, ...waiting.map((each) => asShown(each, bands, known))].sort(byTime);
    }
    for (const charge of tooLow) low.add(charge);
  }
}

function without(band: ChargedBand, some: ReadonlySet<FulfillmentAnswer>): ChargedBand {
  return { ...band, charges: band.charges.filter((each) => !some.has(each)) };
}

function marked(charges: Iterable<FulfillmentAnswer>, waits: 'low' | 'high'): FulfillmentAnswer[] {
  return [...charges].map((charge) => ({ ...charge, waits }));
}

/** Of what is too high only the newest waits: once a sale a day later is charged less, it is one of its own. */
function asShown(
  charge: FulfillmentAnswer,
  bands: readonly ChargedBand[],
  { marketplace, now }: KnownFulfillment,
): FulfillmentAnswer {
  if (charge.waits === 'low') return charge;
  const isLater = (other: FulfillmentAnswer) => timeOf(other) - timeOf(charge) >= CONFIRMED_AFTER;
  const isPast = isFormer(charge, marketplace, now) || bands.some(({ charges }) => charges.some(isLater));
  return isPast ? { ...charge, waits: 'past' } : charge;
}

/** What was charged for a price band. */
interface ChargedBand {
  /** Oldest first, without what an accepted one replaces. */
  readonly charges: readonly FulfillmentAnswer[];
  /** For the package, in this price band; null without one. */
  readonly published: Cents | null;
  /** The same; else the highest one of other bands. */
  readonly reference: Cents | null;
}

function chargedBand(
  band: PriceBand,
  { marketplace, answers, now }: KnownFulfillment,
  steps: PublishedSteps,
): ChargedBand {
  const published = steps === null ? null : feeAtPrice(steps, band.from);
  const others = priceBandsOf(marketplace).map(({ from }) =>
    steps === null ? null : feeAtPrice(steps, from),
  );
  const all = answers.filter((answer) => isAnswerIn(band, answer) && timeOf(answer) <= now).sort(byTime);
  const first = lastAccepted(all);
  const charges = first === undefined ? all : all.filter((each) => timeOf(first) <= timeOf(each));
  return { charges, published, reference: published ?? highest(others) };
}

/** Of the same package those of all bands are compared with each other: a second one is no wrong row of the same report. */
function farCharges(
  bands: readonly ChargedBand[],
  { doubtedSince = null }: KnownFulfillment,
): ReadonlyMap<FulfillmentAnswer, Cents | null> {
  const references = new Map(
    bands.flatMap(({ charges, reference }) => charges.map((charge) => [charge, reference] as const)),
  );
  const all = [...references.keys()].sort(byTime);
  const publishedFor = (charge: FulfillmentAnswer) => references.get(charge) ?? null;
  const compared = { publishedFor, isDoubted: (each: FulfillmentAnswer) => isDoubted(each, doubtedSince) };
  return new Map(byPackage(all).flatMap((some) => [...farFrom(some, compared)]));
}

/** The charges of a price band as they count. */
interface CountingCharges {
  readonly raised: readonly FulfillmentAnswer[];
  /** Those, as they were charged, that wait for a second one, since they are lower than the fee in force. */
  readonly low: readonly FulfillmentAnswer[];
}

/**
 * The charges of a price band, none below the median of the 60 days before now or, of former ones, before the last of them.
 * @param far what far ones count as at most
 */
function countingCharges(
  { charges, published, reference }: ChargedBand,
  far: ReadonlyMap<FulfillmentAnswer, Cents | null>,
  { marketplace, doubtedSince = null, now }: KnownFulfillment,
): CountingCharges {
  const charged = new Map<FulfillmentAnswer, FulfillmentAnswer>();
  const confirmed = charges.map((charge) => {
    const fee = Math.min(charge.fee, far.get(charge) ?? charge.fee) as Cents;
    const counted = fee === charge.fee ? charge : { ...charge, fee };
    charged.set(counted, charge);
    return counted;
  });
  const left = byPackage(confirmed)
    .flatMap((some) => withoutUnconfirmed(some, reference !== null, now))
    .sort(byTime);
  const ofNow = left.filter((each) => !isFormer(each, marketplace, now));
  // Without a sale in 60 days those before are all that is known, and only say what the fee is at least.
  const isExpired = !ofNow.some((each) => now - timeOf(each) < SETTLED_FULFILLMENT_COUNTS);
  const former = isExpired ? left : left.filter((each) => isFormer(each, marketplace, now));
  const current = isExpired ? [] : ofNow;
  const lastAt = lastOf(former) ?? now;
  const least = raisedToMedian(former, doubtedSince, lastAt).map(
    ({ isOfOtherPackage, ...each }): FulfillmentAnswer => ({
      ...each,
      isFormer: true,
      // Too old, it says no more of a package that did not change.
      ...(isOfOtherPackage && now - lastAt < SETTLED_FULFILLMENT_COUNTS ? { isOfOtherPackage } : {}),
    }),
  );
  const raised = [...least, ...raisedToMedian(current, doubtedSince, now)];
  const held = readBand(raised, published, doubtedSince)?.held ?? null;
  if (held === null) return { raised, low: [] };
  const ordered = [...former, ...current];
  const low = held.answers.slice(held.hasConfirmed ? 1 : 0).flatMap((each) => {
    const counted = ordered[raised.indexOf(each)];
    return counted === undefined ? [] : (charged.get(counted) ?? []);
  });
  return { raised, low };
}

/** Whether it is from before the package or the published fees changed. */
function isFormer(charge: FulfillmentAnswer, marketplace: Marketplace, now: Instant): boolean {
  return isOfOther(charge) || timeOf(charge) < (feesChangedAt(marketplace, now) ?? 0);
}

/** Those for other packages, and those for this one. */
function byPackage(charges: readonly FulfillmentAnswer[]): FulfillmentAnswer[][] {
  return [charges.filter(isOfOther), charges.filter((each) => !isOfOther(each))];
}

function isOfOther({ isOfOtherPackage }: FulfillmentAnswer): boolean {
  return isOfOtherPackage === true;
}

/** Fees that differ by less than 5% are the same. */
const SAME_FEE = 0.95;

/**
 * Charges without those of more than 60 days ago that are higher than usual and that no other one as high confirms: what a single
 * sale shows counts no longer. Where nothing else is known it stays.
 * @param charges of a price band and package, oldest first
 * @param isKnown a fee is published
 */
function withoutUnconfirmed(
  charges: readonly FulfillmentAnswer[],
  isKnown: boolean,
  now: Instant,
): readonly FulfillmentAnswer[] {
  const isOld = (each: FulfillmentAnswer) => now - timeOf(each) >= SETTLED_FULFILLMENT_COUNTS;
  if (!charges.some(isOld)) return charges;
  const confirmed = charges
    .toSorted((one, other) => other.fee - one.fee)
    .find((each) => {
      const same = { from: SAME_FEE * each.fee, to: Number.POSITIVE_INFINITY };
      return each.isAccepted || confirmedFee(each, charges, same) !== null;
    });
  const usual = usualOf(charges, lastOf(charges) ?? now);
  const most = Math.max(confirmed?.fee ?? 0, usual);
  const left = charges.filter((each) => !isOld(each) || each.isAccepted || each.fee <= most);
  const [first, last] = [left[0], left.at(-1)];
  const isShown =
    first !== undefined && last !== undefined && timeOf(last) - timeOf(first) >= CONFIRMED_AFTER;
  return isKnown || isShown || left.some(({ isAccepted }) => isAccepted) ? left : charges;
}

/** Charges, none below the usual one of the 60 days before a moment. */
function raisedToMedian(
  charges: readonly FulfillmentAnswer[],
  doubtedSince: Instant | null,
  at: Instant,
): FulfillmentAnswer[] {
  const all = usualOf(charges, at);
  const isTrusted = (each: FulfillmentAnswer) => !isDoubted(each, doubtedSince);
  const trusted = doubtedSince === null ? all : usualOf(charges, at, isTrusted);
  return charges.map((each) => {
    const median = isTrusted(each) ? trusted : all;
    return each.fee >= median ? each : { ...each, fee: median as Cents };
  });
}

/** The median per unit of the 60 days before a moment; 0 of fewer than three sales, which say nothing of what is usual. */
function usualOf(
  charges: readonly FulfillmentAnswer[],
  at: Instant,
  isTrusted: (charge: FulfillmentAnswer) => boolean = () => true,
): number {
  const recent = charges.filter((each) => at - timeOf(each) < SETTLED_FULFILLMENT_COUNTS);
  return recent.length < ENOUGH_SALES ? 0 : medianOf(recent.filter(isTrusted));
}

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
    if (at - confirmedAt >= CONFIRMED_AFTER) [confirmedAt, confirmations] = [at, confirmations + 1];
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
    one.isOfOtherPackage === other.isOfOtherPackage
  );
}

/**
 * The first one of those that were last accepted together: they replace what was charged before it.
 * @param charges oldest first
 */
function lastAccepted(charges: readonly FulfillmentAnswer[]): FulfillmentAnswer | undefined {
  const accepted = charges.filter(({ isAccepted }) => isAccepted);
  const momentOf = (each: FulfillmentAnswer) => each.acceptedAt ?? timeOf(each);
  const last = Math.max(...accepted.map(momentOf));
  return accepted.find((each) => momentOf(each) === last);
}

/** When the newest was. @param charges oldest first */
function lastOf(charges: readonly FulfillmentAnswer[]): Instant | null {
  const last = charges.at(-1);
  return last === undefined ? null : timeOf(last);
}

/** Of one moment the higher one last, which then is the newest. */
function byTime(one: FulfillmentAnswer, other: FulfillmentAnswer): number {
  return timeOf(one) - timeOf(other) || one.fee - other.fee;
}
