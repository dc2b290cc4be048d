import type { MoneyKind } from '#domain/money/money-event.ts';
import type { MoneyShare } from '#domain/money/share-money.ts';
import type { Cents, Instant } from '#domain/units.ts';

/** What is booked of a return or a claim: what the buyer gets back, and what the marketplace returns or charges for it. */
const REFUNDS: ReadonlySet<MoneyKind> = new Set<MoneyKind>([
  'refund_principal',
  'refund_shipping',
  'refund_commission',
  'refund_other',
  'refund_fee',
  'reimbursement',
]);

/**
 * What returns and claims cost a sale by the moment at which they were booked, oldest first, less what came back for them
 * and the product cost of units that are in stock again. It may be more than the sale brought: what is booked, counts.
 * @returns cents, of any size
 */
export function refundsByMoment(
  shares: readonly MoneyShare[],
  restocked: { readonly value: Cents; readonly at: Instant } | null,
): { readonly at: Instant; readonly amount: number }[] {
  const moments = new Map<Instant, number>();
  const receive = (amount: Cents, at: Instant): void => {
    moments.set(at, (moments.get(at) ?? 0) - amount);
  };
  for (const { kind, amount, postedAt } of shares) if (REFUNDS.has(kind)) receive(amount, postedAt);
  if (restocked !== null) receive(restocked.value, restocked.at);
  return [...moments].sort(([one], [other]) => one - other).map(([at, amount]) => ({ at, amount }));
}
