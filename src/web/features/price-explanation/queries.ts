import { queryOptions } from '@tanstack/react-query';
import { PriceExplanation } from '#contract/explanation.ts';
import { call } from '#web/lib/api.ts';

/** Worked out anew whenever it is opened: what it says holds for that moment. */
const explanation = (path: string) =>
  queryOptions({
    queryKey: ['why', path],
    queryFn: () => call(PriceExplanation, 'GET', path),
    staleTime: 0,
  });

/** What the rule says from the facts in force. */
export const whyNowQuery = (id: string) => explanation(`/api/listings/${encodeURIComponent(id)}/explanation`);

/** The recommendation that waits, from the facts it was made of. */
export const whyRecommendedQuery = (id: string) =>
  explanation(`/api/listings/${encodeURIComponent(id)}/recommendation`);

/** An entry of the history, from the facts stored with it. */
export const whyHistoryQuery = (listingId: string, id: string) =>
  explanation(`/api/history/${encodeURIComponent(listingId)}/${encodeURIComponent(id)}/explanation`);
