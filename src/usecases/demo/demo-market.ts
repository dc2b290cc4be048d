import type { OfferInsert } from '#db/queries/demo/seed.ts';
import { sellerKey } from '#domain/competition/offer.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import { type Bps, type Cents, cents, hours, type Instant } from '#domain/units.ts';
import type { DemoListing } from './demo-catalog.ts';
import type { SeededRandom } from './seeded-random.ts';

/** The seller name of the sample store, on every marketplace. */
export const DEMO_SELLER = 'Maple Street Goods';

const COMPETITORS = [
  'BargainBarn',
  'Quick Parcel Co',
  'Homestead Direct',
  'NextDoor Deals',
  'Prairie Supply',
  'The Daily Crate',
] as const;
/** Marketplaces that show competitors' offers. */
const SHOWS_COMPETITORS: readonly Marketplace[] = ['walmart', 'amazon', 'ebay'];
/** Marketplaces that are sellers themselves. */
const RETAILERS: Partial<Record<Marketplace, string>> = { walmart: 'Walmart', amazon: 'Amazon' };

/** A competitor of one listing. */
export interface DemoCompetitor {
  readonly name: string;
  readonly isMarketplace: boolean;
  readonly isWarehouse: boolean;
  /** Its average price as a share of the market price. */
  readonly level: number;
  /** How far its price varies around that. */
  readonly spread: number;
  readonly rating: number;
}

/** The other sellers of an item; none on marketplaces that do not show them, and none for some items. */
export function competitorsOf(random: SeededRandom, { marketplace }: DemoListing): DemoCompetitor[] {
  if (!SHOWS_COMPETITORS.includes(marketplace) || random.happens(0.12)) return [];
  const competitors: DemoCompetitor[] = [];
  const retailer = RETAILERS[marketplace];
  if (retailer !== undefined && random.happens(0.45)) {
    competitors.push({ ...habit(random), name: retailer, isMarketplace: true, isWarehouse: true });
  }
  const start = random.whole(0, COMPETITORS.length - 1);
  for (let count = random.whole(1, 4); count > 0; count--) {
    const name = COMPETITORS[(start + count) % COMPETITORS.length] ?? COMPETITORS[0];
    competitors.push({ ...habit(random), name, isMarketplace: false, isWarehouse: random.happens(0.5) });
  }
  return competitors;
}

function habit(random: SeededRandom): Pick<DemoCompetitor, 'level' | 'spread' | 'rating'> {
  return {
    level: 0.9 + random.next() * 0.22,
    spread: 0.01 + random.next() * 0.05,
    rating: random.whole(88, 100),
  };
}

/** The offers of one listing at a moment: the competitors', and our own. */
export function offersAt(
  random: SeededRandom,
  listing: DemoListing & { readonly id: number; readonly currentPrice: Cents },
  competitors: readonly DemoCompetitor[],
  now: Instant,
): OfferInsert[] {
  if (competitors.length === 0) return [];
  const seenAt = (now - hours(random.next() * 2)) as Instant;
  const offers = competitors.map((competitor): OfferInsert => {
    const price = listing.marketPrice * (competitor.level + (random.next() * 2 - 1) * competitor.spread);
    return {
      listingId: listing.id,
      sellerName: competitor.name,
      sellerKey: sellerKey(competitor.name),
      isMarketplace: competitor.isMarketplace,
      price: cents(Math.max(100, Math.round(price))),
      shipping: cents(competitor.isWarehouse || random.happens(0.7) ? 0 : 399),
      fulfillmentType: competitor.isWarehouse ? 'FBA/WFS' : 'FBM',
      seenAt,
      rating: (competitor.rating * 100) as Bps,
      ratingCount: random.whole(12, 4_000),
      handlingDays: competitor.isWarehouse ? 1 : random.whole(1, 4),
    };
  });
  offers.push({
    listingId: listing.id,
    sellerName: DEMO_SELLER,
    sellerKey: sellerKey(DEMO_SELLER),
    price: listing.currentPrice,
    shipping: listing.shippingCharge,
    fulfillmentType: listing.fulfillmentType,
    seenAt,
  });
  return withFeatured(offers);
}

/** The lowest landed price has the featured offer: simplified, but common. */
function withFeatured(offers: readonly OfferInsert[]): OfferInsert[] {
  const landed = ({ price, shipping = 0 as Cents }: OfferInsert): number => price + shipping;
  const lowest = Math.min(...offers.map(landed));
  const winner = offers.findIndex((offer) => landed(offer) === lowest);
  return offers.map((offer, index) => ({ ...offer, isFeatured: index === winner }));
}
