import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { AdapterContext } from '#sandbox/adapters/adapter.ts';
import { pathText, queryList, queryText } from '#sandbox/adapters/query.ts';
import type { MarketItem } from '#sandbox/world/item.ts';
import type { Market } from '#sandbox/world/market.ts';
import type { Store } from '#sandbox/world/price-lag.ts';
import { USER_ID } from './etsy-auth.ts';
import { etsyRefusal } from './etsy-errors.ts';
import { money, pageOf, seconds, sumOf } from './etsy-pages.ts';
import { hasVariations, inventoryView, READINESS, valueIdOf, variationOf } from './inventory-view.ts';
import { rewriteInventory } from './inventory-writes.ts';
import { type ListingGroup, listingIn, listingsIn, stateOf } from './listing-groups.ts';
import { checkShop, SHOP_ID } from './shops.ts';

const API = '/v3/application';

/** Public listings, visible to every application. */
export function addPublicListings(app: FastifyInstance, market: Market): void {
  app.get(`${API}/listings/batch`, { config: { operation: 'getListingsByListingIds' } }, async (request) => {
    const wanted = new Set(queryList(request, 'listing_ids'));
    if (wanted.size === 0 || wanted.size > 100)
      throw etsyRefusal(400, 'listing_ids must name 1 to 100 listings');
    const found = listingsIn(market, 'list').filter(({ listingId }) => wanted.has(String(listingId)));
    // Since July 2026 without inventories, whatever is requested.
    const includes = queryList(request, 'includes').filter((one) => one !== 'Inventory');
    return { count: found.length, results: found.map((group) => listingView(group, includes)) };
  });
  app.get(`${API}/listings/:listingId`, { config: { operation: 'getListing' } }, async (request) =>
    listingView(groupOf(market, request, 'list'), queryList(request, 'includes')),
  );
  app.get(
    `${API}/listings/:listingId/reviews`,
    { config: { operation: 'getReviewsByListing' } },
    async (request) => {
      const group = groupOf(market, request);
      return pageOf(request, ratingsOf(group), (rating) => reviewView(group, rating));
    },
  );
}

/** The seller's own listings. */
export function addOwnListings(app: FastifyInstance, market: Market, tools: AdapterContext): void {
  app.get(
    `${API}/shops/:shopId/listings`,
    { config: { operation: 'getListingsByShop' } },
    async (request) => {
      checkShop(request, 403);
      const state = queryText(request, 'state') ?? 'active';
      const found = listingsIn(market, 'list').filter((group) => stateOf(group) === state);
      const includes = queryList(request, 'includes');
      return pageOf(request, found, (group) => listingView(group, includes), market);
    },
  );
  const path = `${API}/listings/:listingId/inventory`;
  app.get(path, { config: { operation: 'getListingInventory' } }, async (request) =>
    inventoryView(groupOf(market, request, 'item')),
  );
  /** Listings whose variations have lost their pictures. */
  const unlinked = new Set<number>();
  app.put(path, { config: { operation: 'updateListingInventory' } }, async (request) => {
    const group = groupOf(market, request);
    const view = rewriteInventory(market, tools, request, group);
    if (market.quirks.inventoryWrites?.losesPictures === true) unlinked.add(group.listingId);
    return view;
  });
  app.get(
    `${API}/shops/:shopId/listings/:listingId/variation-images`,
    { config: { operation: 'getListingVariationImages' } },
    async (request) => {
      checkShop(request, 403);
      const group = groupOf(market, request);
      const results = unlinked.has(group.listingId) ? [] : linkedImages(group);
      return { count: results.length, results };
    },
  );
}

/** The pictures of the values of a listing's first property. */
function linkedImages(group: ListingGroup) {
  const [property] = Object.keys(variationOf(group.items[0]).values);
  if (property === undefined || !hasVariations(group)) return [];
  const values = new Set(group.items.map((item) => variationOf(item).values[property] ?? ''));
  return [...values].map((value, at) => ({
    property_id: Number(property),
    value_id: valueIdOf(property, value),
    value,
    image_id: group.listingId * 10 + 1 + at,
  }));
}

