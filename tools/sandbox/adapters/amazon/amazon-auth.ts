import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Refusal } from '#sandbox/adapters/adapter.ts';
import { formOf, headerText, pathText, queryList } from '#sandbox/adapters/query.ts';
import { CREDENTIALS } from '#sandbox/credentials.ts';
import type { Market } from '#sandbox/world/market.ts';
import { amazonRefusal } from './amazon-errors.ts';

export const { sellerId: SELLER_ID, marketplaceId: MARKETPLACE_ID } = CREDENTIALS.amazon;

const LIFETIME_SECONDS = 3_600;
const NOTIFICATIONS = 'sellingpartnerapi::notifications';

/** Login with Amazon: the token call. */
export function addAuthRoutes(app: FastifyInstance, { tokens }: Market): void {
  const { lwaClientId, lwaClientSecret, refreshToken } = CREDENTIALS.amazon;
  tokens.addRefreshToken(refreshToken);
  app.post('/auth/o2/token', { config: { operation: 'amazonLwaToken' } }, async (request) => {
    const form = formOf(request);
    if (form.client_id !== lwaClientId || form.client_secret !== lwaClientSecret) {
      throw lwaRefusal(401, 'invalid_client', 'Client authentication failed');
    }
    const answer = { token_type: 'bearer', expires_in: LIFETIME_SECONDS };
    if (form.grant_type === 'client_credentials') {
      if (form.scope !== NOTIFICATIONS)
        throw lwaRefusal(400, 'invalid_scope', 'An unknown scope was requested');
      const grant = 'notifications';
      return {
        ...answer,
        scope: NOTIFICATIONS,
        access_token: tokens.issue(LIFETIME_SECONDS * 1_000, { grant }),
      };
    }
    if (form.grant_type !== 'refresh_token') {
      throw lwaRefusal(400, 'unsupported_grant_type', 'The authorization grant type is not supported');
    }
    if (!tokens.hasRefreshToken(form.refresh_token)) {
      throw lwaRefusal(400, 'invalid_grant', 'The request has an invalid grant parameter : refresh_token');
    }
    const access = tokens.issue(LIFETIME_SECONDS * 1_000, { prefix: 'Atza|' });
    return { ...answer, access_token: access, refresh_token: form.refresh_token };
  });
}

function lwaRefusal(status: number, error: string, description: string): Refusal {
  return new Refusal(status, { error, error_description: description });
}

/**
 * Requires a valid access token. Amazon returns 403 for an invalid one, not 401.
 * @param grant the required scope of the token; "all" is a token of the seller
 */
export function requireAuth(app: FastifyInstance, { tokens }: Market, grant: 'all' | 'notifications'): void {
  app.addHook('preHandler', async (request) => {
    const token = headerText(request, 'x-amz-access-token');
    if (token === undefined)
      throw amazonRefusal(403, undefined, 'Access token is missing in the request header.');
    const state = tokens.check(token, grant);
    if (state === 'expired') {
      throw amazonRefusal(403, undefined, 'The access token you provided has expired.');
    }
    if (state !== 'good') {
      throw amazonRefusal(403, undefined, 'The access token you provided is revoked, malformed or invalid.');
    }
  });
}

/** @throws Refusal unless the call names the sandbox's only seller and only marketplace */
export function requireSeller(request: FastifyRequest): void {
  if (pathText(request, 'sellerId') !== SELLER_ID) {
    throw amazonRefusal(403, undefined, 'The seller in the path is not the one of the token.');
  }
  requireMarketplace(request);
}

/** @throws Refusal unless the call names the only marketplace */
export function requireMarketplace(request: FastifyRequest): void {
  if (!queryList(request, 'marketplaceIds').includes(MARKETPLACE_ID)) {
    throw amazonRefusal(400, "Invalid 'marketplaceIds' provided.");
  }
}
