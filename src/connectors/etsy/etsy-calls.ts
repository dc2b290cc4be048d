import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import type { Account } from '#connectors/connector.ts';
import { ConnectorError, type DayLimit } from '#connectors/connector-error.ts';
import { withAccessToken } from '#connectors/http/access-token.ts';
import { CredentialText } from '#connectors/http/credential-text.ts';
import {
  createHttpClient,
  type HttpAnswer,
  type HttpCall,
  type HttpClientOptions,
} from '#connectors/http/http-client.ts';
import type { RateBudget } from '#connectors/http/rate-budget.ts';
import { credentialsFor, parseResponse } from '#connectors/parse-response.ts';
import type { HeldTokens } from '#connectors/token-vault.ts';
import { type Instant, instant } from '#domain/units.ts';
import { ETSY_BUDGETS } from './etsy-budgets.ts';
import { Refusal, Self, Shop, ShopPage, Token } from './etsy-responses.ts';

export const NAME = 'Etsy';

/** This share of the daily calls is left to other programs with the same application. */
const LEFT_TO_OTHERS = 0.2;
/** Below this share only urgent prices are sent. */
const LEFT_TO_URGENT = 0.25;
/** Calls that can wait leave more, so that prices can be sent until the end of the day. */
const LEFT: Readonly<Record<string, number>> = { reviews: 0.6, ledger: 0.4, listings: 0.3, receipts: 0.3 };
/** Calls of a write: in the middle of it nothing is left to others. Whether one starts, {@link DayCalls} says. */
const OF_A_WRITE: ReadonlySet<string> = new Set(['inventory', 'stock']);
/** How long calls pause when the rest of a day is reserved for others. */
const PAUSE = 900_000;
/** How long the exchange of a code is retried. */
const CODE_LIFE = 240_000;
/** How long an unused refresh token is valid. */
const REFRESH_LIFE = 90 * 86_400_000;

const CREDENTIAL_NAMES = {
  keystring: 'keystring',
  sharedSecret: 'shared secret',
  refreshToken: 'refresh token',
};
const Credentials = z.object({
  keystring: CredentialText,
  sharedSecret: CredentialText,
  refreshToken: CredentialText,
  shopName: z.string().trim().min(1).max(200).optional(),
});
type EtsyCredentials = z.output<typeof Credentials>;

export type EtsyOptions = Omit<HttpClientOptions, 'name' | 'budgets' | 'learn' | 'errorMessageOf'>;

/** The calls of a day that are left, by what Etsy last reported. */
export interface DayCalls {
  readonly isForUrgent: boolean;
  /** When that is checked again. */
  readonly until: Instant;
}

export interface EtsyCalls {
  readonly now: () => Instant;
  /** How many calls of an operation the rate limit allows now. */
  left(operation: keyof typeof ETSY_BUDGETS): number;
  /** What prices the calls of the day are left for; null where nothing limits them. */
  dayLeft(): DayCalls | null;
  /** Waits this many milliseconds, or less when the signal comes first. */
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<unknown>;
  call(account: Account, call: HttpCall, signal: AbortSignal): Promise<HttpAnswer>;
  /**
   * Requests tokens; a refusal is returned as a response.
   * @param isOnce never repeated once Etsy may have received it
   */
  token(form: Readonly<Record<string, string>>, signal: AbortSignal, isOnce?: boolean): Promise<HttpAnswer>;
}

export function credentialsOf(account: Account): EtsyCredentials {
  return credentialsFor(NAME, Credentials, account.credentials, CREDENTIAL_NAMES);
}

export function createCalls(options: EtsyOptions): EtsyCalls {
  const now = options.now ?? (() => instant(Date.now()));
  let day: DayCalls | null = null;
  const learn: HttpClientOptions['learn'] = (budget, operation, headers) => {
    const share = learnFrom(budget, operation, headers);
    if (share === null) return;
    const isForUrgent = share > LEFT_TO_OTHERS;
    day = share <= LEFT_TO_URGENT ? { isForUrgent, until: instant(now() + PAUSE) } : null;
  };
  const client = createHttpClient({
    ...options,
    now,
    name: NAME,
    budgets: ETSY_BUDGETS,
    learn,
    dayLimitOf,
    errorMessageOf,
  });
  const token: EtsyCalls['token'] = (form, signal, isOnce = false) => {
    const changes = { notAfter: instant(now() + CODE_LIFE) };
    return client.call({ ...tokenCall(form), ...(isOnce ? { changes } : {}) }, signal);
  };
  return {
    now,
    left: (operation) => client.left(operation),
    dayLeft: () => {
      const left = day === null ? 0 : day.until - now();
      // A clock that was set back ends it.
      return left > 0 && left <= PAUSE ? day : null;
    },
    wait: options.wait ?? ((milliseconds, signal) => pause(milliseconds, undefined, { signal })),
    token,
    call: (account, one, signal) => {
      const credentials = credentialsOf(account);
      const fetch = async (held: HeldTokens): Promise<HeldTokens> => {
        const obtainedAt = now();
        // A refresh token is valid once: the stored one followed the one that was entered.
        const refresh = held.refresh?.value ?? credentials.refreshToken;
        const form = {
          grant_type: 'refresh_token',
          client_id: credentials.keystring,
          refresh_token: refresh,
        };
        const fresh = tokenOf(await token(form, signal));
        const until = (life: number) => ({ obtainedAt, expiresAt: instant(obtainedAt + life) });
        return {
          access: { value: fresh.access_token, ...until(fresh.expires_in * 1_000) },
          refresh: { value: fresh.refresh_token, ...until(REFRESH_LIFE) },
        };
      };
      return withAccessToken({ name: NAME, tokens: account.tokens, now, fetch }, (access) =>
        client.call({ ...one, headers: headersFor(access, credentials) }, signal),
      );
    },
  };
}

