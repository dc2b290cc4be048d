import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { holds, isCount, isFilled, isMargin, isOneOf, isPrice } from '#db/checks.ts';
import { instant, margin, money } from '#db/columns.ts';
import { MARKETPLACES } from '#domain/marketplaces.ts';
import { EXTERNAL_EDIT_PROBLEMS, UNREPAIRED_REASONS } from '#domain/readings/repair-or-hold.ts';
import { SEND_PAUSE_REASONS } from '#domain/sending/send-pause.ts';
import { listings } from './listings.ts';
import { repricingRules } from './rules.ts';
import { repricingRuns } from './runs.ts';

/**
 * Who changed a price; `repair` undid an external edit. Imports and external edits may be below the margin floor; the others, which are ours, never are.
 */
export const PRICE_SOURCES = ['rule', 'person', 'apply', 'undo', 'repair', 'import', 'observed'] as const;
export type PriceSource = (typeof PRICE_SOURCES)[number];

/** The compact facts and versions from which the trace of a decision is recomputed. Amounts are whole cents. */
export type StoredFacts = Readonly<Record<string, unknown>>;

/**
 * The append-only ledger of `listings.currentPrice`. Adding a row is the only way to change a price: a trigger checks,
 * under a lock of the listing, that `oldPrice` is the current price and then changes it. At most one row per listing
 * and statement. Triggers reject UPDATE, DELETE and TRUNCATE.
 *
 * `oldPrice` is null only in a listing's first row, which a trigger writes when the listing is inserted (source
 * import).
 */
export const priceHistory = pgTable(
  'price_history',
  {
    id: bigint('id', { mode: 'number' }).notNull().default(sql`nextval('price_history_id_seq')`),
    listingId: bigint('listing_id', { mode: 'number' })
      .notNull()
      .references(() => listings.id, { onDelete: 'restrict' }),
    oldPrice: money('old_price'),
    newPrice: money('new_price').notNull(),
    reason: text('reason').notNull(),
    /** Margin after minus before, in percentage points; null when unknown. */
    marginImpact: margin('margin_impact'),
    /** Margin at the new price; null when unknown, and for changes of releases that did not store it. */
    marginAfter: margin('margin_after'),
    timestamp: instant('timestamp').notNull().default(sql`now()`),
    source: text('source', { enum: PRICE_SOURCES }).notNull(),
    actorId: text('actor_id'),
    /** The user's name at that time. */
    actor: text('actor'),
    runId: bigint('run_id', { mode: 'number' }).references(() => repricingRuns.id, { onDelete: 'restrict' }),
    ruleId: bigint('rule_id', { mode: 'number' }).references(() => repricingRules.id, {
      onDelete: 'restrict',
    }),
    competitorPrice: money('competitor_price'),
    marginFloor: money('margin_floor'),
    feeVersion: text('fee_version'),
    facts: jsonb('facts').$type<StoredFacts>(),
  },
  (t) => [
    // The listing first: its ledger is one range of the index.
    primaryKey({ columns: [t.listingId, t.id] }),
    // The prices around the time of a sale.
    index('price_history_listing_time_idx').on(t.listingId, t.timestamp, t.id),
    // With the listing and its prices: the newest changes, and figures over days, are index-only scans.
    index('price_history_timestamp_idx').on(t.timestamp, t.id, t.listingId, t.oldPrice, t.newPrice, t.source),
    index('price_history_source_idx').on(t.source, t.timestamp, t.id, t.listingId),
    index('price_history_actor_idx')
      .on(t.actor, t.timestamp, t.id, t.listingId)
      .where(sql`${t.actor} is not null`),
    index('price_history_rule_idx')
      .on(t.ruleId, t.timestamp, t.id, t.listingId)
      .where(sql`${t.ruleId} is not null`),
    index('price_history_run_id_idx').on(t.runId).where(sql`${t.runId} is not null`),
    isOneOf(t.source, PRICE_SOURCES),
    isFilled(t.reason, 2000),
    isPrice(t.oldPrice),
    isPrice(t.newPrice),
    isPrice(t.competitorPrice),
    isPrice(t.marginFloor),
    isMargin(t.marginImpact),
    isMargin(t.marginAfter),
    // PostgreSQL allows the timestamp "infinity", which no program can show or compare.
    holds('timestamp_finite', sql`isfinite(${t.timestamp})`),
    holds('price_changes', sql`${t.oldPrice} is null or ${t.oldPrice} <> ${t.newPrice}`),
    holds('first_is_import', sql`${t.oldPrice} is not null or ${t.source} = 'import'`),
    // Not `new_price >= margin_floor` alone: an unknown floor would pass it.
    holds(
      'never_below_floor',
      sql`${t.source} in ('import', 'observed') or (${t.marginFloor} is not null and ${t.newPrice} >= ${t.marginFloor})`,
    ),
  ],
);

