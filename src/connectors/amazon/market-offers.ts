import { z } from 'zod';
import type { MarketOffer } from '#connectors/connector.ts';
import { isUnreadable, readableOf, tolerant } from '#connectors/passed-over.ts';
import type { ReadCoverage } from '#domain/competition/competition.ts';
import type { FulfillmentType } from '#domain/marketplaces.ts';
import { bps, type Cents } from '#domain/units.ts';
import { OldDollars } from './amazon-money.ts';
import { Text } from './amazon-responses.ts';
import { US_STORE } from './amazon-shop.ts';

/** Amazon itself sells in the US under the ID of its store. */
const AMAZON_SELLER = US_STORE;
const DAY = 24;

const Offer = z.object({
  MyOffer: z.boolean().nullish(),
  offerType: z.string().nullish(),
  SellerId: Text.nullish(),
  SellerFeedbackRating: z
    .object({
      SellerPositiveFeedbackRating: z.number().min(0).max(100).nullish(),
      FeedbackCount: z.int().min(0).nullish(),
    })
    .nullish(),
  ShippingTime: z.object({ maximumHours: z.int().min(0).max(100_000).nullish() }).nullish(),
  ListingPrice: OldDollars,
  Shipping: OldDollars.nullish(),
  IsFulfilledByAmazon: z.boolean(),
  IsBuyBoxWinner: z.boolean().nullish(),
});
type Offer = z.output<typeof Offer>;

const BuyBoxPrice = z.object({
  condition: z.string(),
  offerType: z.string().nullish(),
  quantityTier: z.number().nullish(),
  LandedPrice: OldDollars,
  sellerId: Text.nullish(),
});

const OfferCount = z.object({ condition: z.string().nullish(), OfferCount: z.int().min(0).nullish() });

/** The offers for one SKU in a batch response. */
export const Offers = z.object({
  SKU: Text.nullish(),
  ASIN: Text.nullish(),
  status: z.string(),
  Identifier: z.object({ SellerSKU: Text.nullish() }).nullish(),
  Summary: z
    .object({
      TotalOfferCount: z.int().min(0).nullish(),
      NumberOfOffers: z.array(OfferCount).nullish(),
      BuyBoxEligibleOffers: z.array(OfferCount).nullish(),
      BuyBoxPrices: z.array(tolerant(BuyBoxPrice, 'sellerId')).nullish(),
    })
    .nullish(),
  Offers: z.array(tolerant(Offer, 'SellerId')).nullish(),
});
export type Offers = z.output<typeof Offers>;

/** The buy box winner where the offers themselves do not name it. */
export interface Winner {
  readonly sellerId: string;
  readonly fulfillmentType: FulfillmentType;
}

/** Offers to all customers; `isOpen` means that the buy box has a winner that cannot be determined. */
export interface ReadOffers {
  readonly offers: readonly MarketOffer[];
  readonly isOpen: boolean;
  /** Null: more offers are counted than shown, and none of those shown is a competitor's. */
  readonly coverage: ReadCoverage | null;
  /** Offers could hold the buy box, all are shown, and each says that it does not. */
  readonly isBoxSuppressed: boolean;
}

/**
 * @param condition of the buy box that counts: "New"
 * @param winner decides what the response leaves open
 */
export function marketOffers(
  answer: Offers,
  ourSellerId: string,
  condition: string,
  winner: Winner | null,
): ReadOffers {
  const forAll = unique(readableOf(answer.Offers ?? []).filter(({ offerType }) => offerType !== 'B2B'));
  const found = winner === null ? featuredOf(forAll, answer, condition) : wonBy(forAll, winner);
  const offers = forAll.map((offer) => ({ ...offerOf(offer, ourSellerId), isFeatured: found === offer }));
  const coverage = coverageOf(answer, offers, condition);
  const isBoxSuppressed =
    found === null && winner === null && coverage === 'all' && hasNoWinner(forAll, answer, condition);
  return { offers, isOpen: found === 'open', coverage, isBoxSuppressed };
}

/** That none is named is no proof: some have to be eligible, and none of those shown may leave it open. */
function hasNoWinner(offers: readonly Offer[], { Summary }: Offers, condition: string): boolean {
  const eligible = countOf(Summary?.BuyBoxEligibleOffers, condition) ?? 0;
  return eligible > 0 && offers.length > 0 && offers.every(({ IsBuyBoxWinner }) => IsBuyBoxWinner === false);
}

