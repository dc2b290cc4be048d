import type { LimitChanges } from '#contract/limit-plan.ts';
import type { ListingFields } from '#contract/listings.ts';
import type { Db } from '#db/client.ts';
import { notify } from '#db/listen.ts';
import { type ListingRecord, lockListings, putLimits } from '#db/queries/catalog/listing-writes.ts';
import { insertAudits } from '#db/queries/identity/audit.ts';
import type { Instant } from '#domain/units.ts';
import { type Editor, madeBy } from '#usecases/editor.ts';
import { loadPricingInputs, type PricingInput } from '#usecases/repricing/pricing/load-pricing-inputs.ts';
import { loadPricingContext } from '#usecases/repricing/pricing/pricing-context.ts';
import { missingOf } from './apply-to-locked.ts';
import type { BulkActionResult, Refusal } from './listing-deps.ts';
import { fieldsBefore, formOf, problemWith } from './listing-fields.ts';
import { type PlannedLimits, wantedLimits } from './plan-limits.ts';

const SIDES = ['minPrice', 'maxPrice'] as const;

/** Limits as they were requested, and as they were previewed for each listing. */
export interface PreviewedLimits {
  readonly limits: LimitChanges;
  readonly planned: ReadonlyMap<number, PlannedLimits>;
}

/**
 * Gives listings the limits that were planned for them, in the caller's transaction. They are calculated again from
 * current data: a job may start long after the preview. A listing that would now get other limits, or whose limits
 * changed after the preview, is skipped and reported; one that has the new limits already, as after an interrupted job,
 * is counted as done.
 */
export async function putPlannedLimits(
  tx: Db,
  ids: readonly number[],
  { limits: requested, planned }: PreviewedLimits,
  editor: Editor,
  now: Instant,
): Promise<BulkActionResult> {
  const found = await lockListings(tx, ids);
  const cases = new Map(
    (await loadPricingInputs(tx, await loadPricingContext(tx, now), ids)).map((one) => [one.listing.id, one]),
  );
  const refused: Refusal[] = missingOf(
    ids,
    found.map(({ id }) => id),
  );
  const changed: { readonly listing: ListingRecord; readonly fields: ListingFields }[] = [];
  let already = 0;
  for (const listing of found) {
    const limits = planned.get(listing.id);
    if (limits === undefined) continue;
    const fields = fieldsOf(limits);
    const message = whyNot(listing, limits, cases.get(listing.id), requested) ?? problemWith(listing, fields);
    if (isAs(listing, limits, 'to')) already += 1;
    else if (message === null) changed.push({ listing, fields });
    else refused.push({ listingId: listing.id, sku: listing.sku, message });
  }
  if (changed.length > 0) await write(tx, changed, editor, now);
  return { done: changed.length + already, refused };
}

/** Why the previewed limits of a listing are outdated; null when they are not. */
function whyNot(
  listing: ListingRecord,
  limits: PlannedLimits,
  pricingInput: PricingInput | undefined,
  requested: LimitChanges,
): string | null {
  if (!isAs(listing, limits, 'from')) {
    return `The limits of ${listing.sku} changed after the preview and are left as they are.`;
  }
  const wanted = pricingInput === undefined ? 'deleted' : wantedLimits(pricingInput, requested);
  if (typeof wanted !== 'string' && SIDES.every((side) => wanted[side]?.to === limits[side]?.to)) return null;
  return `The costs, price or rule of ${listing.sku} changed after the preview, so its limits are left as they are.`;
}

async function write(
  tx: Db,
  changed: readonly { readonly listing: ListingRecord; readonly fields: ListingFields }[],
  editor: Editor,
  now: Instant,
): Promise<void> {
  await putLimits(
    tx,
    changed.map(({ listing, fields }) => ({
      id: listing.id,
      minPrice: fields.minPrice === undefined ? listing.minPrice : fields.minPrice,
      maxPrice: fields.maxPrice === undefined ? listing.maxPrice : fields.maxPrice,
    })),
    now,
  );
  await insertAudits(
    tx,
    changed.map(({ listing, fields }) => ({
      ...madeBy(editor, now),
      action: 'listing.edited',
      targetKind: 'listing',
      targetId: String(listing.id),
      before: fieldsBefore(listing, fields),
      after: formOf(fields),
    })),
  );
  await notify(
    tx,
    'pricewright_listings',
    changed.map(({ listing }) => listing.id),
  );
}

function fieldsOf({ minPrice, maxPrice }: PlannedLimits): ListingFields {
  return {
    ...(minPrice === null ? {} : { minPrice: minPrice.to }),
    ...(maxPrice === null ? {} : { maxPrice: maxPrice.to }),
  };
}

function isAs(listing: ListingRecord, limits: PlannedLimits, when: 'from' | 'to'): boolean {
  return SIDES.every((side) => {
    const move = limits[side];
    return move === null || move[when] === listing[side];
  });
}
