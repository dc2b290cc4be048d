import { index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { isFilled, isOneOf } from '#db/checks.ts';
import { instant } from '#db/columns.ts';
import { SYNC_KINDS } from '#domain/connections/sync-kinds.ts';
import { MARKETPLACES } from '#domain/marketplaces.ts';

/** Events that a marketplace pushes to us; a row while they are wanted. */
export const eventSubscriptions = pgTable(
  'event_subscriptions',
  {
    marketplace: text('marketplace', { enum: MARKETPLACES }).primaryKey(),
    /** Since when events arrive; null while they do not. */
    since: instant('since'),
    /** When the last event arrived; null before the first. */
    lastAt: instant('last_at'),
    /** Why no events arrive, as a sentence for the user; null when nothing is wrong. */
    problem: text('problem'),
    /** The address that was registered for it; null for a queue of the seller's. */
    address: text('address'),
  },
  (t) => [isOneOf(t.marketplace, MARKETPLACES), isFilled(t.problem, 2000), isFilled(t.address, 500)],
);

/** Events that arrived, for as long as one may be sent again. Their content is not kept. */
export const webhookEvents = pgTable(
  'webhook_events',
  {
    marketplace: text('marketplace', { enum: MARKETPLACES }).notNull(),
    /** SHA-256 of the signed bytes. */
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

/** When a marketplace last reported a change of a kind: an older sync is outdated. */
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
