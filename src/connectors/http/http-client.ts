import type { LookupFunction } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Dispatcher, request } from 'undici';
import { ConnectorError, type DayLimit } from '#connectors/connector-error.ts';
import { startTimeLimit } from '#connectors/time-limit.ts';
import { type Instant, instant } from '#domain/units.ts';
import { type ErrorResponse, errorOf, timedOut, tooLate, unreadable } from './call-error.ts';
import { HttpCircuitBreaker } from './circuit-breaker.ts';
import { openGuardedAgent } from './guarded-agent.ts';
import { orAborted } from './or-aborted.ts';
import { reachOf } from './public-address.ts';
import { type BudgetLine, RateBudget } from './rate-budget.ts';
import { readBody } from './read-body.ts';
import { type AttemptEnd, retryCall, retryWait } from './retry-call.ts';

/** Milliseconds and bytes that one call may take. */
export interface HttpLimits {
  readonly connect: number;
  /** From the first byte sent to the last one read. */
  readonly whole: number;
  readonly bytes: number;
  /** Attempts for one response, including the first. */
  readonly attempts: number;
  /** The longest wait before an attempt, for the service's rate limit or our own budget. */
  readonly longestWait: number;
}

export const HTTP_LIMITS: HttpLimits = {
  connect: 10_000,
  whole: 30_000,
  bytes: 16 * 1_024 * 1_024,
  attempts: 4,
  longestWait: 30_000,
};

/** A service that asks for a longer pause is called again after this anyway. Milliseconds. */
const LONGEST_PAUSE = 3_600_000;

export interface HttpCall {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Starts with a slash; appended to the base address. */
  readonly path: string;
  /** The name of the operation: its budget, and what logs show instead of an address. */
  readonly operation: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: { readonly type: string; readonly text: string };
  /**
   * A call that changes something is never repeated once the service may have received it: its failure then has
   * `mayHaveActed`.
   */
  readonly changes?: {
    /** Not sent after that, whatever the delay. */
    readonly notAfter: Instant;
  };
  /** Refusals (4xx) that the caller handles itself, such as 404. Every 2xx is accepted. */
  readonly alsoAnswers?: readonly number[];
  /** "json" by default. */
  readonly reads?: 'json' | 'text' | 'bytes' | 'nothing';
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /**
   * Parsed as JSON and not validated: the caller's schema does that; undefined for 204, null for a refused read without
   * JSON. Text, a Buffer, or undefined, where the call requests it.
   */
  readonly body: unknown;
}

/** What a log may contain of an attempt: no address, no header, no body. */
export interface SeenCall {
  readonly method: string;
  readonly operation: string;
  /** Null without a response. */
  readonly status: number | null;
  readonly milliseconds: number;
}

/** What a trace may contain of a call: of its address the host alone. */
export interface TracedCall {
  readonly method: string;
  readonly operation: string;
  readonly host: string;
}

export interface HttpClientOptions {
  /** The name of the service in messages. */
  readonly name: string;
  /** The service's name for its key; "API key" by default. */
  readonly keyName?: string;
  /**
   * Without a trailing slash. Calls only reach public internet addresses, unless it names this machine: then they
   * only reach this machine.
   */
  readonly baseUrl: string;
  readonly limits?: Partial<HttpLimits>;
  /** By operation. */
  readonly budgets?: Readonly<Record<string, BudgetLine>>;
  /** Checks every response for rate limit headers. */
  readonly learn?: (budget: RateBudget, operation: string, headers: HttpAnswer['headers']) => void;
  /** The service's message in the body of a refusal; null where there is none. */
  readonly errorMessageOf?: (
    body: unknown,
  ) => { readonly code: string | null; readonly message: string } | null;
  /** Whether a 429 with these headers means that the calls of a day are used up. */
  readonly dayLimitOf?: (headers: HttpAnswer['headers'], now: Instant) => DayLimit | null;
  readonly onCall?: (seen: SeenCall) => void;
  /** Runs around a call with all its attempts and waits, for traces; returns and throws what `work` does. */
  readonly around?: <Answer>(call: TracedCall, work: () => Promise<Answer>) => Promise<Answer>;
  readonly now?: () => Instant;
  /** Waits this many milliseconds, unless the signal comes first. Injected, so that tests need not wait. */
  readonly wait?: (milliseconds: number, signal: AbortSignal) => Promise<unknown>;
  /** Resolves a name; the system's resolver by default. */
  readonly lookup?: LookupFunction;
}

/** Calls one service. Redirects are not followed: a key must not be sent to another host. */
export interface HttpClient {
  /**
   * @throws ConnectorError when the service refuses, cannot be reached, takes too long or returns something
   * unexpected
   */
  call(call: HttpCall, signal: AbortSignal): Promise<HttpAnswer>;
  /** How many calls of an operation our own budget allows now. */
  left(operation: string): number;
  /** Milliseconds until our own budget allows so many calls of an operation at once; 0 when it does now. */
  waitFor(operation: string, calls: number): number;
}

/** The request as sent. */
interface Transport {
  readonly agent: Dispatcher;
  readonly request: typeof request;
}

export function createHttpClient(options: HttpClientOptions): HttpClient {
  const client = new Client(options);
  return {
    call: (call, signal) => client.call(call, signal),
    left: (operation) => client.left(operation),
    waitFor: (operation, calls) => client.waitFor(operation, calls),
  };
}

