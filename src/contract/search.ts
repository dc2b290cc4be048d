import { z } from 'zod';
import { MARKETPLACES } from '#domain/marketplaces.ts';
import { Id, Money } from './fields.ts';

/** Hits of one kind in a response; the full list is a page of its own. */
export const MAX_HITS_SHOWN = 15;

/** GET /api/search: listings and SKUs with this text in their code or name, case-insensitive. */
export const SearchQuery = z.strictObject({
  q: z.string().trim().min(1, 'Expected a text to search for').max(200),
});

const Total = {
  total: z.int(),
  /** False while the total is an estimate. */
  isTotalExact: z.boolean(),
};

const ListingHit = z.object({
  id: Id,
  marketplace: z.enum(MARKETPLACES),
  sku: z.string(),
  title: z.string(),
  currentPrice: Money,
});
export type ListingHit = z.output<typeof ListingHit>;

const SkuHit = z.object({ id: Id, sku: z.string(), name: z.string() });
export type SkuHit = z.output<typeof SkuHit>;

/** The best matches first: codes that start with the text, then all others by code. At most 15 of each kind. */
export const SearchAnswer = z
  .object({
    listings: z.object({ rows: z.array(ListingHit), ...Total }),
    skus: z.object({ rows: z.array(SkuHit), ...Total }),
  })
  .meta({
    examples: [
      {
        listings: {
          rows: [
            { id: '42', marketplace: 'walmart', sku: 'MUG-BLUE', title: 'Mug, blue', currentPrice: '12.50' },
          ],
          total: 1,
          isTotalExact: true,
        },
        skus: { rows: [{ id: '7', sku: 'MUG-BLUE', name: 'Mug, blue' }], total: 1, isTotalExact: true },
      },
    ],
  });
export type SearchAnswer = z.output<typeof SearchAnswer>;
