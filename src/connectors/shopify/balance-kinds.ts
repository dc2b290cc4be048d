import type { MoneyKind } from '#domain/money/money-event.ts';

/** What transactions of the balance are for that belong to no payment of an order, by the start of their type. */
const KINDS: readonly (readonly [RegExp, MoneyKind])[] = [
  // Money that only moved: payouts, reserves, advances and loans.
  [/^(?:TRANSFER|RESERVED_FUNDS|ADVANCE|BALANCE_TRANSFER|LENDING)/, 'transfer'],
  [/^SHIPPING_(?:LABEL|OTHER_CARRIER|RETURN_TO_ORIGIN)/, 'label'],
  [/^CHARGEBACK_FEE/, 'refund_fee'],
  // What a buyer disputed, taken and given back.
  [/^(?:CHARGEBACK_HOLD|DISPUTE_)/, 'refund_principal'],
  [/^(?:SELLER_PROTECTION|CHARGEBACK_PROTECTION|MERCHANT_GOODWILL)_CREDIT/, 'reimbursement'],
];

/** What a transaction of the balance is for; other ones are known by their name only. */
export function kindOfBalance(type: string): MoneyKind {
  return KINDS.find(([start]) => start.test(type))?.[1] ?? 'other';
}
