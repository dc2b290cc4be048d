import { z } from 'zod';
import { CredentialText } from '#connectors/http/credential-text.ts';
import type { OAuthConsent } from '#connectors/oauth-consent.ts';
import { credentialsFor, parseResponse } from '#connectors/parse-response.ts';
import { type EtsyCalls, NAME, refusedToken } from './etsy-calls.ts';
import { Token } from './etsy-responses.ts';

/** Access to listings and their prices, the store, and sales: nothing else is requested. */
const SCOPES = 'listings_r listings_w shops_r transactions_r';

const CREDENTIAL_NAMES = { keystring: 'keystring' };
const Application = z.object({ keystring: CredentialText });

/** The authorization of the seller's own application. Etsy uses PKCE, so that a stolen code is useless. */
export function etsyConsent(calls: EtsyCalls, baseUrl: string): OAuthConsent {
  const page = `${pagesOf(baseUrl)}/oauth/connect`;
  return {
    pageFor: (credentials, { state, returnTo, challenge }) => {
      const { keystring } = credentialsFor(NAME, Application, credentials, CREDENTIAL_NAMES);
      const query = {
        response_type: 'code',
        client_id: keystring,
        redirect_uri: returnTo,
        scope: SCOPES,
        state,
        code_challenge: challenge,
        code_challenge_method: 'S256',
      };
      return `${page}?${new URLSearchParams(query).toString().replaceAll('+', '%20')}`;
    },
    exchange: async (credentials, { code, returnTo, verifier }, signal) => {
      const { keystring } = credentialsFor(NAME, Application, credentials, CREDENTIAL_NAMES);
      const form = {
        grant_type: 'authorization_code',
        client_id: keystring,
        redirect_uri: returnTo,
        code,
        code_verifier: verifier,
      };
      const answer = await calls.token(form, signal, true);
      if (answer.status >= 400) throw refusedToken(answer, 'the answer: it is too old or was used');
      const { refresh_token } = parseResponse(NAME, Token, answer, 'consent', true);
      // A refresh token that is used is replaced by a new one and never expires.
      return { refreshToken: refresh_token, endsAt: null };
    },
  };
}

/** Etsy's pages have another host than its calls. */
function pagesOf(baseUrl: string): string {
  return baseUrl.replace(/^https:\/\/(?:api|openapi)\.etsy\.com$/, 'https://www.etsy.com');
}
