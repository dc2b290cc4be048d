import { z } from 'zod';
import { MAX_MIGRATED_AT_ONCE, MIGRATION_STATES } from '#domain/connections/listing-migration.ts';
import { Moment } from './fields.ts';

const ItemId = z.string().regex(/^\d{1,30}$/, 'Expected the number of an eBay listing');

/** Part of a SKU, title or item number; empty for all. */
export const MigrationQuery = z.strictObject({ search: z.string().trim().max(200).default('') });

/**
 * GET /api/connections/ebay/migrations (admin): the first 100 eBay listings outside of its Inventory model, and what became
 * of the last 100 that were requested.
 */
export const ListingMigrations = z.object({
  /** How many there are, beyond those listed. */
  total: z.int(),
  items: z.array(
    z.object({
      itemId: z.string(),
      title: z.string(),
      /** Of our listings that it holds: one, or its variations. */
      skus: z.array(z.string()),
      /** Why it cannot be moved; null if it can be requested. */
      problem: z.enum(['no_label']).nullable(),
    }),
  ),
  asked: z.array(
    z.object({
      itemId: z.string(),
      state: z.enum(MIGRATION_STATES),
      /** Why it was refused, is not known or still waits; null when there is nothing to say. */
      message: z.string().nullable(),
      askedBy: z.string(),
      askedAt: Moment,
      endedAt: Moment.nullable(),
    }),
  ),
});
export type ListingMigrations = z.output<typeof ListingMigrations>;

/**
 * POST /api/connections/ebay/migrations (admin, step-up): moves listings into eBay's Inventory model, for good. 409 where one
 * of them cannot be moved: then none is.
 */
export const MigrationRequest = z.strictObject({
  itemIds: z.array(ItemId).min(1).max(MAX_MIGRATED_AT_ONCE),
  /** The number of listings that the user was shown and confirmed. */
  count: z.int().min(1).max(MAX_MIGRATED_AT_ONCE),
});
export const MigrationRequested = z.object({ asked: z.int() });
