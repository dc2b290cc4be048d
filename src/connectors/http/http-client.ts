import type { LookupFunction } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Dispatcher, request } from 'undici';
import { ConnectorError } from '#connectors/connector-error.ts';
import { type Instant, instant } from '#domain/units.ts';
import { errorOf, type Told, type Trouble, timedOut, tooLate, unreadable } from './call-error.ts';
import { HttpCircuitBreaker } from './circuit-breaker.ts';
import { openGuardedAgent } from './guarded-agent.ts';
import { reachOf } from './public-address.ts';
import { type BudgetLine, RateBudget } from './rate-budget.ts';
import { readBody } from './read-body.ts';
import { retryWait } from './retry-wait.ts';

/** Milliseconds and bytes that one call may take. */
export interface HttpLimits {
  readonly connect: number;
  /** From the first byte sent to the last one read. */
  readonly whole: number;
  readonly bytes: number;
  /** Tries for one answer, the first included. */
  readonly attempts: number;
  /** The longest wait before a try, for the service's sake or for our own budget's. */
  readonly longestWait: number;
}

export const HTTP_LIMITS: HttpLimits = {
  connect: 10_000,
  whole: 30_000,
  bytes: 16 * 1_024 * 1_024,
  attempts: 4,
  longestWait: 30_000,
};

/** A service that wants to be left alone for longer is asked again after that all the same. Milliseconds. */
const LONGEST_PAUSE = 3_600_000;

export interface HttpCall {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Begins with a slash; goes behind the base address. */
  readonly path: string;
  /** The name of the operation: its budget, and what logs say instead of an address. */
  readonly operation: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: { readonly type: string; readonly text: string };
  /**
   * A call that changes something is never repeated once the service may have heard it: its failure then says
   * `mayHaveActed`.
   */
  readonly changes?: {
    /** Not sent after that, however long it had to wait. */
    readonly notAfter: Instant;
  };
  /** Refusals (4xx) that the caller reads itself, such as 404. Every 2xx is an answer. */
  readonly alsoAnswers?: readonly number[];
  /** "json" unless said otherwise. */
  readonly reads?: 'json' | 'text' | 'bytes' | 'nothing';
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /**
   * Read as JSON and not checked: the caller's own schema does that. Text, a Buffer, or undefined, where the call asks
   * for it.
   */
  readonly body: unknown;
}

/** What a log may know of a try: no address, no header, no body. */
export interface SeenCall {
  readonly method: string;
  readonly operation: string;
  /** Null without an answer. */
  readonly status: number | null;
  readonly milliseconds: number;
}

export interface HttpClientOptions {
  /** How people call the service. */
  readonly name: string;
  /** How the service calls its key; "API key" unless said otherwise. */
  readonly keyName?: string;
  /**
   * Without a slash at the end. Calls reach the internet and nothing nearer, unless it names this machine: then they
   * reach this machine alone.
   */
  readonly baseUrl: string;
  readonly limits?: Partial<HttpLimits>;
  /** By operation. */
  readonly budgets?: Readonly<Record<string, BudgetLine>>;
  /** Looks at every answer for what it says about the budget. */
  readonly learn?: (budget: RateBudget, operation: string, headers: HttpAnswer['headers']) => void;
  /** The service's own words in the body of a refusal; null where there are none. */
  readonly errorMessageOf?: (
    body: unknown,
  ) => { readonly code: string | null; readonly message: string } | null;
  readonly onCall?: (seen: SeenCall) => void;
  readonly now?: () => Instant;
  /** Waits so many milliseconds, unless the signal comes first. Handed in, so that tests need not wait. */
  readonly wait?: (milliseconds: number, signal: AbortSignal) => Promise<unknown>;
  /** Finds the addresses of a name; the system's unless handed in. */
  readonly lookup?: LookupFunction;
}

/** Talks to one service. Redirects are not followed: a key must not travel to where it was not meant for. */
export interface HttpClient {
  /** @throws ConnectorError when the service refuses, cannot be reached, takes too long or answers something else */
  call(call: HttpCall, signal: AbortSignal): Promise<HttpAnswer>;
  /** How many calls of an operation our own budget lets go at this moment. */
  left(operation: string): number;
}

/** What carries a call. */
interface Transport {
  readonly agent: Dispatcher;
  readonly request: typeof request;
}

export function createHttpClient(options: HttpClientOptions): HttpClient {
  const client = new Client(options);
  return {
    call: (call, signal) => client.call(call, signal),
    left: (operation) => client.left(operation),
  };
}

type End = { readonly kind: 'answer'; readonly answer: HttpAnswer } | ({ readonly kind: 'fault' } & Trouble);

class Client {
  readonly #options: HttpClientOptions;
  readonly #limits: HttpLimits;
  readonly #now: () => Instant;
  readonly #budget: RateBudget;
  readonly #circuit: HttpCircuitBreaker;
  readonly #wait: NonNullable<HttpClientOptions['wait']>;
  #opened: Promise<Transport> | null = null;

  constructor(options: HttpClientOptions) {
    this.#options = options;
    this.#limits = { ...HTTP_LIMITS, ...options.limits };
    this.#now = options.now ?? (() => instant(Date.now()));
    this.#budget = new RateBudget(options.budgets ?? {}, this.#now);
    this.#circuit = new HttpCircuitBreaker(this.#now);
    this.#wait = options.wait ?? ((ms, signal) => pause(ms, undefined, { signal }));
  }

