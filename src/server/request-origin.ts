import type { IncomingHttpHeaders } from 'node:http';
import { BlockList, isIP } from 'node:net';

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** The parts of a request that the checks below need; the socket's own address, before any proxy header is trusted. */
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
  return hostname === 'localhost' || isLoopbackAddress(bare(hostname));
}

/** How other machines reach this server, according to its settings. */
export type Reach = {
  /** Whether it listens on a loopback address. */
  readonly boundToLoopback: boolean;
  readonly publicUrl: string | null;
  readonly trustedProxies: readonly string[];
};

/**
 * Whether the settings make this server unreachable from other machines. Otherwise a connection from loopback
 * proves nothing: a proxy on this machine may rewrite Host and add no header, and then every client looks like the
 * owner.
 */
export function isForThisMachineAlone({ boundToLoopback, publicUrl, trustedProxies }: Reach): boolean {
  const isLocal = publicUrl === null || isLoopbackHost(new URL(publicUrl).host);
  return boundToLoopback && isLocal && trustedProxies.length === 0;
}

/**
 * Whether a Host header names this server, where no PUBLIC_URL is set. A page of another site can point a name of
 * its own to this machine, but neither an address nor "localhost".
 * @param home the base address of links: it contains the name that the server listens on
 */
export function isServedHost(
  host: string | undefined,
  { boundToLoopback, home }: { boundToLoopback: boolean; home: string },
): boolean {
  // No browser omits it.
  if (host === undefined || isLoopbackHost(host)) return true;
  if (boundToLoopback || !URL.canParse(`http://${host}`)) return false;
  const { hostname } = new URL(`http://${host}`);
  return isIP(bare(hostname)) !== 0 || hostname === new URL(home).hostname;
}

/** Without the brackets around an IPv6 address. */
function bare(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '');
}

function wasForwarded(headers: IncomingHttpHeaders): boolean {
  return Object.keys(headers).some(
    (name) =>
      name === 'forwarded' || name === 'via' || name === 'x-real-ip' || name.startsWith('x-forwarded-'),
  );
}

/**
 * True when the request comes from this machine itself. The Host header counts too: a page of another site whose
 * name points to 127.0.0.1 reaches us from a loopback socket, but sends its own name.
 */
export function isFromThisMachine({ headers, socketAddress }: RequestFacts): boolean {
  return isLoopbackAddress(socketAddress) && isLoopbackHost(headers.host) && !wasForwarded(headers);
}

/**
 * Whether a request that may change something was started by our own pages. Browsers send it in Sec-Fetch-Site;
 * where they do not (plain http, old ones), Origin must be ours. Reads are always allowed: they change nothing.
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
 * Forwarded host headers are not used: a client can write them.
 */
export function ownOrigins(publicUrl: string | null, headers: IncomingHttpHeaders): string[] {
  if (publicUrl !== null) return [publicUrl];
  return headers.host === undefined ? [] : [`http://${headers.host.toLowerCase()}`];
}
