import { z } from 'zod';
import type { FeeEstimate, FeePart, FeeQuery, UnusableFees } from '#connectors/connector.ts';
import { type Cents, cents } from '#domain/units.ts';
import { type AnyFee, feeIn } from './amazon-money.ts';

const MAX_NAME_LENGTH = 100;

/** Amazon's fee types. An unknown one counts in full, under its own name. */
const KINDS: Readonly<Record<string, FeePart['kind']>> = {
  ReferralFee: 'commission',
  VariableClosingFee: 'closing',
  // The fee for each item sold without a monthly plan.
  PerItemFee: 'closing',
  FBAFees: 'fulfillment',
};

const Money = z.object({ CurrencyCode: z.unknown().optional(), Amount: z.unknown().optional() });

/**
 * A fee without `IncludedFeeDetailList`, which names its parts: their sum is the fee itself.
 * FinalFee and TotalFeesEstimate only serve as a check, because a promotion is not a lower fee: Amazon has answered with
 * promotions that waived the whole fee by mistake.
 */
const Detail = z.object({
  FeeType: z.string().trim().min(1),
  FeeAmount: Money,
  FeePromotion: Money.nullish(),
  TaxAmount: Money.nullish(),
  FinalFee: Money.nullish(),
});

export const Estimated = z.object({
  TotalFeesEstimate: Money.nullish(),
  FeeDetailList: z.array(Detail).max(100).nullish(),
});
export type Estimated = z.output<typeof Estimated>;

/** What the identifier of an answer repeats of its question. */
export const Question = z.object({
  IdType: z.unknown().optional(),
  IdValue: z.unknown().optional(),
  IsAmazonFulfilled: z.unknown().optional(),
  PriceToEstimateFees: z.object({ ListingPrice: Money.nullish(), Shipping: Money.nullish() }).nullish(),
});
export type Question = z.output<typeof Question>;

type Reason = UnusableFees['because'];

/** The parts of an estimate with at least one, or why they cannot be used. */
export function feesFrom(
  query: FeeQuery,
  question: Question,
  { TotalFeesEstimate: total, FeeDetailList: details }: Estimated,
): FeeEstimate | UnusableFees {
  const { ref, price, shippingCharge } = query;
  const requested = { listingId: ref.listingId, price, shippingCharge };
  if (isOther(query, question)) return { kind: 'unusable_fees', ...requested, because: 'other_question' };
  try {
    const parts = partsOf(details ?? [], total ?? null);
    const isFba = ref.fulfillmentType === 'FBA/WFS';
    const sent = parts.filter(({ kind }) => kind === 'fulfillment');
    if (!isFba && sent.some(({ amount }) => amount > 0)) throw new Unusable('other_question');
    return {
      kind: 'fees',
      ...requested,
      parts: isFba ? parts : parts.filter((part) => !sent.includes(part)),
    };
  } catch (error) {
    if (error instanceof Unusable) return { kind: 'unusable_fees', ...requested, because: error.reason };
    throw error;
  }
}

class Unusable extends Error {
  readonly reason: Reason;
  constructor(reason: Reason) {
    super(reason);
    this.reason = reason;
  }
}

/** What an answer does not repeat is taken as requested. */
function isOther(
  { ref, price, shippingCharge }: FeeQuery,
  { IdType, IdValue, IsAmazonFulfilled, PriceToEstimateFees }: Question,
): boolean {
  const isAnotherSku = (IdType ?? 'SellerSKU') !== 'SellerSKU' || (IdValue ?? ref.sku) !== ref.sku;
  const isFba = ref.fulfillmentType === 'FBA/WFS';
  const differs = (reported: AnyFee | null | undefined, requested: Cents) =>
    reported?.Amount !== undefined && feeIn(reported) !== requested;
  return (
    isAnotherSku ||
    (IsAmazonFulfilled ?? isFba) !== isFba ||
    differs(PriceToEstimateFees?.ListingPrice, price) ||
    differs(PriceToEstimateFees?.Shipping, shippingCharge)
  );
}

/** @throws Unusable */
function partsOf(details: readonly z.output<typeof Detail>[], total: AnyFee | null): FeePart[] {
  const parts = new Map<string, FeePart>();
  let charged = 0;
  for (const { FeeType, FeeAmount, FeePromotion, TaxAmount, FinalFee } of details) {
    const amount = amountOf(FeeAmount);
    const promotion = FeePromotion == null ? cents(0) : amountOf(FeePromotion);
    const tax = TaxAmount == null ? 0 : amountOf(TaxAmount);
    const final = FinalFee == null ? amount + tax - promotion : amountOf(FinalFee);
    if (final > amount + tax + 1) throw new Unusable('wrong_total');
    charged += final;
    const name = FeeType.slice(0, MAX_NAME_LENGTH);
    const before = parts.get(name);
    parts.set(name, {
      kind: KINDS[FeeType] ?? 'other',
      name,
      amount: cents(amount + (before?.amount ?? 0)),
      promotion: cents(promotion + (before?.promotion ?? 0)),
    });
  }
  // Every amount may be rounded up by a cent. A total above that contains a fee that was not reported to us.
  if (total !== null && amountOf(total) > charged + details.length + 1) throw new Unusable('wrong_total');
  return [...parts.values()];
}

function amountOf(reported: AnyFee): Cents {
  const amount = feeIn(reported);
  if (typeof amount === 'string') throw new Unusable(amount);
  return amount;
}
