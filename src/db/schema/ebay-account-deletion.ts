import { sql } from 'drizzle-orm';
import { pgTable, text } from 'drizzle-orm/pg-core';
import { holds, isFilled } from '#db/checks.ts';
import { instant } from '#db/columns.ts';

/**
 * What belongs to eBay's messages about deleted accounts. One row, written by the migration. The functions
 * `ebay_seller_hash` and `ebay_seller_label` make the hash of a seller's normalized name, and what users see of it.
 */
export const ebayAccountDeletion = pgTable(
  'ebay_account_deletion',
  {
    id: text('id').primaryKey().default('default'),
    /** Random, of this installation: for the hashes of names, and for the verification token. 64 hex digits. */
    key: text('key').notNull(),
    /** When eBay's last signed message arrived, to the minute; null if never. */
    noticedAt: instant('noticed_at'),
  },
  (t) => [holds('one_row', sql`${t.id} = 'default'`), isFilled(t.key, 64)],
);

/** Sellers whose accounts were deleted, until their offers are. */
export const deletedEbaySellers = pgTable(
  'deleted_ebay_sellers',
  {
    sellerHash: text('seller_hash').primaryKey(),
    noticedAt: instant('noticed_at').notNull(),
  },
  (t) => [isFilled(t.sellerHash, 32)],
);
