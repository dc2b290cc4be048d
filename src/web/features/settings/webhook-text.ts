import type { WebhookDelivery, WebhookReceiver } from '#contract/webhook-receivers.ts';
import type { AttemptFailure } from '#domain/webhook-receivers/delivery-retries.ts';
import type { DeliveryState, OffReason, WebhookEvent } from '#domain/webhook-receivers/webhook-events.ts';

/** What each event reports. */
export const EVENT_LABELS: Readonly<Record<WebhookEvent, string>> = {
  'price.changed': 'A price changed',
  'price.rejected': 'A marketplace rejected a price',
  'repricing.halted': 'Repricing was halted',
  'repricing.resumed': 'Repricing was resumed',
  'alert.started': 'An alert started',
  'alert.ended': 'An alert ended',
  'import.finished': 'An import finished',
};

export const STATE_LABELS: Readonly<Record<DeliveryState, string>> = {
  waiting: 'Waiting',
  delivered: 'Delivered',
  failed: 'Failed',
};

const OFF_TEXTS: Readonly<Record<OffReason, string>> = {
  unsubscribed: 'The receiver unsubscribed (status 410).',
  failing: 'It accepted nothing for 3 days.',
  restored: 'The database was restored or copied.',
};

const FAILURE_TEXTS: Readonly<Record<AttemptFailure, string>> = {
  refused_address: 'Address not on the public internet',
  timeout: 'No response within 10 s',
  unreachable: 'Could not connect',
  certificate: 'Certificate not trusted',
  unreadable: 'Response is not HTTP',
  secret: 'Secret cannot be decrypted: replace it',
};

/** How an attempt ended. */
export function attemptText({ status, failure }: WebhookDelivery['attempts'][number]): string {
  return failure === null ? `Status ${status}` : FAILURE_TEXTS[failure];
}

/** The state of a receiver, with the reason where there is one. */
export function receiverState(receiver: WebhookReceiver): {
  readonly tone: 'success' | 'warning' | 'neutral' | 'danger';
  readonly text: string;
  readonly reason: string | null;
} {
  const { isOn, offReason, hasSecret, failingSince } = receiver;
  if (offReason !== null) return { tone: 'danger', text: 'Off', reason: OFF_TEXTS[offReason] };
  if (!isOn) return { tone: 'neutral', text: 'Off', reason: null };
  if (!hasSecret) {
    const reason = 'Nothing is sent. Replace the secret.';
    return { tone: 'danger', text: 'Secret lost', reason };
  }
  if (failingSince !== null) return { tone: 'warning', text: 'Failing', reason: null };
  return { tone: 'success', text: 'On', reason: null };
}
