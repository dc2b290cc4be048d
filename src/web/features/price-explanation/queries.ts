import { queryOptions } from '@tanstack/react-query';
import { PriceExplanation } from '#contract/explanation.ts';
import { call } from '#web/lib/api.ts';

/** Calculated each time it is opened: it is valid only for that time. */
const explanation = (path: string) =>
  queryOptions({
    queryKey: ['why', path],
    queryFn: () => call(PriceExplanation, 'GET', path),
    staleTime: 0,
  });

/** The decision for the current data. */
export const whyNowQuery = (id: string) => explanation(`/api/listings/${encodeURIComponent(id)}/explanation`);

/** The waiting recommendation, from its stored data. */
export const whyRecommendedQuery = (id: string) =>
  explanation(`/api/listings/${encodeURIComponent(id)}/recommendation`);

/** What a run decided about a listing, from its stored data. */
export const whyRunQuery = (run: string, listingId: string) =>
  explanation(`/api/runs/${encodeURIComponent(run)}/items/${encodeURIComponent(listingId)}/explanation`);

/** An entry of the history, from its stored data. */
export const whyHistoryQuery = (listingId: string, id: string) =>
  explanation(`/api/history/${encodeURIComponent(listingId)}/${encodeURIComponent(id)}/explanation`);
