import { sql } from 'drizzle-orm';
import { bigint, boolean, index, pgSequence, pgTable, text } from 'drizzle-orm/pg-core';
import { isAmount, isFilled, isMargin, isOneOf, isPrice } from '#db/checks.ts';
import { instant, margin, money } from '#db/columns.ts';
import { listings } from './listings.ts';
import { repricingRules } from './rules.ts';
import { OUTCOMES } from './runs.ts';

/** What lists sort by, written by the batch that decides. Every money is null while it is unknown. */
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
     * That, or the minimum price of the seller above it, when its marketplace was armed or at the last decision since that
     * knew one; kept while it is unknown or the engine only looks, null where it was never armed.
     */
    lowestAllowed: money('lowest_allowed'),
    amazonWalmartPrice: money('amazon_walmart_price'),
    thirdPartyFbaWfsPrice: money('third_party_fba_wfs_price'),
    thirdPartyFbmPrice: money('third_party_fbm_price'),
    outcome: text('outcome', { enum: OUTCOMES }),
    reasonCode: text('reason_code'),
    /** The rule that decides the listing now: what "Applied To n products" counts. */
    ruleId: bigint('rule_id', { mode: 'number' }).references(() => repricingRules.id, {
      onDelete: 'restrict',
    }),
    /** The price decided on; null when blocked. With outcome, reason and review reason it tells a new decision from a repeated one. */
    decidedPrice: money('decided_price'),
    reviewReason: text('review_reason'),
    /** Whether the featured offer is ours; null while nobody can say. */
    holdsBuyBox: boolean('holds_buy_box'),
    /** Kinds of what is missing from the cost. */
    missingFacts: text('missing_facts').array().notNull().default([]),
    /** The run whose `run_items` hold this decision, and keep the run; null for `keep`. */
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
    isAmount(t.amazonWalmartPrice),
    isAmount(t.thirdPartyFbaWfsPrice),
    isAmount(t.thirdPartyFbmPrice),
    isOneOf(t.outcome, OUTCOMES),
  ],
);

/** Numbers every marking of a listing as due. */
export const dueMarks = pgSequence('due_marks_seq');

/**
 * Listings whose inputs changed, filled by triggers in the transaction that changed them. A batch reads a
 * row before the facts and deletes it with its result, unless it was marked again meanwhile.
 */
export const dueListings = pgTable(
  'due_listings',
  {
    listingId: bigint('listing_id', { mode: 'number' })
      .primaryKey()
      .references(() => listings.id, { onDelete: 'cascade' }),
    dueSince: instant('due_since').notNull().default(sql`now()`),
    /** What changed first: "offers", "cost", "rule", "fees", "settings", "sweep", ... */
    cause: text('cause').notNull(),
    /** Renewed by every further change. */
    mark: bigint('mark', { mode: 'number' }).notNull().default(sql`nextval('due_marks_seq')`),
    /** That of `listing_metrics` for a listing that was armed before its first decision. */
    lowestAllowed: money('lowest_allowed'),
  },
  (t) => [isFilled(t.cause, 50), isPrice(t.lowestAllowed)],
);
