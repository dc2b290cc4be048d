import { sql } from 'drizzle-orm';
import { bigint, index, integer, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { holds, isAmount, isCount, isFilled, isOneOf, isPrice, isShare } from '#db/checks.ts';
import { instant, money, share } from '#db/columns.ts';
import { FEE_DECISIONS, FEE_FACT_KINDS, FEE_FACT_SOURCES, FEE_REFUSALS } from '#domain/fees/fee-fact.ts';
import { FEE_PARTS } from '#domain/fees/fee-jump.ts';
import { FULFILLMENT_TYPES, MARKETPLACES } from '#domain/marketplaces.ts';
import { listings } from './listings.ts';
import { salesHistory } from './sales.ts';

/**
 * What marketplaces reported of the fees of a listing. Rows are only added, and accepted or rejected by an administrator: one for
 * each fee of an answer, all of the same `toldAt`. Those of a sale are replaced when its figures change: of commissions what says
 * something new, of fulfillment every charge, since its median counts. A newer answer to the same question replaces an older one in use, not here.
 */
export const feeFacts = pgTable(
  'fee_facts',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    listingId: bigint('listing_id', { mode: 'number' })
      .notNull()
      .references(() => listings.id, { onDelete: 'cascade' }),
    kind: text('kind', { enum: FEE_FACT_KINDS }).notNull(),
    /** The marketplace's name of a fee of kind `other`. */
    name: text('name'),
    source: text('source', { enum: FEE_FACT_SOURCES }).notNull(),
    fulfillmentType: text('fulfillment_type', { enum: FULFILLMENT_TYPES }).notNull(),
    askedPrice: money('asked_price').notNull(),
    askedShipping: money('asked_shipping').notNull(),
    /** The regular amount; null for an answer without a usable one. */
    amount: money('amount'),
    /** What a promotion took off it. */
    promotion: money('promotion').notNull().default(sql`0`),
    /** Of a settled fee: the total with sales tax that it was taken on; null: the revenue. */
    feeBase: money('fee_base'),
    /** Of a settled fee: the marketplace's name of the category by which it was charged. */
    categoryTold: text('category_told'),
    /** Of a settled fulfillment fee: the units of its sale; null, of an earlier release: one. */
    units: integer('units'),
    /** Of a settled fee: the sale that it was taken of; null once that is deleted. */
    saleId: bigint('sale_id', { mode: 'number' }).references(() => salesHistory.id, { onDelete: 'set null' }),
    toldAt: instant('told_at').notNull(),
    /** Why it is not used; null when it is. */
    refusedBecause: text('refused_because', { enum: FEE_REFUSALS }),
    /** When an administrator accepted it: a lower fee before it was reported again, or one out of range. */
    acceptedAt: instant('accepted_at'),
  },
  (t) => [
    index('fee_facts_listing_idx').on(t.listingId, t.toldAt),
    index('fee_facts_told_at_idx').on(t.toldAt),
    index('fee_facts_category_idx')
      .on(t.categoryTold, sql`${t.toldAt} DESC`)
      .where(sql`${t.categoryTold} is not null`),
    index('fee_facts_charges_idx')
      .on(t.listingId, t.toldAt)
      .where(sql`${t.kind} = 'fulfillment' and ${t.source} = 'settled' and ${t.refusedBecause} is null`),
    index('fee_facts_sale_idx').on(t.saleId).where(sql`${t.saleId} is not null`),
    isOneOf(t.kind, FEE_FACT_KINDS),
    isFilled(t.name, 100),
    isOneOf(t.source, FEE_FACT_SOURCES),
    isOneOf(t.fulfillmentType, FULFILLMENT_TYPES),
    isPrice(t.askedPrice),
    isAmount(t.askedShipping),
    isAmount(t.amount),
    isAmount(t.promotion),
    isPrice(t.feeBase),
    isFilled(t.categoryTold, 200),
    isCount(t.units, 1),
    isOneOf(t.refusedBecause, FEE_REFUSALS),
    holds('used_says_how_much', sql`${t.amount} is not null or ${t.refusedBecause} is not null`),
    holds('accepted_is_used', sql`${t.acceptedAt} is null or ${t.refusedBecause} is null`),
    holds(
      'terms_of_settled_only',
      sql`${t.source} = 'settled' or (${t.feeBase} is null and ${t.categoryTold} is null)`,
    ),
    holds(
      'units_of_charges_only',
      sql`${t.units} is null or (${t.source} = 'settled' and ${t.kind} = 'fulfillment')`,
    ),
    holds('sale_of_settled_only', sql`${t.source} = 'settled' or ${t.saleId} is null`),
    holds('other_has_name', sql`(${t.kind} = 'other') = (${t.name} is not null)`),
  ],
);

