import type { MoneyEntry, MoneyEvent, MoneyEventType, MoneyKind } from '#sandbox/world/truth/money-events.ts';

/** Amazon's names of an amount, in transactions and in the settlement report. */
interface PartName {
  /** The parent in a breakdown. */
  readonly group: string;
  readonly name: string;
  /** Fees are broken down once more. */
  readonly isFee: boolean;
  /** "amount-type" and "amount-description" of the settlement report. */
  readonly row: readonly [type: string, description: string];
}

interface EventNames {
  readonly transactionType: string;
  readonly description: string;
  /** "transaction-type" of the settlement report. */
  readonly row: string;
  readonly parts: Readonly<Partial<Record<MoneyKind, PartName>>>;
}

function charge(group: string, name: string, ...row: PartName['row']): PartName {
  return { group, name, isFee: false, row };
}

function fee(name: string, description = name): PartName {
  return { group: 'AmazonFees', name, isFee: true, row: ['ItemFees', description] };
}

const CHARGES: EventNames['parts'] = {
  principal: charge('ProductCharges', 'OurPricePrincipal', 'ItemPrice', 'Principal'),
  shipping: charge('Shipping', 'ShippingPrincipal', 'ItemPrice', 'Shipping'),
  tax: charge('Tax', 'OurPriceTax', 'ItemPrice', 'Tax'),
  tax_withheld: charge(
    'Tax',
    'MarketplaceFacilitatorTax',
    'ItemWithheldTax',
    'MarketplaceFacilitatorTax-Principal',
  ),
  commission: fee('Commission'),
};

const PARTS: EventNames['parts'] = {
  ...CHARGES,
  closing: fee('VariableClosingFee'),
  fulfillment: fee('FBAPerUnitFulfillmentFee'),
  unnamed: fee('PackagingSurcharge2027'),
};

const REFUNDED: EventNames['parts'] = { ...CHARGES, refund_fee: fee('RefundCommission') };

export const NAMES: Readonly<Record<MoneyEventType, EventNames>> = {
  sale: { transactionType: 'Shipment', description: 'Order Payment', row: 'Order', parts: PARTS },
  cancellation: { transactionType: 'Refund', description: 'Refund Order', row: 'Refund', parts: PARTS },
  refund: { transactionType: 'Refund', description: 'Refund Order', row: 'Refund', parts: REFUNDED },
  label: {
    transactionType: 'Adjustment',
    description: 'Shipping label purchased through Amazon',
    row: 'other-transaction',
    parts: {
      label: charge('Adjustments', 'PostageBilling_Postage', 'other-transaction', 'PostageBilling_Postage'),
    },
  },
  ad: {
    transactionType: 'ProductAdsPayment',
    description: 'Sponsored Products',
    row: 'ServiceFee',
    parts: {
      ad: charge('AdvertisingFees', 'ProductAdsCharge', 'Cost of Advertising', 'TransactionTotalAmount'),
    },
  },
  storage: {
    transactionType: 'ServiceFee',
    description: 'FBA storage fee',
    row: 'other-transaction',
    parts: {
      storage: { ...fee('FBAStorageFee'), row: ['other-transaction', 'Storage Fee'] },
    },
  },
  reimbursement: {
    transactionType: 'Adjustment',
    description: 'FBA Inventory Reimbursement - Warehouse Lost',
    row: 'other-transaction',
    parts: {
      reimbursement: charge('Adjustments', 'WAREHOUSE_LOST', 'FBA Inventory Reimbursement', 'WAREHOUSE_LOST'),
    },
  },
  payout: {
    transactionType: 'Transfer',
    description: 'Transfer to bank account',
    row: 'Transfer',
    parts: { payout: charge('Transfers', 'FundsTransfer', 'Transfer', 'Transfer') },
  },
};

/**
 * The amounts as they are reported at that time: until its restatement a fee is too high. The commission is one amount, on
 * goods and shipping and after its promotion.
 */
export function amountsAt({ entries, restated }: MoneyEvent, now: number): MoneyEntry[] {
  const reported: MoneyEntry[] = [];
  for (const entry of entries) {
    const isCommission = entry.kind === 'commission_on_shipping' || entry.kind === 'waived';
    const kind = isCommission ? 'commission' : entry.kind;
    const at = reported.findIndex((one) => one.kind === kind && one.line === entry.line);
    const before = reported[at];
    if (before === undefined) reported.push({ ...entry, kind });
    else reported[at] = { ...before, amount: before.amount + entry.amount };
  }
  if (restated === null || restated.at <= now) return reported;
  const wrong = reported.findIndex(({ kind }) => kind === restated.kind);
  return reported.map((entry, at) =>
    at === wrong ? { ...entry, amount: entry.amount - restated.by } : entry,
  );
}
