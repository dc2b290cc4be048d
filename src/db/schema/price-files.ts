import { sql } from 'drizzle-orm';
import { bigint, pgTable, text, unique } from 'drizzle-orm/pg-core';
import { holds, isOneOf } from '#db/checks.ts';
import { instant } from '#db/columns.ts';
import { MARKETPLACES } from '#domain/marketplaces.ts';

/**
 * Price files that were made for an upload. A price may be applied in a transaction that commits only after a file was
 * made, with an earlier timestamp than the file: the file's content is given by its ledger rows, not by time.
 */
export const priceFiles = pgTable(
  'price_files',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    marketplace: text('marketplace', { enum: MARKETPLACES }).notNull(),
    /** Identifies the file: unique per marketplace. */
    madeAt: instant('made_at').notNull(),
    madeBy: text('made_by').notNull(),
    /** The listings in the file, and for each the row of `price_history` that set its price. */
    listingIds: bigint('listing_ids', { mode: 'number' }).array().notNull(),
    priceIds: bigint('price_ids', { mode: 'number' }).array().notNull(),
  },
  (t) => [
    unique('price_files_key').on(t.marketplace, t.madeAt),
    isOneOf(t.marketplace, MARKETPLACES),
    holds('one_price_each', sql`cardinality(${t.listingIds}) = cardinality(${t.priceIds})`),
  ],
);
