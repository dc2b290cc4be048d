import { BlockList, isIP } from 'node:net';

/** Private, link-local, reserved and special networks. */
const NOT_PUBLIC_V4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const;

// Those that embed an IPv4 address are here too: the embedded address is checked first.
const NOT_PUBLIC_V6 = [
  ['::', 96],
  ['::ffff:0:0', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const;

const notPublicV4 = new BlockList();
for (const [network, bits] of NOT_PUBLIC_V4) notPublicV4.addSubnet(network, bits, 'ipv4');
const notPublicV6 = new BlockList();
for (const [network, bits] of NOT_PUBLIC_V6) notPublicV6.addSubnet(network, bits, 'ipv6');

const LOOPBACK_HOSTS = new Set(['localhost', '127.0.0.1', '::1']);

// Networks of a home or a company, and this machine.
const INSIDE_V4 = new Set(['10.0.0.0', '100.64.0.0', '127.0.0.0', '172.16.0.0', '192.168.0.0']);
const INSIDE_V6 = new Set(['fc00::']);
const neverV4 = new BlockList();
for (const [network, bits] of NOT_PUBLIC_V4)
  if (!INSIDE_V4.has(network)) neverV4.addSubnet(network, bits, 'ipv4');
const neverV6 = new BlockList();
for (const [network, bits] of NOT_PUBLIC_V6)
  if (!INSIDE_V6.has(network)) neverV6.addSubnet(network, bits, 'ipv6');

/**
 * Which machines a call may reach: public internet addresses, this machine only, or `inside`: public addresses and
 * those of a home or a company, for services that run there. Link-local and reserved addresses are never reached.
 */
export type Reach = 'public' | 'loopback' | 'inside';

/** The scope of the calls to an address: this machine where the address names it, else public internet addresses. */
export function reachOf(baseUrl: string): Reach {
  return LOOPBACK_HOSTS.has(bare(new URL(baseUrl).hostname)) ? 'loopback' : 'public';
}

/**
 * Whether a call may connect to this address: an IP address, not a name.
 * @param address IPv4 or IPv6 as a socket reports it; anything else is refused
 */
export function mayConnect(address: string, reach: Reach): boolean {
  const family = isIP(address);
  if (family === 4) {
    if (reach === 'loopback') return address.startsWith('127.');
    return !(reach === 'inside' ? neverV4 : notPublicV4).check(address);
  }
  if (family !== 6 || address.includes('%')) return false;
  const inside = embeddedIpv4(address);
  if (inside !== null) return mayConnect(inside, reach);
  if (canonical(address) === '::1') return reach !== 'public';
  if (reach === 'loopback') return false;
  return !(reach === 'inside' ? neverV6 : notPublicV6).check(address, 'ipv6');
}

/** The IPv4 address in a mapped one (::ffff:127.0.0.1) or a translated one (64:ff9b::7f00:1); null in others. */
function embeddedIpv4(address: string): string | null {
  const parts = /^(?:::ffff|64:ff9b:):([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(canonical(address));
  if (parts === null) return null;
  const [high = 0, low = 0] = parts.slice(1).map((part) => Number.parseInt(part, 16));
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

/** The canonical spelling of an IPv6 address. */
function canonical(address: string): string {
  return bare(new URL(`http://[${address}]`).hostname);
}

function bare(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '');
}
