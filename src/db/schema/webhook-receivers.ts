import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  json,
  pgTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import { holds, isCount, isFilled, isOneOf } from '#db/checks.ts';
import { instant } from '#db/columns.ts';
import { ATTEMPT_FAILURES } from '#domain/webhook-receivers/delivery-retries.ts';
import {
  DELIVERY_STATES,
  DELIVERY_TYPES,
  OFF_REASONS,
  type WebhookEvent,
} from '#domain/webhook-receivers/webhook-events.ts';

/** Where events are sent to: programs of the seller. */
export const webhookReceivers = pgTable(
  'webhook_receivers',
  {
    /** Random, given before the secret is encrypted for it. */
    id: text('id').primaryKey(),
    name: text('name').notNull(),
    address: text('address').notNull(),
    events: text('events').array().$type<WebhookEvent[]>().notNull(),
    isOn: boolean('is_on').notNull().default(true),
    /** Why the program switched it off; null while it is on, and where a user did. */
    offReason: text('off_reason', { enum: OFF_REASONS }),
    /** Null when the key was lost. */
    secretEncrypted: text('secret_encrypted'),
    /** The secret before, which signs too until that time. */
    formerSecretEncrypted: text('former_secret_encrypted'),
    formerSecretUntil: instant('former_secret_until'),
    /** The first failure since the last delivery; null without one. */
    failingSince: instant('failing_since'),
    /** No attempt before: it did not answer. */
    restsUntil: instant('rests_until'),
    createdAt: instant('created_at').notNull(),
    createdBy: text('created_by').notNull(),
  },
  (t) => [
    uniqueIndex('webhook_receivers_name_key').on(sql`lower(${t.name})`),
    isFilled(t.name, 60),
    isFilled(t.address, 500),
    isFilled(t.createdBy, 254),
    isOneOf(t.offReason, OFF_REASONS),
    holds('off_has_reason', sql`not ${t.isOn} or ${t.offReason} is null`),
    check(
      'webhook_receiver_events',
      sql`${t.events} <@ ARRAY['price.changed', 'price.rejected', 'repricing.halted', 'repricing.resumed', 'alert.started', 'alert.ended', 'import.finished'] and cardinality(${t.events}) between 1 and 7`,
    ),
  ],
);

/** One event for one receiver, written in the transaction of the fact by triggers. */
export const webhookDeliveries = pgTable(
  'webhook_deliveries',
  {
    /** The same at every attempt. Never a number, which would be given again after a restore. */
    id: text('id').primaryKey().default(sql`gen_random_uuid()::text`),
    /** Without a foreign key: its check would let a fact wait for the end of a receiver, or fail with it. */
    receiverId: text('receiver_id').notNull(),
    type: text('type', { enum: DELIVERY_TYPES }).notNull(),
    happenedAt: instant('happened_at').notNull(),
    /** As text, so that every attempt sends its members in the same order. */
    data: json('data').$type<Readonly<Record<string, unknown>>>().notNull(),
    state: text('state', { enum: DELIVERY_STATES }).notNull().default('waiting'),
    /** Attempts since it was last queued. */
    attempts: integer('attempts').notNull().default(0),
    /** The next attempt; null once it is over. */
    nextAt: instant('next_at'),
  },
  (t) => [
    index('webhook_deliveries_waiting_idx').on(t.receiverId, t.nextAt).where(sql`${t.state} = 'waiting'`),
    index('webhook_deliveries_log_idx').on(t.receiverId, t.happenedAt, t.id),
    index('webhook_deliveries_state_idx').on(t.state, t.happenedAt),
    isOneOf(t.type, DELIVERY_TYPES),
    isOneOf(t.state, DELIVERY_STATES),
    isCount(t.attempts),
    holds('waits', sql`(${t.state} = 'waiting') = (${t.nextAt} is not null)`),
  ],
);

/** How each attempt ended. Nothing of a response is kept but its status. */
export const webhookAttempts = pgTable(
  'webhook_attempts',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    deliveryId: text('delivery_id')
      .notNull()
      .references(() => webhookDeliveries.id, { onDelete: 'cascade' }),
    at: instant('at').notNull(),
    /** Null without a response. */
    status: integer('status'),
    failure: text('failure', { enum: ATTEMPT_FAILURES }),
    /** Milliseconds. */
    duration: integer('duration').notNull(),
  },
  (t) => [
    index('webhook_attempts_delivery_id_idx').on(t.deliveryId, t.id),
    check('status_range', sql`${t.status} between 100 and 999`),
    isOneOf(t.failure, ATTEMPT_FAILURES),
    isCount(t.duration),
    holds('answered_or_failed', sql`(${t.status} is null) <> (${t.failure} is null)`),
  ],
);
