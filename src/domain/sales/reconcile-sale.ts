import type { Marketplace } from '#domain/marketplaces.ts';
import type { MoneyKind } from '#domain/money/money-event.ts';
import type { Cents } from '#domain/units.ts';
import { FEE_KINDS, mainFeeOf, WITH_WAREHOUSE } from './sale-fees.ts';
import type { MONEY_STATES, SalePart } from './settle-sale.ts';

/** Whether what was reported is what was estimated: to the cent, more than a cent off, or not reported yet. */
export const RECONCILIATIONS = ['matching', 'differs', 'waiting'] as const;
export type Reconciliation = (typeof RECONCILIATIONS)[number];

/** Rounding may move a fee by a cent. */
const TOLERANCE = 1;

/** A sale with its fees as they were estimated and reported. */
export interface SaleToReconcile {
  readonly marketplace: Marketplace;
  readonly quantity: number;
  /** Once it is `told`, an estimated fee that was not reported was not charged. */
  readonly state: (typeof MONEY_STATES)[number];
  readonly parts: readonly SalePart[];
  /** All fees: null while the estimate of one of them is unknown. */
  readonly feesEstimated: Cents | null;
  /** All fees as one amount, as they were reported with the order or by a file; null where they were not. */
  readonly feesTold: Cents | null;
}

export interface ReconciledSale {
  readonly sale: Reconciliation | null;
  readonly kinds: ReadonlyMap<MoneyKind, Reconciliation>;
}

/**
 * Holds what was reported of a sale's fees against the estimates.
 * @returns of every fee that was estimated, and of the sale: it waits while a fee does, and matches when all of them do;
 *   null where no fee was estimated. Fees reported as one amount are held against the sum of the estimates: of no kind it is
 *   known what was charged
 */
export function reconcileSale(sale: SaleToReconcile): ReconciledSale {
  const { state } = sale;
  const fees = sale.parts.filter(({ kind }) => (FEE_KINDS as readonly MoneyKind[]).includes(kind));
  const main = mainFeeOf(sale.marketplace);
  const isMainReported = fees.some(({ kind, told }) => kind === main && told !== null);
  if (sale.feesTold !== null && !isMainReported) {
    return { sale: reconcileSum(sale, fees, sale.feesTold), kinds: new Map() };
  }
  const kinds = new Map<MoneyKind, Reconciliation>();
  for (const { kind, estimated, told } of fees) {
    if (estimated === null) continue;
    if (isNear(estimated, told ?? 0))
      kinds.set(kind, told === null && state !== 'told' ? 'waiting' : 'matching');
    // Of several units a fee may be reported for some.
    else if (state !== 'told' && (told === null || sale.quantity > 1)) kinds.set(kind, 'waiting');
    else kinds.set(kind, 'differs');
  }
  const found = [...kinds.values()];
  if (found.length === 0) return { sale: null, kinds };
  if (state !== 'told') return { sale: 'waiting', kinds };
  return { sale: found.includes('differs') ? 'differs' : 'matching', kinds };
}

/** A marketplace without a warehouse does not report what another one charges for fulfillment. */
function reconcileSum(
  { marketplace, state, feesEstimated }: SaleToReconcile,
  fees: readonly SalePart[],
  feesTold: Cents,
): Reconciliation | null {
  if (feesEstimated === null) return null;
  if (state !== 'told') return 'waiting';
  let estimated = 0;
  for (const fee of fees) {
    if (fee.kind !== 'fulfillment' || WITH_WAREHOUSE.has(marketplace)) estimated += fee.estimated ?? 0;
  }
  return isNear(estimated, -feesTold) ? 'matching' : 'differs';
}

function isNear(estimated: number, reported: number): boolean {
  return Math.abs(estimated - reported) <= TOLERANCE;
}
