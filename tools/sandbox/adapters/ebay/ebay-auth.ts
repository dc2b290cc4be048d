import type { FastifyInstance } from 'fastify';
import { Refusal } from '#sandbox/adapters/adapter.ts';
import { formOf, headerText } from '#sandbox/adapters/query.ts';
import { CREDENTIALS } from '#sandbox/credentials.ts';
import type { Market } from '#sandbox/world/market.ts';
import { ebayRefusal } from './ebay-errors.ts';

const LIFETIME_SECONDS = 7_200;
/** 18 months. */
const REFRESH_SECONDS = 47_304_000;
const APPLICATION_SCOPE = 'https://api.ebay.com/oauth/api_scope';

/** Issues user tokens for a refresh token, and application tokens for the application scope. */
export function addAuthRoutes(app: FastifyInstance, { tokens, consents }: Market): void {
  const { appId, certId, ruName, refreshToken } = CREDENTIALS.ebay;
  const basic = `Basic ${Buffer.from(`${appId}:${certId}`).toString('base64')}`;
  tokens.addRefreshToken(refreshToken);
  app.post('/identity/v1/oauth2/token', { config: { operation: 'ebayToken' } }, async (request) => {
    if (headerText(request, 'authorization') !== basic) {
      throw refused(401, 'invalid_client', 'client authentication failed');
    }
    const form = formOf(request);
    const issue = (grant: string) => tokens.issue(LIFETIME_SECONDS * 1_000, { grant, prefix: 'v^1.1#i^1#' });
    const answer = { expires_in: LIFETIME_SECONDS };
    if (form.grant_type === 'client_credentials') {
      if (!(form.scope ?? '').split(' ').includes(APPLICATION_SCOPE)) {
        throw refused(400, 'invalid_scope', 'The requested scope is invalid, unknown, malformed');
      }
      return { ...answer, access_token: issue('application'), token_type: 'Application Access Token' };
    }
    if (form.grant_type === 'authorization_code') {
      if (form.redirect_uri !== ruName || !consents.redeemCode(form.code ?? '', ruName)) {
        throw refused(
          400,
          'invalid_grant',
          'the provided authorization grant code is invalid or was issued to another client',
        );
      }
      // Issues the fixed refresh token again, so that a connected store stays connected when the sandbox restarts.
      tokens.addRefreshToken(refreshToken);
      const refresh = { refresh_token: refreshToken, refresh_token_expires_in: REFRESH_SECONDS };
      return { ...answer, ...refresh, access_token: issue('seller'), token_type: 'User Access Token' };
    }
    if (form.grant_type !== 'refresh_token') {
      throw refused(400, 'unsupported_grant_type', 'grant type in request is not supported');
    }
    if (!tokens.hasRefreshToken(form.refresh_token)) {
      throw refused(400, 'invalid_grant', 'the provided authorization refresh token is invalid');
    }
    return { ...answer, access_token: issue('seller'), token_type: 'User Access Token' };
  });
}

function refused(status: number, error: string, description: string): Refusal {
  return new Refusal(status, { error, error_description: description });
}

/** Requires a user token; calls for buyers accept an application token too. */
export function requireAuth(app: FastifyInstance, { tokens }: Market, isForBuyers: boolean): void {
  app.addHook('preHandler', async (request) => {
    const token = headerText(request, 'authorization')?.replace(/^Bearer /, '');
    if (tokens.check(token, 'seller') === 'good') return;
    if (tokens.check(token, 'application') !== 'good') throw ebayRefusal(401);
    if (!isForBuyers) throw ebayRefusal(403);
  });
}
