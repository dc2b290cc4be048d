import { z } from 'zod';
import { ConnectorError } from '#connectors/connector-error.ts';
import type { HttpClient } from '#connectors/http/http-client.ts';
import type { HeldToken } from '#connectors/token-vault.ts';
import { type Instant, instant } from '#domain/units.ts';
import { read } from './amazon-responses.ts';
import type { AmazonShop } from './amazon-shop.ts';

const LONGEST_LIFE = 86_400;

/** POST /auth/o2/token */
const TokenAnswer = z.object({
  access_token: z
    .string()
    .max(10_000)
    .regex(/^[\x21-\x7e]+$/),
  expires_in: z.number().positive().max(LONGEST_LIFE),
});

const Refusal = z.object({ error: z.string().max(100) });

/** Login with Amazon names the cause by a code; its longer texts may repeat what was sent. */
export function lwaErrorMessage(body: unknown): { code: string; message: string } | null {
  const answer = Refusal.safeParse(body);
  return answer.success ? { code: answer.data.error, message: answer.data.error } : null;
}

const SENTENCES: Readonly<Record<string, string>> = {
  invalid_grant:
    'Amazon does not accept the refresh token. Authorize the application again in Seller Central and enter the new one.',
  invalid_client:
    'Amazon does not accept the LWA client ID and secret. The secret ends after 180 days: make a new one and enter it.',
  unauthorized_client:
    'The refresh token belongs to another application than the LWA client ID. Enter both of the same application.',
};

/** The scope of a token: calls on behalf of a seller, or those of the application itself. */
export type TokenScope = 'seller' | 'notifications';

/**
 * Requests an access token from Login with Amazon.
 * @throws ConnectorError of fault "key" when the credentials are refused
 */
export async function fetchAccessToken(
  client: HttpClient,
  shop: AmazonShop,
  scope: TokenScope,
  now: () => Instant,
  signal: AbortSignal,
): Promise<HeldToken> {
  const grant =
    scope === 'seller'
      ? { grant_type: 'refresh_token', refresh_token: shop.refreshToken }
      : { grant_type: 'client_credentials', scope: 'sellingpartnerapi::notifications' };
  const form = new URLSearchParams({
    ...grant,
    client_id: shop.lwaClientId,
    client_secret: shop.lwaClientSecret,
  });
  const obtainedAt = now();
  const answer = await client
    .call(
      {
        method: 'POST',
        path: '/auth/o2/token',
        operation: 'token',
        headers: { accept: 'application/json' },
        body: { type: 'application/x-www-form-urlencoded;charset=UTF-8', text: form.toString() },
      },
      signal,
    )
    .catch((error: unknown) => {
      throw refusalOf(error);
    });
  const { access_token: value, expires_in: seconds } = read(TokenAnswer, answer.body, 'access token');
  return { value, obtainedAt, expiresAt: instant(obtainedAt + Math.floor(seconds * 1_000)) };
}

/** Any refusal of Login with Amazon is about the credentials: nothing else is sent there. */
function refusalOf(error: unknown): unknown {
  if (!(error instanceof ConnectorError)) return error;
  const { fault, status, code } = error;
  if (fault !== 'refused' && fault !== 'key' && fault !== 'permission') return error;
  const sentence =
    SENTENCES[code ?? ''] ??
    'Amazon does not accept the LWA credentials. Compare the client ID, the secret and the refresh token.';
  return new ConnectorError('key', sentence, { ...(status === null ? {} : { status }), code });
}
