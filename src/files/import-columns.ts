import { BUNDLE_FORMAT } from './bundle-format.ts';
import { FEE_FORMAT } from './fee-format.ts';
import { LISTING_FORMAT } from './listing-format.ts';
import { OFFER_FORMAT } from './offer-format.ts';
import { IMPORTED_RULE_FORMAT } from './rule-format.ts';
import { SKU_FORMAT } from './sku-format.ts';
import { TIER_FORMAT } from './tier-format.ts';

/** What a user can choose a column of their file for. */
export interface ImportColumnSpec {
  readonly name: string;
  /** As screens call it. */
  readonly label: string;
  readonly isRequired: boolean;
  /** What to write there. */
  readonly hint: string;
}

/** One kind of file as the imports on the screens take it. */
export interface ImportFormat {
  readonly columns: readonly ImportColumnSpec[];
  readonly aliases: Readonly<Partial<Record<string, string>>>;
  /** An example row, in the order of the columns. */
  readonly example: readonly string[];
}

/** What screens call the columns; files keep their names. */
const LABELS: Readonly<Record<string, string>> = {
  sku: 'SKU',
  name: 'Name',
  productCost: 'Product Cost',
  weight: 'Weight (oz)',
  packagingCost: 'Packaging Cost',
  miscCost: 'Misc Cost',
  veeqoId: 'Veeqo ID',
  tags: 'Tags',
  brand: 'Brand',
  supplier: 'Supplier',
  length: 'Length (in)',
  width: 'Width (in)',
  height: 'Height (in)',
  title: 'Title',
  currentPrice: 'Your Price',
  fulfillmentType: 'Fulfillment Type',
  marketplace: 'Marketplace',
  marketplaceItemId: 'Item ID',
  imageUrl: 'Image URL',
  minPrice: 'Minimum price',
  maxPrice: 'Maximum price',
  shippingCost: 'Shipping Cost',
  shippingCharge: 'Shipping charge',
  fulfillmentCost: 'FBA/WFS fee',
  feeCategory: 'Fee category',
  feeRate: 'Own commission %',
  adShare: 'Advertising %',
  returnShare: 'Returns %',
  autoRepricingEnabled: 'Auto-Reprice',
  rule: 'Rule',
  listing_sku: 'Listing SKU',
  component_sku: 'Component SKU',
  quantity: 'Quantity',
  minWeightOz: 'Min Weight (oz)',
  maxWeightOz: 'Max Weight (oz)',
  cost: 'Shipping Cost',
  strategy: 'Strategy',
  minimumMargin: 'Min. Margin %',
  competitorOffset: 'Competitor Offset',
  isActive: 'Active',
  noCompetitor: 'No competitor',
  belowFloor: 'Below the margin floor',
  askFirst: 'Require review',
  refuseCrossChannel: 'Never higher on Walmart or Amazon',
  lines: 'Lines',
  seller: 'Seller',
  price: 'Price',
  shipping: 'Shipping',
  isFeatured: 'Buy box',
  seenAt: 'Seen at',
  rating: 'Rating',
  ratingCount: 'Ratings',
  handlingDays: 'Handling days',
  category: 'Category',
  percent: 'Percent',
  percentTaxed: 'Percent of the total with tax',
  fixed: 'Fee per order',
  perUnit: 'Fee per unit',
  minimum: 'Minimum fee',
  bandUpTo: 'Band up to',
  bandKind: 'Band kind',
  edgeBase: 'Band limits',
  effectiveFrom: 'Effective from',
  marginWalmart: 'Min. margin on Walmart',
  marginAmazon: 'Min. margin on Amazon',
  marginMichaels: 'Min. margin on Michaels',
  marginEbay: 'Min. margin on eBay',
  marginEtsy: 'Min. margin on Etsy',
  marginShopify: 'Min. margin on Shopify',
};