function headersFor(token: string, { keystring, sharedSecret }: EtsyCredentials): Record<string, string> {
  return {
    accept: 'application/json',
    'x-api-key': `${keystring}:${sharedSecret}`,
    authorization: `Bearer ${token}`,
  };
}

function tokenCall(form: Readonly<Record<string, string>>): HttpCall {
  return {
    method: 'POST',
    path: '/v3/public/oauth/token',
    operation: 'token',
    headers: { accept: 'application/json' },
    body: { type: 'application/x-www-form-urlencoded', text: new URLSearchParams(form).toString() },
    alsoAnswers: [400, 401],
  };
}

function tokenOf(answer: HttpAnswer): z.output<typeof Token> {
  if (answer.status < 400) return parseResponse(NAME, Token, answer, 'token');
  throw refusedToken(answer, 'your authorization');
}

/** @param what is refused unless it is the application itself */
export function refusedToken({ status, body }: HttpAnswer, what: string): ConnectorError {
  const said = errorMessageOf(body);
  const theirs = said === null ? null : `${NAME} says: ${said.message}`;
  const sentence =
    said?.code === 'invalid_client'
      ? `${NAME} does not accept the keystring (${status}). Copy it from your app again, save it, then try again.`
      : `${NAME} does not accept ${what} (${status}). Choose "Connect ${NAME}" in Settings.`;
  return new ConnectorError('key', sentence, { status, code: said?.code ?? null, said: theirs });
}

/**
 * A page of a list of the seller's own things. Etsy answers "not found" where it has nothing to list.
 * @param what goes on after "not a valid": "list of listings"
 * @throws ConnectorError
 */
export async function listPage<Schema extends z.ZodType>(
  calls: EtsyCalls,
  account: Account,
  list: Pick<HttpCall, 'path' | 'operation'>,
  { schema, what }: { readonly schema: Schema; readonly what: string },
  signal: AbortSignal,
): Promise<z.output<Schema>> {
  const answer = await calls.call(account, { method: 'GET', ...list, alsoAnswers: [404] }, signal);
  const page = answer.status === 404 ? { status: 200, body: { count: 0, results: [] } } : answer;
  return parseResponse(NAME, schema, page, what);
}

/** Etsy's own error message. */
export function errorMessageOf(body: unknown): { code: string | null; message: string } | null {
  const refusal = Refusal.safeParse(body);
  if (!refusal.success) return null;
  const { error, error_description } = refusal.data;
  return error_description == null
    ? { code: null, message: error }
    : { code: error, message: error_description };
}

/**
 * Every response of Etsy reports the remaining calls, for this second and for this day.
 * @returns the share of the day's calls that is left; null where it is not reported
 */
function learnFrom(budget: RateBudget, operation: string, headers: HttpAnswer['headers']): number | null {
  const now = countOf(headers['x-remaining-this-second']);
  if (now !== null) budget.remain(operation, now);
  const today = countOf(headers['x-remaining-today']);
  const whole = countOf(headers['x-limit-per-day']);
  if (today === null || whole === null || whole === 0) return null;
  const share = today / whole;
  if (!OF_A_WRITE.has(operation) && share <= (LEFT[operation] ?? LEFT_TO_OTHERS))
    budget.pause(operation, PAUSE);
  return share;
}

/** The day of Etsy is the last 24 hours: calls come back one by one, and Etsy reports when. */
function dayLimitOf(headers: HttpAnswer['headers'], now: Instant): DayLimit | null {
  if (countOf(headers['x-remaining-today']) !== 0) return null;
  const seconds = countOf(headers['retry-after']);
  return { until: seconds === null ? null : instant(now + seconds * 1_000) };
}

function countOf(header: string | string[] | undefined): number | null {
  return typeof header === 'string' && /^\d{1,9}$/.test(header) ? Number(header) : null;
}

/**
 * The ID of the store: that of the user who gave the authorization, else the one with the entered name.
 * @throws ConnectorError also when there is no shop
 */
export async function shopIdOf(calls: EtsyCalls, account: Account, signal: AbortSignal): Promise<number> {
  const get = (path: string) => calls.call(account, { method: 'GET', path, operation: 'shop' }, signal);
  const self = parseResponse(NAME, Self, await get('/v3/application/users/me'), 'user');
  if (self.shop_id != null) return self.shop_id;
  const { shopName } = credentialsOf(account);
  if (shopName !== undefined) {
    const path = `/v3/application/shops?${new URLSearchParams({ shop_name: shopName })}`;
    const { results } = parseResponse(NAME, ShopPage, await get(path), 'list of shops');
    const shop = results.find(({ shop_name }) => shop_name.toLowerCase() === shopName.toLowerCase());
    if (shop !== undefined) return shop.shop_id;
  }
  const sentence = `${NAME} found no shop of the account that authorized Pricewright.`;
  throw new ConnectorError('refused', sentence, { isOfRead: true });
}

/** Name and currency of a store. */
export async function shopOf(
  calls: EtsyCalls,
  account: Account,
  signal: AbortSignal,
): Promise<z.output<typeof Shop>> {
  const path = `/v3/application/shops/${await shopIdOf(calls, account, signal)}`;
  const answer = await calls.call(account, { method: 'GET', path, operation: 'shop' }, signal);
  return parseResponse(NAME, Shop, answer, 'shop');
}
