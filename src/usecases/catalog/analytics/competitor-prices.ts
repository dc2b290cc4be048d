import type { CompetitorPrice } from '#contract/listing-analytics.ts';
import { type CompetitorRecord, listCompetitorPrices } from '#db/queries/catalog/competitor-prices.ts';
import { ownSellerKeys, summedOffer } from '#db/queries/marketplaces/offers/offer-aggregates.ts';
import { type SellerKey, sellerKey } from '#domain/competition/offer.ts';
import { summarizeOffers } from '#domain/competition/offer-summary.ts';
import { decimalFromCents } from '#domain/decimal.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import type { Cents } from '#domain/units.ts';
import { findLiveListing } from '#usecases/catalog/listings/find-listing.ts';
import type { ListingDeps } from '#usecases/catalog/listings/listing-deps.ts';
import { staleAfter } from './freshness.ts';

export interface CompetitorsRequest {
  readonly marketplace?: Marketplace | undefined;
  readonly limit: number;
}

/**
 * Competitors' prices for a listing's item, newest first. Where the offers themselves were recorded, the figures are
 * calculated again: your sellers may have been set afterwards, and your own offers never count.
 * @throws AppError not_found
 */
export async function competitorPrices(
  { db }: ListingDeps,
  listingId: number,
  { marketplace, limit }: CompetitorsRequest,
): Promise<CompetitorPrice[]> {
  await findLiveListing(db, listingId);
  const records = await listCompetitorPrices(db, { listingId, marketplace, limit });
  const [own, stale] = [await ownSellerKeys(db), await staleAfter(db)];
  return records.map((record) => {
    const { siblingAmazonPrice, siblingWalmartPrice, offers: _, ...stored } = record;
    const found = { ...stored, ...figuresOf(record, own(record.marketplace)) };
    return {
      ...found,
      amazonDirectPrice: found.amazonDirectPrice ?? siblingAmazonPrice,
      walmartDirectPrice: found.walmartDirectPrice ?? siblingWalmartPrice,
      staleAt: stale(record.lastSeenAt),
    };
  });
}

type Figures = Pick<CompetitorPrice, 'isBuyBoxOurs'> & Partial<CompetitorPrice>;

function figuresOf(
  { offers, marketplace, buyBoxSeller }: CompetitorRecord,
  own: ReadonlySet<SellerKey>,
): Figures {
  if (offers === null) {
    const key = sellerKey(buyBoxSeller);
    return { isBuyBoxOurs: key !== null && own.has(key) };
  }
  const summary = summarizeOffers(offers.map(summedOffer), marketplace, own);
  const { thirdParty, buyBox } = summary;
  return {
    amazonDirectPrice: text(summary.amazonDirect),
    walmartDirectPrice: text(summary.walmartDirect),
    thirdPartyMinPrice: text(thirdParty.lowest),
    thirdPartyMaxPrice: text(thirdParty.highest),
    thirdPartyAvgPrice: text(thirdParty.average),
    thirdPartySellerCount: thirdParty.sellers,
    buyBoxPrice: text(buyBox?.price ?? null),
    buyBoxSeller: buyBox?.seller ?? null,
    isBuyBoxOurs: buyBox?.isOurs ?? false,
  };
}

function text(amount: Cents | null): string | null {
  return amount === null ? null : decimalFromCents(amount);
}
