import type { FastifyInstance, FastifyRequest } from 'fastify';
import { hours, type Instant } from '#domain/units.ts';
import { rememberHiddenClients } from '#usecases/repricing/alerts/remember-hidden-clients.ts';
import type { AppDeps } from './app-deps.ts';
import { trustedAddresses } from './trusted-addresses.ts';

/** The alert stays for a day after the last occurrence. */
const NOTED_EVERY = hours(1);

/**
 * Reports once in the log, and as an alert for administrators, when the proxy in front does not forward the client
 * address. We serve no TLS, so an https address implies a proxy, and clients without a forwarded address cannot be
 * distinguished.
 */
export function warnOfHiddenClients(
  app: FastifyInstance,
  {
    publicUrl,
    trustedProxies,
    log,
    db,
    now,
  }: Pick<AppDeps, 'publicUrl' | 'trustedProxies' | 'log' | 'db' | 'now'>,
): void {
  if (publicUrl === null || !publicUrl.startsWith('https:')) return;
  const { host } = new URL(publicUrl);
  const isProxy = trustedAddresses(trustedProxies);
  let notedAt: Instant | null = null;
  app.addHook('onRequest', async (request) => {
    const { headers, socket } = request.raw;
    // A direct request of a program on this machine says nothing about the proxy, even if both have one address.
    const isByAddress = headers.host === host || headers.origin === publicUrl;
    // The proxy may rewrite Host, and only some requests name their origin; a browser sends this with each.
    const isOfBrowser = headers['sec-fetch-mode'] !== undefined && isProxy(socket.remoteAddress ?? '');
    if (!(isByAddress || isOfBrowser) || isClientKnown(request)) return;
    const at = now();
    const isFirst = notedAt === null;
    if (notedAt !== null && at - notedAt < NOTED_EVERY) return;
    notedAt = at;
    await note(at);
    if (!isFirst) return;
    log.warn(
      { address: socket.remoteAddress },
      'the proxy of PUBLIC_URL hides client addresses, so all clients share one login attempt limit: make it send X-Forwarded-For, and set TRUSTED_PROXIES to its address',
    );
  });

  /** No request fails because of this. */
  async function note(at: Instant): Promise<void> {
    await rememberHiddenClients(db, at).catch((error: unknown) => {
      log.warn({ err: error }, 'hidden client addresses could not be recorded');
    });
  }
}

/** Whether a trusted proxy forwarded a client address. */
function isClientKnown({ ips }: FastifyRequest): boolean {
  return ips !== undefined && ips.length > 1;
}
