import type { FastifyInstance, FastifyRequest } from 'fastify';
import { hours, type Instant } from '#domain/units.ts';
import { rememberHiddenClients } from '#usecases/repricing/alerts/remember-hidden-clients.ts';
import type { AppDeps } from './app-deps.ts';

/** The bell tells of it for a day after the last time. */
const NOTED_EVERY = hours(1);

/**
 * Says once in the log, and in the bell of administrators, when the proxy in front does not tell who calls. We speak no TLS, so that behind an https address
 * there is one, and whoever comes by that address without another behind the proxy's own cannot be told from the rest.
 */
export function warnOfHiddenClients(
  app: FastifyInstance,
  { publicUrl, log, db, now }: Pick<AppDeps, 'publicUrl' | 'log' | 'db' | 'now'>,
): void {
  if (publicUrl === null || !publicUrl.startsWith('https:')) return;
  const { host } = new URL(publicUrl);
  let notedAt: Instant | null = null;
  app.addHook('onRequest', async (request) => {
    const { headers, socket } = request.raw;
    // What a program on this machine asks directly says nothing of the proxy.
    const isByAddress = headers.host === host || headers.origin === publicUrl;
    if (!isByAddress || isClientKnown(request)) return;
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

/** Whether a proxy that is trusted named an address behind its own. */
function isClientKnown({ ips }: FastifyRequest): boolean {
  return ips !== undefined && ips.length > 1;
}
