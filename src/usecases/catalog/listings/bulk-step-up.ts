import type { ListingFields } from '#contract/listings.ts';
import { type Clearance, requireProof } from '#usecases/identity/accounts/session-assurance.ts';
import type { ListingAct } from './bulk-action.ts';

/** Above this many listings a change of prices, or of what they may be, needs a fresh password. */
export const MOST_UNPROVED = 200;

/**
 * Asks for a fresh password before many prices move at once.
 * @throws AppError step_up_required
 */
export function refuseUnproved(act: ListingAct, listings: number, clearance: Clearance): void {
  if (listings > MOST_UNPROVED && movesPrices(act)) requireProof(clearance);
}

const MOVES_PRICES: ReadonlySet<ListingAct['kind']> = new Set([
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
function movesPrices(act: ListingAct): boolean {
  if (act.kind === 'edit') return LIMITS.some((field) => act.fields[field] !== undefined);
  return MOVES_PRICES.has(act.kind);
}
