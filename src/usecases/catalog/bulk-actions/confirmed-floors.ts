import type { ListingFields } from '#contract/listings.ts';
import type { Db } from '#db/client.ts';
import { readActionAudits } from '#db/queries/identity/action-audits.ts';
import { readKnownFloors } from '#db/queries/repricing/lowest-allowed.ts';
import type { CaseRow } from '#db/queries/repricing/pricing-input-rows.ts';
import { decimalFromCents } from '#domain/decimal.ts';
import { decide } from '#domain/decision/decide.ts';
import { isDrop, lowestAllowed } from '#domain/limits/lowest-allowed.ts';
import type { Cents, Instant } from '#domain/units.ts';
import type { Fall } from '#usecases/catalog/costs/lowered-floors.ts';
import type { Refusal } from '#usecases/catalog/listings/listing-deps.ts';
import { changeOf } from '#usecases/catalog/listings/listing-fields.ts';
import type { Editor } from '#usecases/editor.ts';
import { loadCosts } from '#usecases/repricing/pricing/load-pricing-inputs.ts';
import { loadPricingContext } from '#usecases/repricing/pricing/pricing-context.ts';
import type { BulkAction } from './bulk-action.ts';
import { RESTORABLE, storedFields } from './restore-listings.ts';

/** The margin floor of each listing when an action was confirmed, in whole cents; null where it was unknown. */
export type ConfirmedFloors = ReadonlyMap<number, Cents | null>;

/** Fields that lower a margin floor themselves: their effect is what was confirmed. */
const MAKE_FLOORS = [
  'shippingCost',
  'shippingCharge',
  'fulfillmentCost',
  'feeCategory',
  'feeRate',
  'adShare',
  'returnShare',
  'ruleId',
] as const satisfies readonly (keyof ListingFields)[];

const BATCH = 1_000;

/** The fields that an action sets on each of its listings. */
type FieldsOf = (listingId: number) => ListingFields;

/**
 * The margin floors when a user confirms an action that removes protection: a minimum price, or the listing itself. A
 * job carries them, so that costs that change before it reaches a listing do not slip through.
 * @returns none for other actions
 */
export async function readConfirmedFloors(
  tx: Db,
  action: BulkAction,
  ids: readonly number[],
  editor: Editor,
  now: Instant,
): Promise<ConfirmedFloors> {
  const exposed = await exposureOf(tx, action, ids, editor);
  if (exposed === 'none') return new Map();
  const floors =
    exposed === 'as_known' ? await knownFloors(tx, ids) : await floorsUnder(tx, ids, exposed, now);
  return new Map(ids.map((id) => [id, floors.get(id) ?? null]));
}

/** Whether an action exposes its listings, and the fields it sets where these change the floors. */
async function exposureOf(
  tx: Db,
  action: BulkAction,
  ids: readonly number[],
  editor: Editor,
): Promise<'none' | 'as_known' | FieldsOf> {
  if (action.kind === 'limits') return 'as_known';
  if (action.kind === 'edit')
    return makesFloors(action.fields) ? () => action.fields : exposureBy(action.fields);
  if (action.kind !== 'restore') return 'none';
  // One action did the same to all of its listings.
  const undone = { requestId: action.undoId, actorId: editor.id };
  const [first] = await readActionAudits(tx, undone, RESTORABLE, ids.slice(0, 1));
  if (first?.action === 'listing.deleted') return 'as_known';
  if (first?.action !== 'listing.edited') return 'none';
  if (!makesFloors(first.after)) return exposureBy(first.after);
  const audits = await readActionAudits(tx, undone, RESTORABLE, ids);
  const before = new Map(audits.map((audit) => [audit.listingId, storedFields(audit.before).fields]));
  return (id) => before.get(id) ?? {};
}

type AnyFields = Readonly<Record<string, unknown>>;

const exposureBy = ({ minPrice }: AnyFields): 'none' | 'as_known' =>
  minPrice === undefined ? 'none' : 'as_known';

function makesFloors(fields: AnyFields): boolean {
  return fields.minPrice !== undefined && MAKE_FLOORS.some((one) => fields[one] !== undefined);
}

async function knownFloors(tx: Db, ids: readonly number[]): Promise<ReadonlyMap<number, Cents>> {
  const floors = await readKnownFloors(tx, ids);
  return new Map(floors.map(({ id, lowestAllowed }) => [id, lowestAllowed]));
}

/** As they would be now with these fields. */
async function floorsUnder(
  tx: Db,
  ids: readonly number[],
  fieldsOf: FieldsOf,
  now: Instant,
): Promise<ReadonlyMap<number, Cents | null>> {
  const shop = await loadPricingContext(tx, now);
  const floors = new Map<number, Cents | null>();
  for (let from = 0; from < ids.length; from += BATCH) {
    const page = ids.slice(from, from + BATCH);
    const cases = await loadCosts(tx, shop, page, (listing) => withFields(listing, fieldsOf(listing.id)));
    for (const { listing, facts, choice, policy } of cases) {
      floors.set(listing.id, lowestAllowed(decide(facts, choice, policy).marginFloor, null));
    }
  }
  return floors;
}

function withFields(listing: CaseRow, fields: ListingFields): CaseRow {
  const {
    shippingCost = listing.shippingCost,
    shippingCharge = listing.shippingCharge,
    fulfillmentCost = listing.fulfillmentCost,
    feeCategory = listing.feeCategory,
    feeRate = listing.feeRate,
    adShare = listing.adShare,
    returnShare = listing.returnShare,
    ruleId = listing.ruleId,
  } = changeOf(fields);
  const rates = { feeCategory, feeRate, adShare, returnShare };
  return { ...listing, shippingCost, shippingCharge, fulfillmentCost, ...rates, ruleId };
}

/** Ends a batch in which listings would fall further than was confirmed: it runs again without them. */
export class FloorsDropped extends Error {
  readonly refused: readonly Refusal[];
  constructor(refused: readonly Refusal[]) {
    super('Floors sank after the action was confirmed.');
    this.refused = refused;
  }
}

/** Rejects drops of a job below the confirmed floors. @throws FloorsSank, from the returned function */
export function rejectDropsBelow(confirmed: ConfirmedFloors): (drops: readonly Fall[]) => Promise<void> {
  return async (drops) => {
    const sunk = drops.filter(({ listingId, to }) => {
      const floor = confirmed.get(listingId);
      return floor === null || (floor !== undefined && isDrop(floor, to));
    });
    if (sunk.length > 0) throw new FloorsDropped(sunk.map(refusalOf));
  };
}

function refusalOf({ listingId, sku, from, to }: Fall): Refusal {
  const prices = `from $${decimalFromCents(from)} to $${decimalFromCents(to)}`;
  const message = `The costs of ${sku} changed since this was confirmed: its lowest allowed price would fall ${prices}. Nothing was changed for this listing; try again.`;
  return { listingId, sku, message };
}