const HINTS: Readonly<Record<string, string>> = {
  sku: 'Your code for the product',
  name: 'Name',
  productCost: 'Your cost per unit, such as 6.10. Blank means unknown.',
  weight: 'In ounces, such as 14 or 12.5. Blank means unknown.',
  packagingCost: 'Cost per unit. Blank means 0.00.',
  miscCost: 'Cost per unit. Blank means 0.00.',
  veeqoId: 'Product number in Veeqo',
  tags: 'Separated by |',
  brand: 'Brand or manufacturer, such as Acme',
  supplier: 'Company you buy from',
  length: 'Longest side of one packed unit, in inches. Blank means unknown.',
  width: 'Second side of one packed unit, in inches. Blank means unknown.',
  height: 'Third side of one packed unit, in inches. Blank means unknown.',
  title: 'Title that buyers see',
  currentPrice: 'Price that buyers see now, such as 19.99',
  fulfillmentType: 'FBA/WFS or FBM',
  marketplace: 'walmart, amazon, michaels, ebay, etsy or shopify',
  marketplaceItemId: 'Item number on the marketplace, such as an ASIN',
  imageUrl: 'Web address of an image',
  minPrice: 'Never priced below this',
  maxPrice: 'Never priced above this',
  shippingCost: 'What it costs you to ship one unit. Leave blank to use the shipping tier.',
  shippingCharge: 'What the buyer pays for shipping. Blank means 0.00.',
  fulfillmentCost: 'FBA/WFS fee per unit. Leave blank to estimate it from size and weight.',
  feeCategory: 'Marketplace fee category',
  feeRate:
    'Commission that you know better than the marketplace tells it, in percent. Leave blank to use what is told.',
  adShare: "Percent of the price that advertising costs. Leave blank to use the marketplace's.",
  returnShare: "Percent of the price that returns cost. Leave blank to use the marketplace's.",
  autoRepricingEnabled: 'true or false. Leave blank to keep the current setting.',
  rule: 'Name of the assigned rule. Leave blank to use the most specific matching rule.',
  listing_sku: 'SKU of the bundle',
  component_sku: 'SKU that the bundle contains',
  quantity: 'Units of it in one bundle, at least 1',
  minWeightOz: 'From this weight in ounces',
  maxWeightOz: 'Below this weight in ounces',
  cost: 'What it costs you to ship one unit, such as 4.99',
  strategy: 'Match Competitor, Beat Competitor, Fixed Margin or Dynamic Pricing',
  minimumMargin: 'Percent, from 0 to 99.99',
  competitorOffset: 'In dollars, such as 0.05 or -0.10',
  isActive: 'true or false',
  noCompetitor: 'keep, floor or ceiling',
  belowFloor: 'floor, keep, ceiling or skip',
  askFirst: 'true or false',
  refuseCrossChannel: 'true: never priced higher on Walmart or Amazon than on another channel',
  lines: 'Leave blank: rules with lines cannot be imported yet',
  seller: "Name of the seller. Write Amazon or Walmart for the marketplace's own offers.",
  price: 'Without shipping, such as 19.99',
  shipping: 'What the buyer pays for shipping. Blank means 0.00.',
  isFeatured: 'true for the offer in the buy box',
  seenAt:
    'When the offer was seen, such as 2026-11-21T12:00:00Z or 11/21/2026 3:04 PM. With seller and price blank: when there was no offer.',
  rating: 'Percent of positive ratings',
  ratingCount: 'Number of ratings',
  handlingDays: 'Days until the seller ships',
  category: 'Blank is the default of the marketplace',
  percent: 'Percent of what the buyer pays, without sales tax',
  percentTaxed: 'Percent of what the buyer pays, with sales tax; blank is 0',
  fixed: 'Dollars per order; blank is 0.00',
  perUnit: 'Dollars per unit; blank is 0.00',
  minimum: 'The percentage is at least this; blank is 0.00',
  bandUpTo: 'The band ends at this revenue; blank is the last band',
  bandKind: 'whole or marginal',
  edgeBase: 'revenue or with_tax: what the band limits are measured on; blank is revenue',
  effectiveFrom: 'From when it holds, such as 2026-01-01; blank is always',
};

type Requirements = Readonly<Record<string, 'required' | 'optional'>>;

/** @param required what the import cannot do without, where that is less than the command line asks for */
function format(
  { columns, aliases }: { columns: Requirements; aliases?: Readonly<Partial<Record<string, string>>> },
  example: Readonly<Record<string, string>>,
  required?: readonly string[],
): ImportFormat {
  const names = Object.keys(columns);
  return {
    columns: names.map((name) => ({
      name,
      label: LABELS[name] ?? name,
      isRequired: required?.includes(name) ?? columns[name] === 'required',
      hint: HINTS[name] ?? "Percent. Leave blank to use the rule's minimum margin.",
    })),
    aliases: aliases ?? {},
    example: names.map((name) => example[name] ?? ''),
  };
}

/** Every kind of file that the screens import. The check shows what a missing column leaves alone, so few are required. */
export const IMPORT_FORMATS = {
  skus: format(
    SKU_FORMAT,
    {
      sku: 'MUG-BLUE',
      name: 'Mug, blue, 12 oz',
      productCost: '6.10',
      weight: '14',
      packagingCost: '0.65',
      miscCost: '0.00',
    },
    ['sku'],
  ),
  listings: format(LISTING_FORMAT, {
    sku: 'MUG-BLUE',
    title: 'Mug, blue, 12 oz',
    currentPrice: '19.99',
    fulfillmentType: 'FBM',
    marketplace: 'walmart',
    marketplaceItemId: '10315162',
    autoRepricingEnabled: 'true',
  }),
  bundles: format(BUNDLE_FORMAT, { listing_sku: 'MUG-SET', component_sku: 'MUG-BLUE', quantity: '2' }),
  tiers: format(TIER_FORMAT, {
    marketplace: 'walmart',
    fulfillmentType: 'FBM',
    minWeightOz: '0',
    maxWeightOz: '16',
    cost: '4.20',
  }),
  rules: format(IMPORTED_RULE_FORMAT, {
    name: 'Beat by five cents',
    fulfillmentType: 'All',
    strategy: 'Beat Competitor',
    minimumMargin: '10',
    competitorOffset: '0.05',
    isActive: 'true',
    noCompetitor: 'keep',
    belowFloor: 'floor',
    askFirst: 'false',
    refuseCrossChannel: 'false',
  }),
  offers: format(
    OFFER_FORMAT,
    {
      marketplace: 'walmart',
      sku: 'MUG-BLUE',
      seller: 'Kitchen Corner',
      price: '16.25',
      shipping: '2.99',
      fulfillmentType: 'FBM',
      isFeatured: 'false',
      seenAt: '2026-11-21T11:30:00Z',
    },
    ['marketplace', 'sku', 'seller', 'price', 'seenAt'],
  ),
  fees: format(FEE_FORMAT, {
    marketplace: 'walmart',
    category: 'Apparel',
    percent: '15',
    fixed: '0.00',
    minimum: '0.00',
    bandKind: 'whole',
  }),
} as const satisfies Record<string, ImportFormat>;
