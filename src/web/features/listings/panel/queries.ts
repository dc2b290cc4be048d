import { queryOptions, type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { type DecideFees, FeeFacts, FeesDecided } from '#contract/fee-facts.ts';
import {
  type AnalyticsRange,
  COMPETITOR_LIMIT,
  CompetitorPrices,
  ListingAnalytics,
  ListingCompetition,
  OnMarketplace,
  PriceChart,
  SalesMetrics,
} from '#contract/listing-analytics.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import { call } from '#web/lib/api.ts';
import { LISTING_PANEL_KEY } from '#web/lib/live-refresh.ts';
import { callWithStepUp } from '#web/lib/step-up.ts';

export const salesQuery = (id: string, range: AnalyticsRange) =>
  queryOptions({
    queryKey: [...LISTING_PANEL_KEY, id, 'sales', range] as const,
    queryFn: () => call(SalesMetrics, 'GET', `/api/sales-history/metrics/${id}?dateRange=${range}`),
  });

export const analyticsQuery = (id: string) =>
  queryOptions({
    queryKey: [...LISTING_PANEL_KEY, id, 'analytics'] as const,
    queryFn: () => call(ListingAnalytics, 'GET', `/api/listing-analytics/${id}`),
  });

/** Whether it is for sale on the marketplace, and its stock there. */
export const onMarketplaceQuery = (id: string) =>
  queryOptions({
    queryKey: [...LISTING_PANEL_KEY, id, 'on-marketplace'] as const,
    queryFn: () => call(OnMarketplace, 'GET', `/api/listings/${id}/on-marketplace`),
  });

/** What its marketplace reported of its fees. */
export const feeFactsQuery = (id: string) =>
  queryOptions({
    queryKey: [...LISTING_PANEL_KEY, id, 'fee-facts'] as const,
    queryFn: () => call(FeeFacts, 'GET', `/api/fee-facts?listing=${id}`),
  });

/** Accepts or rejects what a marketplace reported of the fees of a listing. */
export function useDecideFees(id: string): UseMutationResult<FeesDecided, Error, DecideFees> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (decided) => callWithStepUp(FeesDecided, 'POST', '/api/fee-facts/decide', decided),
    onSettled: () => client.invalidateQueries({ queryKey: feeFactsQuery(id).queryKey }),
  });
}

/** What is known about its competitors. */
export const competitionQuery = (id: string) =>
  queryOptions({
    queryKey: [...LISTING_PANEL_KEY, id, 'competition'] as const,
    queryFn: () => call(ListingCompetition, 'GET', `/api/listings/${id}/competition`),
  });

/** Only the newest record is shown. */
export const competitorsQuery = (id: string, marketplace: Marketplace | null) =>
  queryOptions({
    queryKey: [...LISTING_PANEL_KEY, id, 'competitors', marketplace] as const,
    queryFn: () => {
      const where = marketplace === null ? '' : `marketplace=${marketplace}&`;
      return call(
        CompetitorPrices,
        'GET',
        `/api/competitor-prices/listing/${id}?${where}limit=${COMPETITOR_LIMIT}`,
      );
    },
  });

export const priceChartQuery = (id: string, range: AnalyticsRange) =>
  queryOptions({
    queryKey: [...LISTING_PANEL_KEY, id, 'prices', range] as const,
    queryFn: () => call(PriceChart, 'GET', `/api/listings/${id}/price-chart?dateRange=${range}`),
    // The previous chart stays while another range loads, but not for another listing.
    placeholderData: (before, query) => (query?.queryKey[1] === id ? before : undefined),
  });
