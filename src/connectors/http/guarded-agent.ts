import { lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import type { Agent } from 'undici';
import { mayConnect, type Reach } from './public-address.ts';

/** A name or address that resolves to a forbidden network. */
export class RefusedAddressError extends Error {
  override readonly name = 'RefusedAddressError';
  constructor() {
    super('The address is not one that may be called.');
  }
}

interface AgentLimits {
  /** Milliseconds. */
  readonly connect: number;
  readonly bytes: number;
}

/**
 * Connections for the calls of one client. The IP address is checked at connection time: a name may resolve
 * differently each time. Certificates are always checked, whatever the environment says.
 * @param lookup resolves a name to its addresses; injected so that tests can control it
 */
export async function openGuardedAgent(
  limits: AgentLimits,
  reach: Reach,
  lookup: LookupFunction = systemLookup as LookupFunction,
): Promise<Agent> {
  const undici = await import('undici');
  const connect = undici.buildConnector({
    timeout: limits.connect,
    rejectUnauthorized: true,
    lookup: guardedLookup(lookup, reach),
  });
  return new undici.Agent({
    connections: 4,
    maxResponseSize: limits.bytes,
    connect: (options, callback) => {
      const host = options.hostname.replace(/^\[|\]$/g, '');
      // Numeric addresses are not resolved.
      if (isIP(host) !== 0 && !mayConnect(host, reach)) return callback(new RefusedAddressError(), null);
      connect(options, (...[error, socket]) => {
        if (error !== null) return callback(error, null);
        if (mayConnect(socket.remoteAddress ?? '', reach)) return callback(null, socket);
        socket.destroy();
        callback(new RefusedAddressError(), null);
      });
    },
  });
}

/** Returns only addresses that may be called; a name with one forbidden address is refused as a whole. */
function guardedLookup(lookup: LookupFunction, reach: Reach): LookupFunction {
  return (hostname, options, callback) =>
    lookup(hostname, options, (error, found, family) => {
      const all = typeof found === 'string' ? [found] : (found ?? []).map(({ address }) => address);
      const isFine = all.every((address) => mayConnect(address, reach));
      if (error === null && !isFine) callback(new RefusedAddressError(), found, family);
      else callback(error, found, family);
    });
}
