import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { AppDeps } from './app-deps.ts';

/**
 * Says once in the log when the proxy in front does not tell who calls. We speak no TLS, so that behind an https address
 * there is one, and whoever comes by that address without another behind the proxy's own cannot be told from the rest.
 */
export function warnOfHiddenClients(
  app: FastifyInstance,
  { publicUrl, log }: Pick<AppDeps, 'publicUrl' | 'log'>,
): void {
  if (publicUrl === null || !publicUrl.startsWith('https:')) return;
  const { host } = new URL(publicUrl);
  let isSaid = false;
  app.addHook('onRequest', async (request) => {
    const { headers, socket } = request.raw;
    // What a program on this machine asks directly says nothing of the proxy.
    const isByAddress = headers.host === host || headers.origin === publicUrl;
    if (isSaid || !isByAddress || isClientKnown(request)) return;
    isSaid = true;
    log.warn(
      { address: socket.remoteAddress },
      'the proxy of PUBLIC_URL does not say who calls, so that all clients share one limit of sign-ins: let it send X-Forwarded-For, and set TRUSTED_PROXIES to its address',
    );
  });
}

/** Whether a proxy that is trusted named an address behind its own. */
function isClientKnown({ ips }: FastifyRequest): boolean {
  return ips !== undefined && ips.length > 1;
}
