import { manualPriceMargin } from '#domain/decision/manual-price.ts';
import type { DecisionCase } from '#domain/decision/stored-case.ts';
import { areFeesDoubted } from '#domain/fees/doubted-fees.ts';
import type { FeeBasis, FeeSource, ReportedSource } from '#domain/fees/fee-basis.ts';
import { type FeeBand, type FeeSchedule, takesCommissionWithTax } from '#domain/fees/fee-schedule.ts';
import { outsideLimits } from '#domain/limits/marketplace-limits.ts';
import { moneyText } from '#domain/text.ts';
import { type Bps, type Cents, type Instant, isPrice, type Millis } from '#domain/units.ts';
import type { UnitPrice } from './business-prices.ts';

/*
 * The last check before a price is sent. On purpose it shares no arithmetic with the decision: it takes fees from the
 * bands of the schedule and the margin from the price itself, in unbounded whole numbers. An error has to be made twice
 * to cost money.
 */

/** A price that is about to be sent. */
export interface PriceToSend {
  readonly price: Cents;
  /** The current price at the time of the decision. */
  readonly fromPrice: Cents;
  /** At the time of the decision. */
  readonly marginFloor: Cents;
  /** Whether the engine decided it, and not a user. */
  readonly isAutomatic: boolean;
  /** It undoes an external edit: the hold that follows such an edit does not stop it. */
  readonly isRepair: boolean;
  /** Whether a user confirmed sending it despite the current halt. */
  readonly isPastHalt: boolean;
  /** The prices for business buyers that go with it: 1 is their price of one unit, the others are quantities. */
  readonly business?: readonly UnitPrice[];
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
}

/** The largest tolerated clock difference in milliseconds between machines that share a database. */
const MAX_CLOCK_DIFFERENCE = 60_000;

/**
 * Why a price must not be sent now, by current facts; null if it may.
 * @param ttl the longest time between decision and sending
 * @returns one sentence for users
 */
export function reasonNotToSend(
  order: PriceToSend,
  { facts, choice, policy }: DecisionCase,
  ttl: Millis,
): string | null {
  if (policy.halted && !order.isPastHalt) return 'Not sent: repricing was halted.';
  if (facts.isMissing) return 'The listing is no longer on its marketplace.';
  return (
    whyTooOld(order, policy.now, ttl) ??
    (order.isAutomatic ? whyNotAutomatic(order, { facts, choice, policy }) : null) ??
    whyOutOfBounds(order, facts) ??
    whyBelowMargin(order.price, { facts, choice, policy }) ??
    whyBelowAfterDiscount(order.price, { facts, choice, policy }) ??
    whyNotForBusinesses(order, { facts, choice, policy })
  );
}

/** MAP and the seller's limits on the marketplace bind the price for everyone alone. */
function whyNotForBusinesses(
  { price: regular, business = [] }: PriceToSend,
  listing: DecisionCase,
): string | null {
  const { minPrice } = listing.facts;
  let [quantity, before] = [0, regular];
  for (const { from, price } of business) {
    const what = from === 1 ? 'Business price' : `Price from ${from} units on`;
    const isInOrder = from > quantity && (from === 1 ? price <= before : price < before);
    if (!isPrice(price) || !isInOrder) return `${what}: it is not below the one before.`;
    const why =
      minPrice !== null && !(price >= minPrice)
        ? `${moneyText(price)} is below the minimum price of ${moneyText(minPrice)}.`
        : whyBelowMargin(price, listing);
    if (why !== null) return `${what}: ${why}`;
    [quantity, before] = [from, price];
  }
  return null;
}

/** Rejects the price if the clock was set back or is invalid (NaN). */
function whyTooOld({ createdAt, expiresAt }: PriceToSend, now: Instant, ttl: Millis): string | null {
  const age = now - createdAt;
  if (age >= -MAX_CLOCK_DIFFERENCE && age < ttl && now < expiresAt) return null;
  return 'The price waited too long to be sent.';
}

