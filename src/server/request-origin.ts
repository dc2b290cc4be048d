import type { IncomingHttpHeaders } from 'node:http';
import { BlockList, isIP } from 'node:net';

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** What the checks below need to know of a request; the socket's own address, before any proxy header is believed. */
export type RequestFacts = {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly socketAddress: string | undefined;
};

export function isLoopbackAddress(address: string | undefined): boolean {
  if (address === undefined) return false;
  const plain = address.replace(/^::ffff:/i, '');
  const version = isIP(plain);
  return version !== 0 && LOOPBACK.check(plain, version === 4 ? 'ipv4' : 'ipv6');
}

function isLoopbackHost(host: string | undefined): boolean {
  if (host === undefined || !URL.canParse(`http://${host}`)) return false;
  const { hostname } = new URL(`http://${host}`);
  return hostname === 'localhost' || isLoopbackAddress(hostname.replace(/^\[|\]$/g, ''));
}

function wasForwarded(headers: IncomingHttpHeaders): boolean {
  return Object.keys(headers).some(
    (name) =>
      name === 'forwarded' || name === 'via' || name === 'x-real-ip' || name.startsWith('x-forwarded-'),
  );
}

/**
 * True when the request comes from this machine itself. The Host header counts too: a page of another site
 * whose name was pointed at 127.0.0.1 reaches us from a loopback socket, but says its own name.
 */
export function isFromThisMachine({ headers, socketAddress }: RequestFacts): boolean {
  return isLoopbackAddress(socketAddress) && isLoopbackHost(headers.host) && !wasForwarded(headers);
}

/**
 * Whether a request that may change something was started by our own pages. Browsers say so in Sec-Fetch-Site;
 * where they do not (plain http, old ones), Origin must be ours. Reads are always fine: they change nothing.
 * @param ownOrigins every origin under which this server is reached
 */
export function isSameOrigin({ method, headers }: RequestFacts, ownOrigins: readonly string[]): boolean {
  if (SAFE_METHODS.has(method)) return true;
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  return headers.origin !== undefined && ownOrigins.includes(headers.origin);
}

/**
 * The origins that are ours for this request: the configured one, else the one that the request was sent to.
 * Forwarded host headers are not asked: a client can write them.
 */
export function ownOrigins(publicUrl: string | null, headers: IncomingHttpHeaders): string[] {
  if (publicUrl !== null) return [publicUrl];
  return headers.host === undefined ? [] : [`http://${headers.host.toLowerCase()}`];
}