type End = AttemptEnd<HttpAnswer>;

class Client {
  readonly #options: HttpClientOptions;
  readonly #limits: HttpLimits;
  readonly #now: () => Instant;
  readonly #budget: RateBudget;
  /** By operation: one that fails must not stop the others, such as sending prices. */
  readonly #circuits = new Map<string, HttpCircuitBreaker>();
  readonly #wait: NonNullable<HttpClientOptions['wait']>;
  #opened: Promise<Transport> | null = null;

  constructor(options: HttpClientOptions) {
    this.#options = options;
    this.#limits = { ...HTTP_LIMITS, ...options.limits };
    this.#now = options.now ?? (() => instant(Date.now()));
    this.#budget = new RateBudget(options.budgets ?? {}, this.#now);
    this.#wait = options.wait ?? ((ms, signal) => pause(ms, undefined, { signal }));
  }

  async call(call: HttpCall, signal: AbortSignal): Promise<HttpAnswer> {
    const { around, baseUrl } = this.#options;
    if (around === undefined) return this.#call(call, signal);
    const { method, operation } = call;
    return around({ method, operation, host: new URL(baseUrl).hostname }, () => this.#call(call, signal));
  }

  async #call(call: HttpCall, signal: AbortSignal): Promise<HttpAnswer> {
    const { name } = this.#options;
    // Loaded with the first call: the library takes several megabytes, and most installations call no service.
    this.#opened ??= openTransport(this.#options, this.#limits);
    const transport = await this.#opened;
    const tryOnce = async (): Promise<End> => {
      await this.#turn(call, signal);
      // Checked as late as possible: the process may have been suspended for minutes just before.
      if (call.changes !== undefined && this.#now() > call.changes.notAfter) throw tooLate(name);
      return this.#tryOnce(transport, call, signal);
    };
    return retryCall(tryOnce, this.#limits, (ms) => this.#rest(ms, signal), this.#now);
  }

  left(operation: string): number {
    return this.#budget.left(operation);
  }

  waitFor(operation: string, calls: number): number {
    return this.#budget.waitFor(operation, calls);
  }

  #circuitOf(operation: string): HttpCircuitBreaker {
    const known = this.#circuits.get(operation) ?? new HttpCircuitBreaker(this.#now);
    this.#circuits.set(operation, known);
    return known;
  }

  /** Waits until the call is within the budget and the circuit breaker is closed. */
  async #turn({ operation }: HttpCall, signal: AbortSignal): Promise<void> {
    for (;;) {
      const rest = this.#circuitOf(operation).rest();
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
    const startedAt = this.#now();
    const limit = startTimeLimit(this.#limits.whole, [signal]);
    let status: number | null = null;
    try {
      const requested = ask(`${baseUrl}${call.path}`, {
        dispatcher: agent,
        method: call.method,
        signal: limit.signal,
        headers: headersOf(call),
        ...(call.body === undefined ? {} : { body: call.body.text }),
      });
      const response = await orAborted(requested, limit.signal);
      status = response.statusCode;
      return await this.#read(call, response);
    } catch (error) {
      return this.#failed(call, error, signal.aborted, status);
    } finally {
      limit.end();
      this.#seen(call, status, startedAt);
    }
  }

  async #read(call: HttpCall, response: Dispatcher.ResponseData): Promise<End> {
    const { statusCode: status, headers } = response;
    const { name, learn, errorMessageOf, dayLimitOf } = this.#options;
    learn?.(this.#budget, call.operation, headers);
    const isAnswer = (status >= 200 && status < 300) || call.alsoAnswers?.includes(status) === true;
    const bytes = await readBody(name, response, this.#limits.bytes);
    if (isAnswer) {
      const answer = { status, headers, body: bodyOf(name, call, status, bytes) };
      this.#circuitOf(call.operation).succeeded();
      return { kind: 'answer', answer };
    }
    const words = errorMessageOf?.(jsonOrNull(bytes)) ?? null;
    const after = headers['retry-after'];
    const errorResponse: ErrorResponse = {
      status,
      words,
      retryAfter: typeof after === 'string' ? after : null,
      dayLimit: status === 429 ? (dayLimitOf?.(headers, this.#now()) ?? null) : null,
    };
    return this.#failed(call, errorResponse, false, status);
  }

  #failed(call: HttpCall, cause: unknown, isAborted: boolean, status: number | null): End {
    const failure = errorOf(this.#options, call, cause, isAborted, status);
    // Refusals are responses: the service is up. An aborted call says nothing about that.
    if (failure.isTransient && status !== 429) this.#circuitOf(call.operation).failed();
    else if (status !== null) this.#circuitOf(call.operation).succeeded();
    if (status === 429) {
      const wait = retryWait(failure.response.retryAfter, 1, LONGEST_PAUSE, this.#now());
      this.#budget.pause(call.operation, wait ?? LONGEST_PAUSE);
    }
    return { kind: 'fault', ...failure };
  }

  #seen({ method, operation }: HttpCall, status: number | null, startedAt: Instant): void {
    this.#options.onCall?.({ method, operation, status, milliseconds: Math.max(0, this.#now() - startedAt) });
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
  if (status === 204) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    // That there is no such thing needs no words.
    if (status >= 400 && changes === undefined) return null;
    throw unreadable(name, 'not JSON', status, changes !== undefined);
  }
}

function jsonOrNull(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return null;
  }
}
