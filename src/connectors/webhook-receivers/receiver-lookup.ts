import { type LookupAddress, promises } from 'node:dns';
import type { LookupFunction } from 'node:net';

/** Milliseconds that each server of names has for a question. */
const QUESTION_LIMIT = 2_500;
/** No server responded: then the system's own lookup would wait for the same servers. */
const NO_RESPONSE = new Set(['ETIMEOUT', 'ECANCELLED']);

/** Addresses of a name, at least one; it may never settle. */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

/**
 * Resolves the names of receivers, which users enter. The system's own lookup waits for servers that do not respond in one
 * of the few threads that also read files and check passwords, and cannot be ended. So servers of names are queried without
 * threads, and what they do not know (a name in the file of hosts) is looked up by the system, one name at a time.
 */
export function openReceiverLookup(
  resolve: Resolve = queryServers,
  system: Resolve = (hostname) => promises.lookup(hostname, { all: true }),
): LookupFunction {
  let last: Promise<unknown> = Promise.resolve();
  /** Names that are looked up by the system or wait for that. */
  const waiting = new Map<string, ReturnType<Resolve>>();
  const inTurn: Resolve = (hostname) => {
    const before = waiting.get(hostname);
    if (before !== undefined) return before;
    const found = last.then(() => system(hostname)).finally(() => waiting.delete(hostname));
    waiting.set(hostname, found);
    last = found.catch(() => undefined);
    return found;
  };
  return (hostname, { all }, callback) => {
    resolve(hostname)
      .catch((error: NodeJS.ErrnoException) => {
        if (NO_RESPONSE.has(error.code ?? '')) throw error;
        return inTurn(hostname);
      })
      .then(
        (found) => {
          const [first] = found;
          if (all === true) callback(null, [...found]);
          else callback(null, first?.address ?? '', first?.family);
        },
        (error: NodeJS.ErrnoException) => callback(error, []),
      );
  };
}

/** @throws an error of node:dns where there is no address */
async function queryServers(hostname: string): Promise<LookupAddress[]> {
  // A new one each time knows which servers there are now.
  const resolver = new promises.Resolver({ timeout: QUESTION_LIMIT, tries: 2 });
  const of = async (family: 4 | 6): Promise<LookupAddress[]> => {
    const addresses = await (family === 4 ? resolver.resolve4(hostname) : resolver.resolve6(hostname));
    return addresses.map((address) => ({ address, family }));
  };
  const [four, six] = await Promise.allSettled([of(4), of(6)]);
  const found = [four, six].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (found.length === 0 && four.status === 'rejected') throw four.reason;
  return found;
}
