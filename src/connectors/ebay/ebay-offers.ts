import type {
  Account,
  ListingRef,
  MarketOffer,
  OfferReading,
  UnavailableListing,
} from '#connectors/connector.ts';
import { ConnectorError } from '#connectors/connector-error.ts';
import { parseResponse } from '#connectors/parse-response.ts';
import { isUnreadable, readableOf } from '#connectors/passed-over.ts';
import { MAX_CENTS } from '#domain/units.ts';
import { credentialsOf, type EbayCalls, NAME } from './ebay-calls.ts';
import { type ItemSummary, SearchPage } from './ebay-responses.ts';

/** The lowest offers, with shipping; higher ones do not affect any price. */
const MAX_OFFERS = 100;
/** Below and above these shares of the median an offer is treated as another item: a part of it, or a dozen. */
const LOWEST_SHARE = 0.4;
const HIGHEST_SHARE = 2.5;
/** With fewer offers it cannot be determined which one is the outlier. */
const MIN_OFFERS_FOR_MEDIAN = 3;
/** Calculated shipping is that to Chicago, in the middle of the country. */
const BUYER = 'contextualLocation=country%3DUS%2Czip%3D60601';
const FILTER = 'conditions:{NEW},buyingOptions:{FIXED_PRICE},itemLocationCountry:US,deliveryCountry:US';

const NO_NUMBER = 'No UPC or ePID on eBay for this listing, so competitors cannot be matched.';
const NO_NAME =
  'Enter your eBay user name in the settings: without it, your own offers may be treated as competitors.';
const NO_PRICES =
  'eBay finds offers of this product without a price or a shipping charge that can be compared.';
const NO_DATA = 'Competitor data unavailable: eBay does not let this application search its offers (403).';

type Reading = OfferReading | UnavailableListing;

/**
 * Offers of the same product, found by its ID in eBay's search. One call per listing: which ones are read, and how
 * often, is the caller's choice. An application without permission to search is not an error.
 */
export async function* readOffers(
  calls: EbayCalls,
  account: Account,
  refs: readonly ListingRef[],
  signal: AbortSignal,
): AsyncGenerator<readonly Reading[]> {
  for (const [index, ref] of refs.entries()) {
    try {
      yield [await readingOf(calls, account, ref, signal)];
    } catch (error) {
      if (!(error instanceof ConnectorError) || error.fault !== 'permission') throw error;
      yield refs.slice(index).map((left) => unread(left, NO_DATA));
      return;
    }
  }
}

async function readingOf(
  calls: EbayCalls,
  account: Account,
  ref: ListingRef,
  signal: AbortSignal,
): Promise<Reading> {
  const wanted = productOf(ref);
  if (wanted === null) return unread(ref, NO_NUMBER);
  const query = new URLSearchParams({ ...wanted, filter: FILTER, sort: 'price', limit: String(MAX_OFFERS) });
  const path = `/buy/browse/v1/item_summary/search?${query}`;
  try {
    const headers = { 'x-ebay-c-enduserctx': BUYER };
    const answer = await calls.asBuyer(
      account,
      { method: 'GET', path, operation: 'search', headers },
      signal,
    );
    const shown = parseResponse(NAME, SearchPage, answer, 'list of offers');
    const found = eachOnce(readableOf(shown));
    const own = ownName(found, ref, credentialsOf(account).username);
    if (own === null) return unread(ref, NO_NAME);
    const offers = withoutOddOnes(found.flatMap((summary) => offerOf(summary, own, ref)));
    const items = new Set(shown.map((one) => (isUnreadable(one) ? one : one.itemId))).size;
    const isUnclear = items > offers.length && offers.every(({ isOurs }) => isOurs);
    const odd = shown.find(isUnreadable);
    const row = odd === undefined ? {} : { row: { ...odd, what: ref.sku } };
    if (isUnclear) return { ...unread(ref, NO_PRICES), ...row };
    const coverage = found.length === items && items < MAX_OFFERS ? 'all' : 'top';
    return { kind: 'offers', listingId: ref.listingId, seenAt: calls.now(), offers, coverage, ...row };
  } catch (error) {
    const isOfThisOne =
      error instanceof ConnectorError && (error.fault === 'refused' || error.fault === 'unreadable');
    if (!isOfThisOne) throw error;
    return unread(ref, error.message);
  }
}

function productOf({ keys }: ListingRef): Record<string, string> | null {
  const { gtin, epid } = keys;
  if (gtin !== undefined && /^\d{8,14}$/.test(gtin)) return { gtin };
  return epid !== undefined && /^\d{1,20}$/.test(epid) ? { epid } : null;
}

/** Without items that are listed twice with different prices: it is unknown which one is right. */
function eachOnce(summaries: readonly ItemSummary[]): ItemSummary[] {
  const found = new Map<string, ItemSummary | null>();
  for (const summary of summaries) {
    const before = found.get(summary.itemId);
    const isOther = before !== undefined && JSON.stringify(before) !== JSON.stringify(summary);
    found.set(summary.itemId, isOther ? null : summary);
  }
  return [...found.values()].filter((summary) => summary !== null);
}

/** From the settings, else the seller of our own listing where the search found that. */
function ownName(found: readonly ItemSummary[], ref: ListingRef, entered: string | undefined): string | null {
  return entered ?? found.find((summary) => isSame(summary, ref))?.seller?.username ?? null;
}

function isSame({ legacyItemId }: ItemSummary, { itemId }: ListingRef): boolean {
  return itemId !== null && legacyItemId === itemId;
}

/** None where price or shipping is not stated: an unknown charge is not zero. */
function offerOf(summary: ItemSummary, own: string, ref: ListingRef): MarketOffer[] {
  const { price, shippingOptions, seller } = summary;
  const shipping = shippingOptions?.[0]?.shippingCost;
  if (price == null || shipping == null || price + shipping > MAX_CENTS) return [];
  const score = seller?.feedbackScore ?? null;
  return [
    {
      sellerName: seller?.username ?? null,
      isMarketplace: false,
      isOurs: isSame(summary, ref) || seller?.username.toLowerCase() === own.toLowerCase(),
      price,
      shipping,
      fulfillmentType: 'FBM',
      isFeatured: false,
      rating: seller?.feedbackPercentage ?? null,
      ratingCount: score === null ? null : Math.max(0, score),
      handlingDays: null,
    },
  ];
}

/** Ours stay, whatever their price, and do not count for the median. */
function withoutOddOnes(offers: readonly MarketOffer[]): MarketOffer[] {
  const landed = offers
    .filter(({ isOurs }) => !isOurs)
    .map(landedPrice)
    .sort((a, b) => a - b);
  if (landed.length < MIN_OFFERS_FOR_MEDIAN) return [...offers];
  const median = medianOf(landed);
  return offers.filter((offer) => {
    const share = landedPrice(offer) / median;
    return offer.isOurs || (share >= LOWEST_SHARE && share <= HIGHEST_SHARE);
  });
}

const landedPrice = ({ price, shipping }: MarketOffer): number => price + shipping;

function medianOf(sorted: readonly number[]): number {
  const middle = sorted.length / 2;
  const [low = 0, high = low] = sorted.slice(Math.ceil(middle) - 1, Math.floor(middle) + 1);
  return (low + high) / 2;
}

function unread({ listingId }: ListingRef, why: string): UnavailableListing {
  return { kind: 'unread', listingId, why };
}
