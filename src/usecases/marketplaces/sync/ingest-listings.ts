import type { MarketplaceListing } from '#connectors/connector.ts';
import type { Db } from '#db/client.ts';
import { insertListings } from '#db/queries/catalog/import-listings.ts';
import {
  type ReadBusinessOffer,
  writeBusinessOffers,
} from '#db/queries/marketplaces/sync/business-offers.ts';
import {
  type KnownListing,
  lockKnownListings,
  type MarketplaceStatus,
  writeGroupKeys,
  writeListingFacts,
  writeMarketplaceStatuses,
} from '#db/queries/marketplaces/sync/marketplace-listings.ts';
import { decimalFromCents } from '#domain/decimal.ts';
import type { MarketplaceLimits } from '#domain/limits/marketplace-limits.ts';
import { MARKETPLACE_NAMES, type Marketplace } from '#domain/marketplaces.ts';
import { unitPrices } from '#domain/sending/business-prices.ts';
import { type Cents, type Instant, isPrice } from '#domain/units.ts';
import type { ReadPrice } from '#usecases/marketplaces/sending/compare-shown-prices.ts';
import {
  holdExternallyPriced,
  type ListingPair,
} from '#usecases/marketplaces/sending/hold-externally-priced.ts';
import { followBusinessOffers, type ReportedBusinessOffer } from './follow-business-offers.ts';
import { markListingsFound } from './missing-listings.ts';

/** Counts of a catalog page. */
export interface IngestedListings {
  readonly added: number;
  readonly changed: number;
  /** On the marketplace, but not added: without a price, or not for sale. */
  readonly leftOut: number;
  /** On the marketplace, but not added: it does not report who ships them. */
  readonly withoutShipper: number;
  /** Deleted here by a user; they stay deleted. */
  readonly leftDeleted: number;
  /** They had been missing from the marketplace. */
  readonly foundAgain: number;
}

/** {@link IngestedListings} with the marketplace's prices of known listings, for comparison with ours. */
export interface IngestedPage extends IngestedListings {
  readonly shown: readonly ReadPrice[];
}

/**
 * Stores a page of a marketplace's catalog, in the caller's transaction. New listings that are for sale are added with the
 * price that buyers see; for known ones title, image, item ID, fulfillment type, product type and
 * category follow the marketplace.
 * @param startedAt when the catalog sync started
 */
export async function ingestListings(
  tx: Db,
  marketplace: Marketplace,
  reported: readonly MarketplaceListing[],
  startedAt: Instant,
  now: Instant,
): Promise<IngestedPage> {
  const known = await lockKnown(tx, marketplace, reported);
  const items = reported.map((item) =>
    withPriceReason(withPlainTitle(item), known.get(item.sku), marketplace),
  );
  const forSale = items.filter((item) => !known.has(item.sku) && item.isActive && item.price !== null);
  // With a wrong fulfillment type its total cost would lack the fulfillment fee. The type can come from a file import.
  const fresh = forSale.filter(({ fulfillmentType }) => fulfillmentType !== null);
  await insertListings(
    tx,
    fresh.map((item) => rowOf(item, marketplace)),
    now,
  );
  const pairs = pairUp(items, known);
  const changed = pairs.filter(({ item, listing }) => isOther(item, listing));
  await writeListingFacts(
    tx,
    changed.map(({ item, listing }) => factsOf(item, listing)),
    now,
  );
  await followPriceGroups(tx, marketplace, pairs, fresh, now);
  const back = pairs.filter(({ listing }) => listing.isMissing);
  await markListingsFound(tx, idsOf(back), now);
  // New ones too: they are repriced from the next run on.
  const freshWithMore = fresh.filter(
    ({ notRepriceableReason, businessOffer }) => notRepriceableReason != null || businessOffer != null,
  );
  const freshPairs = pairUp(freshWithMore, await lockKnown(tx, marketplace, freshWithMore));
  await holdExternallyPriced(tx, marketplace, [...pairs, ...freshPairs], now);
  const statuses = [
    ...fresh.map((item) => statusOf(item, null)),
    ...pairs.map(({ item, listing }) => statusOf(item, listing)),
  ];
  await writeMarketplaceStatuses(tx, marketplace, statuses, startedAt, now);
  const allPairs = [...pairs, ...freshPairs];
  await writeBusinessOffers(tx, allPairs.flatMap(businessOfferOf), now);
  await followBusinessOffers(tx, marketplace, allPairs.flatMap(reportedBusinessOffer), now);
  const shown = pairs.flatMap(({ item: { price }, listing: { id } }) =>
    price === null ? [] : [{ listingId: id, price }],
  );
  return {
    added: fresh.length,
    changed: changed.length,
    leftOut: items.filter(({ sku }) => !known.has(sku)).length - forSale.length,
    withoutShipper: forSale.length - fresh.length,
    leftDeleted: items.filter(({ sku }) => known.get(sku)?.isDeleted === true).length,
    foundAgain: back.length,
    shown,
  };
}

