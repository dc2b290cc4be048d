import { sql } from 'drizzle-orm';
import {
  type AnyPgColumn,
  bigint,
  boolean,
  index,
  integer,
  numeric,
  pgTable,
  primaryKey,
  text,
  unique,
} from 'drizzle-orm/pg-core';
import { holds, isAmount, isCount, isFilled, isOneOf, isSignedAmount, isSum } from '#db/checks.ts';
import { instant, money } from '#db/columns.ts';
import { MARKETPLACES } from '#domain/marketplaces.ts';
import { MONEY_KINDS, MONEY_MATCHES, MONEY_REFUSALS } from '#domain/money/money-event.ts';
import { listings } from './listings.ts';

/**
 * What marketplaces booked, amount by amount. Rows are only added: an amount that is read again with other figures is a
 * new version, and the former one is superseded. Only what it belongs to is written again.
 */
export const moneyEvents = pgTable(
  'money_events',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    marketplace: text('marketplace', { enum: MARKETPLACES }).notNull(),
    externalId: text('external_id').notNull(),
    /** From 1. */
    version: integer('version').notNull(),
    /** The ID of the next version; null for the one that counts. */
    supersededBy: bigint('superseded_by', { mode: 'number' }),
    kind: text('kind', { enum: MONEY_KINDS }).notNull(),
    rawType: text('raw_type').notNull(),
    amount: money('amount').notNull(),
    orderRef: text('order_ref'),
    lineRef: text('line_ref'),
    sku: text('sku'),
    itemId: text('item_id'),
    quantity: integer('quantity'),
    postedAt: instant('posted_at').notNull(),
    releasedAt: instant('released_at'),
    settlementRef: text('settlement_ref'),
    /** What a fee was taken on and by, where it is reported: see `ReportedFee`. */
    feeBase: money('fee_base'),
    feeSaved: money('fee_saved'),
    feeCategory: text('fee_category'),
    readAt: instant('read_at').notNull(),
    matchedBy: text('matched_by', { enum: MONEY_MATCHES }).notNull().default('marketplace'),
    /** Only where it belongs to no sale, but to a listing. */
    listingId: bigint('listing_id', { mode: 'number' }).references(() => listings.id, {
      onDelete: 'restrict',
    }),
    /** It has no sale, and is in the profit of its day: see `count_lone_money`. Of a superseded one it is what it was. */
    countsAlone: boolean('counts_alone').notNull().default(false),
  },
  (t) => [
    unique('money_events_key').on(t.marketplace, t.externalId, t.version),
    index('money_events_order_idx').on(t.orderRef).where(isKnown(t.orderRef)),
    index('money_events_line_idx').on(t.lineRef).where(isKnown(t.lineRef)),
    index('money_events_settlement_idx')
      .on(t.marketplace, t.settlementRef, sql`${t.postedAt} DESC NULLS LAST`, sql`${t.id} DESC NULLS LAST`)
      .where(sql`${t.supersededBy} is null AND ${t.settlementRef} is not null`),
    index('money_events_listing_idx').on(t.listingId, t.postedAt).where(isKnown(t.listingId)),
    index('money_events_unlisted_idx')
      .on(t.marketplace, t.postedAt)
      .where(sql`${t.supersededBy} is null AND ${t.matchedBy} = 'marketplace' AND ${t.countsAlone}`),
    index('money_events_orderless_idx')
      .on(t.marketplace, sql`${t.externalId} COLLATE "C"`)
      .where(sql`${t.supersededBy} is null AND ${t.orderRef} is null`),
    index('money_events_unnamed_idx')
      .on(t.marketplace, t.postedAt)
      .where(
        sql`${t.supersededBy} is null AND ${t.orderRef} is null AND ${t.lineRef} is null AND ${t.sku} is null AND ${t.itemId} is null AND ${t.kind} in ('principal', 'tax', 'payment', 'refund_principal', 'refund_other')`,
      ),
    index('money_events_lost_sku_idx')
      .on(t.marketplace, t.sku)
      .where(
        sql`${t.supersededBy} is null AND ${t.matchedBy} = 'marketplace' AND ${t.kind} <> 'transfer' AND ${t.sku} is not null`,
      ),
    index('money_events_lost_item_idx')
      .on(t.marketplace, t.itemId)
      .where(
        sql`${t.supersededBy} is null AND ${t.matchedBy} = 'marketplace' AND ${t.kind} <> 'transfer' AND ${t.sku} is null AND ${t.itemId} is not null`,
      ),
    index('money_events_posted_at_idx')
      .on(sql`${t.postedAt} DESC NULLS LAST`, sql`${t.id} DESC NULLS LAST`)
      .where(sql`${t.supersededBy} is null`),
    index('money_events_marketplace_idx')
      .on(t.marketplace, sql`${t.postedAt} DESC NULLS LAST`, sql`${t.id} DESC NULLS LAST`)
      .where(sql`${t.supersededBy} is null`),
    index('money_events_kind_idx')
      .on(t.kind, sql`${t.postedAt} DESC NULLS LAST`, sql`${t.id} DESC NULLS LAST`)
      .where(sql`${t.supersededBy} is null`),
    index('money_events_unmatched_idx')
      .on(sql`${t.postedAt} DESC NULLS LAST`, sql`${t.id} DESC NULLS LAST`)
      .where(
        sql`${t.supersededBy} is null AND ${t.matchedBy} in ('sku', 'marketplace') AND ${t.kind} <> 'transfer'`,
      ),
    isOneOf(t.marketplace, MARKETPLACES),
    isFilled(t.externalId, 200),
    isCount(t.version, 1),
    isOneOf(t.kind, MONEY_KINDS),
    isFilled(t.rawType, 500),
    isSignedAmount(t.amount),
    isFilled(t.orderRef, 500),
    isFilled(t.lineRef, 500),
    isFilled(t.sku, 500),
    isFilled(t.itemId, 500),
    isCount(t.quantity, 1),
    isFilled(t.settlementRef, 200),
    isAmount(t.feeBase),
    isAmount(t.feeSaved),
    isFilled(t.feeCategory, 200),
    isOneOf(t.matchedBy, MONEY_MATCHES),
    holds('listing_by_sku_only', sql`(${t.listingId} is not null) = (${t.matchedBy} = 'sku')`),
  ],
);

