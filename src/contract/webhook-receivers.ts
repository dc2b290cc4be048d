import { z } from 'zod';
import { ATTEMPT_FAILURES } from '#domain/webhook-receivers/delivery-retries.ts';
import {
  DELIVERY_STATES,
  DELIVERY_TYPES,
  inEventOrder,
  OFF_REASONS,
  WEBHOOK_EVENTS,
} from '#domain/webhook-receivers/webhook-events.ts';
import { Moment, PageParam, sizeParam } from './fields.ts';

const Events = z.array(z.enum(WEBHOOK_EVENTS));

/** POST /api/webhook-receivers. */
export const NewWebhookReceiver = z.strictObject({
  /** What it is for: "Warehouse system". */
  name: z.string().trim().min(1, 'Enter a name').max(60, 'Enter at most 60 characters'),
  /** An https address on the public internet, without user name and password. */
  address: z.string().trim().min(1, 'Enter an address').max(500, 'Enter at most 500 characters'),
  events: Events.min(1, 'Choose at least one').max(50).transform(inEventOrder),
});
export type NewWebhookReceiver = z.output<typeof NewWebhookReceiver>;

/** PUT /api/webhook-receivers/:id. Switching on ends the rest after failures. */
export const EditWebhookReceiver = NewWebhookReceiver.extend({ isOn: z.boolean() });
export type EditWebhookReceiver = z.output<typeof EditWebhookReceiver>;

/** A receiver without its secret, which only the answers that made it have. */
export const WebhookReceiver = z.object({
  id: z.string(),
  name: z.string(),
  address: z.string(),
  events: Events,
  isOn: z.boolean(),
  /** Why Pricewright switched it off; null while it is on, and where a user did. */
  offReason: z.enum(OFF_REASONS).nullable(),
  /** False when its secret was deleted with a lost key: nothing is delivered until it has a new one. */
  hasSecret: z.boolean(),
  /** Until when the former secret signs too; null when none does. */
  formerSecretUntil: Moment.nullable(),
  /** The first failure since the last delivery; null without one. */
  failingSince: Moment.nullable(),
  waitingCount: z.int(),
  failedCount: z.int(),
  createdAt: Moment,
  createdBy: z.string(),
});
export type WebhookReceiver = z.output<typeof WebhookReceiver>;
/** GET /api/webhook-receivers: all, by name. */
export const WebhookReceivers = z.array(WebhookReceiver);

/** The answer to POST /api/webhook-receivers and to POST /api/webhook-receivers/:id/secret. */
export const WebhookSecret = z.object({ id: z.string(), secret: z.string() });
export type WebhookSecret = z.output<typeof WebhookSecret>;

/** The answer to a test and to a redelivery: the id of the delivery, which is queued. */
export const QueuedDelivery = z.object({ deliveryId: z.string() });

export const DeliveriesQuery = z.strictObject({
  state: z.enum(DELIVERY_STATES).optional(),
  page: PageParam,
  size: sizeParam([25, 50, 100], 25),
});

export const WebhookDelivery = z.object({
  /** The id of the event, which `webhook-id` has at every attempt. */
  id: z.string(),
  type: z.enum(DELIVERY_TYPES),
  timestamp: Moment,
  state: z.enum(DELIVERY_STATES),
  /** Null unless it waits; now when it is due. */
  nextAttemptAt: Moment.nullable(),
  /** The first one first. */
  attempts: z.array(
    z.object({
      at: Moment,
      /** Of HTTP; null without a response. */
      status: z.int().nullable(),
      failure: z.enum(ATTEMPT_FAILURES).nullable(),
      /** Milliseconds. */
      duration: z.int(),
    }),
  ),
  /** What is sent as `data`. */
  data: z.record(z.string(), z.unknown()),
});
export type WebhookDelivery = z.output<typeof WebhookDelivery>;
/** GET /api/webhook-receivers/:id/deliveries, newest first: delivered ones of the last 3 days, others of the last 14. */
export const WebhookDeliveries = z.object({ rows: z.array(WebhookDelivery), total: z.int() });
