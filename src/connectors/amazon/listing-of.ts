import type { MarketplaceListing, SkippedListing } from '#connectors/connector.ts';
import { OwnPrice, pricePart } from '#connectors/dollars.ts';
import { unreadableRow } from '#connectors/passed-over.ts';
import type { NotRepriceable } from '#domain/decision/not-repriceable.ts';
import type { FulfillmentType } from '#domain/marketplaces.ts';
import type { Instant } from '#domain/units.ts';
import { type AmazonShop, US_STORE } from './amazon-shop.ts';
import { type Item, shownPrice, summaryOf } from './listing-item.ts';
import { businessOffer, notRepricedBecause, priceLimits } from './purchasable-offer.ts';

const LONGEST_SKU = 200;
const LONGEST_TITLE = 1_000;
const LONGEST_TYPE = 200;

/** A listing from the Listings Items API. */
export function listingOf(item: Item, shop: AmazonShop, now: Instant): MarketplaceListing | SkippedListing {
  const summary = summaryOf(item, shop);
  const sku = plain(item.sku);
  const title = plain(summary?.itemName).slice(0, LONGEST_TITLE).trim();
  const shown = shownPrice(item, shop);
  const productType = plain(summary?.productType);
  if (sku === '' || sku.length > LONGEST_SKU) {
    return { kind: 'passed_over', what: title || plain(summary?.asin) || sku.slice(0, 80), why: 'no_sku' };
  }
  if (shown.kind === 'other_currency') return { kind: 'passed_over', what: sku, why: 'other_currency' };
  if (shown.kind === 'contradictory') return { kind: 'passed_over', what: sku, why: 'repeated' };
  const channels = item.fulfillmentAvailability ?? [];
  const fulfillmentType = fulfillmentOf(channels.map(({ fulfillmentChannelCode }) => fulfillmentChannelCode));
  const own = channels.find(({ fulfillmentChannelCode }) => fulfillmentChannelCode === 'DEFAULT');
  return {
    kind: 'listing',
    sku,
    title: title || sku,
    fulfillmentType,
    itemId: plain(summary?.asin) || null,
    imageUrl: addressOf(summary?.mainImage?.link),
    price: shown.kind === 'price' ? shown.price : null,
    ...(shown.kind === 'not_in_cents' ? { priceNotInCents: shown.told } : {}),
    // The quantity in Amazon's warehouses is not included here.
    quantity: fulfillmentType === 'FBM' ? (own?.quantity ?? null) : null,
    isActive: summary?.status?.includes('BUYABLE') === true,
    ...(item.attributes == null
      ? { notRepriceableReason: undefined }
      : reportedReason(notRepricedBecause(item.attributes, shop, now))),
    ...(item.attributes == null
      ? {}
      : {
          priceLimits: priceLimits(item.attributes, shop),
          businessOffer: businessOffer(item.attributes, shop),
        }),
    keys: keysOf(productType, conditionOf(summary?.conditionType)),
    ...(productType === '' || productType.length > LONGEST_TYPE ? {} : { productType }),
  };
}

function reportedReason(
  because: NotRepriceable | null,
): Pick<MarketplaceListing, 'notRepriceableReason' | 'notRepriceableUntil' | 'isReasonConfirmable'> {
  if (because === null) return { notRepriceableReason: null };
  const { reason, until, isConfirmable } = because;
  return { notRepriceableReason: reason, notRepriceableUntil: until, isReasonConfirmable: isConfirmable };
}

/** A row of the all-listings report, by the names of its columns. */
export type ReportRow = ReadonlyMap<string, string>;

/** A listing from the all-listings report: without image and product type. */
export function listingOfRow(row: ReportRow, shop: AmazonShop): MarketplaceListing | SkippedListing {
  const cell = (name: string): string => plain(row.get(name));
  const sku = cell('seller-sku');
  const title = cell('item-name').slice(0, LONGEST_TITLE).trim();
  if (sku === '' || sku.length > LONGEST_SKU) {
    return { kind: 'passed_over', what: title || cell('asin1') || sku.slice(0, 80), why: 'no_sku' };
  }
  // The report has no currency: it is the store's.
  if (shop.marketplaceId !== US_STORE) return { kind: 'passed_over', what: sku, why: 'other_currency' };
  const price = OwnPrice.safeParse(cell('price'));
  if (!price.success) return unreadableRow(sku, 'price', cell('price'));
  const fulfillmentType = fulfillmentOf([cell('fulfillment-channel')]);
  const quantity = cell('quantity');
  return {
    kind: 'listing',
    sku,
    title: title || sku,
    fulfillmentType,
    imageUrl: null,
    // The report covers neither sale prices nor Automate Pricing.
    notRepriceableReason: undefined,
    itemId: cell('asin1') || null,
    ...pricePart(price.data),
    quantity: fulfillmentType === 'FBM' && /^\d{1,9}$/.test(quantity) ? Number(quantity) : null,
    isActive: cell('status') === 'Active',
    keys: keysOf('', conditionOfNumber(cell('item-condition'))),
  };
}

/** "AMAZON_NA" and similar are Amazon's warehouses, "DEFAULT" is the merchant. Null for none and for any other. */
function fulfillmentOf(channels: readonly string[]): FulfillmentType | null {
  if (channels.some((channel) => channel.startsWith('AMAZON_'))) return 'FBA/WFS';
  return channels.includes('DEFAULT') ? 'FBM' : null;
}

/** IDs that calls need in addition to the SKU. The condition is new by default. */
function keysOf(productType: string, condition: string): Record<string, string> {
  return {
    ...(productType === '' ? {} : { productType }),
    ...(condition === 'New' ? {} : { condition }),
  };
}

/** Offers are requested by condition: buyers of a new item do not compare it with used ones. */
function conditionOf(type: string | null | undefined): string {
  const [word = 'new'] = (type ?? '').split('_');
  const known: Readonly<Record<string, string>> = {
    used: 'Used',
    collectible: 'Collectible',
    refurbished: 'Refurbished',
    club: 'Club',
  };
  return known[word] ?? 'New';
}

/** The report encodes conditions: 11 is new, 1 to 4 are used, 5 to 8 collectible, 10 is refurbished. */
function conditionOfNumber(condition: string): string {
  if (/^[1-4]$/.test(condition)) return 'Used';
  if (/^[5-8]$/.test(condition)) return 'Collectible';
  return condition === '10' ? 'Refurbished' : 'New';
}

function addressOf(link: string | null | undefined): string | null {
  const address = plain(link);
  return address.startsWith('https://') && URL.canParse(address) && address.length <= 2_000 ? address : null;
}

/** Trimmed, without the one character that PostgreSQL cannot store. */
function plain(text: string | null | undefined): string {
  return (text ?? '').replaceAll('\0', '').trim();
}
