import { bigint, boolean, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { isCount, isFilled, isOneOf, isPrice } from '#db/checks.ts';
import { instant, money } from '#db/columns.ts';
import { MARKETPLACES } from '#domain/marketplaces.ts';
import { SYNC_KINDS } from '#domain/sync-kinds.ts';
import { listings } from './listings.ts';

/** What a marketplace reports about a listing besides its price; a row from the first sync that contained it. */
export const marketplaceListings = pgTable(
  'marketplace_listings',
  {
    listingId: bigint('listing_id', { mode: 'number' })
      .primaryKey()
      .references(() => listings.id, { onDelete: 'cascade' }),
    /** Identifiers that its calls need, by kind: product type, offer ID, product ID. */
    keys: jsonb('keys').$type<Readonly<Record<string, string>>>().notNull(),
    isActive: boolean('is_active').notNull(),
    quantity: integer('quantity'),
    /** Why its price must not be changed from here; null when it may be. */
    notRepriceableReason: text('not_repriceable_reason'),
    /** The seller's own limits of its price there; null for none. */
    sellerMin: money('seller_min'),
    sellerMax: money('seller_max'),
    mapPrice: money('map_price'),
    seenAt: instant('seen_at').notNull(),
    /** The integration's generation in which a sync confirmed the current price; null if none did. */
    priceVerifiedGeneration: integer('price_verified_generation'),
    /** Start of the last catalog sync that contained it; null if none did since this column exists. */
    seenIn: instant('seen_in'),
    /** Start of the first sync without it; null while there was none. */
    unseenSince: instant('unseen_since'),
    /** Null for these four: never; such listings come first. */
    offersReadAt: instant('offers_read_at'),
    figuresReadAt: instant('figures_read_at'),
    feesReadAt: instant('fees_read_at'),
    featuredPriceReadAt: instant('featured_price_read_at'),
    /** The price for which its fees are asked next, besides its own; null when the answers so far are enough. */
    feeAskPrice: money('fee_ask_price'),
    /** Not before; null: at once. */
    feeAskAfter: instant('fee_ask_after'),
  },
  (t) => [
    isCount(t.quantity),
    isFilled(t.notRepriceableReason, 500),
    isPrice(t.sellerMin),
    isPrice(t.sellerMax),
    isPrice(t.mapPrice),
    isPrice(t.feeAskPrice),
  ],
);

/** The last sync of each kind. */
export const marketplaceSyncs = pgTable(
  'marketplace_syncs',
  {
    marketplace: text('marketplace', { enum: MARKETPLACES }).notNull(),
    kind: text('kind', { enum: SYNC_KINDS }).notNull(),
    startedAt: instant('started_at').notNull(),
    endedAt: instant('ended_at'),
    /** Start of the last successful one: later changes may not have been synced. */
    succeededAt: instant('succeeded_at'),
    /** Why the last one failed, as a sentence for the user; null after a success. */
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
