import type { MoneyKind } from '#domain/money/money-event.ts';

/**
 * What Etsy's ledger types are for, in lower case. They are documented nowhere: these are those that sellers' programs
 * have met, and others are known by their name only.
 */
const KINDS: ReadonlyMap<string, MoneyKind> = new Map([
  ['payment_gross', 'principal'],
  // The payment contains the sales tax of the buyer, and this takes it back out. It may be reported before the payment, or
  // without: no principal, so that revenue is reported by the payment alone.
  ['sales_tax', 'tax'],
  ['transaction', 'commission'],
  ['shipping_transaction', 'commission'],
  ['payment_processing_fee', 'payment'],
  ['listing', 'renewal'],
  ['listing_private', 'renewal'],
  ['renew', 'renewal'],
  ['renew_sold', 'renewal'],
  ['renew_sold_auto', 'renewal'],
  ['renew_expired', 'renewal'],
  ['auto_renew_expired', 'renewal'],
  ['transaction_quantity', 'renewal'],
  ['offsite_ads_fee', 'ad'],
  ['prolist', 'ad'],
  ['shipping_labels', 'label'],
  ['refund', 'refund_principal'],
  ['refund_gross', 'refund_principal'],
  ['refund_processing_fee', 'refund_other'],
  ['seller_credit', 'reimbursement'],
  ['disburse', 'transfer'],
  ['disburse2', 'transfer'],
  // A bill that the seller paid by card.
  ['billing_payment', 'transfer'],
]);
const BACK = '_refund';

/** What an amount of that ledger type is for. */
export function kindOfLedgerType(ledgerType: string): MoneyKind {
  const type = ledgerType.toLowerCase();
  const known = KINDS.get(type);
  if (known !== undefined) return known;
  if (type.startsWith('shipping_label_')) return 'label';
  return type.endsWith(BACK) ? returned(kindOfLedgerType(type.slice(0, -BACK.length))) : 'other';
}

/** The kind of an amount that comes back. */
function returned(kind: MoneyKind): MoneyKind {
  // The refund contains the sales tax too.
  if (kind === 'principal' || kind === 'tax') return 'refund_principal';
  if (kind === 'commission') return 'refund_commission';
  return kind === 'payment' || kind === 'renewal' ? 'refund_other' : kind;
}

/** Whether that fee renews a listing because it was sold. */
export function isRenewalOfSale(ledgerType: string): boolean {
  return /^renew_sold(?:_auto)?$/i.test(ledgerType);
}
