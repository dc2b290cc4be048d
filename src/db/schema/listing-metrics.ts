import { sql } from 'drizzle-orm';
import { bigint, boolean, index, pgTable, smallint, text } from 'drizzle-orm/pg-core';
import { holds, isAmount, isMargin, isOneOf, isPrice, isShare } from '#db/checks.ts';
import { instant, margin, money, share } from '#db/columns.ts';
import { COMPETITION_STATUSES } from '#domain/competition/competition.ts';
import { listings } from './listings.ts';
import { repricingRules } from './rules.ts';
import { OUTCOMES } from './runs.ts';

/** What lists sort by, written by the batch that decides. Every amount is null while it is unknown. */
export const listingMetrics = pgTable(
  'listing_metrics',
  {
    listingId: bigint('listing_id', { mode: 'number' })
      .primaryKey()
      .references(() => listings.id, { onDelete: 'cascade' }),
    productCost: money('product_cost'),
    shippingCost: money('shipping_cost'),
    fulfillmentCost: money('fulfillment_cost'),
    packagingCost: money('packaging_cost'),
    miscCost: money('misc_cost'),
    totalCost: money('total_cost'),
    /** Of revenue, after fees; null when unknown. */
    margin: margin('margin'),
    marginFloor: money('margin_floor'),
    /**
     * The margin floor, or the seller's higher minimum price, from when the marketplace went live or the last later
     * decision that knew it; kept while it is unknown or prices are only recommended, null if it never was live.
     */
    lowestAllowed: money('lowest_allowed'),
    amazonWalmartPrice: money('amazon_walmart_price'),
    thirdPartyFbaWfsPrice: money('third_party_fba_wfs_price'),
    thirdPartyFbmPrice: money('third_party_fbm_price'),
    /** The commission that the marketplace reported and that of the fee schedule, where they differ; else null. */
    toldRate: share('told_rate'),
    scheduledRate: share('scheduled_rate'),
    /** What the margin leaves for advertising and returns, in percent of the revenue; null when unknown. */
    countedShare: share('counted_share'),
    /** What is charged for fulfilling a unit, where it differs from the fee that the seller entered; else null. */
    chargedFee: money('charged_fee'),
    /** Whether what the marketplace reported is the commission in use. */
    isFeeTold: boolean('is_fee_told').notNull().default(false),
    /** Whether a lower commission waits to be reported again. */
    isFeeHeld: boolean('is_fee_held').notNull().default(false),
    outcome: text('outcome', { enum: OUTCOMES }),
    reasonCode: text('reason_code'),
    /** The rule that prices the listing now: counted by "Applied To n products". */
    ruleId: bigint('rule_id', { mode: 'number' }).references(() => repricingRules.id, {
      onDelete: 'restrict',
    }),
    /** The line of that rule that decided, from 1; 0 where none applied, null where none was asked or it is not known. */
    line: smallint('line'),
    /**
     * The decided price; null when blocked. With outcome, reason and review reason it identifies a repeated decision.
     */
    decidedPrice: money('decided_price'),
    reviewReason: text('review_reason'),
    /** Whether the featured offer is ours; null while unknown. */
    holdsBuyBox: boolean('holds_buy_box'),
    /** What is known about the competitors; null while it was not judged. */
    competition: text('competition', { enum: COMPETITION_STATUSES }),
    /** Since when the competitors are not read that were read before; null while they are, or never were. */
    notReadSince: instant('not_read_since'),
    /** Kinds of missing costs. */
    missingFacts: text('missing_facts').array().notNull().default([]),
    /** The run whose `run_items` contain this decision, which are kept as long; null for `keep`. */
    runId: bigint('run_id', { mode: 'number' }),
    decidedAt: instant('decided_at').notNull(),
  },
  (t) => [
    index('listing_metrics_rule_id_idx').on(t.ruleId),
    isAmount(t.productCost),
    isAmount(t.shippingCost),
    isAmount(t.fulfillmentCost),
    isAmount(t.packagingCost),
    isAmount(t.miscCost),
    isAmount(t.totalCost),
    isMargin(t.margin),
    isPrice(t.marginFloor),
    isPrice(t.lowestAllowed),
    isPrice(t.decidedPrice),
    // Up to MAX_LINES of the domain.
    holds('line_range', sql`${t.line} between 0 and 20`),
    isAmount(t.amazonWalmartPrice),
    isAmount(t.thirdPartyFbaWfsPrice),
    isAmount(t.thirdPartyFbmPrice),
    isOneOf(t.outcome, OUTCOMES),
    isOneOf(t.competition, COMPETITION_STATUSES),
    isShare(t.toldRate, '0', '100'),
    isShare(t.scheduledRate, '0', '100'),
    isShare(t.countedShare, '0', '200'),
    isAmount(t.chargedFee),
    index('listing_metrics_told_rate_idx')
      .on(t.toldRate, t.scheduledRate)
      .where(sql`${t.toldRate} is not null`),
    index('listing_metrics_charged_fee_idx').on(t.listingId).where(sql`${t.chargedFee} is not null`),
  ],
);

/**
 * Where the lowest allowed price of a listing was before users lowered it by 20% or less at a time: small steps add up until it
 * is there again, or a drop of more than 20% was confirmed (ADR 009).
 */
export const smallFloorFalls = pgTable(
  'small_floor_falls',
  {
    listingId: bigint('listing_id', { mode: 'number' })
      .primaryKey()
      .references(() => listings.id, { onDelete: 'cascade' }),
    lowestAllowed: money('lowest_allowed').notNull(),
  },
  (t) => [isPrice(t.lowestAllowed)],
);
