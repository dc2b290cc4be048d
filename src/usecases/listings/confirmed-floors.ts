import type { ListingFields } from '#contract/listings.ts';
import type { Db } from '#db/client.ts';
import { readActAudits } from '#db/queries/act-audits.ts';
import { readKnownFloors } from '#db/queries/lowest-allowed.ts';
import { decimalFromCents } from '#domain/decimal.ts';
import { isDrop } from '#domain/lowest-allowed.ts';
import type { Cents } from '#domain/units.ts';
import type { Fall } from '#usecases/costs/lowered-floors.ts';
import type { Editor } from '#usecases/editor.ts';
import type { Refusal } from './act-deps.ts';
import type { ListingAct } from './listing-act.ts';
import { RESTORABLE } from './restore-listings.ts';

/** By listing what the margin floor was when an act was confirmed, in whole cents. */
export type ConfirmedFloors = ReadonlyMap<number, Cents>;

/** Fields that lower a margin floor themselves: what comes of them is what was confirmed. */
const MAKE_FLOORS = [
  'shippingCost',
  'shippingCharge',
  'fulfillmentCost',
  'feeCategory',
  'ruleId',
] as const satisfies readonly (keyof ListingFields)[];

/**
 * The margin floors under an act that takes away what protects its listings: a minimum price, or that they are deleted.
 * A job carries them, so that costs that others change until it comes to a listing do not slip through.
 */
export async function readConfirmedFloors(
  tx: Db,
  act: ListingAct,
  ids: readonly number[],
  editor: Editor,
): Promise<ConfirmedFloors> {
  if (!(await isExposing(tx, act, ids, editor))) return new Map();
  const floors = await readKnownFloors(tx, ids);
  return new Map(floors.map(({ id, lowestAllowed }) => [id, lowestAllowed]));
}

async function isExposing(tx: Db, act: ListingAct, ids: readonly number[], editor: Editor): Promise<boolean> {
  if (act.kind === 'limits') return true;
  if (act.kind === 'edit') return takesLimits(act.fields);
  if (act.kind !== 'restore') return false;
  // One act did the same to all of its listings.
  const undone = { requestId: act.undoId, actorId: editor.id };
  const [first] = await readActAudits(tx, undone, RESTORABLE, ids.slice(0, 1));
  return (
    first?.action === 'listing.deleted' || (first?.action === 'listing.edited' && takesLimits(first.after))
  );
}

function takesLimits(fields: Readonly<Record<string, unknown>>): boolean {
  return fields.minPrice !== undefined && !MAKE_FLOORS.some((one) => fields[one] !== undefined);
}

/** Ends a batch in which listings would fall further than was confirmed: it is done again without them. */
export class FloorsSank extends Error {
  readonly refused: readonly Refusal[];
  constructor(refused: readonly Refusal[]) {
    super('Floors sank since an act was confirmed.');
    this.refused = refused;
  }
}

/** Judges drops of a job by the floors that were confirmed. @throws FloorsSank, by what it returns */
export function judgeBy(confirmed: ConfirmedFloors): (drops: readonly Fall[]) => Promise<void> {
  return async (drops) => {
    const sunk = drops.filter(({ listingId, to }) => {
      const floor = confirmed.get(listingId);
      return floor !== undefined && isDrop(floor, to);
    });
    if (sunk.length > 0) throw new FloorsSank(sunk.map(refusalOf));
  };
}

function refusalOf({ listingId, sku, from, to }: Fall): Refusal {
  const prices = `from $${decimalFromCents(from)} to $${decimalFromCents(to)}`;
  const message = `The costs of ${sku} changed since this was confirmed: its lowest allowed price would fall ${prices}. It stays as it is; do it again for this listing.`;
  return { listingId, sku, message };
}
