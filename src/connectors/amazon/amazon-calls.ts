import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { ConnectorError } from '#connectors/connector-error.ts';
import { withAccessToken } from '#connectors/http/access-token.ts';
import { createDocuments, type Documents } from '#connectors/http/documents.ts';
import {
  createHttpClient,
  type HttpAnswer,
  type HttpCall,
  type HttpClient,
  type HttpClientOptions,
} from '#connectors/http/http-client.ts';
import { reachOf } from '#connectors/http/public-address.ts';
import { type Instant, instant } from '#domain/units.ts';
import { AMAZON_BUDGETS, type AmazonOperation, learnRate } from './amazon-budgets.ts';
import { AMAZON } from './amazon-responses.ts';
import type { AmazonShop } from './amazon-shop.ts';
import { FoundSellers } from './found-sellers.ts';
import { fetchAccessToken, lwaErrorMessage } from './lwa-tokens.ts';

const LWA_HOST = 'https://api.amazon.com';
/** Milliseconds. A report can be requested less than once per minute, so its callers wait this long. */
const LONGEST_REPORT_WAIT = 300_000;
/** Amazon keeps documents in its own storage, and serves them from there or from its own network. */
const STORAGE = /^[a-z0-9.-]+\.(?:s3[.-](?:[a-z0-9-]+\.)?amazonaws\.com|cloudfront\.net)$/;
/** Our own code for an expired token: Amazon responds with 403 there too. */
const ENDED = 'TokenEnded';

const Refusal = z.object({
  errors: z
    .array(
      z.object({ code: z.string().max(200), message: z.string().max(2_000), details: z.string().nullish() }),
    )
    .min(1),
});

export type AmazonOptions = Omit<HttpClientOptions, 'name' | 'budgets' | 'learn' | 'errorMessageOf'>;

export interface AmazonCall extends Pick<HttpCall, 'method' | 'path' | 'changes' | 'alsoAnswers'> {
  readonly operation: AmazonOperation;
  /** JSON. */
  readonly text?: string;
  /** Waits minutes for the rate limit instead of half a minute. */
  readonly isPatient?: boolean;
  /** Made by the application itself, not on behalf of the seller. */
  readonly isGrantless?: boolean;
}

/** Makes all calls to Amazon. */
export interface AmazonCalls {
  ask(shop: AmazonShop, call: AmazonCall, signal: AbortSignal): Promise<HttpAnswer>;
  /** How many calls of an operation the rate limit allows now, as far as known. */
  left(operation: AmazonOperation): number;
  readonly documents: Documents;
  readonly foundSellers: FoundSellers;
  readonly now: () => Instant;
  /** Waits this many milliseconds, or less when the signal comes first. */
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<unknown>;
}

export function createAmazonCalls(options: AmazonOptions): AmazonCalls {
  const now = options.now ?? (() => instant(Date.now()));
  const isLocal = reachOf(options.baseUrl) === 'loopback';
  const lwaBase = isLocal ? options.baseUrl : LWA_HOST;
  const lwa = createHttpClient({
    ...options,
    name: AMAZON,
    baseUrl: lwaBase,
    errorMessageOf: lwaErrorMessage,
  });
  const { client: clientFor, left } = clientsByRegion(options, isLocal);
  return {
    now,
    left,
    wait: options.wait ?? ((milliseconds, signal) => pause(milliseconds, undefined, { signal })),
    foundSellers: new FoundSellers(),
    documents: createDocuments({
      name: AMAZON,
      baseUrl: options.baseUrl,
      mayLieOn: (host) => STORAGE.test(host),
      ...(options.lookup === undefined ? {} : { lookup: options.lookup }),
    }),
    ask: async (shop, call, signal) => {
      const client = clientFor(shop.region, call.isPatient === true);
      const send = (token: string) =>
        client.call(httpCall(call, token, now()), signal).catch((error: unknown) => {
          throw credentialError(error);
        });
      const fetch = (scope: 'seller' | 'notifications') => fetchAccessToken(lwa, shop, scope, now, signal);
      if (call.isGrantless) {
        const { value } = await fetch('notifications');
        shop.tokens.learn?.(value);
        return send(value);
      }
      const source = { name: AMAZON, tokens: shop.tokens, now };
      return withAccessToken({ ...source, fetch: async () => ({ access: await fetch('seller') }) }, send);
    },
  };
}

/** One client each for immediate calls and for those that may wait: a budget belongs to only one of them. */
function clientsByRegion(options: AmazonOptions, isLocal: boolean) {
  const clients = new Map<string, HttpClient>();
  const left = (operation: AmazonOperation): number =>
    Math.min(...[...clients.values()].map((client) => client.left(operation)));
  const client = (region: string, isPatient: boolean): HttpClient => {
    const key = `${region} ${isPatient}`;
    const known = clients.get(key);
    if (known !== undefined) return known;
    const baseUrl = isLocal
      ? options.baseUrl
      : options.baseUrl.replace('sellingpartnerapi-na', `sellingpartnerapi-${region}`);
    const made = createHttpClient({
      ...options,
      name: AMAZON,
      baseUrl,
      budgets: AMAZON_BUDGETS,
      learn: learnRate,
      errorMessageOf,
      ...(isPatient ? { limits: { longestWait: LONGEST_REPORT_WAIT, ...options.limits } } : {}),
    });
    clients.set(key, made);
    return made;
  };
  return { client, left };
}

function httpCall(call: AmazonCall, token: string, now: Instant): HttpCall {
  const { method, path, operation, changes, alsoAnswers, text } = call;
  return {
    method,
    path,
    operation,
    headers: {
      accept: 'application/json',
      'user-agent': 'Pricewright/1.0 (Language=TypeScript)',
      'x-amz-access-token': token,
      'x-amz-date': new Date(now).toISOString().replace(/[-:]|\.\d{3}/g, ''),
    },
    ...(changes === undefined ? {} : { changes }),
    ...(alsoAnswers === undefined ? {} : { alsoAnswers }),
    ...(text === undefined ? {} : { body: { type: 'application/json', text } }),
  };
}

function errorMessageOf(body: unknown): { code: string; message: string } | null {
  const answer = Refusal.safeParse(body);
  const first = answer.success ? answer.data.errors[0] : undefined;
  if (first === undefined) return null;
  const words = `${first.message} ${first.details ?? ''}`;
  const isEnded = /access token/i.test(words) && /expired|revoked|malformed|invalid/i.test(words);
  return { code: isEnded ? ENDED : first.code, message: first.message };
}

/** An expired token gets 403 as well as 401: a new one helps, unlike with a missing permission. */
function credentialError(error: unknown): unknown {
  if (!(error instanceof ConnectorError) || error.fault !== 'permission' || error.code !== ENDED)
    return error;
  return new ConnectorError('key', 'Amazon does not accept the access token (403).', {
    status: 403,
    code: ENDED,
  });
}

/** A path with its query; values are encoded, lists joined by commas. */
export function pathOf(
  path: string,
  query: Readonly<Record<string, string | readonly string[] | null>>,
): string {
  const parts = Object.entries(query).flatMap(([name, value]) => {
    if (value === null) return [];
    const values = typeof value === 'string' ? [value] : value;
    return [`${name}=${values.map(encodeURIComponent).join(',')}`];
  });
  return `${path}?${parts.join('&')}`;
}
