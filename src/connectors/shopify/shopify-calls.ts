import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import type { Account } from '#connectors/connector.ts';
import { ConnectorError } from '#connectors/connector-error.ts';
import { refusedPair, withAccessToken } from '#connectors/http/access-token.ts';
import {
  createHttpClient,
  HTTP_LIMITS,
  type HttpAnswer,
  type HttpCall,
  type HttpClient,
  type HttpClientOptions,
} from '#connectors/http/http-client.ts';
import { reachOf } from '#connectors/http/public-address.ts';
import { credentialsFor, parseResponse } from '#connectors/parse-response.ts';
import type { HeldTokens } from '#connectors/token-vault.ts';
import { shopHost } from '#domain/connections/credentials.ts';
import { type Instant, instant } from '#domain/units.ts';
import { CostBudget } from './cost-budget.ts';
import { TokenAnswer, Wrapped } from './shopify-responses.ts';

export const NAME = 'Shopify';
/** Versions are supported for a year; a call of a retired one is served by the oldest supported one. */
export const VERSION = '2026-10';
const PATH = `/admin/api/${VERSION}/graphql.json`;
/** Points are the actual limit; this only prevents an endless loop. */
const BUDGETS = { graphql: { perSecond: 20, burst: 40 }, token: { perSecond: 0.2, burst: 5 } };
/** The code of an error that says: the points are used up, and the field was not started. */
const THROTTLED = 'THROTTLED';
/** Attempts of a throttled call, including the first. */
const TRIES = 5;

const Optional = z.string().trim().optional();
const Credentials = z.object({
  storeUrl: z.string().trim().min(1),
  apiKey: Optional,
  clientId: Optional,
  clientSecret: Optional,
});
const LABELS = { storeUrl: 'shop address' };

/** `baseUrl` is used when it names this machine: otherwise every store has its own address. */
const PAIR_ADVICE =
  'They work for shops of the organization that made the app; copy both again, save them here, then try again.';

export type ShopifyOptions = Omit<HttpClientOptions, 'name' | 'budgets' | 'learn' | 'errorMessageOf'>;

export interface GraphqlCall {
  /** The name of the operation, for logs and costs. */
  readonly operation: string;
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly changes?: HttpCall['changes'];
}

/** Shopify's calls with the headers common to all of them. */
export interface ShopifyCalls {
  readonly now: () => Instant;
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<unknown>;
  /** @param what goes on after "not a valid": "list of orders" */
  ask<Schema extends z.ZodType>(
    account: Account,
    call: GraphqlCall,
    schema: Schema,
    what: string,
    signal: AbortSignal,
  ): Promise<{ readonly data: z.output<Schema>; readonly version: string | null }>;
}

interface ShopClient {
  readonly client: HttpClient;
  readonly costs: CostBudget;
}

export function createCalls(options: ShopifyOptions): ShopifyCalls {
  const now = options.now ?? (() => instant(Date.now()));
  const wait =
    options.wait ??
    ((milliseconds: number, signal: AbortSignal) => pause(milliseconds, undefined, { signal }));
  const shops = new Map<string, ShopClient>();
  const shopAt = (baseUrl: string): ShopClient => {
    const shop = shops.get(baseUrl) ?? {
      client: createHttpClient({
        ...options,
        baseUrl,
        name: NAME,
        keyName: 'access token',
        budgets: BUDGETS,
        errorMessageOf,
      }),
      costs: new CostBudget(now),
    };
    shops.set(baseUrl, shop);
    return shop;
  };
  return {
    now,
    wait,
    ask: async (account, call, schema, what, signal) => {
      const shop = shopAt(addressOf(options.baseUrl, account));
      const send = (init: HttpCall) => withToken(shop.client, account, init, now, signal);
      const longest = options.limits?.longestWait ?? HTTP_LIMITS.longestWait;
      const answer = await withinCosts(shop.costs, call, send, (ms) => rest(wait, ms, longest, signal));
      const data = parseResponse(
        NAME,
        schema,
        { ...answer, body: answer.data },
        what,
        call.changes !== undefined,
      );
      return { data, version: answer.version };
    },
  };
}

/** @throws ConnectorError of fault "key" for anything but a store's own address: the token is sent there */
function addressOf(baseUrl: string, account: Account): string {
  const { storeUrl } = credentialsOf(account);
  const host = shopHost(storeUrl);
  if (host === null) {
    throw new ConnectorError('key', 'The shop address of Shopify has to be like "my-shop.myshopify.com".');
  }
  return reachOf(baseUrl) === 'loopback' ? baseUrl : `https://${host}`;
}

function credentialsOf({ credentials }: Account): z.output<typeof Credentials> {
  return credentialsFor(NAME, Credentials, credentials, LABELS);
}

async function rest(
  wait: ShopifyCalls['wait'],
  milliseconds: number,
  longest: number,
  signal: AbortSignal,
): Promise<void> {
  if (milliseconds > longest) {
    const message = `Rate limit of ${NAME} reached. Pricewright retries automatically.`;
    throw new ConnectorError('busy', message, { retryAfter: milliseconds });
  }
  await wait(milliseconds, signal).catch(() => undefined);
}

interface Unwrapped {
  readonly status: number;
  readonly data: unknown;
  readonly version: string | null;
}

