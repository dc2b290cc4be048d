import { sql } from 'drizzle-orm';
import { bigint, boolean, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { isCount, isFilled, isOneOf, isPrice, isShare } from '#db/checks.ts';
import { instant, money, share } from '#db/columns.ts';
import { LISTING_CHANNELS } from '#domain/connections/listing-channel.ts';
import { SYNC_KINDS } from '#domain/connections/sync-kinds.ts';
import { MARKETPLACES } from '#domain/marketplaces.ts';
import type { PartialCatalog } from '#domain/readings/catalog-total.ts';
import { PASSED_OVER_REASONS } from '#domain/readings/passed-over.ts';
import type { BusinessGaps } from '#domain/sending/business-plan.ts';
import type { BusinessOffer } from '#domain/sending/business-prices.ts';
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
    /** By which of its APIs it is read and priced; null where there is only one. */
    channel: text('channel', { enum: LISTING_CHANNELS }),
    isActive: boolean('is_active').notNull(),
    quantity: integer('quantity'),
    /** Why its price must not be changed from here; null when it may be. */
    notRepriceableReason: text('not_repriceable_reason'),
    /** The price of a user who confirms that reason is sent all the same. */
    isReasonConfirmable: boolean('reason_confirmable').notNull().default(false),
    /** When that reason ends, as the marketplace reported; null where it does not report. */
    reasonUntil: instant('reason_until'),
    /** No longer the reason after this time: found right before a price was sent. Null for one that a sync reported. */
    reasonExpiresAt: instant('reason_expires_at'),
    /** The seller's own limits of its price there; null for none. */
    sellerMin: money('seller_min'),
    sellerMax: money('seller_max'),
    mapPrice: money('map_price'),
    /** Offers of buyers at or above it are accepted without the seller; null for none. */
    autoAcceptPrice: money('auto_accept_price'),
    /** Raising that price is not tried before; null: at once. */
    raiseAfter: instant('raise_after'),
    /** Why the marketplace refused to raise it, the last time; null where it did not. */
    raiseRefusal: text('raise_refusal'),
    /** What was requested then, with all that the answer depends on; null for nothing. Not asked for again. */
    raiseRefused: text('raise_refused'),
    /** Revisions of the listing by raising it, on the marketplace's day that began at {@link raisesDay}. */
    raisesToday: integer('raises_today').notNull().default(0),
    raisesDay: instant('raises_day'),
    /** What it named in place of a price in whole cents; null when it named one, or none. */
    priceNotInCents: text('price_not_in_cents'),
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
    isOneOf(t.channel, LISTING_CHANNELS),
    isCount(t.quantity),
    isFilled(t.notRepriceableReason, 500),
    isPrice(t.sellerMin),
    isPrice(t.sellerMax),
    isPrice(t.mapPrice),
    isPrice(t.autoAcceptPrice),
    isFilled(t.raiseRefusal, 500),
    isFilled(t.raiseRefused, 100),
    isCount(t.raisesToday),
    isFilled(t.priceNotInCents, 80),
    isPrice(t.feeAskPrice),
    index('marketplace_listings_auto_accept_idx')
      .on(t.listingId)
      .where(sql`${t.autoAcceptPrice} is not null`),
    index('marketplace_listings_offers_asked_idx').on(t.listingId).where(sql`${t.offersReadAt} is null`),
  ],
);

/** The prices for business buyers that a seller set on the marketplace; no row where there are none. */
export const businessOffers = pgTable(
  'business_offers',
  {
    listingId: bigint('listing_id', { mode: 'number' })
      .primaryKey()
      .references(() => listings.id, { onDelete: 'cascade' }),
    /** Null where businesses pay the regular price. */
    price: money('price'),
    /** Amounts in whole cents, shares in basis points. */
    tiers: jsonb('tiers').$type<BusinessOffer['tiers']>().notNull(),
    /** What a unit costs at least when it was read; null where that is no price. */
    lowestPrice: money('lowest_price'),
    readAt: instant('read_at').notNull(),
  },
  (t) => [isPrice(t.price), isPrice(t.lowestPrice)],
);

/** What of a listing's business prices was last sent. */
interface WrittenBusiness {
  /** 1 is the business price, the others are quantities of tiers. */
  readonly quantities: readonly number[];
  /** Quantities that were not sent, since they cost as much as the ones before. */
  readonly skipped: readonly number[];
}

/**
 * The distance that business prices keep to the regular price, taken when `follow` was switched on, or later when the
 * seller changed what there is: a tier, or a business price.
 */
export const businessGaps = pgTable(
  'business_gaps',
  {
    listingId: bigint('listing_id', { mode: 'number' })
      .primaryKey()
      .references(() => listings.id, { onDelete: 'cascade' }),
    /** Null where businesses pay the regular price for one unit. */
    priceDiscount: share('price_discount'),
    /** Shares in basis points. */
    tiers: jsonb('tiers').$type<BusinessGaps['tiers']>().notNull(),
    takenAt: instant('taken_at').notNull(),
    /** Null: nothing was sent since. */
    written: jsonb('written').$type<WrittenBusiness>(),
  },
  (t) => [isShare(t.priceDiscount, '0', '99.99')],
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
    /** What the last one could not read besides its rows, one sentence each. */
    notes: jsonb('notes').$type<readonly string[]>(),
    /** How its total compares with what came; null when everything came. */
    partial: jsonb('partial').$type<PartialCatalog>(),
  },
  (t) => [
    primaryKey({ columns: [t.marketplace, t.kind] }),
    isOneOf(t.marketplace, MARKETPLACES),
    isOneOf(t.kind, SYNC_KINDS),
    isFilled(t.problem, 2000),
  ],
);

/** Rows of the last reading of each kind that were not taken, or not with their price. */
export const passedOverRows = pgTable(
  'passed_over_rows',
  {
    marketplace: text('marketplace', { enum: MARKETPLACES }).notNull(),
    kind: text('kind', { enum: SYNC_KINDS }).notNull(),
    /** From 0, in the order of the reading. */
    position: integer('position').notNull(),
    /** SKU, number or title. */
    what: text('what').notNull(),
    why: text('why', { enum: PASSED_OVER_REASONS }).notNull(),
    /** The member that cannot be used, and what came there. */
    member: text('member'),
    value: text('value'),
  },
  (t) => [
    primaryKey({ columns: [t.marketplace, t.kind, t.position] }),
    isOneOf(t.marketplace, MARKETPLACES),
    isOneOf(t.kind, SYNC_KINDS),
    isOneOf(t.why, PASSED_OVER_REASONS),
    isCount(t.position),
    isFilled(t.what, 200),
    isFilled(t.member, 200),
    isFilled(t.value, 80),
  ],
);
