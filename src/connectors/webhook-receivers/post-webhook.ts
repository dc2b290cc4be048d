import type { LookupFunction } from 'node:net';
import { openGuardedAgent, RefusedAddressError } from '#connectors/http/guarded-agent.ts';
import { reachOf } from '#connectors/http/public-address.ts';
import { requestedWait } from '#connectors/http/retry-call.ts';
import { withTimeLimit } from '#connectors/time-limit.ts';
import type { WebhookCall } from '#connectors/webhook-sender.ts';
import type { AttemptOutcome } from '#domain/webhook-receivers/delivery-retries.ts';
import { openReceiverLookup } from './receiver-lookup.ts';

/** Milliseconds of one attempt, from the first lookup to the status of the response. */
const WHOLE_LIMIT = 10_000;
/** The size of a response does not matter: only its status is read. */
const BODY_LIMIT = 1_024;

/** For all receivers, so that the names of all of them take one thread at most. */
const RECEIVER_NAMES = openReceiverLookup();

/** Only for tests. */
export interface PostOptions {
  readonly lookup?: LookupFunction;
  /** Milliseconds of one attempt. */
  readonly limit?: number;
}

/**
 * Delivers a webhook once. No redirect is followed, nothing of the response is read but status and Retry-After, and its
 * connection is closed at once. The IP address is checked when it connects.
 * @returns how it ended; failures of the receiver are not thrown
 * @throws the reason of the signal once that aborts: whether the receiver got it is unknown, so it is sent again
 */
export async function postWebhook(
  { address, headers, body, at }: WebhookCall,
  signal: AbortSignal,
  { lookup, limit = WHOLE_LIMIT }: PostOptions = {},
): Promise<AttemptOutcome> {
  const { request } = await import('undici');
  const reach = reachOf(address);
  // The system resolves "localhost" without a server of names.
  const names = lookup ?? (reach === 'loopback' ? undefined : RECEIVER_NAMES);
  const agent = await openGuardedAgent({ connect: limit, bytes: BODY_LIMIT }, reach, names);
  try {
    return await withTimeLimit(limit, [signal], async (limited) => {
      // undici aborts a request only once it is connected: until then, only the end of its agent does.
      limited.addEventListener('abort', () => void agent.destroy(limited.reason), { once: true });
      limited.throwIfAborted();
      const response = await request(address, {
        dispatcher: agent,
        method: 'POST',
        signal: limited,
        headers: { ...headers, 'content-type': 'application/json', 'user-agent': 'Pricewright' },
        body,
      });
      response.body.on('error', () => undefined).destroy();
      const after = response.headers['retry-after'];
      return {
        kind: 'answered',
        status: response.statusCode,
        retryAfter: typeof after === 'string' ? requestedWait(after, at) : null,
      };
    });
  } catch (error) {
    signal.throwIfAborted();
    return { kind: 'failed', reason: reasonOf(error) };
  } finally {
    await agent.destroy();
  }
}

function reasonOf(error: unknown): Extract<AttemptOutcome, { kind: 'failed' }>['reason'] {
  if (error instanceof RefusedAddressError) return 'refused_address';
  if (!(error instanceof Error)) return 'unreadable';
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return 'timeout';
  const code = 'code' in error ? String(error.code) : '';
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'UND_ERR_HEADERS_TIMEOUT') return 'timeout';
  if (/CERT|LEAF_SIGNATURE/.test(code)) return 'certificate';
  return UNREACHABLE.has(code) ? 'unreachable' : 'unreadable';
}

/** The system's codes for connections that were not made. With several addresses it is the code of the first one. */
const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'ETIMEDOUT',
  'EADDRNOTAVAIL',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EAI_FAIL',
  'EAI_NODATA',
  'ETIMEOUT',
]);
