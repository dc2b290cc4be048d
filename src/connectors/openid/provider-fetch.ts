import type { LookupFunction } from 'node:net';
import type { CustomFetch } from 'openid-client';
import type { Dispatcher } from 'undici';
import { openGuardedAgent } from '#connectors/http/guarded-agent.ts';
import { type Reach, reachOf } from '#connectors/http/public-address.ts';
import { readBody } from '#connectors/http/read-body.ts';
import { isSecureFor } from '#connectors/issuer.ts';

/** Documents, key sets and tokens are a few kilobytes. */
const LIMITS = { connect: 5_000, bytes: 512 * 1_024 };

/** Why an address of a provider is not called. */
export class InsecureAddressError extends Error {
  override readonly name = 'InsecureAddressError';
}

/**
 * The calls to one provider: limited in time and size, no redirect followed, never to a link-local address. Providers
 * run inside of companies too, so private networks are reached, by https with a valid certificate.
 */
export async function providerFetch(issuer: string, lookup?: LookupFunction): Promise<CustomFetch> {
  const undici = await import('undici');
  const reach: Reach = reachOf(issuer) === 'loopback' ? 'loopback' : 'inside';
  const agent = await openGuardedAgent(LIMITS, reach, lookup);
  return async (address, { method, headers, body, signal }) => {
    if (!isSecureFor(issuer, address)) throw new InsecureAddressError('The address is not https.');
    const answer = await undici.request(address, {
      dispatcher: agent,
      method: method as Dispatcher.HttpMethod,
      headers,
      signal: signal ?? null,
      body: body === undefined || body === null ? null : String(body),
    });
    const bytes = await readBody('The identity provider', answer, LIMITS.bytes);
    const hasBody = ![204, 205, 304].includes(answer.statusCode);
    return new Response(hasBody ? new Uint8Array(bytes) : null, {
      status: answer.statusCode,
      headers: plainHeaders(answer.headers),
    });
  };
}

function plainHeaders(given: Dispatcher.ResponseData['headers']): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(given))
    for (const each of [value ?? []].flat()) headers.append(name, each);
  return headers;
}