export const INTENT_STATES = [
  'queued',
  'sent',
  'accepted',
  'confirmed',
  'rejected',
  'unknown',
  'expired',
] as const;
export type IntentState = (typeof INTENT_STATES)[number];

/** Sources that may send a price to a marketplace. */
export const INTENT_SOURCES = ['rule', 'person', 'apply', 'undo', 'repair'] as const;

/** A price on its way to a marketplace. It becomes a row of the ledger when a read-back confirms it. */
export const priceIntents = pgTable(
  'price_intents',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    listingId: bigint('listing_id', { mode: 'number' })
      .notNull()
      .references(() => listings.id, { onDelete: 'restrict' }),
    /** The listing's marketplace: a sender queries the intents of one. */
    marketplace: text('marketplace', { enum: MARKETPLACES }).notNull(),
    /** Of the listing's price group when it was queued; null for none. */
    groupKey: text('group_key'),
    /**
     * The same for the rows of all members of a price group, which are one price on its way: a trigger does to all what
     * happens to one. Null without a group, and once the group has changed.
     */
    groupOrder: uuid('group_order'),
    /** How many rows that are. */
    groupSize: integer('group_size'),
    /** Rises by one per listing: only the newest is sent. */
    sequence: integer('sequence').notNull(),
    state: text('state', { enum: INTENT_STATES }).notNull().default('queued'),
    price: money('price').notNull(),
    /** The current price when it was decided. */
    fromPrice: money('from_price').notNull(),
    marginFloor: money('margin_floor').notNull(),
    competitorPrice: money('competitor_price'),
    marginImpact: margin('margin_impact'),
    marginAfter: margin('margin_after'),
    reason: text('reason').notNull(),
    source: text('source', { enum: INTENT_SOURCES }).notNull(),
    actorId: text('actor_id'),
    actor: text('actor'),
    runId: bigint('run_id', { mode: 'number' }).references(() => repricingRuns.id, { onDelete: 'restrict' }),
    ruleId: bigint('rule_id', { mode: 'number' }).references(() => repricingRules.id, {
      onDelete: 'restrict',
    }),
    feeVersion: text('fee_version'),
    facts: jsonb('facts').$type<StoredFacts>(),
    /** Sent with the request, so that the marketplace recognizes a repeat. */
    idempotencyKey: text('idempotency_key').notNull().unique(),
    createdAt: instant('created_at').notNull(),
    /** If it is not sent by then, the listing is decided again. */
    expiresAt: instant('expires_at').notNull(),
    sentAt: instant('sent_at'),
    settledAt: instant('settled_at'),
    /** Why it was not confirmed, as a sentence for the user, with the marketplace's own message if there is one. */
    marketplaceMessage: text('marketplace_message'),
    /** The marketplace rejected this price, and nothing has changed since that would make it accept the price. */
    isRefusalActive: boolean('is_refusal_active').notNull().default(false),
    /** The marketplace's ID of the request. */
    receipt: text('receipt'),
    /** No call before this time, because the marketplace was busy. */
    notBefore: instant('not_before'),
    /** A user's price that waits for the end of a pause of its listing or marketplace: its age counts from then. */
    pausedUntil: instant('paused_until'),
    /** When the price that buyers see is read again; null while nothing is sent. */
    nextReadAt: instant('next_read_at'),
    /** The halt (by its time) that a user overrode to send this price; null for none. */
    pastHalt: instant('past_halt'),
    /** Why the listing must not be repriced from here, as the user who set this price was shown; null for none. */
    pastReason: text('past_reason'),
    /** How many read-backs did not show it yet. */
    reads: integer('reads').notNull().default(0),
    /** Since when every reading did not find the listing; null while the last one found it. */
    missingSince: instant('missing_since'),
  },
  (t) => [
    unique('price_intents_key').on(t.listingId, t.sequence),
    // A new decision replaces a queued one; two queued ones could be sent in the wrong order.
    uniqueIndex('price_intents_one_queued').on(t.listingId).where(sql`${t.state} = 'queued'`),
    index('price_intents_open_idx')
      .on(t.marketplace, t.state, t.listingId)
      .where(sql`${t.state} in ('queued', 'sent', 'accepted', 'unknown')`),
    index('price_intents_over_idx').on(t.settledAt, t.id).where(sql`${t.settledAt} is not null`),
    index('price_intents_refused_idx').on(t.listingId).where(sql`${t.isRefusalActive}`),
    index('price_intents_group_order_idx').on(t.groupOrder).where(sql`${t.groupOrder} is not null`),
    index('price_intents_run_id_idx').on(t.runId).where(sql`${t.runId} is not null`),
    isOneOf(t.state, INTENT_STATES),
    isOneOf(t.source, INTENT_SOURCES),
    isCount(t.sequence, 1),
    isFilled(t.groupKey, 200),
    isCount(t.groupSize, 1),
    isPrice(t.price),
    isPrice(t.fromPrice),
    isPrice(t.marginFloor),
    isPrice(t.competitorPrice),
    isMargin(t.marginImpact),
    isMargin(t.marginAfter),
    isFilled(t.reason, 2000),
    isFilled(t.pastReason, 500),
    isOneOf(t.marketplace, MARKETPLACES),
    isCount(t.reads),
    holds(
      'group_order_is_whole',
      sql`(${t.groupOrder} is null) = (${t.groupSize} is null) and (${t.groupOrder} is null or ${t.groupKey} is not null)`,
    ),
    holds('never_below_floor', sql`${t.price} >= ${t.marginFloor}`),
    holds('out_since', sql`${t.state} not in ('sent', 'accepted', 'unknown') or ${t.sentAt} is not null`),
    holds('refused_is_rejected', sql`${t.state} = 'rejected' or not ${t.isRefusalActive}`),
    holds(
      'over_since',
      sql`(${t.state} in ('confirmed', 'rejected', 'expired')) = (${t.settledAt} is not null)`,
    ),
  ],
);

