import type { OfferInsert } from '#db/queries/demo/seed.ts';
import type { OfferSet } from '#db/queries/marketplaces/offer-aggregates.ts';
import type { RecordedOffer } from '#db/schema/offers.ts';
import { type Cents, cents, hours, type Instant } from '#domain/units.ts';
import { DEMO_SELLER, type Rival } from './demo-market.ts';
import { priceAt, type SoldListing } from './demo-sales.ts';
import type { SeededRandom } from './seeded-random.ts';

/** A listing as somebody sees it who looks at its market every day. */
export interface WatchedListing extends SoldListing {
  readonly rivals: readonly Rival[];
  readonly shippingCharge: Cents;
}

/** Less than a day: an offer counts for 24 hours, so that the watch has no holes of its own. */
const LOOK_EVERY = hours(20);
/** So many are watched from the first day on; the others began later, and there is less to write. */
const FROM_THE_START = 0.35;
/** Most rivals leave their price alone from one look to the next. */
const MOVES = 0.3;
/** A watch in so many has a stretch of days without a look, as when a connection was down. */
const BLIND = 0.15;
const BLIND_FOR = hours(4 * 24);

/** What was seen at each look of ninety days, our own price among it. Nothing where nobody else sells. */
export function watchMarket(
  random: SeededRandom,
  listing: WatchedListing,
  from: Instant,
  to: Instant,
): OfferSet[] {
  const { rivals } = listing;
  if (rivals.length === 0) return [];
  const blindFrom = random.happens(BLIND) ? from + random.next() * (to - from) : to;
  const strays = rivals.map(() => random.next() * 2 - 1);
  const began = random.happens(FROM_THE_START) ? from : from + Math.round(random.next() * 0.8 * (to - from));
  const sets: OfferSet[] = [];
  for (let at = began as Instant; at < to; at = (at + LOOK_EVERY) as Instant) {
    for (const index of strays.keys()) if (random.happens(MOVES)) strays[index] = random.next() * 2 - 1;
    if (at >= blindFrom && at < blindFrom + BLIND_FOR) continue;
    const asked = rivals.map((rival, index) => askedBy(rival, listing.marketPrice, strays[index] ?? 0, at));
    const own = { seller: DEMO_SELLER, price: priceAt(listing, at), shipping: listing.shippingCharge, at };
    sets.push({ listingId: String(listing.id), at, offers: withWinner([...asked, own]) });
  }
  return sets;
}

function askedBy(
  { name, level, nerve, isWarehouse, isMarketplace }: Rival,
  marketPrice: Cents,
  stray: number,
  at: Instant,
): RecordedOffer {
  const price = cents(Math.max(100, Math.round(marketPrice * (level + stray * nerve))));
  return {
    seller: name,
    price,
    shipping: 0,
    at,
    by: isWarehouse ? 'FBA/WFS' : 'FBM',
    ...(isMarketplace ? { marketplace: true as const } : {}),
  };
}

/** As in the offers of today: the cheapest wins. */
function withWinner(offers: readonly RecordedOffer[]): RecordedOffer[] {
  const landed = ({ price, shipping }: RecordedOffer): number => price + shipping;
  const lowest = Math.min(...offers.map(landed));
  const winner = offers.findIndex((offer) => landed(offer) === lowest);
  return offers.map((offer, index) => (index === winner ? { ...offer, featured: true as const } : offer));
}

/** The offers in force, recorded as they were seen at a moment. */
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