/** The offers counted for a condition; null where none has a count: that is no count of zero. */
function countOf(
  counts: readonly z.output<typeof OfferCount>[] | null | undefined,
  condition: string,
): number | null {
  if (counts == null || counts.length === 0) return null;
  const ofCondition = counts.filter((count) => count.condition?.toLowerCase() === condition.toLowerCase());
  return ofCondition.reduce((sum, { OfferCount: count }) => sum + (count ?? 0), 0);
}

/** Amazon shows twenty offers at most, and counts all of them. */
function coverageOf(
  { Summary, Offers: shown }: Offers,
  offers: readonly MarketOffer[],
  condition: string,
): ReadCoverage | null {
  const counted = countOf(Summary?.NumberOfOffers, condition) ?? Summary?.TotalOfferCount;
  // Without a count, an empty list is no proof.
  if (counted != null && counted <= readableOf(shown ?? []).length) return 'all';
  return offers.some(({ isOurs }) => !isOurs) ? 'top' : null;
}

function offerOf(offer: Offer, ourSellerId: string): Omit<MarketOffer, 'isFeatured'> {
  const sellerId = offer.SellerId?.trim() || null;
  const isMarketplace = sellerId === AMAZON_SELLER;
  const { SellerPositiveFeedbackRating: rating, FeedbackCount: ratingCount } =
    offer.SellerFeedbackRating ?? {};
  const hours = offer.ShippingTime?.maximumHours;
  return {
    sellerName: isMarketplace ? 'Amazon' : sellerId,
    isMarketplace,
    isOurs: offer.MyOffer === true || sellerId === ourSellerId,
    price: offer.ListingPrice,
    shipping: shippingOf(offer),
    fulfillmentType: fulfillmentOf(offer),
    rating: rating == null ? null : bps(Math.round(rating * 100)),
    ratingCount: ratingCount ?? null,
    handlingDays: hours == null ? null : Math.ceil(hours / DAY),
  };
}

function fulfillmentOf({ IsFulfilledByAmazon }: Offer): FulfillmentType {
  return IsFulfilledByAmazon ? 'FBA/WFS' : 'FBM';
}

function shippingOf({ Shipping }: Offer): Cents {
  return Shipping ?? (0 as Cents);
}

/** Identical duplicates of an offer count once. */
function unique(offers: readonly Offer[]): Offer[] {
  return [...new Map(offers.map((offer) => [JSON.stringify(offer), offer])).values()];
}

/**
 * The offer in the buy box: the one that is marked. Where two are (one of them for Prime members), or none is, the
 * price of the buy box decides.
 */
function featuredOf(
  offers: readonly Offer[],
  { Summary, Offers: shown }: Offers,
  condition: string,
): Offer | 'open' | null {
  const flagged = offers.filter(({ IsBuyBoxWinner }) => IsBuyBoxWinner === true);
  const [only] = flagged;
  if (only !== undefined && flagged.length === 1) return only;
  const boxes = Summary?.BuyBoxPrices ?? [];
  const box = readableOf(boxes).find(
    (price) =>
      price.condition.toLowerCase() === condition.toLowerCase() &&
      price.offerType !== 'B2B' &&
      price.quantityTier == null,
  );
  // One that cannot be read may be it.
  const isUnsure = flagged.length > 0 || boxes.some(isUnreadable) || shown?.some(isUnreadable) === true;
  if (box === undefined) return isUnsure ? 'open' : null;
  const priced = (flagged.length > 0 ? flagged : offers).filter(
    (offer) => offer.ListingPrice + shippingOf(offer) === box.LandedPrice,
  );
  const named = priced.filter(({ SellerId }) => SellerId === box.sellerId);
  const [match, another] = named.length > 0 ? named : priced;
  return match !== undefined && another === undefined ? match : 'open';
}

function wonBy(offers: readonly Offer[], winner: Winner): Offer | null {
  const won = offers.filter(
    (offer) => offer.SellerId === winner.sellerId && fulfillmentOf(offer) === winner.fulfillmentType,
  );
  // Two offers of one seller with the same fulfillment cannot be distinguished.
  return won.length === 1 ? (won[0] ?? null) : null;
}
