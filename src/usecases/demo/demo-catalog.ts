import {
  FULFILLMENT_TYPES,
  type FulfillmentType,
  MARKETPLACES,
  type Marketplace,
} from '#domain/marketplaces.ts';
import { type Cents, cents, type Ounces, ounces } from '#domain/units.ts';
import type { SeededRandom } from './seeded-random.ts';

export interface DemoSku {
  readonly sku: string;
  readonly name: string;
  readonly productCost: Cents;
  readonly weightOz: Ounces;
  readonly packagingCost: Cents;
  readonly miscCost: Cents;
  readonly tags: readonly string[];
  readonly brand: string;
  readonly supplier: string;
}

export interface DemoListing {
  readonly marketplace: Marketplace;
  readonly sku: string;
  readonly title: string;
  readonly fulfillmentType: FulfillmentType;
  readonly fulfillmentCost: Cents | null;
  readonly shippingCharge: Cents;
  /** The market price, around which competitors price. */
  readonly marketPrice: Cents;
}

export interface DemoBundle {
  readonly listingSku: string;
  readonly parts: readonly { readonly sku: string; readonly quantity: number }[];
}

const SKU_COUNT = 240;
const BUNDLE_COUNT = 12;
const LISTING_COUNT = 600;

const MAKES = ['Harbor & Pine', 'Northlight', 'Fernwood', 'Tallow Lane', 'Bluebird', 'Oak & Ember'] as const;
const KINDS = [
  { name: 'Enamel mug, 12 oz', tag: 'kitchen', cost: 380, weight: 12 },
  { name: 'Cast iron skillet, 10 in', tag: 'kitchen', cost: 1_420, weight: 76 },
  { name: 'Linen tea towels, set of 3', tag: 'kitchen', cost: 610, weight: 9 },
  { name: 'Beeswax candle', tag: 'home', cost: 540, weight: 14 },
  { name: 'Ceramic planter, 6 in', tag: 'garden', cost: 790, weight: 38 },
  { name: 'Pruning shears', tag: 'garden', cost: 880, weight: 11 },
  { name: 'Acrylic paint, 24 tubes', tag: 'craft', cost: 1_050, weight: 32 },
  { name: 'Sketchbook, A4', tag: 'craft', cost: 430, weight: 18 },
  { name: 'Merino scarf', tag: 'apparel', cost: 1_680, weight: 7 },
  { name: 'Canvas tote', tag: 'apparel', cost: 350, weight: 10 },
  { name: 'Dog leash, 5 ft', tag: 'pets', cost: 470, weight: 8 },
  { name: 'Cat scratching post', tag: 'pets', cost: 1_240, weight: 64 },
] as const;
/** The suppliers by product type. */
const SUPPLIERS = {
  kitchen: 'Midwest Kitchen Supply',
  home: 'Hearth Wholesale',
  garden: 'Green Valley Trade',
  craft: 'Hearth Wholesale',
  apparel: 'Loom Direct',
  pets: 'Green Valley Trade',
} as const;
const COLORS = ['Slate', 'Sage', 'Rust', 'Ivory', 'Indigo', 'Charcoal', 'Ochre', 'Blush'] as const;

/** Products with plausible costs and weights, every code once. */
export function demoSkus(random: SeededRandom): DemoSku[] {
  return Array.from({ length: SKU_COUNT }, (_, index) => {
    const kind = KINDS[index % KINDS.length] ?? KINDS[0];
    const color = COLORS[Math.floor(index / KINDS.length) % COLORS.length] ?? COLORS[0];
    const make = random.pick(MAKES);
    return {
      sku: `${kind.tag.slice(0, 2).toUpperCase()}-${String(1_001 + index)}`,
      name: `${make} ${kind.name}, ${color}`,
      productCost: cents(Math.round(kind.cost * (0.85 + random.next() * 0.4))),
      weightOz: ounces(Math.round(kind.weight * (0.9 + random.next() * 0.3) * 10) / 10),
      packagingCost: cents(random.pick([0, 25, 40, 65])),
      miscCost: cents(random.pick([0, 0, 0, 15])),
      tags: [kind.tag],
      brand: make,
      supplier: SUPPLIERS[kind.tag],
    };
  });
}

