import type { ListingInsert, SkuInsert } from '#db/queries/demo/seed.ts';
import { type Cents, cents, type Instant, ounces } from '#domain/units.ts';

/** Every cause of a blocked listing, for the sample store to show once. */
export interface DemoStories {
  readonly skus: readonly SkuInsert[];
  readonly listings: readonly ListingInsert[];
}

const PRICE = cents(2_499);

/** One listing per cause, each named for it. */
export function blockedStories(since: Instant): DemoStories {
  const sku = (code: string, name: string, over: Partial<SkuInsert> = {}): SkuInsert => ({
    sku: code,
    name,
    productCost: cents(900),
    weightOz: ounces(16),
    createdAt: since,
    updatedAt: since,
    ...over,
  });
  const listing = (code: string, title: string, over: Partial<ListingInsert> = {}): ListingInsert => ({
    sku: code,
    title,
    marketplace: 'walmart',
    fulfillmentType: 'FBM',
    createdAt: since,
    currentPrice: PRICE,
    anchorPrice: PRICE,
    ...over,
  });
  return {
    skus: [
      sku('NO-COST', 'Birch serving tray', { productCost: null }),
      sku('NO-WEIGHT', 'Copper watering can', { weightOz: null }),
      sku('NO-TIER', 'Stoneware umbrella stand', { weightOz: ounces(640) }),
      sku('NO-FEE', 'Wool picnic blanket', { weightOz: null }),
      sku('NO-SCHEDULE', 'Brass desk lamp'),
      sku('MIN-HIGH', 'Cork yoga block'),
      sku('MAX-LOW', 'Slate cheese board'),
      sku('SET-OPEN-PART', 'Walnut salt cellar'),
    ],
    listings: [
      listing('NO-SKU', 'Rattan basket (its SKU was never added)'),
      listing('NO-COST', 'Birch serving tray'),
      listing('NO-WEIGHT', 'Copper watering can'),
      listing('NO-TIER', 'Stoneware umbrella stand'),
      listing('NO-FEE', 'Wool picnic blanket', { marketplace: 'amazon', fulfillmentType: 'FBA/WFS' }),
      listing('NO-SCHEDULE', 'Brass desk lamp', { feeCategory: 'Lighting' }),
      listing('MIN-HIGH', 'Cork yoga block', { minPrice: cents(9_900) }),
      listing('MAX-LOW', 'Slate cheese board', { maxPrice: cents(1_199) }),
      listing('SET-OPEN-PART', 'Walnut salt cellar (was a set)', { bundleUnconfirmed: true }),
    ],
  };
}

/** Costs rose after the price was set: each sale loses money until the price is raised. */
export function belowFloorStory(since: Instant): DemoStories {
  const price: Cents = cents(1_499);
  return {
    skus: [
      {
        sku: 'LOSS-1',
        name: 'Soy candle trio',
        productCost: cents(1_180),
        weightOz: ounces(20),
        createdAt: since,
        updatedAt: since,
      },
    ],
    listings: [
      {
        sku: 'LOSS-1',
        title: 'Soy candle trio',
        marketplace: 'walmart',
        fulfillmentType: 'FBM',
        currentPrice: price,
        anchorPrice: price,
        createdAt: since,
        // Off, or the first live run would correct what the visitor is to see.
        autoRepricingEnabled: false,
      },
    ],
  };
}

/** The product of the price war. */
export function warStory(since: Instant): DemoStories {
  const price: Cents = cents(3_999);
  return {
    skus: [
      {
        sku: 'WAR-1',
        name: 'Enamel kettle',
        productCost: cents(1_100),
        weightOz: ounces(40),
        createdAt: since,
        updatedAt: since,
      },
    ],
    listings: [
      {
        sku: 'WAR-1',
        title: 'Enamel kettle',
        marketplace: 'walmart',
        fulfillmentType: 'FBM',
        currentPrice: price,
        anchorPrice: price,
        createdAt: since,
      },
    ],
  };
}
