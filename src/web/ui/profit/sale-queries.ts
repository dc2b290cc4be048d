import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { RestockedSale, SaleDetail, SalesPage } from '#contract/sales.ts';
import { call } from '#web/lib/api.ts';
import { PROFIT_KEY } from './sum-query.ts';

/** How long to wait before a sale is read again that is being calculated. */
const RECALCULATED_AFTER = 1_000;

/**
 * One sale with what was reported of it; after a change read again until it was calculated.
 * @param outdated the time at which it was calculated before a change; undefined without one
 */
export function saleQuery(id: string, outdated: string | null | undefined) {
  return queryOptions({
    queryKey: [...PROFIT_KEY, 'sale', id] as const,
    queryFn: () => call(SaleDetail, 'GET', `/api/sales/${id}`),
    refetchInterval: ({ state }) =>
      outdated !== undefined && state.data?.computedAt === outdated ? RECALCULATED_AFTER : false,
  });
}

/** The newest sales of a listing. */
export function latestSalesQuery(listingId: string) {
  return queryOptions({
    queryKey: [...PROFIT_KEY, 'latest', listingId] as const,
    queryFn: () => call(SalesPage, 'GET', `/api/sales?listing=${listingId}&page=1&size=25`),
  });
}

/** Enters how many units of a sale came back into stock. */
export function useRestock(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (units: number) => call(RestockedSale, 'PUT', `/api/sales/${id}/restocked`, { units }),
    onSuccess: () => client.invalidateQueries({ queryKey: PROFIT_KEY }),
  });
}
