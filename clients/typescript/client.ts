/**
 * A client for programs that call Pricewright with an API token. Copy this file and schema.ts: they need `fetch` and nothing
 * else (Node.js 20.3 or newer, Deno, Bun).
 */
// The extension that every setting of TypeScript accepts; it is a type and no file at run time.
import type { Calls, ErrorBody } from './schema.js';

/** A call by method and address: "PUT /api/listings/{id}/price". */
export type CallName = keyof Calls;
export type Answer<Name extends CallName> = Calls[Name]['answer'];

/** What a call takes, and how long it may take. */
export type Input<Name extends CallName> = Omit<Calls[Name], 'answer'> & CallOptions;

/** Optional where a call needs nothing. */
type InputOf<Name extends CallName> =
  Record<never, never> extends Input<Name> ? [input?: Input<Name>] : [input: Input<Name>];

/** Calls with pages of rows. */
export type PagedCall = {
  [Name in CallName]: Calls[Name] extends { query?: infer Query; answer: Page<unknown> }
    ? 'page' extends keyof NonNullable<Query>
      ? Name
      : never
    : never;
}[CallName];
type Page<Row> = { total: number; isTotalExact?: boolean } & ({ rows: Row[] } | { skus: Row[] });
export type RowOf<Name extends PagedCall> = Answer<Name> extends Page<infer Row> ? Row : never;

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Milliseconds for this call instead of those of the client. */
  readonly timeoutMs?: number;
}

export interface ClientOptions {
  /** The address of the server, without a path: "https://prices.example.com". */
  readonly baseUrl: string;
  /** "pwt_..." and nothing else. */
  readonly token: string | undefined;
  /**
   * Milliseconds for each request, 30,000 if omitted. A change whose answer did not arrive in time may have been made: read
   * before you repeat it.
   */
  readonly timeoutMs?: number;
  /**
   * For how many seconds, 60 if omitted, a call may wait and try again when the server refuses it because the token made
   * too many in a minute. Such a call was not carried out. 0 never waits.
   */
  readonly maxWaitSeconds?: number;
}

/** An answer other than success. */
export class PricewrightError extends Error {
  override readonly name = 'PricewrightError';
  readonly status: number;
  /** Why, for programs: "scope_missing". Null for what Pricewright did not answer, such as a proxy in front of it. */
  readonly code: ErrorBody['code'] | null;
  /** Finds the call in the log and the audit log of the server. */
  readonly requestId: string | null;
  /** What to correct, by field of the request: { price: "Enter an amount such as 19.99" }. */
  readonly fields: Readonly<Record<string, string>>;
  /** Of `not_repriceable`: what `despiteReasons` has to name for the price to change all the same. */
  readonly reasons: NonNullable<ErrorBody['reasons']>;
  /** When to try again, if the server says so: after 429 and some 503. */
  readonly retryAfterSeconds: number | null;

  constructor({ status, headers }: Response, message: string, body: ErrorBody | null) {
    super(body?.message ?? message);
    this.status = status;
    this.code = body?.code ?? null;
    this.requestId = body?.requestId ?? headers.get('x-request-id');
    this.fields = body?.fields ?? {};
    this.reasons = body?.reasons ?? [];
    this.retryAfterSeconds = retryAfterOf(headers);
  }
}

export interface Client {
  /**
   * Makes a call.
   * @throws PricewrightError for every answer but success; what `fetch` throws if the server does not answer, and a
   * TimeoutError if it does not in time
   */
  call<Name extends CallName>(name: Name, ...input: InputOf<Name>): Promise<Answer<Name>>;
  /**
   * All rows of a list, page by page from the first. Rows may be missing or come twice if others are added or removed while
   * it reads: sort by what does not change.
   */
  rows<Name extends PagedCall>(name: Name, ...input: InputOf<Name>): AsyncGenerator<RowOf<Name>>;
}

