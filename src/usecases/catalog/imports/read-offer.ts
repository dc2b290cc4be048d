import type { TextRow } from '#db/queries/catalog/import-rows.ts';
import type { RecordedOffer } from '#db/schema/offers.ts';
import { isMarketplaceItself, sellerKey } from '#domain/competition/offer.ts';
import { decimalFromBps } from '#domain/decimal.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import type { Cells } from '#files/cells.ts';
import { type OfferColumn, type OfferRow, readOffer } from '#files/offer-format.ts';
import { codeOf, moneyField, textWithin } from './fields.ts';

/**
 * One row of an offers file; `offer` is null when it is unusable, but its listing is known, and when it says that there was
 * no offer.
 */
export interface OfferRead {
  readonly key: { readonly marketplace: Marketplace; readonly sku: string };
  readonly offer: TextRow | null;
  readonly values: OfferRow;
}

/** "walmart\nA-1" */
export function keyOfListing({ key }: OfferRead): string {
  return `${key.marketplace}\n${key.sku}`;
}

/** @returns null when not even the listing is known */
export function readOfferRow(cells: Cells<OfferColumn>): OfferRead | null {
  const values = readOffer(cells);
  const { marketplace } = values;
  const sku = codeOf(cells, 'sku');
  const seller = textWithin(cells, 'seller', 500);
  if (marketplace === null || sku === null) return null;
  const key = { marketplace, sku };
  if (cells.bad.length > 0 || values.price === null) return { key, offer: null, values };
  const name = sellerKey(seller);
  const { price, shipping, fulfillmentType, isFeatured, seenAt, rating, ratingCount, handlingDays } = values;
  const isMarketplace = isMarketplaceItself(name, marketplace);
  const offer = {
    seller,
    sellerKey: name,
    isMarketplace: String(isMarketplace),
    price: moneyField(price),
    shipping: moneyField(shipping),
    fulfillmentType,
    isFeatured: String(isFeatured),
    seenAt: seenAt === null ? null : new Date(seenAt).toISOString(),
    rating: rating === null ? null : decimalFromBps(rating),
    ratingCount: ratingCount === null ? null : String(ratingCount),
    handlingDays: handlingDays === null ? null : String(handlingDays),
  };
  return { key, offer, values };
}

/** The offer as the history stores it. */
export function recordedOffer({ offer, values }: OfferRead): RecordedOffer {
  return {
    seller: offer?.seller ?? null,
    price: values.price ?? 0,
    shipping: values.shipping,
    at: values.seenAt,
    ...(values.fulfillmentType === null ? {} : { by: values.fulfillmentType }),
    ...(offer?.isMarketplace === 'true' ? { marketplace: true as const } : {}),
    ...(values.isFeatured ? { featured: true as const } : {}),
    ...(values.rating === null ? {} : { rating: values.rating }),
  };
}
