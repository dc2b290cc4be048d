import type { FastifyInstance } from 'fastify';
import type { Instant } from '#domain/units.ts';
import { Refusal } from '#sandbox/adapters/adapter.ts';
import { Limits, SlidingDay } from '#sandbox/adapters/call-limits.ts';
import { formOf, headerText } from '#sandbox/adapters/query.ts';
import { CREDENTIALS } from '#sandbox/credentials.ts';
import type { Market } from '#sandbox/world/market.ts';
import { isGiven } from './etsy-consent.ts';
import { ETSY_ERROR_FORMAT, etsyRefusal } from './etsy-errors.ts';

export const USER_ID = 12_345_678;
const ACCESS_SECONDS = 3_600;
const REFRESH_LIFETIME = 90 * 86_400_000;
const PREFIX = `${USER_ID}.`;

/** Issues a new pair of tokens for a refresh token, which works only once. */
export function addAuthRoutes(app: FastifyInstance, market: Market): void {
  const { tokens } = market;
  const { keystring, refreshToken } = CREDENTIALS.etsy;
  tokens.addRefreshToken(refreshToken, REFRESH_LIFETIME);
  app.post('/v3/public/oauth/token', { config: { operation: 'etsyToken' } }, async (request) => {
    const form = formOf(request);
    const { grant_type, client_id, refresh_token } = form;
    if (client_id !== keystring) throw refused('invalid_client', 'client_id is not valid');
    const pair = (next: string) => {
      const access_token = tokens.issue(ACCESS_SECONDS * 1_000, { prefix: PREFIX });
      return { access_token, token_type: 'Bearer', expires_in: ACCESS_SECONDS, refresh_token: next };
    };
    if (grant_type === 'authorization_code') {
      if (!isGiven(market, form)) throw refused('invalid_grant', 'code is invalid or expired');
      // Issues the fixed refresh token again, so that a connected store stays connected when the sandbox restarts.
      tokens.addRefreshToken(refreshToken, REFRESH_LIFETIME);
      return pair(refreshToken);
    }
    if (grant_type !== 'refresh_token')
      throw refused('unsupported_grant_type', 'grant_type is not supported');
    const next = tokens.rotateRefreshToken(refresh_token ?? '', REFRESH_LIFETIME, PREFIX);
    if (next === null) throw refused('invalid_grant', 'refresh_token is invalid or expired');
    return pair(next);
  });
}

function refused(error: string, description: string): Refusal {
  return new Refusal(400, { error, error_description: description });
}

/** Requires the application's keystring and shared secret. */
export function requireApiKey(app: FastifyInstance): void {
  const { keystring, sharedSecret } = CREDENTIALS.etsy;
  app.addHook('preHandler', async (request) => {
    const key = headerText(request, 'x-api-key');
    if (key === `${keystring}:${sharedSecret}`) return;
    if (key === keystring) throw etsyRefusal(403, 'Shared secret is required in x-api-key header.');
    throw etsyRefusal(403, 'API key not found or not active.');
  });
}

/** Requires the seller's access token, for private data. */
export function requireAuth(app: FastifyInstance, { tokens }: Market): void {
  app.addHook('preHandler', async (request) => {
    const token = headerText(request, 'authorization')?.replace(/^Bearer /, '');
    const state = tokens.check(token);
    if (state === 'good') return;
    const error_description = state === 'expired' ? 'access token is expired' : 'access token is invalid';
    throw new Refusal(401, { error: 'invalid_token', error_description });
  });
}

const CALLS_PER_SECOND = 10;
const CALLS_PER_DAY = 10_000;

/** Counts Etsy's calls of the last 24 hours. */
export function etsyDay(now: () => Instant): SlidingDay {
  return new SlidingDay(CALLS_PER_DAY, now);
}

/** The rate limits of an application, shared by all its calls; every response reports what is left. */
export function countCalls(
  app: FastifyInstance,
  now: () => Instant,
  isKept: boolean,
  calls: SlidingDay,
): void {
  const limits = new Limits({ second: { perSecond: CALLS_PER_SECOND, burst: CALLS_PER_SECOND } }, now);
  app.addHook('preHandler', async (_request, reply) => {
    const [second, day] = isKept ? [limits.count('second'), calls.count()] : [null, null];
    reply.headers({
      'x-limit-per-second': String(CALLS_PER_SECOND),
      'x-limit-per-day': String(CALLS_PER_DAY),
      'x-remaining-this-second': String(second?.left ?? CALLS_PER_SECOND),
      'x-remaining-today': String(day?.left ?? CALLS_PER_DAY),
    });
    const wait = Math.max(second?.wait ?? 0, day?.wait ?? 0);
    if (wait === 0) return;
    const headers = { 'retry-after': String(Math.ceil(wait / 1_000)) };
    throw new Refusal(429, ETSY_ERROR_FORMAT.refusal(429).body, headers);
  });
}
