import type { EditListingCosts, SavedCosts } from '#contract/costs.ts';
import type { Db } from '#db/client.ts';
import { notify } from '#db/listen.ts';
import { updateListings } from '#db/queries/catalog/listing-acts.ts';
import { type CostOrigin, readCostOrigin, readSharing } from '#db/queries/catalog/listing-costs.ts';
import { lockSku, updateSku } from '#db/queries/catalog/sku-acts.ts';
import { insertAudits, readLastActor } from '#db/queries/identity/audit.ts';
import { transact } from '#db/transact.ts';
import { decimalFromCents } from '#domain/decimal.ts';
import type { Cents, Instant } from '#domain/units.ts';
import { AppError } from '#usecases/app-error.ts';
import type { ActDeps } from '#usecases/catalog/listings/bulk-action-deps.ts';
import { type Editor, madeBy } from '#usecases/editor.ts';
import { loadCase, lockListing } from '#usecases/repricing/prices/priced-listing.ts';
import type { PricingInput } from '#usecases/repricing/pricing/load-pricing-inputs.ts';
import { findBelowMarginFloor } from './below-margin-floor.ts';
import { whyFulfillmentIsFixed, whyGoodsAreFixed } from './cost-parts.ts';
import { readListingCosts } from './listing-costs.ts';

const GOODS = ['product', 'packaging', 'misc'] as const;
const OF_LISTING = ['shipping', 'fulfillment'] as const;

/**
 * Saves the cost parts that a person touched: those of the goods on the SKU, those of the parcel on the listing.
 * @returns the parts as they are now, and the listings that are below their floor with them
 * @throws AppError not_found; conflict when somebody else saved since; validation_failed for a part that is not theirs
 */
export async function editListingCosts(
  { db, now }: ActDeps,
  listingId: number,
  edit: EditListingCosts,
  editor: Editor,
): Promise<SavedCosts> {
  const at = now();
  return transact(db, async (tx) => {
    const listing = await lockListing(tx, listingId);
    const origin = await readCostOrigin(tx, listingId);
    const sku = origin.skuId === null ? null : await lockSku(tx, origin.skuId);
    if (listing.version !== edit.version || (sku?.version ?? null) !== edit.skuVersion) {
      const who = await lastChangedBy(tx, listingId, sku?.version === edit.skuVersion ? null : origin.skuId);
      throw new AppError(
        'conflict',
        `${who ?? 'Another user'} changed the costs of ${listing.sku} after you opened them. Review the new values, then save.`,
      );
    }
    const pricingCase = await loadCase(tx, listingId, at);
    refuseFixedParts(pricingCase, origin, edit);
    await write(tx, pricingCase, origin, edit, at);
    await insertAudits(tx, auditsOf(pricingCase, origin, edit, editor, at));
    const touched = [listingId, ...(await touchedWith(tx, listingId, edit))];
    await notify(tx, 'pricewright_listings', touched);
    return {
      costs: await readListingCosts(tx, listingId, at),
      ...(await findBelowMarginFloor(tx, touched, at)),
    };
  });
}

/** Who changed the SKU last, or the listing where no SKU is named; null when nobody knows. */
function lastChangedBy(tx: Db, listingId: number, skuId: number | null): Promise<string | null> {
  return skuId === null
    ? readLastActor(tx, 'listing', String(listingId))
    : readLastActor(tx, 'sku', String(skuId));
}

type PartName = (typeof GOODS)[number] | (typeof OF_LISTING)[number];

function touches(edit: EditListingCosts, parts: readonly PartName[]): boolean {
  return parts.some((part) => edit[part] !== undefined);
}

function refuseFixedParts(pricingCase: PricingInput, origin: CostOrigin, edit: EditListingCosts): void {
  const fields: Record<string, string> = {};
  const goods = whyGoodsAreFixed(pricingCase.listing, origin);
  const fulfillment = whyFulfillmentIsFixed(pricingCase.listing);
  for (const part of GOODS) if (goods !== null && edit[part] !== undefined) fields[part] = goods;
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
  if (skuId !== null && touches(edit, GOODS)) {
    const costs = { productCost: product, packagingCost: packaging, miscCost: misc };
    await updateSku(tx, skuId, costs, now);
  }
  if (touches(edit, OF_LISTING)) {
    await updateListings(tx, [listing.id], { shippingCost: shipping, fulfillmentCost: fulfillment }, now);
  }
}

/** The other listings whose cost has changed with the SKU. */
async function touchedWith(tx: Db, listingId: number, edit: EditListingCosts): Promise<number[]> {
  return touches(edit, GOODS) ? (await readSharing(tx, listingId)).map(({ id }) => id) : [];
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
            after: readable(edit, edit, parts),
          },
        ];
  return [...entry(GOODS, 'sku', skuId), ...entry(OF_LISTING, 'listing', listing.id)];
}

/** The touched parts, as decimals for people. */
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
