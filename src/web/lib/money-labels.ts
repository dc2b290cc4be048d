import type { MoneyKind } from '#domain/money/money-event.ts';

/** What an amount is for. */
export const MONEY_KIND_LABELS: Readonly<Record<MoneyKind, string>> = {
  principal: 'Price paid by the buyer',
  shipping: 'Shipping paid by the buyer',
  discount: 'Discount',
  funded: 'Discount paid by the marketplace',
  commission: 'Commission',
  closing: 'Closing fee',
  per_order: 'Fee per order',
  renewal: 'Listing fee',
  payment: 'Payment fee',
  fulfillment: 'Fulfillment fee',
  ad: 'Advertising',
  label: 'Shipping label',
  refund_principal: 'Price refunded',
  refund_shipping: 'Shipping refunded',
  refund_commission: 'Commission of a refund',
  refund_other: 'Other fees of a refund',
  refund_fee: 'Fee for a refund',
  storage: 'Storage',
  reimbursement: 'Reimbursement',
  tax: 'Sales tax',
  transfer: 'Payout or reserve',
  other: 'Unknown type',
};
