import type { FastifyInstance } from 'fastify';
import { type AdapterContext, Refusal } from '#sandbox/adapters/adapter.ts';
import { sendConsentPage, sendLastPage, withQuery } from '#sandbox/adapters/consent-page.ts';
import { queryText } from '#sandbox/adapters/query.ts';
import { CREDENTIALS } from '#sandbox/credentials.ts';
import type { Market } from '#sandbox/world/market.ts';

/** The OAuth scopes that the sandbox knows; eBay has many more. */
const RIGHTS = {
  'https://api.ebay.com/oauth/api_scope': 'See public data, and use the Trading API',
  'https://api.ebay.com/oauth/api_scope/sell.inventory': 'See and change your listings and their prices',
  'https://api.ebay.com/oauth/api_scope/sell.fulfillment.readonly': 'See your orders',
  'https://api.ebay.com/oauth/api_scope/sell.finances': 'See your payments',
  'https://api.ebay.com/oauth/api_scope/sell.marketing': 'See and change your sales and promotions',
};
const NAME = 'eBay';

/** eBay's consent page. It redirects to the address registered for the RuName, or else to eBay's own last page. */
export function addConsent(app: FastifyInstance, { consents }: Market, tools: AdapterContext): void {
  const { appId, ruName } = CREDENTIALS.ebay;
  app.get('/oauth2/authorize', async (request, reply) => {
    const of = (name: string): string => queryText(request, name) ?? '';
    const scopes = of('scope').split(' ');
    const isKnown =
      of('client_id') === appId && of('redirect_uri') === ruName && of('response_type') === 'code';
    if (!isKnown) throw refused('unauthorized_client', 'The client or its RuName is unknown.');
    const rights = Object.entries(RIGHTS).filter(([scope]) => scopes.includes(scope));
    if (rights.length !== scopes.length) throw refused('invalid_scope', 'The requested scope is invalid.');
    const answer = (isYes: string): string =>
      withQuery(`${tools.address()}/oauth2/answer`, { isYes, state: of('state') });
    return sendConsentPage(reply, {
      name: NAME,
      application: appId,
      rights: rights.map(([, words]) => words),
      yes: answer('yes'),
      no: answer('no'),
    });
  });
  app.get('/oauth2/answer', async (request, reply) => {
    const state = queryText(request, 'state') ?? '';
    const back = consents.returnAddress ?? `${tools.address()}/oauth2/thanks`;
    if (queryText(request, 'isYes') !== 'yes') {
      return reply.redirect(withQuery(back, { error: 'access_denied', state }));
    }
    const code = consents.issueCode(ruName, 'v^1.1#i^1#f^0#');
    return reply.redirect(withQuery(back, { isAuthSuccessful: 'true', state, code, expires_in: '299' }));
  });
  app.get('/oauth2/thanks', async (_request, reply) => sendLastPage(reply, NAME));
}

function refused(error: string, description: string): Refusal {
  return new Refusal(400, { error, error_description: description });
}
