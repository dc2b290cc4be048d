import type { ListingFields } from '#contract/listings.ts';
import { requireStepUp, type SessionAssurance } from '#usecases/identity/accounts/session-assurance.ts';
import type { BulkAction } from './bulk-action.ts';

/** Above this many listings a change of prices or limits needs step-up authentication. */
export const MAX_WITHOUT_STEP_UP = 200;

/** Requires step-up authentication before many prices change at once. @throws AppError step_up_required */
export function requireStepUpAbove(action: BulkAction, listings: number, assurance: SessionAssurance): void {
  if (listings > MAX_WITHOUT_STEP_UP && movesPrices(action)) requireStepUp(assurance);
}

const MOVES_PRICES: ReadonlySet<BulkAction['kind']> = new Set([
  'apply',
  'undo',
  'undo_changes',
  'restore',
  'limits',
]);
/** The inputs of the lowest and highest allowed price: changing them can change the price. */
const LIMITS = [
  'minPrice',
  'maxPrice',
  'shippingCost',
  'shippingCharge',
  'fulfillmentCost',
  'feeCategory',
  'feeRate',
  'adShare',
  'returnShare',
  'mapPrice',
  'mapFrom',
  'mapUntil',
  'externalPrice',
  'ruleId',
] as const satisfies readonly (keyof ListingFields)[];

/** Asked up front: a job cannot ask, and the effect of new limits is only known as they are applied. */
function movesPrices(action: BulkAction): boolean {
  if (action.kind === 'edit') return LIMITS.some((field) => action.fields[field] !== undefined);
  return MOVES_PRICES.has(action.kind);
}
