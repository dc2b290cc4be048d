import type { EditListingCosts, SavedCosts } from '#contract/costs.ts';
import type { Db } from '#db/client.ts';
import { notify } from '#db/listen.ts';
import { readDatedSkuCosts } from '#db/queries/catalog/due-sales.ts';
import { type CostOrigin, readCostOrigin, readSharing } from '#db/queries/catalog/listing-costs.ts';
import { updateListings } from '#db/queries/catalog/listing-writes.ts';
import { addSkuCosts } from '#db/queries/catalog/sku-costs.ts';
import { lockSku, updateSku } from '#db/queries/catalog/sku-writes.ts';
import { insertAudits } from '#db/queries/identity/audit.ts';
import { isoTime } from '#db/sql-values.ts';
import { transact } from '#db/transact.ts';
import { decimalFromCents } from '#domain/decimal.ts';
import { backdatedCosts, type ListingCostChange, type SkuCostChange } from '#domain/sales/dated-costs.ts';
import type { Cents, Instant } from '#domain/units.ts';
import { AppError } from '#usecases/app-error.ts';
import { lockListing } from '#usecases/catalog/listings/find-listing.ts';
import type { ListingDeps } from '#usecases/catalog/listings/listing-deps.ts';
import { backdate, datedOf } from '#usecases/catalog/listings/write-fields.ts';
import { type Editor, madeBy } from '#usecases/editor.ts';
import { lastChangeText } from '#usecases/last-change.ts';
import { loadCase } from '#usecases/repricing/prices/priced-listing.ts';
import type { PricingInput } from '#usecases/repricing/pricing/load-pricing-inputs.ts';
import { requirePast } from '#usecases/require-past.ts';
import { findBelowMarginFloor } from './below-margin-floor.ts';
import { whyFulfillmentIsFixed, whySkuCostsAreFixed } from './cost-parts.ts';
import { readListingCosts } from './listing-costs.ts';

const SKU_PARTS = ['product', 'packaging', 'misc'] as const;
const LISTING_PARTS = ['shipping', 'fulfillment'] as const;

/**
 * Saves the edited cost parts: product, packaging and misc cost on the SKU, shipping cost and fulfillment fee on the
 * listing.
 * @returns the parts as they are now, and the listings that are then below their margin floor
 * @throws AppError not_found; conflict when another user saved it after the editor was opened; validation_failed for a
 *   part that cannot be edited here, and for costs that would apply from the future
 */
export async function editListingCosts(
  { db, now }: ListingDeps,
  listingId: number,
  edit: EditListingCosts,
  editor: Editor,
): Promise<SavedCosts> {
  const at = now();
  requirePast(edit.costSince, at);
  return transact(db, async (tx) => {
    const listing = await lockListing(tx, listingId);
    const origin = await readCostOrigin(tx, listingId);
    const sku = origin.skuId === null ? null : await lockSku(tx, origin.skuId);
    if (listing.version !== edit.version || (sku?.version ?? null) !== edit.skuVersion) {
      const changed =
        sku === null || sku.version === edit.skuVersion
          ? { ...listing, kind: 'listing' }
          : { ...sku, kind: 'sku' };
      const change = await lastChangeText(tx, changed, at);
      throw new AppError(
        'conflict',
        `The costs of ${listing.sku} were changed after you opened them${change}. Review the new values, then save.`,
      );
    }
    const pricingInput = await loadCase(tx, listingId, at);
    rejectFixedParts(pricingInput, origin, edit);
    await write(tx, pricingInput, origin, edit, at);
    if (edit.costSince !== undefined) await backdateParts(tx, pricingInput, origin, edit, edit.costSince, at);
    await insertAudits(tx, auditsOf(pricingInput, origin, edit, editor, at));
    const touched = [listingId, ...(await touchedWith(tx, listingId, edit))];
    await notify(tx, 'pricewright_listings', touched);
    return {
      costs: await readListingCosts(tx, listingId, at),
      ...(await findBelowMarginFloor(tx, touched, at)),
    };
  });
}

/** The edited parts of the SKU. */
export function skuChangeOf({ product, packaging, misc }: Parts): SkuCostChange {
  return {
    ...(product === undefined ? {} : { productCost: product }),
    ...(packaging === undefined ? {} : { packagingCost: packaging }),
    ...(misc === undefined ? {} : { miscCost: misc }),
  };
}

