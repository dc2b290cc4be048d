import { eq } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { skus } from '#db/schema/catalog.ts';
import { listingMetrics } from '#db/schema/listing-metrics.ts';
import { listings } from '#db/schema/listings.ts';
import { marketplaceListings } from '#db/schema/marketplace-syncs.ts';
import { repricingRules } from '#db/schema/rules.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import { bps, cents, type Instant, ounces } from '#domain/units.ts';
import type { ItemPlan } from '#sandbox/world/catalog.ts';
import type { World } from '#sandbox/world/world.ts';
import { seeded } from './seeded.ts';

export const MINIMUM_MARGIN = bps(1_500);
/** What a parcel of the seller costs, in cents. */
const PARCEL = cents(450);
export const PROMISE = { minimumMargin: MINIMUM_MARGIN, parcel: PARCEL };
const CHUNK = 1_000;

const MARKETPLACES: readonly Marketplace[] = [
  ...(['amazon', 'amazon', 'amazon', 'amazon', 'walmart', 'walmart', 'ebay', 'etsy', 'shopify'] as const),
];
/** Types that marketplaces publish rates for, and as many that none does. */
const PRODUCT_TYPES: readonly [string, ...string[]] = [
  'Home',
  ...['Home', 'Home', 'Apparel', 'Grocery', 'Electronics', 'Jewelry', 'Books'],
  ...['Kind 1', 'Kind 2', 'Kind 3', 'Kind 4', 'Kind 5', 'Kind 6', 'Kind 7', 'Kind 8'],
];

/** A shop of so many listings without shoppers: the same for the same seed. */
export function feeShop(seed: string, count: number): ItemPlan[] {
  const random = seeded([...seed].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7));
  return Array.from({ length: count }, (_, at): ItemPlan => {
    const marketplace = MARKETPLACES[at % MARKETPLACES.length] ?? 'amazon';
    const isTheirs = (marketplace === 'amazon' || marketplace === 'walmart') && random.chance(0.4);
    return {
      marketplace,
      sku: `FEE-${String(at + 1).padStart(6, '0')}`,
      title: `Product ${at + 1}`,
      category: random.pick(PRODUCT_TYPES),
      price: cents(random.whole(1_200, 9_500)),
      shippingCharge: cents(!isTheirs && random.chance(0.2) ? 499 : 0),
      fulfillmentType: isTheirs ? 'FBA/WFS' : 'FBM',
      weightOunces: random.whole(3, 48),
      quantity: 50,
      competitors: [],
      viewsPerDay: 0,
    };
  });
}

/** A third of the price: known without the world, as a seller's invoices are. */
function costOf({ price }: ItemPlan): number {
  return Math.round(price / 3);
}

/** Enters what the seller knows: products with costs and weights, listings, and one rule for all. */
export async function listShop(db: Db, items: readonly ItemPlan[], at: Instant): Promise<void> {
  await db.insert(repricingRules).values({
    name: 'Beat the lowest',
    fulfillmentType: 'All',
    strategy: 'Beat Competitor',
    minimumMargin: MINIMUM_MARGIN,
  });
  for (let from = 0; from < items.length; from += CHUNK) {
    const some = items.slice(from, from + CHUNK);
    await db.insert(skus).values(
      some.map((item) => ({
        sku: item.sku,
        name: item.title,
        productCost: cents(costOf(item)),
        weightOz: ounces(item.weightOunces ?? 0),
      })),
    );
    const rows = await db
      .insert(listings)
      .values(
        some.map(({ marketplace, sku, title, fulfillmentType, price, shippingCharge }) => ({
          marketplace,
          sku,
          title,
          fulfillmentType,
          currentPrice: price,
          anchorPrice: price,
          shippingCost: fulfillmentType === 'FBM' ? PARCEL : null,
          shippingCharge: shippingCharge ?? cents(0),
          createdAt: at,
        })),
      )
      .returning({ listingId: listings.id });
    // As the first sync of the catalog leaves them.
    await db
      .insert(marketplaceListings)
      .values(
        rows.map(({ listingId }) => ({ listingId, keys: {}, isActive: true, quantity: 50, seenAt: at })),
      );
  }
}

/** One unit of each listing is bought: at its margin floor once it has one from sales, else at its price. */
export async function sellEach(db: Db, world: World): Promise<void> {
  const rows = await db
    .select({ marketplace: listings.marketplace, sku: listings.sku, floor: listingMetrics.marginFloor })
    .from(listings)
    .leftJoin(listingMetrics, eq(listingMetrics.listingId, listings.id));
  for (const { marketplace, sku, floor } of rows) {
    if (marketplace === 'amazon') continue;
    const market = world.market(marketplace);
    const wasSold = market.item(sku)?.unitsSold !== 0;
    if (wasSold && floor !== null) market.edit(sku, { price: floor });
    market.sell(sku);
  }
}
