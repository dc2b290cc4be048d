import type { MoneyKind } from '#domain/money/money-event.ts';

/** Walmart's amount types, lower case and without signs: spellings differ from report to report. */
const BY_AMOUNT_TYPE: Readonly<Record<string, MoneyKind>> = {
  productprice: 'principal',
  shipping: 'shipping',
  promocode: 'discount',
  totalwalmartfundedsavings: 'funded',
  commissiononproduct: 'commission',
  commissiononshipping: 'commission',
  wfsfulfillmentfee: 'fulfillment',
  wfsreturnshippingfee: 'refund_other',
  semmarketingfee: 'ad',
};

/** The transaction descriptions of "Fee/Reimbursement" and the like, which can be anything. */
const BY_DESCRIPTION: Readonly<Record<string, MoneyKind>> = {
  wfsfulfillmentfee: 'fulfillment',
  wfsreturnshippingfee: 'refund_other',
  wfsreturnprocessingfee: 'refund_other',
  wfsstoragefee: 'storage',
  wfslongtermstoragefee: 'storage',
  wfslostinventory: 'reimbursement',
  wfsfoundinventory: 'reimbursement',
  wfsdamageinwarehouse: 'reimbursement',
  walmartproductadvertising: 'ad',
};

/** What an amount of a sale is for once it is taken back. */
const REFUNDED: Readonly<Partial<Record<MoneyKind, MoneyKind>>> = {
  principal: 'refund_principal',
  shipping: 'refund_shipping',
  discount: 'refund_other',
  funded: 'refund_other',
  commission: 'refund_commission',
  fulfillment: 'refund_other',
};

/** Money that Walmart holds back, and gives back. */
const RESERVES = new Set(['reserve', 'releasereserve']);

/** What the parts of a row say about its amount. */
export interface ReconTypes {
  readonly transactionType: string;
  readonly amountType: string;
  readonly description: string;
}

/** What an amount is for; `other` for every name that is not known. */
export function kindOf({ transactionType, amountType, description }: ReconTypes): MoneyKind {
  const type = plain(transactionType);
  if (RESERVES.has(type)) return 'transfer';
  const amount = plain(amountType);
  // Collected in one row and withheld in another.
  if (/^(?:product|shipping|other)tax/.test(amount)) return 'tax';
  const kind = BY_AMOUNT_TYPE[amount] ?? BY_DESCRIPTION[plain(description)] ?? 'other';
  return type === 'refund' ? (REFUNDED[kind] ?? kind) : kind;
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z]/g, '');
}