  async call(call: HttpCall, signal: AbortSignal): Promise<HttpAnswer> {
    const { name } = this.#options;
    const { attempts, longestWait } = this.#limits;
    // Loaded with the first call: the library takes some megabytes, and most shops never call anybody.
    this.#opened ??= openTransport(this.#options, this.#limits);
    const transport = await this.#opened;
    for (let attempt = 1; ; attempt++) {
      await this.#turn(call, signal);
      // Looked at as late as can be: a process may have been stopped for minutes just before.
      if (call.changes !== undefined && this.#now() > call.changes.notAfter) throw tooLate(name);
      const end = await this.#tryOnce(transport, call, signal);
      if (end.kind === 'answer') return end.answer;
      const { error, told, isPassing } = end;
      if (error.mayHaveActed || !isPassing || attempt >= attempts) throw error;
      const delay = retryWait(told.retryAfter, attempt, longestWait, this.#now());
      // A service that wants more patience than we have will not be asked again in vain.
      if (delay === null) throw error;
      await this.#rest(delay, signal);
    }
  }

  left(operation: string): number {
    return this.#budget.left(operation);
  }

  /** Waits until the call is within the budget and the service is not at rest. */
  async #turn({ operation }: HttpCall, signal: AbortSignal): Promise<void> {
    for (;;) {
      const rest = this.#circuit.rest();
      const delay = rest > 0 ? rest : this.#budget.take(operation);
      if (delay === 0) return;
      if (delay > this.#limits.longestWait || rest > 0) throw this.#busy(rest > 0, delay);
      await this.#rest(delay, signal);
    }
  }

  #busy(isResting: boolean, retryAfter: number): ConnectorError {
    const { name } = this.#options;
    return new ConnectorError(
      isResting ? 'service' : 'busy',
      isResting
        ? `${name} failed to respond several times. Pricewright pauses calls for a moment, then retries.`
        : `Rate limit of ${name} reached. Pricewright retries automatically.`,
      { retryAfter },
    );
  }

  async #rest(milliseconds: number, signal: AbortSignal): Promise<void> {
    await this.#wait(milliseconds, signal).catch(() => undefined);
    if (signal.aborted) throw timedOut(this.#options.name);
  }

  async #tryOnce({ agent, request: ask }: Transport, call: HttpCall, signal: AbortSignal): Promise<End> {
    const { name, baseUrl } = this.#options;
    if (signal.aborted) throw timedOut(name);
    const began = this.#now();
    const own = new AbortController();
    const giveUp = (): void => own.abort();
    const timer = setTimeout(giveUp, this.#limits.whole);
    signal.addEventListener('abort', giveUp, { once: true });
    let status: number | null = null;
    try {
      const response = await ask(`${baseUrl}${call.path}`, {
        dispatcher: agent,
        method: call.method,
        signal: own.signal,
        headers: headersOf(call),
        ...(call.body === undefined ? {} : { body: call.body.text }),
      });
      status = response.statusCode;
      return await this.#read(call, response);
    } catch (error) {
      return this.#failed(call, error, signal.aborted, status);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', giveUp);
      this.#seen(call, status, began);
    }
  }

  async #read(call: HttpCall, response: Dispatcher.ResponseData): Promise<End> {
    const { statusCode: status, headers } = response;
    const { name, learn, errorMessageOf } = this.#options;
    learn?.(this.#budget, call.operation, headers);
    const isAnswer = (status >= 200 && status < 300) || call.alsoAnswers?.includes(status) === true;
    const bytes = await readBody(name, response, this.#limits.bytes);
    if (isAnswer) {
      const answer = { status, headers, body: bodyOf(name, call, status, bytes) };
      this.#circuit.succeeded();
      return { kind: 'answer', answer };
    }
    const words = errorMessageOf?.(jsonOrNull(bytes)) ?? null;
    const after = headers['retry-after'];
    const told: Told = { status, words, retryAfter: typeof after === 'string' ? after : null };
    return this.#failed(call, told, false, status);
  }

  #failed(call: HttpCall, cause: unknown, isAborted: boolean, status: number | null): End {
    const trouble = errorOf(this.#options, call, cause, isAborted, status);
    // Refusals are answers: the service is there. A caller who gives up says nothing about it.
    if (trouble.isPassing && status !== 429) this.#circuit.failed();
    else if (status !== null) this.#circuit.succeeded();
    if (status === 429) {
      const wait = retryWait(trouble.told.retryAfter, 1, LONGEST_PAUSE, this.#now());
      this.#budget.pause(call.operation, wait ?? LONGEST_PAUSE);
    }
    return { kind: 'fault', ...trouble };
  }

  #seen({ method, operation }: HttpCall, status: number | null, began: Instant): void {
    this.#options.onCall?.({ method, operation, status, milliseconds: Math.max(0, this.#now() - began) });
  }
}

async function openTransport({ baseUrl, lookup }: HttpClientOptions, limits: HttpLimits): Promise<Transport> {
  const undici = await import('undici');
  const agent = await openGuardedAgent(limits, reachOf(baseUrl), lookup);
  return { agent, request: undici.request };
}

function headersOf({ headers, body }: HttpCall): Record<string, string> {
  return { ...headers, ...(body === undefined ? {} : { 'content-type': body.type }) };
}

function bodyOf(name: string, { reads = 'json', changes }: HttpCall, status: number, bytes: Buffer): unknown {
  if (reads === 'nothing') return undefined;
  if (reads === 'bytes') return bytes;
  const text = bytes.toString('utf8');
  if (reads === 'text') return text;
  try {
    return JSON.parse(text);
  } catch {
    throw unreadable(name, 'is not JSON', status, changes !== undefined);
  }
}

function jsonOrNull(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return null;
  }
}
