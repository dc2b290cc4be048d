import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { type AdapterContext, Refusal } from '#sandbox/adapters/adapter.ts';
import { sendConsentPage, withQuery } from '#sandbox/adapters/consent-page.ts';
import { queryText } from '#sandbox/adapters/query.ts';
import { CREDENTIALS } from '#sandbox/credentials.ts';
import type { Market } from '#sandbox/world/market.ts';

/** The OAuth scopes that the sandbox knows; Etsy has many more. */
const RIGHTS = new Map([
  ['listings_r', 'See your listings'],
  ['listings_w', 'Change your listings and their prices'],
  ['shops_r', 'See your shop'],
  ['transactions_r', 'See your sales'],
]);
/** Parameters that the page passes on to the redirect. */
const PASSED_PARAMETERS = ['redirect_uri', 'state', 'code_challenge'] as const;

/** Etsy's consent page. It redirects to the address in the request, which must be on this machine. */
export function addConsent(app: FastifyInstance, { consents }: Market, tools: AdapterContext): void {
  const { keystring } = CREDENTIALS.etsy;
  app.get('/oauth/connect', async (request, reply) => {
    const of = (name: string): string => queryText(request, name) ?? '';
    const rights = of('scope')
      .split(' ')
      .map((scope) => RIGHTS.get(scope));
    const isKnown = of('client_id') === keystring && of('response_type') === 'code';
    if (!isKnown || rights.includes(undefined) || !isHere(of('redirect_uri'))) {
      throw refused('The application requests a scope or an address that it does not have.');
    }
    if (of('code_challenge_method') !== 'S256' || !/^[\w-]{43}$/.test(of('code_challenge'))) {
      throw refused('The application has to send a code challenge of method S256.');
    }
    const kept = Object.fromEntries(PASSED_PARAMETERS.map((name) => [name, of(name)]));
    const answer = (isYes: string): string =>
      withQuery(`${tools.address()}/oauth/answer`, { ...kept, isYes });
    return sendConsentPage(reply, {
      name: 'Etsy',
      application: keystring,
      rights: rights.map(String),
      yes: answer('yes'),
      no: answer('no'),
    });
  });
  app.get('/oauth/answer', async (request, reply) => {
    const [back = '', state = '', challenge = ''] = PASSED_PARAMETERS.map(
      (name) => queryText(request, name) ?? '',
    );
    if (!isHere(back)) throw refused('The address is not one of this machine.');
    const isYes = queryText(request, 'isYes') === 'yes';
    const answer = isYes ? { code: consents.issueCode(bound(back, challenge)) } : { error: 'access_denied' };
    return reply.redirect(withQuery(back, { ...answer, state }));
  });
}

/** Whether the form of a token call holds a code issued to the same client. */
export function isGiven({ consents }: Market, form: Readonly<Record<string, string | undefined>>): boolean {
  const { code = '', redirect_uri = '', code_verifier = '' } = form;
  const challenge = createHash('sha256').update(code_verifier).digest('base64url');
  return consents.redeemCode(code, bound(redirect_uri, challenge));
}

const bound = (address: string, challenge: string): string => `${challenge} ${address}`;

function isHere(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { hostname, pathname } = new URL(address);
  return ['localhost', '127.0.0.1', '[::1]'].includes(hostname) && pathname === '/connect/etsy';
}

function refused(description: string): Refusal {
  return new Refusal(400, { error: 'invalid_request', error_description: description });
}
