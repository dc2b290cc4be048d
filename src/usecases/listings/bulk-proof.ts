import { type Clearance, requireProof } from '#usecases/accounts/clearance.ts';
import type { ListingAct } from './listing-act.ts';

/** Above this many listings a change of prices needs a fresh password. */
export const MOST_UNPROVED = 200;

/**
 * Asks for a fresh password before many prices move at once.
 * @throws AppError step_up_required
 */
export function refuseUnproved(act: ListingAct, listings: number, clearance: Clearance): void {
  if (listings > MOST_UNPROVED && movesPrices(act)) requireProof(clearance);
}

/** A limit of their own counts as well: whoever lowers the lowest price lets the price follow. */
function movesPrices(act: ListingAct): boolean {
  if (act.kind === 'apply' || act.kind === 'undo' || act.kind === 'undo_changes') return true;
  return act.kind === 'edit' && (act.fields.minPrice !== undefined || act.fields.maxPrice !== undefined);
}
