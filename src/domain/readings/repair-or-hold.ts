import { costWithoutFees } from '#domain/costs/cost-without-fees.ts';
import { marginOf } from '#domain/costs/margin.ts';
import { reviewReasonFor } from '#domain/decision/decide.ts';
import type { ListingFacts } from '#domain/decision/facts.ts';
import { checkManualPrice, manualPriceMargin } from '#domain/decision/manual-price.ts';
import { commonPrices } from '#domain/decision/price-group.ts';
import type { DecisionCase } from '#domain/decision/stored-case.ts';
import {
  type AllowedPrices,
  highestAllowedTo,
  isAllowed,
  lowestAllowedFrom,
} from '#domain/limits/allowed-prices.ts';
import { type Cents, hours, type Millis, minutes } from '#domain/units.ts';

/*
 * A price that was changed on the marketplace itself. The seller may mean it, so it stays, and the listing goes on hold;
 * but a price that loses money with every sale is far likelier a slip, and is repaired.
 */

/**
 * What happens to an external edit below the lowest allowed price: `repair_loss` one that loses money is repaired ·
 * `repair_floor` each of them is · `hold` none is.
 */
export const EXTERNAL_EDIT_POLICIES = ['repair_loss', 'repair_floor', 'hold'] as const;
export type ExternalEditPolicy = (typeof EXTERNAL_EDIT_POLICIES)[number];

/** What is wrong with an external edit. */
export const EXTERNAL_EDIT_PROBLEMS = ['loses_money', 'below_floor', 'above_ceiling'] as const;
export type ExternalEditProblem = (typeof EXTERNAL_EDIT_PROBLEMS)[number];

/** Why an edit that would be repaired otherwise is not. */
export const UNREPAIRED_REASONS = [
  /** The settings leave it to the user. */
  'policy',
  /** The listing was repaired within 24 hours: a user or another program means it. */
  'repeated',
  /** A user chose to leave the last edit of the listing as it was. */
  'left',
  /** The price before is not allowed or too young, and the lowest allowed price more than twice the edit. */
  'doubtful',
  /** The engine may not change this price now. */
  'not_automatic',
  /** Too many repairs on the marketplace within an hour. */
  'too_many',
] as const;
export type UnrepairedReason = (typeof UNREPAIRED_REASONS)[number];

/** How long a price was in force at least, to be one to return to: a wrong cost would have shown. */
export const PROVEN_AFTER = hours(1);
/** After a repair the listing is not repaired again for this long. */
export const REPAIR_ONCE_PER = hours(24);
/** How long the listing stays on hold at the repaired price. */
export const REPAIR_HOLD = hours(24);

export interface ExternalEdit {
  readonly price: Cents;
  readonly priceBefore: Cents;
  /** How long the price before was in force. */
  readonly inForceFor: Millis;
  /** The listing was repaired within {@link REPAIR_ONCE_PER}. */
  readonly wasRepaired: boolean;
  /** A user left the last edit as it was, and the listing is still on hold since. */
  readonly wasLeft: boolean;
  /** A promotion runs, or another repricer sets the price: two machines on one price are worse than a bad price. */
  readonly isPricedElsewhere: boolean;
}

export type ExternalEditResult =
  /** Nothing is known to be wrong: it stays, as every external edit. */
  | { readonly kind: 'accept' }
  | {
      readonly kind: 'repair';
      readonly problem: Exclude<ExternalEditProblem, 'above_ceiling'>;
      /** An allowed price. */
      readonly price: Cents;
      readonly marginFloor: Cents;
    }
  | {
      readonly kind: 'hold';
      readonly problem: ExternalEditProblem;
      readonly because: UnrepairedReason;
      /** The price that "Repair now" sets: the nearest allowed one, above unless there is none. */
      readonly price: Cents;
    };

/**
 * Checks an external edit by today's facts.
 * @param listings the listing as it is now, with the edit as its current price and the anchor price from before it, and
 *   those that share its price
 */