/** Makes a call when the store has points for it; repeats it when Shopify reports that it was not started. */
async function withinCosts(
  costs: CostBudget,
  call: GraphqlCall,
  send: (init: HttpCall) => Promise<HttpAnswer>,
  wait: (milliseconds: number) => Promise<void>,
): Promise<Unwrapped> {
  const { operation, query, variables = {}, changes } = call;
  const body = { type: 'application/json', text: JSON.stringify({ query, variables }) };
  const init = {
    method: 'POST',
    path: PATH,
    operation: 'graphql',
    body,
    ...(changes ? { changes } : {}),
  } as const;
  for (let attempt = 1; ; attempt++) {
    const delay = costs.wait(operation);
    if (delay > 0) await wait(delay);
    const answer = await send(init);
    const wrapped = parseResponse(NAME, Wrapped, answer, 'answer to a query', changes !== undefined);
    const cost = wrapped.extensions?.cost ?? null;
    costs.learn(operation, cost?.requestedQueryCost ?? null, cost?.throttleStatus ?? null);
    const error = wrapped.errors.find((one) => codeOf(one) !== THROTTLED);
    if (error !== undefined)
      throw graphqlError(codeOf(error), error.message ?? '', wrapped.data, changes !== undefined);
    const isThrottled = wrapped.errors.length > 0;
    // A change that has a result was carried out: repeated, it would be sent twice.
    if (!isThrottled || (changes !== undefined && hasResult(wrapped.data)))
      return unwrapped(answer, wrapped.data);
    if (attempt >= TRIES) {
      throw new ConnectorError('busy', `${NAME} is rate limiting requests. Try again in a few minutes.`, {
        code: THROTTLED,
      });
    }
    // Without reported points, a second restores enough for most calls.
    if (costs.wait(operation) === 0) await wait(1_000);
  }
}

function codeOf({ extensions }: z.output<typeof Wrapped>['errors'][number]): string | null {
  return extensions?.code ?? null;
}

/** A field of the answer that is not null was carried out; one that was not started is null. */
function hasResult(data: unknown): boolean {
  return typeof data === 'object' && data !== null && Object.values(data).some((field) => field != null);
}

function unwrapped({ status, headers }: HttpAnswer, data: unknown): Unwrapped {
  const version = headers['x-shopify-api-version'];
  return { status, data, version: typeof version === 'string' ? version : null };
}

function graphqlError(code: string | null, words: string, data: unknown, isChange: boolean): ConnectorError {
  const said = `${NAME} says: ${words || code || 'nothing'}`;
  if (code === 'ACCESS_DENIED') {
    return new ConnectorError(
      'permission',
      `The key of ${NAME} lacks this permission. Grant it, then try again.`,
      { code, said },
    );
  }
  // An error in addition to data: something was done.
  const mayHaveActed = isChange && (code === 'INTERNAL_SERVER_ERROR' || code === 'TIMEOUT' || data != null);
  if (code === 'INTERNAL_SERVER_ERROR' || code === 'TIMEOUT' || data != null) {
    return new ConnectorError('service', `${NAME} answered with an error.`, { code, said, mayHaveActed });
  }
  return new ConnectorError('refused', `${NAME} refused the request.`, { status: 200, code, said });
}

async function withToken(
  client: HttpClient,
  account: Account,
  init: HttpCall,
  now: () => Instant,
  signal: AbortSignal,
): Promise<HttpAnswer> {
  const call = (token: string) =>
    client.call(
      { ...init, headers: { accept: 'application/json', 'x-shopify-access-token': token } },
      signal,
    );
  const { apiKey, clientId, clientSecret } = credentialsOf(account);
  if (apiKey) {
    if (/^[\x21-\x7e]+$/.test(apiKey)) return call(apiKey);
    throw new ConnectorError(
      'key',
      `The access token has characters that no token has. Copy it from ${NAME} again.`,
    );
  }
  if (!clientId || !clientSecret) {
    throw new ConnectorError(
      'key',
      `The access token of ${NAME} is missing, or the client ID and client secret instead of it. Enter them in Settings.`,
    );
  }
  const fetch = () => fetchToken(client, clientId, clientSecret, now, signal);
  return withAccessToken({ name: NAME, tokens: account.tokens, now, fetch }, call);
}

async function fetchToken(
  client: HttpClient,
  clientId: string,
  clientSecret: string,
  now: () => Instant,
  signal: AbortSignal,
): Promise<HeldTokens> {
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: clientSecret,
  });
  const obtainedAt = now();
  const body = { type: 'application/x-www-form-urlencoded', text: String(form) };
  const call = { method: 'POST', path: '/admin/oauth/access_token', operation: 'token', body } as const;
  const answer = await client.call(call, signal).catch((error: unknown) => {
    throw refusedPair(NAME, error, PAIR_ADVICE);
  });
  const { access_token, expires_in } = parseResponse(NAME, TokenAnswer, answer, 'access token');
  const expiresAt = expires_in == null ? null : instant(obtainedAt + expires_in * 1_000);
  return { access: { value: access_token, obtainedAt, expiresAt } };
}

const Words = z.object({
  errors: z.union([z.string(), z.array(z.object({ message: z.string() }))]).optional(),
  error_description: z.string().optional(),
  error: z.string().optional(),
});

function errorMessageOf(body: unknown): { readonly code: string | null; readonly message: string } | null {
  const read = Words.safeParse(body);
  if (!read.success) return null;
  const { errors, error_description, error } = read.data;
  const message = (typeof errors === 'string' ? errors : errors?.[0]?.message) ?? error_description ?? error;
  return message === undefined ? null : { code: error ?? null, message };
}
