import { index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { isFilled, isOneOf } from '#db/checks.ts';
import { instant } from '#db/columns.ts';
import { MARKETPLACES } from '#domain/marketplaces.ts';
import { SYNC_KINDS } from '#domain/sync-kinds.ts';

/** What a marketplace sends by itself; a row while it is wanted. */
export const eventSubscriptions = pgTable(
  'event_subscriptions',
  {
    marketplace: text('marketplace', { enum: MARKETPLACES }).primaryKey(),
    /** Since when it comes; null while it does not. */
    since: instant('since'),
    /** When something last came; null before the first. */
    lastAt: instant('last_at'),
    /** Why nothing comes, for people; null when nothing is wrong. */
    problem: text('problem'),
    /** Where it was asked to send it; null for a queue of the seller's. */
    address: text('address'),
  },
  (t) => [isOneOf(t.marketplace, MARKETPLACES), isFilled(t.problem, 2000), isFilled(t.address, 500)],
);

/** Events that came, for as long as one may be sent again. What they said is not kept. */
export const webhookEvents = pgTable(
  'webhook_events',
  {
    marketplace: text('marketplace', { enum: MARKETPLACES }).notNull(),
    /** Of the signed bytes. */
    digest: text('digest').notNull(),
    receivedAt: instant('received_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.marketplace, t.digest] }),
    isOneOf(t.marketplace, MARKETPLACES),
    isFilled(t.digest, 64),
    index('webhook_events_received_at_idx').on(t.receivedAt),
  ],
);

/** When a marketplace last said that something of a kind has changed: a reading from before is old. */
export const syncRequests = pgTable(
  'sync_requests',
  {
    marketplace: text('marketplace', { enum: MARKETPLACES }).notNull(),
    kind: text('kind', { enum: SYNC_KINDS }).notNull(),
    requestedAt: instant('requested_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.marketplace, t.kind] }),
    isOneOf(t.marketplace, MARKETPLACES),
    isOneOf(t.kind, SYNC_KINDS),
  ],
);
