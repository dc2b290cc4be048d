/**
 * The events that a receiver of webhooks can choose. `price.changed` a new row of the price history · `price.rejected` a
 * marketplace rejected a price · `repricing.halted` and `repricing.resumed` · `alert.started` and `alert.ended` of
 * the bell · `import.finished` a file was imported, or could not be. Triggers of the database queue them, in the transaction of
 * what they are about (ADR 016): a new one needs a migration.
 */
export const WEBHOOK_EVENTS = [
  'price.changed',
  'price.rejected',
  'repricing.halted',
  'repricing.resumed',
  'alert.started',
  'alert.ended',
  'import.finished',
] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/** Every type of a delivery: `test` is sent on request only. */
export const DELIVERY_TYPES = [...WEBHOOK_EVENTS, 'test'] as const;

/** `waiting` for its first or next attempt · `delivered` · `failed` given up after the last attempt. */
export const DELIVERY_STATES = ['waiting', 'delivered', 'failed'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/**
 * Why Pricewright switched a receiver off. `unsubscribed` it answered 410 · `failing` no delivery for three days of failures ·
 * `restored` the database was restored or copied, so that two programs could send its events.
 */
export const OFF_REASONS = ['unsubscribed', 'failing', 'restored'] as const;
export type OffReason = (typeof OFF_REASONS)[number];

/** The events of a request or form in their own order, each once. */
export function inEventOrder(events: readonly WebhookEvent[]): WebhookEvent[] {
  return WEBHOOK_EVENTS.filter((event) => events.includes(event));
}
