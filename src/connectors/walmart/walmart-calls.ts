import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import type { Account } from '#connectors/connector.ts';
import { ConnectorError } from '#connectors/connector-error.ts';
import { refusedPair, withAccessToken } from '#connectors/http/access-token.ts';
import { createDocuments, type Documents } from '#connectors/http/documents.ts';
import {
  createHttpClient,
  type HttpAnswer,
  type HttpCall,
  type HttpClient,
  type HttpClientOptions,
} from '#connectors/http/http-client.ts';
import type { RateBudget } from '#connectors/http/rate-budget.ts';
import { credentialsFor, parseResponse, type ReadCall, readWith } from '#connectors/parse-response.ts';
import type { HeldTokens } from '#connectors/token-vault.ts';
import { type Instant, instant } from '#domain/units.ts';
import { WALMART_BUDGETS } from './walmart-budgets.ts';
import { type Problem, Refusal, TokenAnswer } from './walmart-responses.ts';

export const NAME = 'Walmart';
const SERVICE = 'Walmart Marketplace';
const HOUR = 3_600;

/** The share of the remaining calls reported by Walmart that we use. */
const OUR_SHARE = 0.8;
/** The longest wait, whatever Walmart reports: one hour. */
const LONGEST_PAUSE = HOUR * 1_000;

const Credentials = z.object({
  clientId: z.string().trim().min(1),
  clientSecret: z.string().trim().min(1),
  /** The version in the head of price feeds, for when Walmart retires our default. */
  feedVersion: z.string().trim().min(1).optional(),
});
const LABELS = { clientId: 'client ID', clientSecret: 'client secret', feedVersion: 'feed version' };

const PAIR_ADVICE = 'Copy both from the developer portal again, save them here, then try again.';

export type WalmartOptions = Omit<HttpClientOptions, 'name' | 'budgets' | 'learn' | 'errorMessageOf'>;

/** Walmart's calls with the headers common to all of them. */
export interface WalmartCalls {
  readonly now: () => Instant;
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<unknown>;
  readonly documents: Documents;
  /** How many calls of an operation the rate limit allows now. */
  left(operation: keyof typeof WALMART_BUDGETS): number;
  /** Milliseconds until the rate limit allows so many calls of an operation at once; 0 when it does now. */
  waitFor(operation: keyof typeof WALMART_BUDGETS, calls: number): number;
  ask(account: Account, call: HttpCall, signal: AbortSignal): Promise<HttpAnswer>;
  readonly read: ReadCall;
}

export function createCalls(options: WalmartOptions): WalmartCalls {
  const now = options.now ?? (() => instant(Date.now()));
  const client = createHttpClient({
    ...options,
    name: NAME,
    budgets: WALMART_BUDGETS,
    learn: (budget, operation, headers) => learn(budget, operation, headers, now()),
    errorMessageOf,
  });
  const ask: WalmartCalls['ask'] = (account, call, signal) => {
    const fetch = () => fetchToken(client, account, now, signal);
    return withAccessToken({ name: NAME, tokens: account.tokens, now, fetch }, (token) =>
      client.call({ ...call, headers: { ...call.headers, ...commonHeaders(token) } }, signal),
    );
  };
  return {
    now,
    wait: options.wait ?? ((milliseconds, signal) => pause(milliseconds, undefined, { signal })),
    documents: createDocuments({ ...options, name: NAME, mayLieOn: isReportHost }),
    left: (operation) => client.left(operation),
    waitFor: (operation, count) => client.waitFor(operation, count),
    ask,
    read: readWith(NAME, ask),
  };
}

/** The body of a call, as JSON. */
export function jsonBody(text: string): { readonly type: string; readonly text: string } {
  return { type: 'application/json', text };
}

/** @throws ConnectorError of fault "key" */
export function credentialsOf({ credentials }: Account): z.output<typeof Credentials> {
  return credentialsFor(NAME, Credentials, credentials, LABELS);
}