function groupOf(market: Market, request: FastifyRequest, store?: Store): ListingGroup {
  const group = listingIn(market, pathText(request, 'listingId'), store);
  if (group === null) throw etsyRefusal(404, 'Could not find a Listing with that ID.');
  return group;
}

/** @param includes what is shown besides the listing */
function listingView(group: ListingGroup, includes: readonly string[]) {
  const { listingId, items } = group;
  const [first] = items;
  const lowest = Math.min(...items.map(({ price }) => price));
  const quantity = sumOf(items, (item) => (item.isActive ? item.quantity : 0));
  const created = seconds(first.createdAt);
  const updated = seconds(Math.max(...items.map(({ updatedAt }) => updatedAt)));
  return {
    listing_id: listingId,
    user_id: USER_ID,
    shop_id: SHOP_ID,
    title: titleOf(group),
    description: `${titleOf(group)}.`,
    state: stateOf(group),
    quantity,
    price: money(lowest),
    creation_timestamp: created,
    created_timestamp: created,
    original_creation_timestamp: created,
    last_modified_timestamp: updated,
    updated_timestamp: updated,
    state_timestamp: created,
    ending_timestamp: created + 120 * 86_400,
    url: `https://www.etsy.example.com/listing/${listingId}`,
    num_favorers: 0,
    featured_rank: -1,
    is_taxable: true,
    non_taxable: false,
    is_customizable: false,
    is_personalizable: false,
    listing_type: 'physical',
    tags: [],
    materials: [],
    style: [],
    file_data: '',
    is_private: false,
    who_made: 'i_did',
    when_made: '2020_2025',
    is_supply: false,
    language: 'en-US',
    item_weight: first.weightOunces,
    item_weight_unit: 'oz',
    should_auto_renew: true,
    has_variations: hasVariations(group),
    taxonomy_id: 1_633,
    readiness_state_id: READINESS,
    skus: items.map(({ sku }) => sku).filter((sku) => sku !== ''),
    views: sumOf(items, ({ views }) => views),
    ...(includes.includes('Images') ? { images: imagesOf(group) } : {}),
    ...(includes.includes('Inventory') ? { inventory: inventoryView(group) } : {}),
  };
}

/** The common part of the titles of all variations. */
function titleOf({ items }: ListingGroup): string {
  return items.length > 1 ? items[0].title.replace(/, [^,]+$/, '') : items[0].title;
}

function imagesOf({ listingId, items: [first] }: ListingGroup) {
  const { imageUrl, createdAt, title } = first;
  if (imageUrl === null) return [];
  return [
    {
      listing_id: listingId,
      listing_image_id: listingId * 10 + 1,
      rank: 1,
      alt_text: title,
      creation_tsz: seconds(createdAt),
      created_timestamp: seconds(createdAt),
      url_75x75: imageUrl,
      url_170x135: imageUrl,
      url_570xN: imageUrl,
      url_fullxfull: imageUrl,
    },
  ];
}

/** Ratings in the world's number and mean: each is one of the two whole numbers next to the mean. */
function ratingsOf({ items }: ListingGroup): number[] {
  const [{ reviewCount, averageRating }]: readonly [MarketItem, ...MarketItem[]] = items;
  const stars = Math.round((averageRating * reviewCount) / 100);
  const upTo = (count: number): number => Math.floor((stars * count) / reviewCount);
  return Array.from({ length: reviewCount }, (_, at) => upTo(at + 1) - upTo(at));
}

function reviewView({ listingId, items: [first] }: ListingGroup, rating: number) {
  const created = seconds(first.createdAt);
  return {
    shop_id: SHOP_ID,
    listing_id: listingId,
    rating,
    review: null,
    language: 'en',
    image_url_fullxfull: null,
    create_timestamp: created,
    created_timestamp: created,
    update_timestamp: created,
    updated_timestamp: created,
  };
}
