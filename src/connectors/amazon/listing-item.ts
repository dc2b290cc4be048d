import { z } from 'zod';
import { ConnectorError } from '#connectors/connector-error.ts';
import { isFiner } from '#connectors/dollars.ts';
import { tolerant } from '#connectors/passed-over.ts';
import type { Cents } from '#domain/units.ts';
import { type AmazonCalls, pathOf } from './amazon-calls.ts';
import { OwnMoney } from './amazon-money.ts';
import { Issue, isNotFound, NextToken, read, Text } from './amazon-responses.ts';
import type { AmazonShop } from './amazon-shop.ts';
import { namingSeller, nothingListedError } from './found-sellers.ts';
import { Attributes, priceBehindSale } from './purchasable-offer.ts';

const LISTINGS = '/listings/2021-08-01/items';

const Summary = z.object({
  marketplaceId: z.string(),
  asin: Text.nullish(),
  productType: Text.nullish(),
  conditionType: Text.nullish(),
  status: z.array(z.string()).nullish(),
  itemName: Text.nullish(),
  mainImage: z.object({ link: Text }).nullish(),
});

const Offer = z.object({
  marketplaceId: z.string(),
  offerType: z.string(),
  price: OwnMoney,
  audience: z.object({ value: Text.nullish() }).nullish(),
});

const Availability = z.object({
  fulfillmentChannelCode: z.string(),
  quantity: z.int().min(0).nullish(),
});

const Item = z.object({
  sku: z.string().min(1).max(1_000),
  summaries: z.array(Summary).nullish(),
  attributes: Attributes.nullish(),
  issues: z.array(Issue).nullish(),
  offers: z.array(Offer).nullish(),
  fulfillmentAvailability: z.array(Availability).nullish(),
});
/** A listing in Amazon's Listings Items API. */
export type Item = z.output<typeof Item>;

const ItemsPage = z.object({
  numberOfResults: z.int().min(0),
  pagination: z.object({ nextToken: NextToken }).nullish(),
  items: z.array(tolerant(Item, 'sku')),
});
export type ItemsPage = z.output<typeof ItemsPage>;

/** Most SKUs of one search, and most results per page. */
export const ITEMS_AT_ONCE = 20;

type DataSet = 'summaries' | 'attributes' | 'issues' | 'offers' | 'fulfillmentAvailability';

/**
 * One listing; null when Amazon says that there is none with that SKU.
 * @throws ConnectorError of fault "key" where Amazon lists nothing at all for the seller
 */
export async function readItem(
  calls: AmazonCalls,
  shop: AmazonShop,
  sku: string,
  includedData: readonly DataSet[],
  signal: AbortSignal,
): Promise<Item | null> {
  const path = pathOf(itemPath(shop, sku), { marketplaceIds: shop.marketplaceId, includedData });
  const answer = await calls
    .ask(shop, { method: 'GET', path, operation: 'listing' }, signal)
    .catch((error: unknown): null => {
      if (isNotFound(error)) return null;
      throw namingSeller(error, shop);
    });
  if (answer === null) {
    await requireListings(calls, shop, signal);
    return null;
  }
  const item = read(Item, answer.body, 'listing');
  await calls.foundSellers.add(shop);
  return item;
}

/** Requests the first listing of a seller of whom none was found yet. */
async function requireListings(calls: AmazonCalls, shop: AmazonShop, signal: AbortSignal): Promise<void> {
  if ((await calls.foundSellers.has(shop)) || (await hasListings(calls, shop, signal))) return;
  throw nothingListedError(shop);
}

/** Whether Amazon lists anything for the seller. Of a seller ID that it does not know it says "not found". */
export async function hasListings(
  calls: AmazonCalls,
  shop: AmazonShop,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    const page = await searchItems(calls, shop, { pageToken: null, pageSize: 1 }, ['summaries'], signal);
    return page.numberOfResults > 0;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}

/** @throws ConnectorError of fault "refused" for a SKU that would change the path */
export function itemPath({ sellerId }: AmazonShop, sku: string): string {
  if (sku === '.' || sku === '..') {
    throw new ConnectorError('refused', 'A SKU of nothing but dots has no address at Amazon.');
  }
  return `${LISTINGS}/${encodeURIComponent(sellerId)}/${encodeURIComponent(sku)}`;
}

/** The search: these SKUs, or everything from a page on. */
export type ItemSearch =
  | { readonly skus: readonly string[] }
  | { readonly pageToken: string | null; readonly pageSize?: number };

export async function searchItems(
  calls: AmazonCalls,
  shop: AmazonShop,
  search: ItemSearch,
  includedData: readonly DataSet[],
  signal: AbortSignal,
): Promise<ItemsPage> {
  const of =
    'skus' in search
      ? { identifiersType: 'SKU', identifiers: search.skus, pageSize: String(ITEMS_AT_ONCE) }
      : {
          pageSize: String(search.pageSize ?? ITEMS_AT_ONCE),
          sortBy: 'sku',
          sortOrder: 'ASC',
          pageToken: search.pageToken,
        };
  const path = pathOf(`${LISTINGS}/${encodeURIComponent(shop.sellerId)}`, {
    marketplaceIds: shop.marketplaceId,
    includedData,
    ...of,
  });
  const answer = await calls
    .ask(shop, { method: 'GET', path, operation: 'searchListings' }, signal)
    .catch((error: unknown): never => {
      throw namingSeller(error, shop);
    });
  const page = read(ItemsPage, answer.body, 'list of listings');
  if (page.items.length > 0) await calls.foundSellers.add(shop);
  return page;
}

/** Whether a SKU can be part of a search, where SKUs are separated by commas. */
export function isSearchable(sku: string): boolean {
  return !sku.includes(',');
}

/** The price for buyers outside of sales: the offer to all customers in this store. */
export type ShownPrice =
  | { readonly kind: 'price'; readonly price: Cents }
  /** Finer than a cent, as Amazon wrote it. */
  | { readonly kind: 'not_in_cents'; readonly told: string }
  | { readonly kind: 'none' | 'other_currency' | 'contradictory' };

/** @param item with its attributes, which show whether buyers see a sale price */
export function shownPrice(item: Item, shop: Pick<AmazonShop, 'marketplaceId'>): ShownPrice {
  const { marketplaceId } = shop;
  const offers = (item.offers ?? []).filter(
    (offer) =>
      offer.marketplaceId === marketplaceId &&
      offer.offerType === 'B2C' &&
      (offer.audience?.value ?? 'ALL') === 'ALL',
  );
  const [first, ...others] = offers.map(({ price }) => price);
  if (first === undefined) return { kind: 'none' };
  if (offers.some(({ price }) => price.currencyCode !== 'USD')) return { kind: 'other_currency' };
  const { amount } = first;
  const isSame = others.every((other) => JSON.stringify(other.amount) === JSON.stringify(amount));
  if (!isSame) return { kind: 'contradictory' };
  if (isFiner(amount)) return { kind: 'not_in_cents', told: amount.finer };
  const price = amount === null ? null : priceBehindSale(item.attributes, shop, amount);
  return price === null ? { kind: 'none' } : { kind: 'price', price };
}

/** Amazon's summary of the listing in this store. */
export function summaryOf(item: Item, { marketplaceId }: Pick<AmazonShop, 'marketplaceId'>) {
  return (item.summaries ?? []).find((summary) => summary.marketplaceId === marketplaceId) ?? null;
}
