import { createHmac, timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';
import type { SyncKind } from '#domain/sync-kinds.ts';
import type { Instant } from '#domain/units.ts';
import type { Account } from './connector.ts';
import { mayConnect, reachOf } from './http/public-address.ts';

/** What somebody sent to our public address, as it came. */
export interface Delivery {
  /** By names in small letters. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Buffer;
}

/** Something has changed there: what it is now is read, never taken from the event. */
export interface WebhookEvent {
  /** What is to be read because of it; nothing of an event that we have no use for. */
  readonly what: readonly SyncKind[];
  /** The listing that it is about, where it says so. */
  readonly sku: string | null;
  /** When it happened, as far as the signed part says so. */
  readonly at: Instant | null;
}

/** A marketplace that sends events to a public address of ours, and signs them. */
export interface Webhooks {
  /** Whether there is something to sign with, and the address is one that the marketplace sends to. */
  isPossible(account: Account, address: string): boolean;
  /** Has it send events there from now on; those that it should not send there any more end. Done twice it changes nothing. */
  subscribe(account: Account, address: string, signal: AbortSignal): Promise<void>;
  /** Has it send nothing there any more. */
  unsubscribe(account: Account, address: string, signal: AbortSignal): Promise<void>;
  /** @returns null for whatever is not signed with the secret of the account */
  eventOf(account: Account, delivery: Delivery): WebhookEvent | null;
}

/** Names that mean something inside of a network alone. */
const INSIDE = /\.(local|localhost|internal|intranet|lan|home|corp|home\.arpa)$/;

/**
 * Whether a marketplace can send something there: by https, and not into somebody's own network. One that is simulated on
 * this machine sends to it.
 * @param baseUrl where the marketplace answers
 */
export function isReachableFrom(baseUrl: string, address: string): boolean {
  if (reachOf(baseUrl) === 'loopback') return true;
  const { protocol, hostname } = new URL(address);
  if (protocol !== 'https:') return false;
  const host = hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0) return mayConnect(host, 'public');
  return host.includes('.') && !INSIDE.test(host);
}

/**
 * Whether a signature is the HMAC-SHA256 of exactly these bytes, compared in constant time.
 * @param signature in base64 or hex
 */
export function isSigned(
  body: Buffer,
  secret: string,
  signature: string | readonly string[] | undefined,
): boolean {
  if (typeof signature !== 'string') return false;
  const isHex = /^[0-9a-f]{64}$/i.test(signature);
  if (!isHex && !/^[A-Za-z0-9+/]{43}=$/.test(signature)) return false;
  const given = Buffer.from(signature, isHex ? 'hex' : 'base64');
  return timingSafeEqual(given, createHmac('sha256', secret).update(body).digest());
}

/** What the bytes say as JSON; null when they are none. */
export function jsonIn(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return null;
  }
}
