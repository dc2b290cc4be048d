import { sql } from 'drizzle-orm';
import { bigint, pgTable, text, unique } from 'drizzle-orm/pg-core';
import { holds, isOneOf } from '#db/checks.ts';
import { instant } from '#db/columns.ts';
import { MARKETPLACES } from '#domain/marketplaces.ts';

/**
 * The files of prices that were made for an upload. A price may be taken in a transaction that ends only after a file
 * was read, with an earlier moment than the file's: what was in it is told by its rows of the ledger, not by time.
 */
export const priceFiles = pgTable(
  'price_files',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    marketplace: text('marketplace', { enum: MARKETPLACES }).notNull(),
    /** Names the file: no two of a marketplace share it. */
    madeAt: instant('made_at').notNull(),
    madeBy: text('made_by').notNull(),
    /** The listings in the file, and beside each the row of `price_history` that set its price. */
    listingIds: bigint('listing_ids', { mode: 'number' }).array().notNull(),
    priceIds: bigint('price_ids', { mode: 'number' }).array().notNull(),
  },
  (t) => [
    unique('price_files_key').on(t.marketplace, t.madeAt),
    isOneOf(t.marketplace, MARKETPLACES),
    holds('one_price_each', sql`cardinality(${t.listingIds}) = cardinality(${t.priceIds})`),
  ],
);
