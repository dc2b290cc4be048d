import type { MoneyKind } from '#domain/money/money-event.ts';

/** Amazon's names of amounts. The few that its documents list, and those that its answers are known to have. */
const BY_NAME: Readonly<Record<string, MoneyKind>> = {
  ProductCharges: 'principal',
  OurPricePrincipal: 'principal',
  Shipping: 'shipping',
  ShippingPrincipal: 'shipping',
  // What the buyer paid for shipping, taken back where Amazon ships: both sides are amounts of the shipping charge.
  ShippingChargeback: 'shipping',
  PromoRebates: 'discount',
  OurPriceDiscount: 'discount',
  ShippingDiscount: 'discount',
  Commission: 'commission',
  // The commission on the shipping charge, and on gift wrap.
  ShippingHB: 'commission',
  GiftwrapCommission: 'commission',
  VariableClosingFee: 'closing',
  FixedClosingFee: 'closing',
  PerItemFee: 'closing',
  FBAFees: 'fulfillment',
  FBAPerUnitFulfillmentFee: 'fulfillment',
  FBAPerOrderFulfillmentFee: 'fulfillment',
  FBAWeightBasedFee: 'fulfillment',
  RefundCommission: 'refund_fee',
  GoodwillPrincipal: 'refund_other',
  RestockingDeductionPrincipal: 'refund_other',
  FBAStorageFee: 'storage',
  FBALongTermStorageFee: 'storage',
  AdvertisingFee: 'ad',
  AdvertisingFeeRefund: 'ad',
  FBAInventoryReimbursement: 'reimbursement',
  FBAReversedReimbursement: 'reimbursement',
  WAREHOUSE_LOST: 'reimbursement',
  WAREHOUSE_DAMAGE: 'reimbursement',
  REVERSAL_REIMBURSEMENT: 'reimbursement',
  ReserveCredit: 'transfer',
  ReserveDebit: 'transfer',
};

/** Transactions whose amounts are of one kind, whatever their names. */
const BY_TYPE: Readonly<Record<string, MoneyKind>> = {
  Transfer: 'transfer',
  DebtRecovery: 'transfer',
  ProductAdsPayment: 'ad',
  FBAInventoryReimbursement: 'reimbursement',
};

/** What an amount of a sale is for once it is taken back. */
const REFUNDED: Readonly<Partial<Record<MoneyKind, MoneyKind>>> = {
  principal: 'refund_principal',
  shipping: 'refund_shipping',
  discount: 'refund_other',
  commission: 'refund_commission',
  closing: 'refund_other',
  fulfillment: 'refund_other',
};
const REFUNDS = new Set(['Refund', 'GuaranteeClaim', 'Chargeback']);

/**
 * Postage that is bought from Amazon, and what comes back for a label that was not used, by any of its parts:
 * "PostageBilling_Postage", "PostageRefund_Insurance". Transactions of the type may have one amount without a name.
 */
const LABEL = /^(?:Postage(?:Billing|Refund)|Shipping ?(?:Services|Label))/i;
/** The way back of a return. */
const RETURN_LABEL = /^ReturnPostage(?:Billing|Refund)/i;

/** A fee is broken down into its regular amount, the tax on it, and what a promotion takes off. */
const PARTS_OF_A_FEE = new Set(['Base', 'Tax', 'Promo']);
/** Sales tax that buyers paid and that Amazon remits, by the names of both: "OurPriceTax", "MarketplaceFacilitatorTax-Principal". */
const TAX = /(?:Tax|VAT)(?:Discount|-[A-Za-z]+)?$|^TaxOn/;

/**
 * What an amount is for; `other` for every name that is not known.
 * @param path the names of a breakdown from its root to the amount, with at least one
 */
export function kindOf(transactionType: string, path: readonly string[]): MoneyKind {
  const last = path.findLastIndex((name, at) => at === 0 || !PARTS_OF_A_FEE.has(name));
  const name = path[last] ?? '';
  const names = [transactionType, ...path];
  if (names.some((one) => RETURN_LABEL.test(one))) return 'refund_other';
  if (names.some((one) => LABEL.test(one))) return 'label';
  if (path.slice(0, last + 1).some((one) => TAX.test(one))) return 'tax';
  const kind = BY_TYPE[transactionType] ?? BY_NAME[name] ?? 'other';
  return REFUNDS.has(transactionType) ? (REFUNDED[kind] ?? kind) : kind;
}