/** The edited parts of the listing itself. */
export function listingChangeOf({ shipping, fulfillment }: Parts): ListingCostChange {
  return datedOf({ shippingCost: shipping, fulfillmentCost: fulfillment });
}

type Parts = Pick<EditListingCosts, PartName>;
type PartName = (typeof SKU_PARTS)[number] | (typeof LISTING_PARTS)[number];

function touches(edit: EditListingCosts, parts: readonly PartName[]): boolean {
  return parts.some((part) => edit[part] !== undefined);
}

function rejectFixedParts(pricingInput: PricingInput, origin: CostOrigin, edit: EditListingCosts): void {
  const fields: Record<string, string> = {};
  const goods = whySkuCostsAreFixed(pricingInput.listing, origin);
  const fulfillment = whyFulfillmentIsFixed(pricingInput.listing);
  for (const part of SKU_PARTS) if (goods !== null && edit[part] !== undefined) fields[part] = goods;
  if (fulfillment !== null && edit.fulfillment !== undefined) fields.fulfillment = fulfillment;
  const [message] = Object.values(fields);
  if (message !== undefined) throw new AppError('validation_failed', message, { fields });
}

async function write(
  tx: Db,
  { listing }: PricingInput,
  { skuId }: CostOrigin,
  edit: EditListingCosts,
  now: Instant,
): Promise<void> {
  const { product, packaging, misc, shipping, fulfillment } = edit;
  if (skuId !== null && touches(edit, SKU_PARTS)) {
    const costs = { productCost: product, packagingCost: packaging, miscCost: misc };
    await updateSku(tx, skuId, costs, now);
  }
  if (touches(edit, LISTING_PARTS)) {
    await updateListings(tx, [listing.id], { shippingCost: shipping, fulfillmentCost: fulfillment }, now);
  }
}

/** Lets the edited parts apply from an earlier moment. */
async function backdateParts(
  tx: Db,
  { listing }: PricingInput,
  { skuId }: CostOrigin,
  edit: EditListingCosts,
  since: Instant,
  now: Instant,
): Promise<void> {
  if (skuId !== null) {
    const entered = await readDatedSkuCosts(tx, [listing.sku]);
    const added = backdatedCosts(entered, skuChangeOf(edit), since);
    await addSkuCosts(
      tx,
      added.map((row) => ({ ...row, skuId })),
      now,
    );
  }
  await backdate(tx, [listing.id], listingChangeOf(edit), since, now);
}

/** The other listings whose cost has changed with the SKU. */
async function touchedWith(tx: Db, listingId: number, edit: EditListingCosts): Promise<number[]> {
  return touches(edit, SKU_PARTS) ? (await readSharing(tx, listingId)).map(({ id }) => id) : [];
}

function auditsOf(
  { listing, facts: { cost } }: PricingInput,
  { skuId }: CostOrigin,
  edit: EditListingCosts,
  editor: Editor,
  now: Instant,
) {
  const before = { ...cost, shipping: listing.shippingCost, fulfillment: listing.fulfillmentCost };
  const entry = (parts: readonly PartName[], targetKind: string, targetId: number | null) =>
    !touches(edit, parts) || targetId === null
      ? []
      : [
          {
            ...madeBy(editor, now),
            action: 'costs.edited' as const,
            targetKind,
            targetId: String(targetId),
            before: readable(before, edit, parts),
            after: { ...readable(edit, edit, parts), ...sinceOf(edit) },
          },
        ];
  return [...entry(SKU_PARTS, 'sku', skuId), ...entry(LISTING_PARTS, 'listing', listing.id)];
}

function sinceOf({ costSince }: EditListingCosts): { costSince?: string } {
  return costSince === undefined ? {} : { costSince: isoTime(costSince) };
}

/** The edited parts as decimal dollars for the audit log. */
function readable(
  amounts: Partial<Readonly<Record<PartName, Cents | null | undefined>>>,
  edit: EditListingCosts,
  parts: readonly PartName[],
): Record<string, string | null> {
  const touched = parts.filter((part) => edit[part] !== undefined);
  return Object.fromEntries(
    touched.map((part) => {
      const amount = amounts[part] ?? null;
      return [part, amount === null ? null : decimalFromCents(amount)];
    }),
  );
}
