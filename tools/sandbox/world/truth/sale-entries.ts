import type { OrderLine } from '#sandbox/world/orders.ts';
import type { MoneyEntry, MoneyKind } from './money-events.ts';

/**
 * What a line's sale books: charges, sales tax and fees.
 * @param withholdsTax whether the marketplace remits the tax; else the seller gets it and does
 */
export function saleEntries(line: OrderLine, funded: number, withholdsTax: boolean): MoneyEntry[] {
  const { unitPrice, quantity, shipping, tax, fees } = line;
  return entriesOf(line, quantity, {
    principal: unitPrice * quantity - funded,
    shipping,
    funded,
    tax,
    tax_withheld: withholdsTax ? -tax : 0,
    commission: fees.commissionOnShipping - fees.commission,
    commission_on_shipping: -fees.commissionOnShipping,
    waived: fees.waived,
    closing: -fees.closing,
    per_order: -fees.perOrder,
    renewal: -fees.renewal,
    payment: -fees.payment,
    fulfillment: -fees.fulfillment,
  });
}

/** Everything of a sale taken back. */
export function cancelledEntries(entries: readonly MoneyEntry[]): MoneyEntry[] {
  return entries.map((entry) => ({ ...entry, amount: -entry.amount }));
}

/** Amazon keeps a fifth of a refunded commission, at most five dollars. */
const REFUND_FEE = { share: 0.2, most: 500 } as const;

/**
 * A refund of some units of a line with their part of shipping, tax and commission. Fulfillment, closing and payment
 * fees are not returned.
 */
export function refundEntries(
  line: OrderLine,
  units: number,
  { keepsFee, withholdsTax }: { readonly keepsFee: boolean; readonly withholdsTax: boolean },
): MoneyEntry[] {
  const { unitPrice, quantity, shipping, tax, fees } = line;
  const part = (amount: number): number => Math.round((amount * units) / quantity);
  const returned = part(fees.commission - fees.waived);
  const kept = keepsFee ? Math.min(REFUND_FEE.most, Math.round(returned * REFUND_FEE.share)) : 0;
  return entriesOf(line, units, {
    principal: -unitPrice * units,
    shipping: -part(shipping),
    tax: -part(tax),
    tax_withheld: withholdsTax ? part(tax) : 0,
    commission: returned,
    refund_fee: -kept,
  });
}

function entriesOf(
  line: OrderLine,
  quantity: number,
  amounts: Readonly<Partial<Record<MoneyKind, number>>>,
): MoneyEntry[] {
  return (Object.entries(amounts) as [MoneyKind, number][])
    .filter(([, amount]) => amount !== 0)
    .map(([kind, amount]) => ({ kind, amount, line, quantity }));
}
