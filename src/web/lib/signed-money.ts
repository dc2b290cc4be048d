import { formatMoney } from './format.ts';

/** "+$1.25", "−$6.20", "$0.00": a difference of money. */
export function signedMoney(amount: string): string {
  return Number(amount) > 0 ? `+${formatMoney(amount)}` : formatMoney(amount);
}
