import { bigint, boolean, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { isCount, isFilled, isOneOf } from '#db/checks.ts';
import { instant } from '#db/columns.ts';
import { MARKETPLACES } from '#domain/marketplaces.ts';
import { SYNC_KINDS } from '#domain/sync-kinds.ts';
import { listings } from './listings.ts';

/** What a marketplace says about a listing of ours beside its price; a row from the first time it named it. */
export const marketplaceListings = pgTable(
  'marketplace_listings',
  {
    listingId: bigint('listing_id', { mode: 'number' })
      .primaryKey()
      .references(() => listings.id, { onDelete: 'cascade' }),
    /** Names that its calls need, by kind: product type, offer id, product id. */
    keys: jsonb('keys').$type<Readonly<Record<string, string>>>().notNull(),
    isActive: boolean('is_active').notNull(),
    quantity: integer('quantity'),
    /** Why its price is not to be changed from here; null when it may be. */
    notRepriceableReason: text('not_repriceable_reason'),
    seenAt: instant('seen_at').notNull(),
    /** The term of the integration in which a reading showed the price that we think is in force; null: none did. */
    priceVerifiedGeneration: integer('price_verified_generation'),
    /** When the last reading of the catalogue that held it began; null of what was not read since there is this. */
    seenIn: instant('seen_in'),
    /** When the first reading without it began; null while none was. */
    unseenSince: instant('unseen_since'),
    /** These three null: never; such come first. */
    offersReadAt: instant('offers_read_at'),
    figuresReadAt: instant('figures_read_at'),
    feesReadAt: instant('fees_read_at'),
    /** As of when the offers are that are kept. Null: none came from the marketplace. */
    offersSeenAt: instant('offers_seen_at'),
  },
  (t) => [isCount(t.quantity), isFilled(t.notRepriceableReason, 500)],
);

/** The last reading of each kind. */
export const marketplaceSyncs = pgTable(
  'marketplace_syncs',
  {
    marketplace: text('marketplace', { enum: MARKETPLACES }).notNull(),
    kind: text('kind', { enum: SYNC_KINDS }).notNull(),
    startedAt: instant('started_at').notNull(),
    endedAt: instant('ended_at'),
    /** When the last one that succeeded began: what happened since then may be unread. */
    succeededAt: instant('succeeded_at'),
    /** What went wrong the last time, for people; null when nothing did. */
    problem: text('problem'),
    counts: jsonb('counts').$type<Readonly<Record<string, number>>>(),
  },
  (t) => [
    primaryKey({ columns: [t.marketplace, t.kind] }),
    isOneOf(t.marketplace, MARKETPLACES),
    isOneOf(t.kind, SYNC_KINDS),
    isFilled(t.problem, 2000),
  ],
);