export function createClient({
  baseUrl,
  token,
  timeoutMs = 30_000,
  maxWaitSeconds = 60,
}: ClientOptions): Client {
  const origin = originOf(baseUrl);
  if (token === undefined || !/^pwt_[\w-]+$/.test(token)) {
    throw new TypeError('token: expected an API token, pwt_ and 43 characters, from Account & security.');
  }

  async function send(name: string, input: UntypedInput): Promise<unknown> {
    const [method = '', path = ''] = name.split(' ');
    const url = `${origin}${withPath(path, input.path)}${withQuery(input.query)}`;
    const { body, signal } = input;
    const isFile = body instanceof Blob;
    const request: RequestInit = {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': isFile ? 'text/csv' : 'application/json' }),
      },
      ...(body === undefined ? {} : { body: isFile ? body : JSON.stringify(body) }),
      // The token is for this server alone.
      redirect: 'error',
    };
    for (let waited = 0; ; ) {
      const signals = [AbortSignal.timeout(input.timeoutMs ?? timeoutMs), ...(signal ? [signal] : [])];
      const response = await fetch(url, { ...request, signal: AbortSignal.any(signals) });
      const seconds = response.status === 429 ? retryAfterOf(response.headers) : null;
      if (seconds === null || waited + seconds > maxWaitSeconds) return answerOf(response);
      await response.body?.cancel();
      await wait(seconds, signal);
      waited += seconds;
    }
  }

  async function* rowsOf(name: string, input: UntypedInput): AsyncGenerator<unknown> {
    let seen = 0;
    for (let page = 1; ; page += 1) {
      const answer = (await send(name, { ...input, query: { ...input.query, page } })) as Page<unknown>;
      const rows = 'rows' in answer ? answer.rows : answer.skus;
      yield* rows;
      seen += rows.length;
      // A total that is an estimate ends nothing.
      if (rows.length === 0 || (answer.isTotalExact !== false && seen >= answer.total)) return;
    }
  }

  return {
    call: (name, ...[input]) => send(name, (input ?? {}) as UntypedInput) as Promise<never>,
    rows: (name, ...[input]) => rowsOf(name, (input ?? {}) as UntypedInput) as AsyncGenerator<never>,
  };
}

/** An input whose types were checked. */
interface UntypedInput extends CallOptions {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: unknown;
}

function originOf(baseUrl: string): string {
  const { origin, protocol, pathname, search } = new URL(baseUrl);
  if (!/^https?:$/.test(protocol) || pathname !== '/' || search !== '') {
    throw new TypeError(`baseUrl: expected the address of the server without a path, not ${baseUrl}`);
  }
  return origin;
}

function withPath(path: string, given: UntypedInput['path'] = {}): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(given[name] ?? '');
    // As a part of an address these mean another address.
    if (/^\.{0,2}$/.test(value)) throw new TypeError(`path.${name}: expected a value, not "${value}"`);
    return encodeURIComponent(value);
  });
}

function withQuery(given: UntypedInput['query'] = {}): string {
  const entries = Object.entries(given).filter(([, value]) => value !== undefined);
  return entries.length === 0
    ? ''
    : `?${new URLSearchParams(entries.map(([name, value]) => [name, String(value)]))}`;
}

/** The body of an answer: JSON, or a file as text. */
async function answerOf(response: Response): Promise<unknown> {
  const type = response.headers.get('content-type') ?? '';
  const isJson = type.startsWith('application/json');
  if (!response.ok) {
    const body = isJson ? ((await response.json()) as ErrorBody) : null;
    if (!isJson) await response.body?.cancel();
    throw new PricewrightError(response, `${response.status} ${response.statusText}`, body);
  }
  if (response.status === 204) return undefined;
  if (isJson) return response.json();
  if (/^(text\/csv|application\/x-ndjson)\b/.test(type)) return response.text();
  await response.body?.cancel();
  throw new PricewrightError(response, `${response.url} is no API of Pricewright: it sent ${type}`, null);
}

/** Null without the header, and for a date, which Pricewright does not send. */
function retryAfterOf(headers: Headers): number | null {
  const seconds = headers.get('retry-after');
  return seconds !== null && /^\d+$/.test(seconds) ? Math.max(1, Number(seconds)) : null;
}

/** Waits for so many seconds, or until the signal, whose reason it throws. */
function wait(seconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const end = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end);
      resolve();
    }, seconds * 1_000);
    signal?.addEventListener('abort', end, { once: true });
  });
}
