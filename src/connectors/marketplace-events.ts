import { createHmac, timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';
import type { ReadCoverage } from '#domain/competition/competition.ts';
import type { SyncKind } from '#domain/connections/sync-kinds.ts';
import type { Instant } from '#domain/units.ts';
import type { Account, MarketOffer } from './connector.ts';
import { mayConnect, reachOf } from './http/public-address.ts';

/** An unverified request to our public address. */
export interface Delivery {
  /** By lower-case names. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Buffer;
}

/** Offers that a signed event contains. */
export interface OfferEvent {
  readonly offers: readonly MarketOffer[];
  readonly coverage: ReadCoverage;
}

/** Something has changed there. The new values are read, except for offers that only an event names the sellers of. */
export interface MarketplaceEvent {
  /** What must be synced because of it; nothing for an event that we do not use. */
  readonly what: readonly SyncKind[];
  /** The listing it is about, if known. */
  readonly sku: string | null;
  /** When it happened, according to the signed part, if known. */
  readonly at: Instant | null;
  /** The offers for the listing at that time; null where the event does not contain them. */
  readonly offers: OfferEvent | null;
}

/** A marketplace that sends signed events to a public address of ours. */
export interface MarketplaceEvents {
  /** Whether there is a secret to check signatures with, and the address is one that the marketplace sends to. */
  isPossible(account: Account, address: string): boolean;
  /** Subscribes the address and ends obsolete subscriptions. Idempotent. */
  subscribe(account: Account, address: string, signal: AbortSignal): Promise<void>;
  /** Ends all subscriptions. */
  unsubscribe(account: Account, address: string, signal: AbortSignal): Promise<void>;
  /** @returns null for anything not signed with the secret of the account */
  eventOf(account: Account, delivery: Delivery): MarketplaceEvent | null;
}

/** Names that only resolve inside a private network. */
const INSIDE = /\.(local|localhost|internal|intranet|lan|home|corp|home\.arpa)$/;

/**
 * Whether a marketplace can send to that address: by https, and not to a private network. A simulated marketplace
 * on this machine sends to this machine.
 * @param baseUrl the address of the marketplace
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

/** The bytes parsed as JSON; null when they are not JSON. */
export function jsonIn(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return null;
  }
}
