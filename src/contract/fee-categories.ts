import { z } from 'zod';
import { MARKETPLACES } from '#domain/marketplaces.ts';
import { Id, Money } from './fields.ts';

/** Listings shown of each suggestion. */
export const CATEGORY_LISTING_LIMIT = 50;

/**
 * GET /api/fee-categories: fee categories that listings probably have, by what their marketplace calls them, and whose fees
 * are lower than the default at some price. Until one is accepted, the higher fee counts at each price.
 */
export const CategorySuggestions = z.object({
  suggestions: z.array(
    z.object({
      marketplace: z.enum(MARKETPLACES),
      category: z.string(),
      listings: z.int(),
      /** The first 50 of them, by SKU. */
      shown: z.array(z.object({ listingId: Id, sku: z.string(), title: z.string(), currentPrice: Money })),
    }),
  ),
});
export type CategorySuggestions = z.output<typeof CategorySuggestions>;

/** POST /api/fee-categories/accept: 409 when another number of listings waits for the category. */
export const AcceptCategory = z.strictObject({
  marketplace: z.enum(MARKETPLACES),
  category: z.string().min(1).max(200),
  /** As many as the user saw. */
  listings: z.int().min(1),
});
export type AcceptCategory = z.output<typeof AcceptCategory>;
