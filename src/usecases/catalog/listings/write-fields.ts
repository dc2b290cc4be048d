import type { ListingFields } from '#contract/listings.ts';
import type { Db } from '#db/client.ts';
import { readDatedListingCosts } from '#db/queries/catalog/due-sales.ts';
import { addListingCosts } from '#db/queries/catalog/listing-costs.ts';
import { updateListings } from '#db/queries/catalog/listing-writes.ts';
import { groupBy } from '#domain/group-by.ts';
import { backdatedListingCosts, type ListingCostChange } from '#domain/sales/dated-costs.ts';
import type { Instant } from '#domain/units.ts';
import { changeOf, rateBy } from './listing-fields.ts';

/**
 * Writes fields of listings, in the caller's transaction, with costs that apply from an earlier day.
 * @param by who entered a commission among them
 */
export async function writeFields(
  tx: Db,
  ids: readonly number[],
  fields: ListingFields,
  by: string,
  now: Instant,
): Promise<void> {
  await updateListings(tx, ids, { ...changeOf(fields), ...rateBy(fields, by) }, now);
  if (fields.costSince !== undefined) await backdate(tx, ids, datedOf(fields), fields.costSince, now);
}

/** Lets the costs of these listings that were just written apply from an earlier moment. */
export async function backdate(
  tx: Db,
  ids: readonly number[],
  change: ListingCostChange,
  since: Instant,
  now: Instant,
): Promise<void> {
  const entered = groupBy(await readDatedListingCosts(tx, ids), ({ listingId }) => listingId);
  const added = [...entered].flatMap(([listingId, rows]) =>
    backdatedListingCosts(rows, change, since).map((row) => ({ ...row, listingId })),
  );
  await addListingCosts(tx, added, now);
}

/** The edited fields that have dates. */
export function datedOf({
  shippingCost,
  fulfillmentCost,
  feeRate,
  feeCategory,
}: ListingFields): ListingCostChange {
  return {
    ...(shippingCost === undefined ? {} : { shipping: shippingCost }),
    ...(fulfillmentCost === undefined ? {} : { fulfillment: fulfillmentCost, isFulfillmentReported: false }),
    ...(feeRate === undefined ? {} : { feeRate }),
    ...(feeCategory === undefined ? {} : { feeCategory }),
  };
}
