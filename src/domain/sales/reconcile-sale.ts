import type { MoneyKind } from '#domain/money/money-event.ts';
import type { Cents } from '#domain/units.ts';
import { FEE_KINDS } from './sale-fees.ts';
import type { MONEY_STATES, SalePart } from './settle-sale.ts';

/** Whether what was told is what was estimated: to the cent, more than a cent off, or not told yet. */
export const RECONCILIATIONS = ['matching', 'differs', 'waiting'] as const;
export type Reconciliation = (typeof RECONCILIATIONS)[number];

/** Rounding may move a fee by a cent. */
const TOLERANCE = 1;

/**
 * Holds what was told of a sale's fees against the estimates.
 * @param state of the sale: once it is `told`, an estimated fee that was not told was not charged
 * @returns of every fee that was estimated, and of the sale: it waits while a fee does, and matches when all of them do;
 *   null where no fee was estimated
 */
export function reconcileSale(
  parts: readonly SalePart[],
  state: (typeof MONEY_STATES)[number],
): { readonly sale: Reconciliation | null; readonly kinds: ReadonlyMap<MoneyKind, Reconciliation> } {
  const kinds = new Map<MoneyKind, Reconciliation>();
  for (const { kind, estimated, told } of parts) {
    if (estimated === null || !(FEE_KINDS as readonly MoneyKind[]).includes(kind)) continue;
    if (told === null && state !== 'told') kinds.set(kind, 'waiting');
    else kinds.set(kind, isNear(estimated, told) ? 'matching' : 'differs');
  }
  const found = [...kinds.values()];
  if (found.length === 0) return { sale: null, kinds };
  if (state !== 'told') return { sale: 'waiting', kinds };
  return { sale: found.includes('differs') ? 'differs' : 'matching', kinds };
}

function isNear(estimated: Cents, told: Cents | null): boolean {
  return Math.abs(estimated - (told ?? 0)) <= TOLERANCE;
}