/** A fee reported far from what was reported of the listing before: `FeeJump` of the domain. */
export const feeJumps = pgTable(
  'fee_jumps',
  {
    listingId: bigint('listing_id', { mode: 'number' })
      .notNull()
      .references(() => listings.id, { onDelete: 'cascade' }),
    toldAt: instant('told_at').notNull(),
    part: text('part', { enum: FEE_PARTS }).notNull(),
    /** When it was read: what was taken of sales, later than it was reported. */
    readAt: instant('read_at').notNull(),
    beforeRate: share('before_rate').notNull(),
    toldRate: share('told_rate').notNull(),
    /** Of a fulfillment fee, per unit: the one that counted before, and what was reported. Null also of earlier releases. */
    feeBefore: money('fee_before'),
    feeReported: money('fee_reported'),
  },
  (t) => [
    primaryKey({ columns: [t.listingId, t.toldAt, t.part] }),
    index('fee_jumps_told_at_idx').on(t.toldAt),
    index('fee_jumps_read_at_idx').on(t.readAt),
    isOneOf(t.part, FEE_PARTS),
    isShare(t.beforeRate, '0', '100'),
    isShare(t.toldRate, '0', '100'),
    isAmount(t.feeBefore),
    isAmount(t.feeReported),
    holds('both_fees', sql`(${t.feeBefore} is null) = (${t.feeReported} is null)`),
  ],
);

/** A marketplace reported other fees for many listings at once: what it reported since is doubted until an administrator decides. */
export const feeBreakers = pgTable(
  'fee_breakers',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    marketplace: text('marketplace', { enum: MARKETPLACES }).notNull(),
    /** When the first of these fees was reported. */
    since: instant('since').notNull(),
    openedAt: instant('opened_at').notNull(),
    decidedAt: instant('decided_at'),
    decidedBy: text('decided_by'),
    decision: text('decision', { enum: FEE_DECISIONS }),
  },
  (t) => [
    uniqueIndex('fee_breakers_open_key').on(t.marketplace).where(sql`${t.decidedAt} is null`),
    isOneOf(t.marketplace, MARKETPLACES),
    isFilled(t.decidedBy, 200),
    isOneOf(t.decision, FEE_DECISIONS),
    holds('decision_has_time', sql`(${t.decidedAt} is null) = (${t.decision} is null)`),
    holds('since_before_opened', sql`${t.since} <= ${t.openedAt}`),
  ],
);

/**
 * By which category the listings of a product type were last charged, and how many of them: counted again whenever a fee of a
 * sale names a category.
 */
export const categoryPairs = pgTable(
  'category_pairs',
  {
    marketplace: text('marketplace', { enum: MARKETPLACES }).notNull(),
    productType: text('product_type').notNull(),
    fulfillmentType: text('fulfillment_type', { enum: FULFILLMENT_TYPES }).notNull(),
    /** The marketplace's name of it. */
    category: text('category').notNull(),
    listings: integer('listings').notNull(),
    /** When the newest of these fees was reported. */
    newest: instant('newest').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.marketplace, t.productType, t.fulfillmentType, t.category] }),
    isOneOf(t.marketplace, MARKETPLACES),
    isFilled(t.productType, 200),
    isOneOf(t.fulfillmentType, FULFILLMENT_TYPES),
    isFilled(t.category, 200),
    isCount(t.listings, 1),
  ],
);

/** A user's own commission that stays although the marketplace reports this one, for all listings of the marketplace with both. */
export const keptRates = pgTable(
  'kept_rates',
  {
    marketplace: text('marketplace', { enum: MARKETPLACES }).notNull(),
    toldRate: share('told_rate').notNull(),
    ownRate: share('own_rate').notNull(),
    keptBy: text('kept_by').notNull(),
    keptAt: instant('kept_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.marketplace, t.toldRate, t.ownRate] }),
    isOneOf(t.marketplace, MARKETPLACES),
    isShare(t.toldRate, '0', '100'),
    isShare(t.ownRate, '0', '100'),
    isFilled(t.keptBy, 200),
  ],
);
