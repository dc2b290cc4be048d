import { hours, type Instant, instant, type Millis, minutes } from '#domain/units.ts';
import type { OffReason } from './webhook-events.ts';

/** Attempts for one delivery to a receiver of webhooks, including the first: over about a day. */
export const MAX_ATTEMPTS = 11;
const FIRST_WAIT = 30_000;
const FACTOR = 3;
/** The longest wait, also where the receiver asks for a longer one. */
const LONGEST_WAIT = hours(5);
/** A receiver without any delivery for longer is down: the failures say nothing about the event. */
const OUTAGE = hours(12);

/**
 * Why an attempt got no response. `refused_address` it is in a private network, nothing was sent · `timeout` no status in
 * time · `unreachable` no connection · `certificate` not one to trust · `unreadable` the response is not HTTP, or ended
 * early · `secret` the stored secret cannot be decrypted, nothing was sent.
 */
export const ATTEMPT_FAILURES = [
  'refused_address',
  'timeout',
  'unreachable',
  'certificate',
  'unreadable',
  'secret',
] as const;
export type AttemptFailure = (typeof ATTEMPT_FAILURES)[number];

/** How an attempt to deliver a webhook ended. No content of the response is in it, only its status. */
export type AttemptOutcome =
  | {
      readonly kind: 'answered';
      /** The status of HTTP, from 200. */
      readonly status: number;
      /** The wait in milliseconds that the receiver asked for; null if none. */
      readonly retryAfter: number | null;
    }
  | {
      readonly kind: 'failed';
      readonly reason: AttemptFailure;
    };

/** The rest of a receiver that gives no response, or says that it is overloaded. */
const SHORTEST_REST = minutes(1);
/** The longest rest that Pricewright chooses. */
const LONGEST_REST = minutes(5);
/** The longest rest that a receiver gets by Retry-After. */
const LONGEST_ASKED_REST = hours(1);
/** A receiver rests for a quarter of the time since its last delivery. */
const REST_SHARE = 4;
/** Too many requests, and what a gateway says for a program that is down or overloaded. */
const OVERLOADED: ReadonlySet<number> = new Set([429, 502, 503, 504]);
/** A receiver that failed for longer is switched off. */
const LONGEST_FAILURE = hours(72);

/** What follows for the delivery. */
export type DeliveryResult =
  | { readonly kind: 'delivered' }
  /** The receiver wants no more webhooks: it is switched off. */
  | { readonly kind: 'unsubscribed' }
  | { readonly kind: 'retry'; readonly at: Instant }
  | { readonly kind: 'given_up' };

function isDelivered(outcome: AttemptOutcome): boolean {
  return outcome.kind === 'answered' && outcome.status >= 200 && outcome.status < 300;
}

function isUnsubscribed(outcome: AttemptOutcome): boolean {
  return outcome.kind === 'answered' && outcome.status === 410;
}

/**
 * Only 2xx is a delivery: a redirect is not followed, since it could lead into a private network. An event is given up only
 * where the receiver accepts others; while it accepts none, its events wait until it is switched off or recovers.
 * @param attempts so far, including this one; from 1
 * @param failingSince the first failure of the receiver since its last delivery; null without one
 * @param chance from 0 to below 1: varies the wait by a quarter, so that many deliveries are not retried at once
 */
export function deliveryResult(
  outcome: AttemptOutcome,
  attempts: number,
  failingSince: Instant | null,
  now: Instant,
  chance: number,
): DeliveryResult {
  if (isDelivered(outcome)) return { kind: 'delivered' };
  if (isUnsubscribed(outcome)) return { kind: 'unsubscribed' };
  const isDown = failingSince !== null && now - failingSince >= OUTAGE;
  if (attempts >= MAX_ATTEMPTS && !isDown) return { kind: 'given_up' };
  const requested = outcome.kind === 'answered' ? (outcome.retryAfter ?? 0) : 0;
  const wait = Math.max(retryWaitAfter(attempts, chance), Math.min(requested, LONGEST_WAIT));
  return { kind: 'retry', at: instant(now + wait) };
}

/** @param attempts so far, from 1 */
function retryWaitAfter(attempts: number, chance: number): Millis {
  const wait = Math.min(FIRST_WAIT * FACTOR ** (attempts - 1), LONGEST_WAIT);
  return Math.round(wait * (0.75 + chance / 2)) as Millis;
}

/** The state of a receiver after an attempt. */
export interface ReceiverHealth {
  /** The first failure since the last delivery; null without one. */
  readonly failingSince: Instant | null;
  /** No attempt before; null for at once. */
  readonly restsUntil: Instant | null;
  /** Null while it stays on. */
  readonly offReason: OffReason | null;
}

/**
 * What an attempt says about the receiver. One refused event holds up no other one, but a receiver that gives no response,
 * is overloaded, or has accepted nothing for some time is called less and less often, with all its events.
 * @param failingSince before this attempt
 */
export function receiverHealth(
  outcome: AttemptOutcome,
  failingSince: Instant | null,
  now: Instant,
): ReceiverHealth {
  if (isDelivered(outcome)) return { failingSince: null, restsUntil: null, offReason: null };
  const since = failingSince ?? now;
  const rest = restAfter(outcome, now - since);
  const hasFailedTooLong = now - since > LONGEST_FAILURE;
  return {
    failingSince: since,
    restsUntil: rest === 0 ? null : instant(now + rest),
    offReason: isUnsubscribed(outcome) ? 'unsubscribed' : hasFailedTooLong ? 'failing' : null,
  };
}

/** @param failedFor milliseconds without a delivery @returns milliseconds; 0 for none */
function restAfter(outcome: AttemptOutcome, failedFor: number): number {
  const grown = Math.min(Math.max(Math.round(failedFor / REST_SHARE), 0), LONGEST_REST);
  if (outcome.kind === 'failed') return Math.max(grown, SHORTEST_REST);
  if (!OVERLOADED.has(outcome.status)) return grown;
  return Math.max(grown, SHORTEST_REST, Math.min(outcome.retryAfter ?? 0, LONGEST_ASKED_REST));
}
