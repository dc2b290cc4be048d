import type { OfferInsert } from '#db/queries/demo/seed.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import { sellerKey } from '#domain/offer.ts';
import { type Bps, type Cents, cents, hours, type Instant } from '#domain/units.ts';
import type { DemoListing } from './demo-catalog.ts';
import type { SeededRandom } from './seeded-random.ts';

/** Who we are in the sample shop, on every marketplace. */
export const DEMO_SELLER = 'Maple Street Goods';

const RIVALS = [
  'BargainBarn',
  'Quick Parcel Co',
  'Homestead Direct',
  'NextDoor Deals',
  'Prairie Supply',
  'The Daily Crate',
] as const;
/** Marketplaces on which rival offers for one item can be seen. */
const WITH_RIVALS: readonly Marketplace[] = ['walmart', 'amazon', 'ebay'];
/** The marketplaces that sell themselves. */
const RETAILERS: Partial<Record<Marketplace, string>> = { walmart: 'Walmart', amazon: 'Amazon' };

/** A rival of one listing, with a habit. */
export interface Rival {
  readonly name: string;
  readonly isMarketplace: boolean;
  readonly isWarehouse: boolean;
  /** Share of the market price it asks for on average. */
  readonly level: number;
  /** How far it strays. */
  readonly nerve: number;
  readonly rating: number;
}

/** Who else sells the item; nobody on marketplaces that show no rivals, and now and then nobody at all. */
export function rivalsOf(random: SeededRandom, { marketplace }: DemoListing): Rival[] {
  if (!WITH_RIVALS.includes(marketplace) || random.happens(0.12)) return [];
  const rivals: Rival[] = [];
  const retailer = RETAILERS[marketplace];
  if (retailer !== undefined && random.happens(0.45)) {
    rivals.push({ ...habit(random), name: retailer, isMarketplace: true, isWarehouse: true });
  }
  const start = random.whole(0, RIVALS.length - 1);
  for (let count = random.whole(1, 4); count > 0; count--) {
    const name = RIVALS[(start + count) % RIVALS.length] ?? RIVALS[0];
    rivals.push({ ...habit(random), name, isMarketplace: false, isWarehouse: random.happens(0.5) });
  }
  return rivals;
}

function habit(random: SeededRandom): Pick<Rival, 'level' | 'nerve' | 'rating'> {
  return {
    level: 0.9 + random.next() * 0.22,
    nerve: 0.01 + random.next() * 0.05,
    rating: random.whole(88, 100),
  };
}

/** What can be seen for one listing at a moment: the rivals, and ourselves as one of the sellers. */
export function offersAt(
  random: SeededRandom,
  listing: DemoListing & { readonly id: number; readonly currentPrice: Cents },
  rivals: readonly Rival[],
  now: Instant,
): OfferInsert[] {
  if (rivals.length === 0) return [];
  const seenAt = (now - hours(random.next() * 2)) as Instant;
  const offers = rivals.map((rival): OfferInsert => {
    const asked = listing.marketPrice * (rival.level + (random.next() * 2 - 1) * rival.nerve);
    return {
      listingId: listing.id,
      sellerName: rival.name,
      sellerKey: sellerKey(rival.name),
      isMarketplace: rival.isMarketplace,
      price: cents(Math.max(100, Math.round(asked))),
      shipping: cents(rival.isWarehouse || random.happens(0.7) ? 0 : 399),
      fulfillmentType: rival.isWarehouse ? 'FBA/WFS' : 'FBM',
      seenAt,
      rating: (rival.rating * 100) as Bps,
      ratingCount: random.whole(12, 4_000),
      handlingDays: rival.isWarehouse ? 1 : random.whole(1, 4),
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

/** The cheapest landed offer holds the featured offer: crude, but what a shop sees most days. */
function withFeatured(offers: readonly OfferInsert[]): OfferInsert[] {
  const landed = ({ price, shipping = 0 as Cents }: OfferInsert): number => price + shipping;
  const lowest = Math.min(...offers.map(landed));
  const winner = offers.findIndex((offer) => landed(offer) === lowest);
  return offers.map((offer, index) => ({ ...offer, isFeatured: index === winner }));
}