function whyNotAutomatic(
  { price, fromPrice, marginFloor, isRepair }: PriceToSend,
  { facts, choice, policy }: DecisionCase,
): string | null {
  const { hold } = facts;
  if (policy.mode !== 'live' || !policy.autoRepricing || !facts.autoRepricing) {
    return 'Automatic repricing was turned off before the price was sent.';
  }
  if (!isRepair && hold !== null && (hold.until === null || !(hold.until <= policy.now))) {
    return 'The listing was put on hold before the price was sent.';
  }
  if (choice.minimumMargin === null || choice.rule.requiresReview)
    return 'The rule changed before the price was sent.';
  if (facts.isPriceUnverified)
    return 'The current price on the marketplace was not confirmed before sending.';
  const span = { from: Math.min(price, fromPrice), to: Math.max(price, fromPrice) };
  if (areFeesDoubted(facts, facts.group === null ? span : null))
    return 'The marketplace reported different fees for many listings before the price was sent.';
  if (facts.currentPrice !== fromPrice) return 'The current price changed before the new one was sent.';
  const { sendPause } = facts;
  const isPastPause = sendPause === null || sendPause.until <= policy.now;
  if (!isPastPause && !(isRepair || (sendPause.allowsRepairs && fromPrice < marginFloor)))
    return 'The marketplace stopped accepting prices of the listing while the price was waiting.';
  if (facts.refusedPrices.includes(price)) return 'The marketplace rejected the price while it was waiting.';
  return null;
}

function whyOutOfBounds(
  { price, marginFloor }: PriceToSend,
  { marketplace, minPrice, maxPrice, anchorPrice, marketplaceLimits }: DecisionCase['facts'],
): string | null {
  if (!isPrice(price)) return 'The price is invalid.';
  const outside = marketplaceLimits === null ? null : outsideLimits(price, marketplaceLimits, marketplace);
  if (outside !== null) return outside;
  if (minPrice !== null && !(price >= minPrice)) {
    return `${moneyText(price)} is below the minimum price of ${moneyText(minPrice)}.`;
  }
  if (maxPrice !== null) {
    return price <= maxPrice
      ? null
      : `${moneyText(price)} is above the maximum price of ${moneyText(maxPrice)}.`;
  }
  // Without a maximum price, a price far above all known ones is likely a slipped decimal point.
  const isFar = !(price * 2 <= (anchorPrice ?? 0) * 3) && !(price <= marginFloor * 2);
  if (!isFar) return null;
  const ceiling = Math.max(Math.floor(((anchorPrice ?? 0) * 3) / 2), marginFloor * 2) as Cents;
  return `${moneyText(price)} is above the price ceiling of ${moneyText(ceiling)}.`;
}

/** Buyers may get it for less by a discount that the marketplace does not report. */
function whyBelowAfterDiscount(price: Cents, listing: DecisionCase): string | null {
  const { greatestDiscount } = listing.facts;
  if (greatestDiscount === 0) return null;
  if (!Number.isSafeInteger(greatestDiscount) || greatestDiscount < 0 || greatestDiscount >= Number(SHARE)) {
    return 'The greatest discount is invalid.';
  }
  const left = (BigInt(price) * (SHARE - BigInt(greatestDiscount))) / SHARE;
  const reason = whyBelowMargin(Number(left) as Cents, listing);
  return reason === null
    ? null
    : `${reason} That is left of ${moneyText(price)} after your greatest discount.`;
}

function whyBelowMargin(price: Cents, { facts, choice }: DecisionCase): string | null {
  const { fees, cost, shippingCharge } = facts;
  if (
    fees === null ||
    fees.pieces.length === 0 ||
    cost.total === null ||
    shippingCharge === null ||
    cost.gaps.length > 0
  ) {
    return 'Its margin is no longer known.';
  }
  // In the fees by price band, or a cost.
  const inFees = fees.basis.fulfillment.length > 0 ? (cost.fulfillment ?? Number.NaN) : 0;
  const numbers = [price, shippingCharge, cost.total, inFees];
  if (!numbers.every(Number.isSafeInteger)) return 'Its margin cannot be calculated.';
  const revenue = BigInt(price) + BigInt(shippingCharge);
  const fee = feeOn(fees.basis, BigInt(price), revenue);
  if (fee === null) return 'Its fees are no longer known.';
  const profit = (revenue - BigInt(cost.total - inFees)) * SHARE - fee;
  if (profit >= BigInt(manualPriceMargin(choice, facts)) * revenue) return null;
  return `${moneyText(price)} no longer keeps the minimum margin.`;
}