export function checkExternalEdit(
  edit: ExternalEdit,
  listings: readonly [DecisionCase, ...DecisionCase[]],
  setting: ExternalEditPolicy,
): ExternalEditResult {
  const set = allowedForAll(listings, edit.price);
  const lowest = set === null ? null : lowestAllowedFrom(set, 0);
  if (set === null || lowest === null || set.marginFloor === null) return { kind: 'accept' };
  if (isAllowed(set, edit.price)) return { kind: 'accept' };
  const nearest = lowestAllowedFrom(set, edit.price);
  // Above all allowed prices, which may end a little below the ceiling: a repair would lower the price.
  if (nearest === null) {
    const highest = highestAllowedTo(set, edit.price) ?? lowest;
    return { kind: 'hold', problem: 'above_ceiling', because: 'policy', price: highest };
  }
  const losses = listings.filter(({ facts }) => losesMoney(edit.price, facts));
  const problem = losses.length > 0 ? 'loses_money' : 'below_floor';
  const repair = repairPrice(edit, set, nearest);
  const why = listings.map((listing) => whyNotRepaired(edit, listing, problem, setting));
  const because = why.find((one) => one !== null) ?? (repair === null ? 'doubtful' : null);
  return because !== null || repair === null
    ? { kind: 'hold', problem, because: because ?? 'doubtful', price: nearest }
    : { kind: 'repair', problem, price: repair, marginFloor: set.marginFloor };
}

/** The prices that a user may set for all of these; null while those of one are unknown. */
export function allowedForAll(
  listings: readonly [DecisionCase, ...DecisionCase[]],
  price: Cents,
): AllowedPrices | null {
  const sets = listings.flatMap(
    ({ facts, choice }) => checkManualPrice(facts, manualPriceMargin(choice, facts), price).set ?? [],
  );
  const [first, ...others] = sets;
  return first === undefined || sets.length < listings.length ? null : commonPrices([first, ...others]);
}

/** The price before if it has proven itself; else the lowest allowed one, unless our own facts may be what is wrong. */
function repairPrice(
  { price, priceBefore, inForceFor }: ExternalEdit,
  set: AllowedPrices,
  lowest: Cents,
): Cents | null {
  if (inForceFor >= PROVEN_AFTER && isAllowed(set, priceBefore)) return priceBefore;
  return lowest <= price * 2 ? lowest : null;
}

function whyNotRepaired(
  edit: ExternalEdit,
  { facts, choice, policy }: DecisionCase,
  problem: ExternalEditProblem,
  setting: ExternalEditPolicy,
): UnrepairedReason | null {
  if (edit.wasRepaired) return 'repeated';
  if (edit.wasLeft) return 'left';
  if (setting === 'hold' || (setting === 'repair_loss' && problem !== 'loses_money')) return 'policy';
  // A hold is one of the engine's own limits here: the edit is undone, and no new price is decided.
  const isAutomatic =
    !edit.isPricedElsewhere &&
    choice.minimumMargin !== null &&
    reviewReasonFor({ ...facts, hold: null }, choice.rule, policy) === null;
  return isAutomatic ? null : 'not_automatic';
}

/** Whether a sale at that price leaves less than cost, shipping and fees; only with complete facts. */
function losesMoney(price: Cents, facts: ListingFacts): boolean {
  const { fees, shippingCharge } = facts;
  const cost = costWithoutFees(facts);
  if (fees === null || shippingCharge === null || cost === null) return false;
  const margin = marginOf(price, shippingCharge, cost, fees);
  return margin !== null && margin < 0;
}

/** Repairs of a marketplace within this time are counted. */
export const REPAIRS_COUNTED_FOR = minutes(60);
const MAX_REPAIRS = 10;
/** A store of a few listings may still have this many. */
const MIN_REPAIRS = 3;
/** 2% of the listings. */
const LISTINGS_A_REPAIR = 50;

/**
 * How many external edits of a marketplace are repaired within an hour: ten, and at most 2% of its listings, but three in
 * any store. Beyond that our facts are wrong, or the seller runs a sale.
 */
export function maxRepairs(listings: number): number {
  return Math.min(MAX_REPAIRS, Math.max(MIN_REPAIRS, Math.floor(listings / LISTINGS_A_REPAIR)));
}