/** Errors in a 200 response that are more than warnings. */
export function problemsIn(body: unknown): readonly Problem[] {
  const problems = Refusal.safeParse(body).data ?? [];
  return problems.filter(
    (problem) =>
      problem.severity !== 'WARN' &&
      problem.severity !== 'INFO' &&
      Object.values(problem).some((word) => word !== null),
  );
}

/** Walmart's text of an error. */
export function sentenceOf({ description, info, message, code }: Problem): string {
  return description || message || info || code || 'It does not say why.';
}

/** Whether a refusal means that a list has nothing in it: "CONTENT_NOT_FOUND", "No data found". */
export function saysNotFound(body: unknown): boolean {
  return problemsIn(body).some((problem) =>
    Object.values(problem).some((word) =>
      /\bno (data|content|items?|records?|results?) found\b|not[ _]found/i.test(word ?? ''),
    ),
  );
}

/** The error of a 400 that a caller accepted to read its words. */
export function refusedBy(body: unknown): ConnectorError {
  const problem = problemsIn(body)[0];
  const said = problem === undefined ? null : `${NAME} says: ${sentenceOf(problem)}`;
  return new ConnectorError('refused', `${NAME} rejected the request (400).`, {
    status: 400,
    isOfRead: true,
    code: problem?.code ?? null,
    said,
  });
}

function errorMessageOf(body: unknown): { readonly code: string | null; readonly message: string } | null {
  const problem = problemsIn(body)[0];
  return problem === undefined ? null : { code: problem.code, message: sentenceOf(problem) };
}

function commonHeaders(token: string | null): Record<string, string> {
  return {
    accept: 'application/json',
    'WM_SVC.NAME': SERVICE,
    'WM_QOS.CORRELATION_ID': randomUUID(),
    ...(token === null ? {} : { 'WM_SEC.ACCESS_TOKEN': token }),
  };
}

async function fetchToken(
  client: HttpClient,
  account: Account,
  now: () => Instant,
  signal: AbortSignal,
): Promise<HeldTokens> {
  const { clientId, clientSecret } = credentialsOf(account);
  const pair = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
  const obtainedAt = now();
  const call: HttpCall = {
    method: 'POST',
    path: '/v3/token',
    operation: 'token',
    headers: { ...commonHeaders(null), authorization: `Basic ${pair}` },
    body: { type: 'application/x-www-form-urlencoded', text: 'grant_type=client_credentials' },
  };
  const answer = await client.call(call, signal).catch((error: unknown) => {
    throw refusedPair(NAME, error, PAIR_ADVICE);
  });
  const { access_token, expires_in } = parseResponse(NAME, TokenAnswer, answer, 'access token');
  const expiresAt = instant(obtainedAt + expires_in * 1_000);
  return { access: { value: access_token, obtainedAt, expiresAt } };
}

/** Reports are on hosts of Walmart, or in cloud storage that it rents. */
function isReportHost(host: string): boolean {
  return ['.walmart.com', '.walmartapis.com', '.blob.core.windows.net', '.storage.googleapis.com']
    .concat('.amazonaws.com')
    .some((end) => host.endsWith(end) || host === end.slice(1));
}

function learn(budget: RateBudget, operation: string, headers: HttpAnswer['headers'], now: Instant): void {
  const said = headers['x-current-token-count'];
  if (typeof said !== 'string' || !/^\d{1,9}$/.test(said)) return;
  const calls = Number(said);
  budget.remain(operation, Math.floor(calls * OUR_SHARE));
  const at = momentOf(headers['x-next-replenish-time'] ?? headers['x-next-replenishment-time']);
  if (calls === 0 && at !== null && at > now) budget.pause(operation, Math.min(at - now, LONGEST_PAUSE));
}

/** Milliseconds since 1970, or a date. */
function momentOf(header: string | string[] | undefined): number | null {
  if (typeof header !== 'string') return null;
  const at = /^\d{10,15}$/.test(header) ? Number(header) : Date.parse(header);
  return Number.isFinite(at) ? at : null;
}