/** Basis points in 100%. Fees and profits below are in ten-thousandths of a cent. */
const SHARE = 10_000n;

/** @returns null where the fee is unknown */
function feeOn(basis: FeeBasis, price: bigint, revenue: bigint): bigint | null {
  const { source, salesTax, fulfillment, adShare, returnShare } = basis;
  const taken = sourceFee(source, BigInt(salesTax), revenue);
  if (taken === null) return null;
  const shares = BigInt(adShare + returnShare) * revenue;
  if (fulfillment.length === 0) return taken + shares;
  const step = fulfillment.find(({ upTo }) => upTo === null || price <= BigInt(upTo));
  return step === undefined || step.fee === null ? null : taken + shares + BigInt(step.fee) * SHARE;
}

function sourceFee(source: FeeSource, salesTax: bigint, revenue: bigint): bigint | null {
  if (source.kind === 'person') return scheduleFee(source.schedule, salesTax, revenue, source.rate);
  if (source.kind === 'told' && source.schedules.length === 0) return reportedFee(source, revenue);
  const schedules = source.kind === 'told' ? source.schedules : [source.schedule, ...usualOf(source)];
  let highest: bigint | null = 0n;
  for (const schedule of schedules) {
    const fee = scheduleFee(schedule, salesTax, revenue, null);
    highest = fee === null || highest === null ? null : fee > highest ? fee : highest;
  }
  return highest;
}

/** The default that counts where it is higher. */
function usualOf({ atLeast }: { readonly atLeast?: FeeSchedule }): readonly FeeSchedule[] {
  return atLeast === undefined ? [] : [atLeast];
}

function reportedFee({ rates }: ReportedSource, revenue: bigint): bigint | null {
  const reported = rates.find(({ from, to }) => BigInt(from) <= revenue && revenue <= BigInt(to));
  return reported === undefined
    ? null
    : BigInt(reported.percent) * revenue + BigInt(reported.perUnit) * SHARE;
}

/** @param ownRate replaces the percentage of the commission */
function scheduleFee(
  schedule: FeeSchedule,
  salesTax: bigint,
  revenue: bigint,
  ownRate: Bps | null,
): bigint | null {
  const edges = schedule.bands.map((band) => edgeOf(band, schedule, salesTax));
  const place = edges.findIndex((edge) => edge === null || revenue <= edge);
  const band = schedule.bands[place];
  if (band === undefined) return null;
  const share = (rateOf: (band: FeeBand) => bigint): bigint =>
    schedule.bandKind === 'whole'
      ? rateOf(band) * revenue
      : commissionOver(schedule.bands.slice(0, place + 1).map(rateOf), edges, revenue);
  const isTaxed = takesCommissionWithTax(schedule);
  const commission = share(({ percent }) => BigInt(isTaxed ? percent : (ownRate ?? percent)));
  const least = BigInt(band.minimum) * SHARE;
  const taxed = share(({ percentTaxed }) =>
    roundedUp(BigInt(isTaxed ? (ownRate ?? percentTaxed) : percentTaxed) * (SHARE + salesTax)),
  );
  return (commission > least ? commission : least) + taxed + BigInt(band.fixed + band.perUnit) * SHARE;
}

/** Where a band ends in revenue; null for the last one. */
function edgeOf({ upTo }: FeeBand, { edgeBase }: FeeSchedule, salesTax: bigint): bigint | null {
  if (upTo === null) return null;
  return edgeBase === 'revenue' ? BigInt(upTo) : (BigInt(upTo) * SHARE) / (SHARE + salesTax);
}

function roundedUp(times: bigint): bigint {
  return (times + SHARE - 1n) / SHARE;
}

/** Each band charges its percentage on the part of the revenue inside it. */
function commissionOver(
  rates: readonly bigint[],
  edges: readonly (bigint | null)[],
  revenue: bigint,
): bigint {
  let from = 0n;
  let share = 0n;
  for (const [index, rate] of rates.entries()) {
    const edge = edges[index] ?? null;
    const to = edge === null || edge > revenue ? revenue : edge;
    share += rate * (to - from);
    from = to;
  }
  return share;
}
