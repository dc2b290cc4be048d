import type { ListingFields } from '#contract/listings.ts';
import { requireStepUp, type SessionAssurance } from '#usecases/identity/accounts/session-assurance.ts';
import type { BulkAction } from './bulk-action.ts';

/** Above this many listings a change of prices, or of what they may be, needs a fresh password. */
export const MAX_WITHOUT_STEP_UP = 200;

/**
 * Asks for a fresh password before many prices move at once.
 * @throws AppError step_up_required
 */
export function requireStepUpAbove(act: BulkAction, listings: number, clearance: SessionAssurance): void {
  if (listings > MAX_WITHOUT_STEP_UP && movesPrices(act)) requireStepUp(clearance);
}

const MOVES_PRICES: ReadonlySet<BulkAction['kind']> = new Set([
  'apply',
  'undo',
  'undo_changes',
  'restore',
  'limits',
]);
/** What the lowest allowed price is made from, and the highest: whoever changes them lets the price follow. */
const LIMITS = [
  'minPrice',
  'maxPrice',
  'shippingCost',
  'shippingCharge',
  'fulfillmentCost',
  'feeCategory',
  'ruleId',
] as const satisfies readonly (keyof ListingFields)[];

/** A job cannot ask: what a change of limits would do to each listing is only known as it is done. */
function movesPrices(act: BulkAction): boolean {
  if (act.kind === 'edit') return LIMITS.some((field) => act.fields[field] !== undefined);
  return MOVES_PRICES.has(act.kind);
}