/** Where a marketplace gives several listings one price, which ones follows what it shows. */
async function followPriceGroups(
  tx: Db,
  marketplace: Marketplace,
  pairs: readonly ListingPair[],
  fresh: readonly MarketplaceListing[],
  now: Instant,
): Promise<void> {
  const grouped = fresh.filter(({ groupKey }) => groupKey != null);
  const added = pairUp(grouped, await lockKnown(tx, marketplace, grouped));
  const changed = [...pairs, ...added].flatMap(({ item: { groupKey }, listing }) =>
    groupKey === undefined || groupKey === listing.groupKey ? [] : [{ id: listing.id, groupKey }],
  );
  await writeGroupKeys(tx, changed, now);
}

async function lockKnown(
  tx: Db,
  marketplace: Marketplace,
  items: readonly MarketplaceListing[],
): Promise<ReadonlyMap<string, KnownListing>> {
  const skus = items.map(({ sku }) => sku);
  if (skus.length === 0) return new Map();
  const listings = await lockKnownListings(tx, marketplace, skus);
  return new Map(listings.map((listing) => [listing.sku, listing]));
}

/** Known listings that are not deleted, each with its data on the marketplace. */
function pairUp(
  items: readonly MarketplaceListing[],
  known: ReadonlyMap<string, KnownListing>,
): ListingPair[] {
  return items.flatMap((item) => {
    const listing = known.get(item.sku);
    return listing === undefined || listing.isDeleted ? [] : [{ item, listing }];
  });
}

function rowOf(item: MarketplaceListing, marketplace: Marketplace): Readonly<Record<string, string | null>> {
  const { sku, title, fulfillmentType, itemId, imageUrl, price, productType, categoryPath } = item;
  return {
    marketplace,
    sku,
    title,
    fulfillmentType,
    imageUrl,
    marketplaceItemId: itemId,
    productType: productType ?? null,
    externalCategory: categoryPath ?? null,
    currentPrice: price === null ? null : decimalFromCents(price),
  };
}

/** One line without control characters; the SKU where nothing else is left. */
function withPlainTitle(item: MarketplaceListing): MarketplaceListing {
  return { ...item, title: item.title.replaceAll(/\p{Cc}+/gu, ' ').trim() || item.sku };
}

/**
 * A price that no cent can express is none: the listing is not repriced until its marketplace shows another, which ends
 * that reason also where the marketplace reports no others.
 */
function withPriceReason(
  item: MarketplaceListing,
  listing: KnownListing | undefined,
  marketplace: Marketplace,
): MarketplaceListing {
  const { priceNotInCents: reported } = item;
  if (reported === undefined) {
    const isOver = listing?.priceNotInCents != null && item.notRepriceableReason === undefined;
    return isOver ? { ...item, notRepriceableReason: null } : item;
  }
  const name = MARKETPLACE_NAMES[marketplace];
  const notRepriceableReason = `${name} shows the price ${reported.slice(0, 20)}, which is not in whole cents. Enter a price with two decimals there; repricing resumes after the next sync.`;
  return { ...item, notRepriceableReason, notRepriceableUntil: null, isReasonConfirmable: false };
}

