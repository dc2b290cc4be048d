import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import { insertApiToken } from '#db/queries/identity/api-tokens.ts';
import { API_SCOPES, type ApiScope } from '#domain/api-scopes.ts';
import { instant } from '#domain/units.ts';
import { tokenHash } from '#usecases/identity/accounts/secret-token.ts';
import { newApiToken } from '#usecases/identity/tokens/token-form.ts';
import { idOf } from './people.ts';
import type { TestApp } from './test-app.ts';

/** What a token is, if it matters. Minutes until it expires: negative for one that has. */
interface Given {
  readonly name?: string;
  readonly scopes?: readonly ApiScope[];
  readonly minutes?: number;
  readonly callsPerMinute?: number;
}

/** An API token of a user, with every scope unless given otherwise. @returns the token */
export async function aToken(
  shop: TestApp,
  email: string,
  { name = 'Nightly', scopes = API_SCOPES, minutes = 60, callsPerMinute = 600 }: Given = {},
): Promise<string> {
  const secret = newApiToken();
  const expiresAt = instant(shop.deps.now() + minutes * 60_000);
  await insertApiToken(shop.db, {
    tokenHash: tokenHash(secret),
    userId: await idOf(shop, email),
    name,
    scopes: [...scopes],
    callsPerMinute,
    createdAt: instant(expiresAt - 3_600_000 * 24),
    expiresAt,
  });
  return secret;
}

/** A call that a program makes: with its token, and without an origin. */
export function callWith(
  { app }: Pick<TestApp, 'app'>,
  token: string,
  method: 'GET' | 'PUT' | 'POST' | 'DELETE' | 'HEAD',
  url: string,
  { headers, ...over }: InjectOptions = {},
): Promise<LightMyRequestResponse> {
  return app.inject({
    method,
    url,
    ...over,
    headers: { host: '127.0.0.1:5000', authorization: `Bearer ${token}`, ...headers },
  });
}
