import { z } from 'zod';
import { CredentialText } from '#connectors/http/credential-text.ts';
import type { OAuthConsent } from '#connectors/oauth-consent.ts';
import { credentialsFor, parseResponse } from '#connectors/parse-response.ts';
import { instant } from '#domain/units.ts';
import { type EbayCalls, NAME, refusedToken } from './ebay-calls.ts';
import { ConsentToken } from './ebay-responses.ts';
import { SALES_SCOPE } from './markdown-sales.ts';

/**
 * Access to listings and prices, orders, payments, and the seller's own sales: nothing else is requested. The first is that of
 * the Trading API.
 */
const SCOPE = 'https://api.ebay.com/oauth/api_scope';
const RIGHTS = ['sell.inventory', 'sell.fulfillment.readonly', 'sell.finances'];
const SCOPES = [SCOPE, ...RIGHTS.map((name) => `${SCOPE}/${name}`), SALES_SCOPE].join(' ');

const CREDENTIAL_NAMES = { appId: 'App ID', certId: 'Cert ID', ruName: 'RuName' };
const Application = z.object({ appId: CredentialText, certId: CredentialText, ruName: CredentialText });

/**
 * The authorization of the seller's own application. The redirect address is configured at eBay, under the RuName:
 * the RuName takes the place of the address in other services.
 */
export function ebayConsent(calls: EbayCalls, baseUrl: string): OAuthConsent {
  const page = `${pagesOf(baseUrl)}/oauth2/authorize`;
  return {
    pageFor: (credentials, { state }) => {
      const { appId, ruName } = credentialsFor(NAME, Application, credentials, CREDENTIAL_NAMES);
      const query = { client_id: appId, redirect_uri: ruName, response_type: 'code', scope: SCOPES, state };
      return `${page}?${new URLSearchParams(query).toString().replaceAll('+', '%20')}`;
    },
    exchange: async (credentials, { code }, signal) => {
      const application = credentialsFor(NAME, Application, credentials, CREDENTIAL_NAMES);
      const startedAt = calls.now();
      const form = { grant_type: 'authorization_code', code, redirect_uri: application.ruName };
      const answer = await calls.token(application, form, signal, true);
      if (answer.status >= 400)
        throw refusedToken(answer, 'the answer: it is too old, was used, or belongs to another RuName');
      const given = parseResponse(NAME, ConsentToken, answer, 'consent', true);
      const life = given.refresh_token_expires_in;
      return {
        refreshToken: given.refresh_token,
        endsAt: life == null ? null : instant(startedAt + life * 1_000),
      };
    },
  };
}

/** eBay's pages have another host than its calls: auth.ebay.com for api.ebay.com, also in its own sandbox. */
function pagesOf(baseUrl: string): string {
  return baseUrl.replace(/^https:\/\/api\.((?:sandbox\.)?ebay\.com)$/, 'https://auth.$1');
}
