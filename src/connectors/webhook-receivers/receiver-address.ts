import { isIP } from 'node:net';
import { mayConnect, reachOf } from '#connectors/http/public-address.ts';
import type { AddressProblem } from '#connectors/webhook-sender.ts';

/** The longest address, in characters. */
const MAX_LENGTH = 500;

/**
 * Checks an address that an administrator enters for a receiver. What its name resolves to is checked at each
 * connection, since that changes.
 * @param allowsLoopback whether this machine may be a receiver, also without https: only where Pricewright itself is
 * reachable from this machine alone
 * @returns the normalized address without a fragment, or the problem
 */
export function receiverAddress(
  text: string,
  allowsLoopback: boolean,
): { readonly address: string } | { readonly problem: AddressProblem } {
  const url = text.length <= MAX_LENGTH && URL.canParse(text) ? new URL(text) : null;
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return { problem: 'invalid' };
  if (url.username !== '' || url.password !== '') return { problem: 'credentials' };
  const isLoopback = reachOf(url.href) === 'loopback';
  if (isLoopback ? !allowsLoopback : isPrivate(url)) return { problem: 'private' };
  if (url.protocol !== 'https:' && !isLoopback) return { problem: 'not_https' };
  url.hash = '';
  return { address: url.href };
}

/** Names are not resolved here; a final dot makes no other name. */
function isPrivate({ hostname }: URL): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (isIP(host) !== 0) return !mayConnect(host, 'public');
  return host === 'localhost' || host.endsWith('.localhost');
}