/**
 * Listings whose marketplace accepts no price for a while. A row stays after its end, to count refusals in a row, until
 * a price is accepted.
 */
export const sendPauses = pgTable(
  'send_pauses',
  {
    listingId: bigint('listing_id', { mode: 'number' })
      .primaryKey()
      .references(() => listings.id, { onDelete: 'restrict' }),
    marketplace: text('marketplace', { enum: MARKETPLACES }).notNull(),
    why: text('why', { enum: SEND_PAUSE_REASONS }).notNull(),
    until: instant('until').notNull(),
    /** A price that ends one below the margin floor is sent all the same. */
    allowsRepairs: boolean('allows_repairs').notNull(),
    /** Used up calls of a day that other listings of the marketplace do not need. */
    othersMayGo: boolean('others_may_go').notNull().default(false),
    /** The price that was not sent, and the current price then: the largest change of money goes first. */
    price: money('price').notNull(),
    fromPrice: money('from_price').notNull(),
    /** Refusals for this reason in a row; 0 where we stopped before the marketplace refused. */
    times: integer('times').notNull(),
    /** The place of the listing after `until`, when many are decided again. */
    resumeAt: instant('resume_at'),
    /** When the listing was marked as due. */
    endedAt: instant('ended_at'),
  },
  (t) => [
    index('send_pauses_open_idx').on(t.marketplace, t.until).where(sql`${t.endedAt} is null`),
    isOneOf(t.marketplace, MARKETPLACES),
    isOneOf(t.why, SEND_PAUSE_REASONS),
    isPrice(t.price),
    isPrice(t.fromPrice),
    isCount(t.times),
  ],
);

/** What a user decided about an external edit: to leave it as it was, or to repair it. */
export const EXTERNAL_EDIT_DECISIONS = ['left', 'repaired'] as const;

/** External edits outside of the allowed prices. Those that are allowed are in the price history alone. */
export const externalEdits = pgTable(
  'external_edits',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    listingId: bigint('listing_id', { mode: 'number' })
      .notNull()
      .references(() => listings.id, { onDelete: 'restrict' }),
    marketplace: text('marketplace', { enum: MARKETPLACES }).notNull(),
    foundAt: instant('found_at').notNull(),
    /** The price that was found. */
    price: money('price').notNull(),
    priceBefore: money('price_before').notNull(),
    problem: text('problem', { enum: EXTERNAL_EDIT_PROBLEMS }).notNull(),
    /** Null where it was repaired automatically. */
    unrepairedBecause: text('unrepaired_because', { enum: UNREPAIRED_REASONS }),
    /** The price that it was repaired to, or that a user may repair it to. */
    repairPrice: money('repair_price').notNull(),
    decision: text('decision', { enum: EXTERNAL_EDIT_DECISIONS }),
    decidedAt: instant('decided_at'),
    decidedBy: text('decided_by'),
  },
  (t) => [
    index('external_edits_listing_idx').on(t.listingId, t.id),
    index('external_edits_open_idx').on(t.foundAt, t.marketplace).where(sql`${t.decision} is null`),
    isOneOf(t.marketplace, MARKETPLACES),
    isPrice(t.price),
    isPrice(t.priceBefore),
    isOneOf(t.problem, EXTERNAL_EDIT_PROBLEMS),
    isOneOf(t.unrepairedBecause, UNREPAIRED_REASONS),
    isPrice(t.repairPrice),
    isOneOf(t.decision, EXTERNAL_EDIT_DECISIONS),
    isFilled(t.decidedBy, 200),
    holds('decision_has_time', sql`(${t.decision} is null) = (${t.decidedAt} is null)`),
  ],
);