function isKnown(column: AnyPgColumn) {
  return sql`${column} is not null`;
}

/** Listings that were added, or got their SKU or item, and may have money that was booked before: filled by triggers. */
export const moneyMatchDue = pgTable('money_match_due', {
  listingId: bigint('listing_id', { mode: 'number' })
    .primaryKey()
    .references(() => listings.id, { onDelete: 'cascade' }),
});

/** Sums of the amounts that count, by what they are listed by: kept by triggers. */
export const moneySums = pgTable(
  'money_sums',
  {
    marketplace: text('marketplace', { enum: MARKETPLACES }).notNull(),
    /** Null for what is in no settlement yet. */
    settlementRef: text('settlement_ref'),
    kind: text('kind', { enum: MONEY_KINDS }).notNull(),
    /** Without a sale; never what was only moved. */
    isUnmatched: boolean('is_unmatched').notNull(),
    events: integer('events').notNull(),
    amount: numeric('amount', { precision: 20, scale: 2 }).notNull(),
  },
  (t) => [
    unique('money_sums_key').on(t.marketplace, t.settlementRef, t.kind, t.isUnmatched).nullsNotDistinct(),
    isOneOf(t.marketplace, MARKETPLACES),
    isFilled(t.settlementRef, 200),
    isOneOf(t.kind, MONEY_KINDS),
    isCount(t.events, 1),
    isSum(t.amount),
  ],
);

/** Settlements and payouts as the marketplace reported them. */
export const settlements = pgTable(
  'settlements',
  {
    marketplace: text('marketplace', { enum: MARKETPLACES }).notNull(),
    ref: text('ref').notNull(),
    fromAt: instant('from_at'),
    toAt: instant('to_at'),
    paidAt: instant('paid_at'),
    toldTotal: money('told_total'),
    isClosed: boolean('is_closed').notNull(),
    readAt: instant('read_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.marketplace, t.ref] }),
    isOneOf(t.marketplace, MARKETPLACES),
    isFilled(t.ref, 200),
    isSignedAmount(t.toldTotal),
  ],
);

/** Amounts that could not be taken, and why. */
export const refusedMoney = pgTable(
  'refused_money',
  {
    marketplace: text('marketplace', { enum: MARKETPLACES }).notNull(),
    /** What it was in, in the words of the marketplace. */
    place: text('place').notNull(),
    why: text('why', { enum: MONEY_REFUSALS }).notNull(),
    firstSeenAt: instant('first_seen_at').notNull(),
    lastSeenAt: instant('last_seen_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.marketplace, t.place, t.why] }),
    index('refused_money_last_seen_at_idx').on(
      sql`${t.lastSeenAt} DESC NULLS LAST`,
      t.marketplace,
      t.place,
      t.why,
    ),
    isOneOf(t.marketplace, MARKETPLACES),
    isFilled(t.place, 500),
    isOneOf(t.why, MONEY_REFUSALS),
  ],
);

/** The time of which the money of a marketplace is known completely. */
export const moneyReads = pgTable(
  'money_reads',
  {
    marketplace: text('marketplace', { enum: MARKETPLACES }).primaryKey(),
    readFrom: instant('read_from').notNull(),
    readUntil: instant('read_until').notNull(),
    /** Where the first reading, which goes back in time, ends. */
    backTo: instant('back_to').notNull(),
    /** When the last weeks were last read again. */
    rereadAt: instant('reread_at').notNull(),
    /** When payments of unknown orders were last read again, and down to which time of booking. */
    unnamedReadAt: instant('unnamed_read_at'),
    unnamedReadDownTo: instant('unnamed_read_down_to'),
  },
  (t) => [
    isOneOf(t.marketplace, MARKETPLACES),
    holds('from_before_until', sql`${t.readFrom} <= ${t.readUntil}`),
    holds('unnamed_whole', sql`(${t.unnamedReadAt} IS NULL) = (${t.unnamedReadDownTo} IS NULL)`),
  ],
);
