import type { Db } from '#db/client.ts';
import { listShownListings, type ShownListing } from '#db/queries/demo/seed.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import { type Bps, bps, type Cents, cents } from '#domain/units.ts';
import { demoBundles, demoListings, demoSkus } from './demo-catalog.ts';
import { type Rival, rivalsOf } from './demo-market.ts';
import { WAR_RIVAL, WAR_SKU } from './make-history.ts';
import { DEMO_SEED } from './seed-demo.ts';
import { seededRandom } from './seeded-random.ts';

/** What rivals are like from the day on which the visitor looks. */
const HABITS = ['undercutter', 'follower', 'stubborn', 'sleeper', 'comes_and_goes'] as const;

/** A rival that goes on from what it asked on average. */
interface LiveRival {
  readonly name: string;
  readonly habit: (typeof HABITS)[number] | 'marketplace';
  readonly price: Cents;
  readonly shippingCharge: Cents;
  readonly isWarehouse: boolean;
  readonly rating: Bps;
}

/** A listing of the sample shop with those who sell the same, as its marketplace is to have it. */
export interface LiveListing extends ShownListing {
  readonly rivals: readonly LiveRival[];
}

/** Its marketplace would say what its warehouse takes, and the sample of a listing without that would be gone. */
const NOT_THERE = 'NO-FEE';

/**
 * What marketplaces need to go on where the history of the sample shop ends: its listings with the prices of now, and
 * the rivals of the past ninety days.
 */
export async function liveMarket(db: Db): Promise<LiveListing[]> {
  const rivals = rivalsByListing();
  const shown = await listShownListings(db);
  return shown
    .filter(({ sku }) => sku !== NOT_THERE)
    .map((listing) => ({
      ...listing,
      rivals: listing.sku === WAR_SKU ? [warRival(listing)] : (rivals.get(nameOf(listing)) ?? []),
    }));
}

/** The same chance as that of the history: the same rivals. */
function rivalsByListing(): ReadonlyMap<string, readonly LiveRival[]> {
  const random = seededRandom(DEMO_SEED);
  const articles = demoSkus(random);
  const listings = demoListings(random, articles, demoBundles(random, articles));
  const ofHistory = seededRandom(DEMO_SEED + 1);
  const ofHabits = seededRandom(DEMO_SEED + 2);
  const habitOf = ({ isMarketplace }: Rival) => (isMarketplace ? 'marketplace' : ofHabits.pick(HABITS));
  return new Map(
    listings.map((listing) => [
      nameOf(listing),
      rivalsOf(ofHistory, listing).map((rival) => ({
        name: rival.name,
        habit: habitOf(rival),
        isWarehouse: rival.isWarehouse,
        price: cents(Math.max(100, Math.round(listing.marketPrice * rival.level))),
        shippingCharge: cents(rival.isWarehouse || ofHabits.happens(0.7) ? 0 : 399),
        rating: bps(rival.rating * 100),
      })),
    ]),
  );
}

function warRival({ currentPrice }: ShownListing): LiveRival {
  return {
    name: WAR_RIVAL.name,
    habit: 'undercutter',
    price: cents(currentPrice - WAR_RIVAL.below),
    // Cheaper by so little it wins the buy box, which is all that Walmart shows, only with fast delivery.
    isWarehouse: true,
    shippingCharge: cents(0),
    rating: bps(9_800),
  };
}

function nameOf({ marketplace, sku }: { readonly marketplace: Marketplace; readonly sku: string }): string {
  return `${marketplace} ${sku}`;
}
