import type { Marketplace } from '#domain/marketplaces.ts';
import type { FeeCategory } from './category.ts';

/** Upper bound in cents and rate in basis points; the last band has no end. */
type Steps = readonly (readonly [upTo: number | null, rate: number])[];

interface Terms {
  readonly reach?: FeeCategory['reach'];
  readonly minimum?: number;
  readonly closing?: number;
}

function category(code: string, name: string, steps: Steps, terms: Terms = {}): FeeCategory {
  const bands = steps.map(([upTo, rate]) => ({ upTo, rate }));
  return { name, code, bands, reach: 'whole', minimum: 0, closing: 0, ...terms };
}

function amazon(name: string, steps: Steps, terms: Terms = {}): FeeCategory {
  return category(name, name, steps, { minimum: 30, ...terms });
}

function ebay(code: string, name: string, rate: number): FeeCategory {
  const steps: Steps = [
    [750_000, rate],
    [null, 235],
  ];
  return category(code, name, steps, { reach: 'marginal' });
}

/** Categories with rates that the marketplace publishes, from its own pages of 2026; the first one is the usual one. */
export const PUBLISHED: Readonly<Record<Marketplace, readonly [FeeCategory, ...FeeCategory[]]>> = {
  amazon: [
    amazon('Everything Else', [[null, 1_500]]),
    amazon('Clothing and Accessories', [
      [1_500, 500],
      [2_000, 1_000],
      [null, 1_700],
    ]),
    amazon('Grocery and Gourmet Food', [
      [1_500, 800],
      [null, 1_500],
    ]),
    amazon('Consumer Electronics', [[null, 800]]),
    amazon(
      'Jewelry',
      [
        [25_000, 2_000],
        [null, 500],
      ],
      { reach: 'marginal' },
    ),
    amazon('Books', [[null, 1_500]], { closing: 180 }),
  ],
  walmart: [
    category('15', 'Home, Kitchen, Decor & Garden', [[null, 1_500]]),
    category('4', 'Apparel & Accessories', [
      [1_500, 500],
      [2_000, 1_000],
      [null, 1_500],
    ]),
    category('13', 'Grocery', [
      [1_500, 800],
      [null, 1_500],
    ]),
    category('11', 'Consumer Electronics', [[null, 800]]),
  ],
  ebay: [
    ebay('11700', 'Home & Garden', 1_360),
    ebay('11450', 'Clothing, Shoes & Accessories', 1_360),
    ebay('267', 'Books & Magazines', 1_530),
  ],
  // One rate for every listing; Shopify's is taken by the payment alone.
  etsy: [category('all', 'All listings', [[null, 650]])],
  shopify: [category('all', 'All products', [[null, 0]])],
  michaels: [category('all', 'All listings', [[null, 1_500]])],
};

/** Marketplaces whose rates differ by category. */
export const HAS_CATEGORIES: ReadonlySet<Marketplace> = new Set(['amazon', 'walmart', 'ebay']);

/** Product types whose published category is another one than the usual one. */
const BY_PRODUCT_TYPE: Readonly<Record<string, RegExp>> = {
  Apparel: /Clothing|Apparel/,
  Books: /Books/,
  Electronics: /Consumer Electronics/,
  Grocery: /Grocery/,
  Jewelry: /Jewelry/,
};

/** The published category that a product type suggests; null for a type that no page names. */
export function publishedFor(marketplace: Marketplace, productType: string): FeeCategory | null {
  const all = PUBLISHED[marketplace];
  if (productType === 'Home' || !HAS_CATEGORIES.has(marketplace)) return all[0];
  const pattern = BY_PRODUCT_TYPE[productType];
  return pattern === undefined ? null : (all.find(({ name }) => pattern.test(name)) ?? all[0]);
}
