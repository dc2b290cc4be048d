import type { FastifyInstance, FastifyRequest } from 'fastify';
import { formOf, headerText } from '#sandbox/adapters/query.ts';
import { CREDENTIALS } from '#sandbox/credentials.ts';
import type { Market } from '#sandbox/world/market.ts';
import { xmlOf } from './to-xml.ts';
import { gatewayRefusal } from './walmart-errors.ts';

const LIFETIME_SECONDS = 900;

/** Required headers. */
const REQUIRED_HEADERS = ['wm_qos.correlation_id', 'wm_svc.name'] as const;

const SCOPES = ['reports', 'item', 'shipping', 'price', 'lagtime', 'feeds', 'returns', 'orders', 'inventory'];

/** The token call. */
export function addAuthRoutes(app: FastifyInstance, { tokens }: Market): void {
  const { clientId, clientSecret } = CREDENTIALS.walmart;
  const basic = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
  app.post('/v3/token', { config: { operation: 'tokenAPI' } }, async (request) => {
    checkHeaders(request);
    if (headerText(request, 'authorization') !== basic) {
      throw gatewayRefusal(401, 'Unauthorized token or incorrect authorization header.');
    }
    if (formOf(request).grant_type !== 'client_credentials') {
      throw gatewayRefusal(400, 'The grant type is not supported.', 'grant_type');
    }
    const access_token = tokens.issue(LIFETIME_SECONDS * 1_000, { prefix: 'eyJraWQiOi' });
    return { access_token, token_type: 'Bearer', expires_in: LIFETIME_SECONDS };
  });
}

/** Requires a valid access token and the headers of every call. */
export function requireAuth(app: FastifyInstance, { tokens }: Market): void {
  app.addHook('preHandler', async (request) => {
    const state = tokens.check(headerText(request, 'wm_sec.access_token'));
    if (state !== 'good') throw gatewayRefusal(401, 'Unauthorized token or incorrect authorization header.');
    checkHeaders(request);
  });
}

/** The scopes of the token: all of them. */
export function addTokenDetail(app: FastifyInstance, { now }: { readonly now: () => number }): void {
  app.get('/v3/token/detail', { config: { operation: 'getTokenDetail' } }, async () => ({
    scopes: Object.fromEntries(SCOPES.map((scope) => [scope, 'full_access'])),
    expire_at: String(now() + LIFETIME_SECONDS * 1_000),
    issued_at: String(now()),
    is_valid: true,
    is_channel_match: true,
  }));
}

/** Returns XML to clients that do not accept JSON. */
export function addXmlResponses(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload) => {
    const wanted = headerText(request, 'accept') ?? '*/*';
    const type = String(reply.getHeader('content-type') ?? '');
    if (wanted.includes('json') || typeof payload !== 'string' || !type.includes('json')) return payload;
    reply.header('content-type', 'application/xml;charset=UTF-8').removeHeader('content-length');
    return xmlOf(payload);
  });
}

function checkHeaders(request: FastifyRequest): void {
  const missing = REQUIRED_HEADERS.find((name) => (headerText(request, name) ?? '') === '');
  if (missing === undefined) return;
  throw gatewayRefusal(400, `${missing.toUpperCase()} set blank or null.`, missing.toUpperCase());
}
