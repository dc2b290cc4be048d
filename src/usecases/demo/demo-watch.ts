import type { OfferInsert } from '#db/queries/demo/seed.ts';
import type { OfferSet } from '#db/queries/marketplaces/offers/offer-aggregates.ts';
import type { RecordedOffer } from '#db/schema/offers.ts';
import { type Cents, cents, hours, type Instant } from '#domain/units.ts';
import { DEMO_SELLER, type DemoCompetitor } from './demo-market.ts';
import { priceAt, type SoldListing } from './demo-sales.ts';
import type { SeededRandom } from './seeded-random.ts';

/** A listing and its competitors, observed over time. */
export interface WatchedListing extends SoldListing {
  readonly competitors: readonly DemoCompetitor[];
}

/** Less than a day: an offer counts for 24 hours, so that the recording has no gaps of its own. */
const RECORD_INTERVAL = hours(20);
/** The share of listings that are recorded from the first day on; the others start later, to write less. */
const SHARE_FROM_START = 0.35;
/** The share of competitors that change their price between two recordings. */
const SHARE_OF_CHANGES = 0.3;
/** The share of listings with a gap of some days, as when a connection was down. */
const SHARE_WITH_GAP = 0.15;
const GAP_LENGTH = hours(4 * 24);

/** The recorded offers of ninety days, our own among them. Empty without competitors. */
export function watchMarket(
  random: SeededRandom,
  listing: WatchedListing,
  from: Instant,
  to: Instant,
): OfferSet[] {
  const { competitors } = listing;
  if (competitors.length === 0) return [];
  const blindFrom = random.happens(SHARE_WITH_GAP) ? from + random.next() * (to - from) : to;
  const strays = competitors.map(() => random.next() * 2 - 1);
  const startedAt = random.happens(SHARE_FROM_START)
    ? from
    : from + Math.round(random.next() * 0.8 * (to - from));
  const sets: OfferSet[] = [];
  for (let at = startedAt as Instant; at < to; at = (at + RECORD_INTERVAL) as Instant) {
    for (const index of strays.keys())
      if (random.happens(SHARE_OF_CHANGES)) strays[index] = random.next() * 2 - 1;
    if (at >= blindFrom && at < blindFrom + GAP_LENGTH) continue;
    const prices = competitors.map((competitor, index) =>
      priceOf(competitor, listing.marketPrice, strays[index] ?? 0, at),
    );
    const own = { seller: DEMO_SELLER, price: priceAt(listing, at), shipping: listing.shippingCharge, at };
    sets.push({ listingId: String(listing.id), at, offers: withWinner([...prices, own]) });
  }
  return sets;
}

function priceOf(
  { name, level, spread, isWarehouse, isMarketplace }: DemoCompetitor,
  marketPrice: Cents,
  stray: number,
  at: Instant,
): RecordedOffer {
  const price = cents(Math.max(100, Math.round(marketPrice * (level + stray * spread))));
  return {
    seller: name,
    price,
    shipping: 0,
    at,
    by: isWarehouse ? 'FBA/WFS' : 'FBM',
    ...(isMarketplace ? { marketplace: true as const } : {}),
  };
}

/** As in the offers of today: the lowest price wins. */
function withWinner(offers: readonly RecordedOffer[]): RecordedOffer[] {
  const landed = ({ price, shipping }: RecordedOffer): number => price + shipping;
  const lowest = Math.min(...offers.map(landed));
  const winner = offers.findIndex((offer) => landed(offer) === lowest);
  return offers.map((offer, index) => (index === winner ? { ...offer, featured: true as const } : offer));
}

/** The current offers as recorded at a moment. */
export function setsOf(offers: readonly OfferInsert[], at: Instant): OfferSet[] {
  const sets = new Map<number, RecordedOffer[]>();
  for (const offer of offers) {
    const set = sets.get(offer.listingId) ?? [];
    sets.set(offer.listingId, set);
    set.push({
      seller: offer.sellerName ?? null,
      price: offer.price,
      shipping: offer.shipping ?? 0,
      at: offer.seenAt ?? null,
      ...(offer.fulfillmentType == null ? {} : { by: offer.fulfillmentType }),
      ...(offer.isMarketplace === true ? { marketplace: true as const } : {}),
      ...(offer.isFeatured === true ? { featured: true as const } : {}),
      ...(offer.rating == null ? {} : { rating: offer.rating }),
    });
  }
  return [...sets].map(([id, found]) => ({ listingId: String(id), at, offers: found }));
}
