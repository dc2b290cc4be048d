import type {
  BuyBox,
  CompetitorPrice,
  ListingAnalytics,
  ListingCompetition,
  PriceChart,
  SalesMetrics,
} from '#contract/listing-analytics.ts';
import type { Answers } from './fake-api.ts';

const HOUR = 3_600_000;
/** Half an hour more than it says: a slow run of tests must not change the words. */
export const ago = (hours: number): string => new Date(Date.now() - (hours + 0.5) * HOUR).toISOString();
const fresh = { staleAt: ago(-12) };

export function salesMetrics(given: Partial<SalesMetrics> = {}): SalesMetrics {
  return {
    salesCount: 37,
    totalQuantity: 1_204,
    totalRevenue: '24080.00',
    avgUnitPrice: '20.00',
    totalMargin: '3010.00',
    avgMarginPerUnit: '2.50',
    margin: '12.50',
    quantityWithMargin: 1_204,
    salesWithMargin: 37,
    salesAbout: 0,
    from: '2026-10-04T12:00:00.000Z',
    to: '2026-11-03T12:00:00.000Z',
    lastUpdated: ago(3),
    ...fresh,
    ...given,
  };
}

export function analytics(given: Partial<NonNullable<ListingAnalytics>> = {}): ListingAnalytics {
  return {
    id: '9',
    listingId: '1',
    reviewCount: 1_287,
    averageRating: '4.30',
    salesRank: 1_204,
    salesRankCategory: 'Kitchen',
    buyBoxPercentage: '62.44',
    lastUpdated: ago(3),
    ...fresh,
    days: [],
    buyBoxWindow: { days: 7, endsDaysAgo: 3 },
    ...given,
  };
}

export function competitorPrice(given: Partial<CompetitorPrice> = {}): CompetitorPrice {
  return {
    id: '5',
    listingId: '1',
    marketplace: 'walmart',
    amazonDirectPrice: '21.00',
    walmartDirectPrice: null,
    thirdPartyMinPrice: '18.50',
    thirdPartyMaxPrice: '22.00',
    thirdPartyAvgPrice: '20.25',
    thirdPartySellerCount: 3,
    buyBoxPrice: '18.50',
    buyBoxSeller: 'BargainBarn',
    isBuyBoxOurs: false,
    timestamp: ago(3),
    lastSeenAt: ago(3),
    ...fresh,
    ...given,
  };
}

export function competition(given: Partial<ListingCompetition> = {}): ListingCompetition {
  return {
    status: 'competitors',
    readAt: '2026-11-21T11:45:00.000Z',
    text: 'Other sellers offer this. Read 15 minutes ago.',
    unread: null,
    buyBox: null,
    featuredPrice: null,
    ...given,
  };
}

export function buyBox(given: Partial<BuyBox> = {}): BuyBox {
  return {
    holder: 'seller',
    seller: 'BargainBarn',
    price: '18.50',
    since: ago(30),
    isAtLeast: false,
    seenAt: ago(3),
    isOutdated: false,
    isSuppressed: false,
    before: { holder: 'ours', seller: null, seenAt: ago(45) },
    ...given,
  };
}

/** Ten days: a rule lowered our price, then a person did; competitors were seen, then not, then again. */
export const PRICES: PriceChart = {
  from: '2026-11-01T00:00:00.000Z',
  to: '2026-11-11T00:00:00.000Z',
  shippingCharge: '0.00',
  own: [
    { at: '2026-11-01T00:00:00.000Z', price: '20.00', source: null, reason: null, by: null },
    {
      at: '2026-11-03T00:00:00.000Z',
      price: '19.00',
      source: 'rule',
      reason: 'Beat BargainBarn',
      by: 'Beat all',
    },
    { at: '2026-11-08T00:00:00.000Z', price: '18.00', source: 'person', reason: 'Sale', by: 'Sam' },
  ],
  isCut: false,
  floor: [{ at: '2026-11-01T00:00:00.000Z', price: '15.25' }],
  readingHours: 6,
  offers: [
    {
      at: '2026-11-02T00:00:00.000Z',
      lowest: '19.05',
      highest: '1234.50',
      buyBox: '19.05',
      isBuyBoxOurs: false,
    },
    { at: '2026-11-05T00:00:00.000Z', lowest: null, highest: null, buyBox: null, isBuyBoxOurs: false },
  ],
};

/** Everything the panel asks for about listing 1 of Walmart, over 30 days. */
export const PANEL_ANSWERS: Answers = {
  'GET /api/sales-history/metrics/1?dateRange=30': { body: salesMetrics() },
  'GET /api/sales?listing=1&page=1&size=25': {
    body: { rows: [], total: 0, lost: null, isLostAbout: false },
  },
  'GET /api/listing-analytics/1': { body: analytics() },
  'GET /api/listings/1/on-marketplace': { body: null },
  'GET /api/listings/1/external-edit': { body: { edit: null } },
  'GET /api/competitor-prices/listing/1?marketplace=walmart&limit=10': { body: [competitorPrice()] },
  'GET /api/listings/1/competition': { body: competition() },
  'GET /api/listings/1/price-chart?dateRange=30': { body: PRICES },
};