/** What the marketplace does not report about its prices and its stock stays as last reported. */
function statusOf(item: MarketplaceListing, listing: KnownListing | null): MarketplaceStatus {
  const {
    priceLimits = limitsOf(listing),
    autoAcceptPrice = listing?.autoAcceptPrice ?? null,
    quantity = listing?.quantity ?? null,
    priceNotInCents = null,
    channel = null,
  } = item;
  return {
    ...item,
    ...reasonOf(item, listing),
    priceLimits,
    autoAcceptPrice,
    quantity,
    priceNotInCents,
    channel,
  };
}

type Reason = Pick<
  MarketplaceStatus,
  'notRepriceableReason' | 'isReasonConfirmable' | 'reasonUntil' | 'reasonExpiresAt'
>;

const NO_REASON: Reason = {
  notRepriceableReason: null,
  isReasonConfirmable: false,
  reasonUntil: null,
  reasonExpiresAt: null,
};

function reasonOf(item: MarketplaceListing, listing: KnownListing | null): Reason {
  const { notRepriceableReason: reported, isReasonConfirmable = false, notRepriceableUntil = null } = item;
  if (reported === null) return NO_REASON;
  if (reported !== undefined) {
    return {
      notRepriceableReason: reported,
      isReasonConfirmable,
      reasonUntil: notRepriceableUntil,
      reasonExpiresAt: null,
    };
  }
  if (listing === null) return NO_REASON;
  const { notRepriceableReason, isReasonConfirmable: isKnown, reasonUntil, reasonExpiresAt } = listing;
  return { notRepriceableReason, isReasonConfirmable: isKnown, reasonUntil, reasonExpiresAt };
}

/** Nothing where the marketplace says nothing about business prices. */
function businessOfferOf({
  item: { businessOffer: offer, price },
  listing: { id: listingId, currentPrice },
}: ListingPair): ReadBusinessOffer[] {
  if (offer === undefined) return [];
  const units = offer === null ? [] : unitPrices(offer, price ?? currentPrice);
  const lowest = units.reduce<Cents | null>((least, { price: unit }) => {
    return least === null || unit < least ? unit : least;
  }, null);
  return [{ listingId, offer, lowest: isPrice(lowest) ? lowest : null }];
}

function reportedBusinessOffer({
  item: { businessOffer: offer, price },
  listing: { id: listingId, currentPrice },
}: ListingPair): ReportedBusinessOffer[] {
  return offer === undefined ? [] : [{ listingId, offer, regular: price ?? currentPrice }];
}

function limitsOf(listing: KnownListing | null): MarketplaceLimits | null {
  if (listing === null) return null;
  const { sellerMin: min, sellerMax: max, mapPrice: map } = listing;
  return { min, max, map };
}

function isOther(item: MarketplaceListing, listing: KnownListing): boolean {
  const facts = factsOf(item, listing);
  return FACTS.some((name) => facts[name] !== listing[name]);
}

const FACTS = ['title', 'imageUrl', 'itemId', 'fulfillmentType', 'productType', 'externalCategory'] as const;

/**
 * What a marketplace does not report stays as it was: image, product type, category, title (some reports have the SKU in its place) and
 * fulfillment type.
 */
function factsOf(item: MarketplaceListing, { id, imageUrl, itemId, ...ours }: KnownListing) {
  const fulfillmentType = item.fulfillmentType ?? ours.fulfillmentType;
  const title = item.title === item.sku ? ours.title : item.title;
  return {
    id,
    title,
    fulfillmentType,
    imageUrl: item.imageUrl ?? imageUrl,
    itemId: item.itemId ?? itemId,
    productType: item.productType ?? ours.productType,
    externalCategory: item.categoryPath ?? ours.externalCategory,
  };
}

function idsOf(pairs: readonly ListingPair[]): number[] {
  return pairs.map(({ listing }) => listing.id);
}
