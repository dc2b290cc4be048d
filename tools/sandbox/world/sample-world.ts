import { MARKETPLACES, type Marketplace } from '#domain/marketplaces.ts';
import { cents, type Instant, instant } from '#domain/units.ts';
import type { ItemPlan, StockPlan, WorldPlan } from './catalog.ts';
import { Chance } from './chance.ts';
import { wholeCents } from './competitors.ts';

interface Product {
  readonly name: string;
  readonly category: string;
  /** Whole cents. */
  readonly cost: number;
  readonly ounces: number;
  readonly sizes: readonly string[];
}

const DAY = 86_400_000;
const ONE_SIZE = [''] as const;

const PRODUCTS: readonly Product[] = [
  { name: 'Enamel camping mug', category: 'Home', cost: 412, ounces: 9, sizes: ['12 oz', '16 oz'] },
  { name: 'Beeswax wraps, set of 3', category: 'Home', cost: 520, ounces: 4, sizes: ONE_SIZE },
  { name: 'Acrylic paint set', category: 'Craft', cost: 830, ounces: 30, sizes: ['12 colors', '24 colors'] },
  { name: 'Merino hiking socks', category: 'Apparel', cost: 610, ounces: 4, sizes: ['S', 'M', 'L'] },
  { name: 'Linen tea towels, pair', category: 'Home', cost: 705, ounces: 8, sizes: ONE_SIZE },
  { name: 'USB-C wall charger 30 W', category: 'Electronics', cost: 940, ounces: 5, sizes: ONE_SIZE },
  { name: 'Bluetooth shower speaker', category: 'Electronics', cost: 1_480, ounces: 14, sizes: ONE_SIZE },
  { name: 'Cast iron skillet', category: 'Home', cost: 1_320, ounces: 80, sizes: ['8 in', '10 in', '12 in'] },
  { name: 'Cotton apron', category: 'Apparel', cost: 780, ounces: 10, sizes: ONE_SIZE },
  { name: 'Soy candle, cedar', category: 'Home', cost: 465, ounces: 13, sizes: ONE_SIZE },
  { name: 'Watercolor brush set', category: 'Craft', cost: 690, ounces: 3, sizes: ONE_SIZE },
  { name: 'Loose leaf tea, Assam', category: 'Grocery', cost: 540, ounces: 9, sizes: ['250 g', '500 g'] },
];

/** Marketplaces with their own warehouses. */
const WAREHOUSES: ReadonlySet<Marketplace> = new Set(['amazon', 'walmart']);

/** A small store for a sandbox started without a plan. The same for the same seed. */
export function sampleWorld(seed: string, startsAt: Instant): WorldPlan {
  const chance = new Chance(`${seed}/sample`);
  const items: ItemPlan[] = [];
  const stock: StockPlan[] = [];
  for (const [at, product] of PRODUCTS.entries()) {
    for (const [size, label] of product.sizes.entries()) {
      const sku = `PW-${String(at + 1).padStart(3, '0')}${product.sizes.length > 1 ? `-${size + 1}` : ''}`;
      const name = label === '' ? product.name : `${product.name}, ${label}`;
      const cost = cents(Math.round(product.cost * (1 + 0.35 * size)));
      stock.push({ sku, name, cost, weightOunces: product.ounces });
      for (const marketplace of MARKETPLACES) {
        items.push(listing({ marketplace, sku, name, product, cost }, chance.for(`${marketplace}/${sku}`)));
      }
    }
  }
  const after = (days: number): Instant => instant(startsAt + days * DAY);
  const fees = { ratesChangeAt: after(40), season: { from: after(35), to: after(49) } };
  return { seed, startsAt, items, stock, fees };
}

interface Listed {
  readonly marketplace: Marketplace;
  readonly sku: string;
  readonly name: string;
  readonly product: Product;
  readonly cost: number;
}

function listing({ marketplace, sku, name, product, cost }: Listed, chance: Chance): ItemPlan {
  const isTheirs = WAREHOUSES.has(marketplace) && chance.happens(0.5);
  return {
    marketplace,
    sku,
    title: name,
    category: product.category,
    weightOunces: product.ounces,
    price: wholeCents(cost * chance.between(2.1, 2.9)),
    fulfillmentType: isTheirs ? 'FBA/WFS' : 'FBM',
    shippingCharge: cents(isTheirs || chance.happens(0.6) ? 0 : 499),
    imageUrl: `https://images.example.com/${sku.toLowerCase()}.jpg`,
  };
}
