import { z } from 'zod';

/**
 * The predefined views of Listings: the name in the address, and the parameters of the list. The first is the list without
 * any.
 */
export const LISTING_VIEWS = [
  { id: '', query: {} },
  { id: 'attention', query: { state: 'attention' } },
  { id: 'losing', query: { state: 'loses_money', sort: 'profit30' } },
  { id: 'review', query: { state: 'recommended' } },
] as const;
export type ListingViewId = (typeof LISTING_VIEWS)[number]['id'];

/**
 * GET /api/listings/view-totals: how many listings each view has now, the predefined ones and those that the user sees. A
 * saved view with a filter of a former release is omitted.
 */
export const ListingViewTotals = z.object({
  totals: z.array(
    z.object({
      /** The id of a saved view, or the name of a predefined one. */
      view: z.string(),
      total: z.int(),
      isTotalExact: z.boolean(),
    }),
  ),
});
export type ListingViewTotals = z.output<typeof ListingViewTotals>;