/** Gift sets of two or three products; the code of a set is not a SKU. */
export function demoBundles(random: SeededRandom, skus: readonly DemoSku[]): DemoBundle[] {
  return Array.from({ length: BUNDLE_COUNT }, (_, index) => {
    const first = skus[index * 7] as DemoSku;
    const second = skus[index * 7 + 3] as DemoSku;
    return {
      listingSku: `SET-${String(501 + index)}`,
      parts: [
        { sku: first.sku, quantity: random.whole(1, 2) },
        { sku: second.sku, quantity: 1 },
      ],
    };
  });
}

/** Every product on two or three marketplaces, the sets on three, until there are 600. */
export function demoListings(
  random: SeededRandom,
  skus: readonly DemoSku[],
  bundles: readonly DemoBundle[],
): DemoListing[] {
  const listings: DemoListing[] = [];
  const bySku = new Map(skus.map((sku) => [sku.sku, sku]));
  for (const [index, { listingSku, parts }] of bundles.entries()) {
    const articles = parts.map(({ sku }) => bySku.get(sku) as DemoSku);
    const weight = parts.reduce((sum, { quantity }, at) => sum + quantity * (articles[at]?.weightOz ?? 0), 0);
    const cost = parts.reduce(
      (sum, { quantity }, at) => sum + quantity * (articles[at]?.productCost ?? 0),
      0,
    );
    const title = `Gift set: ${articles.map(({ name }) => name.split(', ')[0]).join(' and ')}`;
    for (const step of [0, 1, 2]) {
      listings.push(aListing(random, marketplaceAt(index + step), { sku: listingSku, title, cost, weight }));
    }
  }
  for (let round = 0; listings.length < LISTING_COUNT; round++) {
    for (const [index, sku] of skus.entries()) {
      if (listings.length === LISTING_COUNT) break;
      // Another marketplace each round, so that no product is listed twice on one.
      listings.push(
        aListing(random, marketplaceAt(index + round), {
          sku: sku.sku,
          title: sku.name,
          cost: sku.productCost,
          weight: sku.weightOz,
        }),
      );
    }
  }
  return listings;
}

function marketplaceAt(index: number): Marketplace {
  return MARKETPLACES[index % MARKETPLACES.length] ?? 'walmart';
}

/** What a listing sells: one product or a set. */
interface Product {
  readonly sku: string;
  readonly title: string;
  readonly cost: number;
  readonly weight: number;
}

/** Priced to keep a comfortable margin at the start; only Amazon and Walmart fulfill for sellers. */
function aListing(random: SeededRandom, marketplace: Marketplace, product: Product): DemoListing {
  const canFulfill = marketplace === 'amazon' || marketplace === 'walmart';
  const fulfillmentType = canFulfill && random.happens(0.6) ? FULFILLMENT_TYPES[0] : 'FBM';
  const fee = fulfillmentType === 'FBM' ? null : cents(325 + random.whole(0, 300));
  const shippingCharge = cents(fulfillmentType === 'FBM' && random.happens(0.2) ? 499 : 0);
  const total = product.cost + (fee ?? parcelCost(product.weight)) + MAX_EXTRAS;
  // 30 % margin and 16 % fees leave 54 % of the price for costs.
  const price = (total / 0.54) * (1.04 + random.next() * 0.3) - shippingCharge;
  return {
    marketplace,
    fulfillmentType,
    shippingCharge,
    sku: product.sku,
    title: product.title,
    fulfillmentCost: fee,
    // Sellers like prices that end in 99.
    marketPrice: cents(Math.ceil(price / 100) * 100 - 1),
  };
}

/** Upper limit of packaging, misc and the fixed part of a fee. */
const MAX_EXTRAS = 200;

/** The tier of a weight. */
function parcelCost(weight: number): number {
  return PARCELS.find(({ below }) => weight < below)?.cost ?? LARGEST_PARCEL;
}

const LARGEST_PARCEL = 1_299;
/** Shipping cost below a weight in ounces. */
export const PARCELS = [
  { below: 16, cost: 399 },
  { below: 48, cost: 599 },
  { below: 80, cost: 899 },
  { below: 200, cost: LARGEST_PARCEL },
] as const;
