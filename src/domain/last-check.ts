import type { FeeBand, FeeSchedule } from './fee.ts';
import { manualPriceMargin } from './manual-price.ts';
import type { DecisionCase } from './stored-case.ts';
import { moneyText } from './text.ts';
import { type Cents, type Instant, isPrice, type Millis } from './units.ts';

/*
 * The check right before a price leaves. On purpose it shares no arithmetic with the decision: fees are taken from the
 * bands of the schedule and the margin from the price itself, in whole numbers without bounds. A mistake has to be made
 * twice to cost money.
 */

/** A price that is about to be sent. */
export interface PriceToSend {
  readonly price: Cents;
  /** The price in force when it was decided. */
  readonly fromPrice: Cents;
  /** As it was decided. */
  readonly lowestLegalPrice: Cents;
  /** The engine's own, or a person's act. */
  readonly isRules: boolean;
  /** A person confirmed that it leaves under the halt in force. */
  readonly isPastHalt: boolean;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
}

/** Clocks of machines that share a database differ by less. */
const CLOCKS_APART = 60_000;

/**
 * Why a price must not be sent, by the facts of this moment; null when it may.
 * @param life how long it may wait at most
 * @returns one sentence for people
 */
export function reasonNotToSend(
  order: PriceToSend,
  { facts, choice, policy }: DecisionCase,
  life: Millis,
): string | null {
  if (policy.halted && !order.isPastHalt) return 'Repricing was halted before it was sent.';
  if (facts.isMissing) return 'The listing was not found on its marketplace any more.';
  return (
    whyTooOld(order, policy.now, life) ??
    (order.isRules ? whyNotTheEngines(order, { facts, choice, policy }) : null) ??
    whyOutOfBounds(order, facts) ??
    whyTooLittle(order.price, { facts, choice, policy })
  );
}

/** Put so that a clock that was set back, and one that cannot be read, let nothing pass. */
function whyTooOld({ createdAt, expiresAt }: PriceToSend, now: Instant, life: Millis): string | null {
  const age = now - createdAt;
  if (age >= -CLOCKS_APART && age < life && now < expiresAt) return null;
  return 'It waited too long to be sent.';
}

function whyNotTheEngines(
  { price, fromPrice }: PriceToSend,
  { facts, choice, policy }: DecisionCase,
): string | null {
  const { hold } = facts;
  if (policy.engine !== 'armed' || !policy.autoRepricing || !facts.autoRepricing) {
    return 'Automatic repricing was switched off before it was sent.';
  }
  if (hold !== null && (hold.until === null || !(hold.until <= policy.now))) {
    return 'The listing was held before it was sent.';
  }
  if (choice.minimumMargin === null || choice.rule.requiresReview)
    return 'Its rule changed before it was sent.';
  if (facts.isPriceUnverified)
    return 'The marketplace was not read yet to ask the price it was decided from.';
  if (facts.currentPrice !== fromPrice) return 'The price changed before it was sent.';
  if (facts.refusedPrices.includes(price)) return 'The marketplace refused it while it waited.';
  return null;
}

function whyOutOfBounds(
  { price, lowestLegalPrice }: PriceToSend,
  { minPrice, maxPrice, anchorPrice }: DecisionCase['facts'],
): string | null {
  if (!isPrice(price)) return 'It is no price.';
  if (minPrice !== null && !(price >= minPrice)) {
    return `${moneyText(price)} is below the minimum price of ${moneyText(minPrice)}.`;
  }
  if (maxPrice !== null) {
    return price <= maxPrice
      ? null
      : `${moneyText(price)} is above the maximum price of ${moneyText(maxPrice)}.`;
  }
  // Without a maximum of the seller's: what is far above everything known is a slipped decimal point.
  const isFar = !(price * 2 <= (anchorPrice ?? 0) * 3) && !(price <= lowestLegalPrice * 2);
  return isFar ? `${moneyText(price)} is far above what the listing has cost.` : null;
}

function whyTooLittle(price: Cents, { facts, choice }: DecisionCase): string | null {
  const { fees, cost, shippingCharge } = facts;
  if (fees === null || cost.total === null || shippingCharge === null || cost.gaps.length > 0) {
    return 'Its margin is not known any more.';
  }
  const numbers = [price, shippingCharge, cost.total];
  if (!numbers.every(Number.isSafeInteger)) return 'Its margin cannot be read.';
  const revenue = BigInt(price) + BigInt(shippingCharge);
  const fee = feeOn(fees.schedule, revenue);
  if (fee === null) return 'Its fees are not known any more.';
  const profit = (revenue - BigInt(cost.total)) * SHARE - fee;
  if (profit >= BigInt(manualPriceMargin(choice, facts)) * revenue) return null;
  return `${moneyText(price)} does not keep the minimum margin any more.`;
}

/** Basis points of one. Fees and profits below are in ten-thousandths of a cent. */
const SHARE = 10_000n;

function feeOn({ bands, bandKind }: FeeSchedule, revenue: bigint): bigint | null {
  const place = bands.findIndex(({ upTo }) => upTo === null || revenue <= BigInt(upTo));
  const band = bands[place];
  if (band === undefined) return null;
  const share =
    bandKind === 'whole' ? BigInt(band.percent) * revenue : shareOf(bands.slice(0, place + 1), revenue);
  const least = BigInt(band.minimum) * SHARE;
  return (share > least ? share : least) + BigInt(band.fixed) * SHARE;
}

/** Each band takes its percentage of the part inside it. */
function shareOf(bands: readonly FeeBand[], revenue: bigint): bigint {
  let from = 0n;
  let share = 0n;
  for (const { upTo, percent } of bands) {
    const to = upTo === null || BigInt(upTo) > revenue ? revenue : BigInt(upTo);
    share += BigInt(percent) * (to - from);
    from = to;
  }
  return share;
}
