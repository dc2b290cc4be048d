import { screen } from '@testing-library/react';
import { PointerEventsCheckLevel, userEvent } from '@testing-library/user-event';
import type { BundleComponent, BundlePreview, ListingFigures } from '#contract/bundles.ts';
import type { Sku } from '#contract/skus.ts';
import { type Answers, aUser, type Sent, serveApi } from './fake-api.ts';
import { renderApp } from './render-app.tsx';
// Here and not by the router: the first test of a file would have to wait for it.
import '#web/features/bundles/bundles-page.tsx';

/** A SKU as the list of SKUs answers it: $10.00, 8 oz. */
export function aSku(id: string, sku: string, over: Partial<Sku> = {}): Sku {
  return {
    id,
    sku,
    name: `Product ${sku}`,
    productCost: '10.00',
    weightOz: 8,
    lengthIn: null,
    widthIn: null,
    heightIn: null,
    isHazardous: false,
    packagingCost: '0.50',
    miscCost: '0.10',
    veeqoId: null,
    brand: null,
    supplier: null,
    tags: [],
    version: 1,
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-01T00:00:00.000Z',
    ...over,
  };
}

export const MUG: Sku = aSku('1', 'MUG');
export const PLATE: Sku = aSku('2', 'PLATE', { productCost: '4.00', weightOz: 5.3 });

/** A stored component of SET-1. */
export function stored(id: string, { id: skuId, ...sku }: Sku, quantity: number): BundleComponent {
  const { sku: code, name, productCost, weightOz, packagingCost, miscCost } = sku;
  return {
    id,
    listingSku: 'SET-1',
    componentSkuId: skuId,
    quantity,
    sku: code,
    name,
    isDeleted: false,
    productCost,
    weightOz,
    packagingCost,
    miscCost,
  };
}

export function figures(over: Partial<ListingFigures> = {}): ListingFigures {
  return {
    totalCost: '25.19',
    margin: '29.00',
    marginFloor: '30.29',
    isBelowMarginFloor: false,
    missing: [],
    ...over,
  };
}

/** SET-1 on Walmart and eBay. */
export function aPreview(over: Partial<BundlePreview> = {}): BundlePreview {
  const listing = (listingId: string, marketplace: 'walmart' | 'ebay') => ({
    listingId,
    marketplace,
    fulfillmentType: 'FBM' as const,
    title: 'Blue set',
    currentPrice: '40.00',
    before: figures(),
    after: figures(),
  });
  return {
    listings: [listing('7', 'walmart'), listing('8', 'ebay')],
    ownSku: null,
    bundlesInside: [],
    isUnconfirmed: false,
    ...over,
  };
}

const row = (id: string, marketplace: string, sku: string, title: string): object => ({
  id,
  marketplace,
  marketplaceItemId: null,
  channel: null,
  sku,
  title,
  imageUrl: null,
  currentPrice: '40.00',
  amazonWalmartPrice: null,
  thirdPartyFbaWfsPrice: null,
  thirdPartyFbmPrice: null,
  totalCost: null,
  margin: null,
  fulfillmentType: 'FBM',
  autoRepricingEnabled: true,
  minPrice: null,
  maxPrice: null,
  shippingCost: null,
  shippingCharge: '0.00',
  fulfillmentCost: null,
  feeCategory: null,
  ownRuleId: null,
  brand: null,
  supplier: null,
  ownBrand: null,
  ownSupplier: null,
  tags: [],
  rule: null,
  marginFloor: null,
  competitorPrice: null,
  recommendedPrice: null,
  recommendedPriceReason: null,
  outcome: null,
  reasonCode: null,
  gaps: [],
  decidedAt: null,
  hold: null,
  awaitingUploadSince: null,
  profit: null,
  feeRate: null,
  feeTold: null,
  ownFeeRate: null,
  adShare: null,
  mapPrice: null,
  mapFrom: null,
  mapUntil: null,
  externalPrice: null,
  externalPriceAt: null,
  returnShare: null,
  sold: { units: 0, profit: null, sales: 0, known: 0, told: 0 },
  priceInProgress: null,
  sharesPriceWith: [],
  lastRepriced: null,
  version: 1,
});
const LISTINGS = [
  row('7', 'walmart', 'SET-1', 'Blue set'),
  row('8', 'ebay', 'SET-1', 'Blue set'),
  row('9', 'walmart', 'SET-2', 'Red set'),
];
/** A removed bundle without confirmation that it is none. */
export const OLD = {
  listingSku: 'OLD-1',
  title: 'Old set',
  marketplaces: ['walmart'],
  components: 0,
  units: 0,
  state: 'removed',
};
const LIST = [
  OLD,
  {
    listingSku: 'SET-1',
    title: 'Blue set',
    marketplaces: ['walmart', 'ebay'],
    components: 2,
    units: 3,
    state: null,
  },
];

interface BundleScreen {
  readonly user: ReturnType<typeof userEvent.setup>;
  readonly sent: readonly Sent[];
  /** What was sent that changes something. */
  readonly writes: () => readonly Sent[];
  readonly where: () => string;
}

/** The screen of bundles with SET-1 of two mugs, ids 11; more answers over these. */
export async function openBundles(address = '/bundles', more: Answers = {}): Promise<BundleScreen> {
  const sent = serveApi({
    'GET /api/user': { body: aUser() },
    'GET /api/bundles?page=1&size=10': { body: { rows: LIST, total: 2 } },
    'GET /api/bundles?state=removed&page=1&size=10': { body: { rows: [], total: 0 } },
    'GET /api/bundles/SET-1': { body: [stored('11', MUG, 2)] },
    'GET /api/bundles/SET-2': { body: [] },
    'POST /api/bundles/preview': { body: aPreview() },
    'GET /api/listings?size=100': {
      body: { rows: LISTINGS, total: 3, isTotalExact: true, emptyColumns: [] },
    },
    'GET /api/listings?q=red&size=100': {
      body: { rows: LISTINGS.slice(2), total: 1, isTotalExact: true, emptyColumns: [] },
    },
    'GET /api/skus?page=1&pageSize=50': { body: { skus: [MUG, PLATE], total: 2 } },
    'GET /api/skus?page=1&pageSize=50&q=pl': { body: { skus: [PLATE], total: 1 } },
    ...more,
  });
  const router = renderApp(address);
  await screen.findByRole('heading', { name: 'Manual Configuration', hidden: true });
  return {
    // A modal dialog that goes leaves its block on the page for a while in jsdom, unlike in browsers.
    user: userEvent.setup({ delay: null, pointerEventsCheck: PointerEventsCheckLevel.Never }),
    sent,
    writes: () => sent.filter(({ call }) => !call.startsWith('GET') && !call.endsWith('/preview')),
    where: () => router.state.location.href,
  };
}
