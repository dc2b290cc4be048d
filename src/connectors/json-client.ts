import type { LookupFunction } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Dispatcher, request } from 'undici';
import { ConnectorError } from './connector.ts';
import { openGuardedAgent, RefusedAddressError } from './guarded-agent.ts';
import { reachOf } from './public-address.ts';
import { retryWait } from './retry-wait.ts';

/** Milliseconds and bytes that one call may take. */
export interface CallLimits {
  readonly connect: number;
  /** From the first byte sent to the last one read. */
  readonly whole: number;
  readonly bytes: number;
  /** Tries for one answer, the first included. */
  readonly attempts: number;
  /** The longest wait between two tries. */
  readonly longestWait: number;
}

export const CALL_LIMITS: CallLimits = {
  connect: 10_000,
  whole: 30_000,
  bytes: 16 * 1_024 * 1_024,
  attempts: 4,
  longestWait: 30_000,
};

export interface JsonAnswer {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Read as JSON and not checked: the caller's own schema does that. */
  readonly body: unknown;
}

/** Reads JSON from one service. Redirects are not followed: a key must not travel to where it was not meant for. */
export interface JsonClient {
  /** @throws ConnectorError when the service refuses, cannot be reached, takes too long or answers something else */
  get(path: string, headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<JsonAnswer>;
}

export interface JsonClientOptions {
  /** How people call the service. */
  readonly name: string;
  /**
   * Without a slash at the end. Calls reach the internet and nothing nearer, unless it names this machine: then they
   * reach this machine alone.
   */
  readonly baseUrl: string;
  readonly limits?: CallLimits;
  /** Waits so many milliseconds, unless the signal comes first. Handed in, so that tests need not wait. */
  readonly wait?: (milliseconds: number, signal: AbortSignal) => Promise<unknown>;
  /** Finds the addresses of a name; the system's unless handed in. */
  readonly lookup?: LookupFunction;
}

/** The HTTP library's name for an answer above the limit. */
const TOO_LARGE = 'UND_ERR_RES_EXCEEDED_MAX_SIZE';

/** Worth another try: the service is busy or has trouble, and reading again harms nothing. */
const PASSING = new Set([429, 500, 502, 503, 504]);

/** What carries a call. */
interface Transport {
  readonly agent: Dispatcher;
  readonly request: typeof request;
}

export function createJsonClient(options: JsonClientOptions): JsonClient {
  const { limits = CALL_LIMITS, wait = (ms, signal) => pause(ms, undefined, { signal }) } = options;
  let opened: Promise<Transport> | null = null;
  return {
    get: async (path, headers, signal) => {
      opened ??= openTransport(options, limits);
      const transport = await opened;
      for (let attempt = 1; ; attempt++) {
        const end = await tryOnce(options, limits, transport, path, headers, signal);
        if (end.kind === 'answer') return end.answer;
        if (!end.isPassing || attempt >= limits.attempts) throw end.error;
        const delay = retryWait(end.retryAfter, attempt, limits.longestWait);
        // A service that wants more patience than we have will not be asked again in vain.
        if (delay === null) throw end.error;
        await wait(delay, signal).catch(() => undefined);
        if (signal.aborted) throw outOfTime(options.name);
      }
    },
  };
}

/** Loaded with the first call: the library takes some megabytes, and most shops never call anybody. */
async function openTransport({ baseUrl, lookup }: JsonClientOptions, limits: CallLimits): Promise<Transport> {
  const undici = await import('undici');
  const agent = await openGuardedAgent(limits, reachOf(baseUrl), lookup);
  return { agent, request: undici.request };
}

type End =
  | { readonly kind: 'answer'; readonly answer: JsonAnswer }
  | {
      readonly kind: 'fault';
      readonly error: ConnectorError;
      readonly isPassing: boolean;
      readonly retryAfter: string | null;
    };

async function tryOnce(
  { name, baseUrl }: JsonClientOptions,
  limits: CallLimits,
  { agent: dispatcher, request: ask }: Transport,
  path: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<End> {
  const call = new AbortController();
  const giveUp = (): void => call.abort();
  const timer = setTimeout(giveUp, limits.whole);
  signal.addEventListener('abort', giveUp, { once: true });
  try {
    if (signal.aborted) throw outOfTime(name);
    const answer = await ask(`${baseUrl}${path}`, { dispatcher, headers, signal: call.signal });
    if (answer.statusCode === 200) return { kind: 'answer', answer: await readJson(name, answer) };
    await answer.body.dump();
    return refused(name, answer);
  } catch (error) {
    return broken(name, error, signal.aborted);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', giveUp);
  }
}

async function readJson(name: string, answer: Dispatcher.ResponseData): Promise<JsonAnswer> {
  const text = await answer.body.text();
  try {
    return { headers: answer.headers, body: JSON.parse(text) };
  } catch {
    throw new ConnectorError('unreadable', `${name} answered with something that is not JSON.`, 200);
  }
}

function refused(name: string, { statusCode, headers }: Dispatcher.ResponseData): End {
  const after = headers['retry-after'];
  return {
    kind: 'fault',
    error: refusal(name, statusCode),
    isPassing: PASSING.has(statusCode),
    retryAfter: typeof after === 'string' ? after : null,
  };
}

function refusal(name: string, status: number): ConnectorError {
  if (status === 401 || status === 403) {
    return new ConnectorError(
      'key',
      `${name} does not accept the API key (${status}). Copy it from ${name} again, save it here, then try again.`,
      status,
    );
  }
  if (status === 429) {
    return new ConnectorError(
      'busy',
      `${name} is asked too much at the moment (429). Try again in a few minutes.`,
      status,
    );
  }
  return new ConnectorError(
    'service',
    `${name} answered with an error (${status}). Try again in a few minutes.`,
    status,
  );
}

function broken(name: string, error: unknown, isAborted: boolean): End {
  const final = (fault: ConnectorError): End => ({
    ...{ kind: 'fault', error: fault, isPassing: false, retryAfter: null },
  });
  if (error instanceof ConnectorError) return final(error);
  if (isAborted) return final(outOfTime(name));
  if (error instanceof RefusedAddressError) {
    return final(
      new ConnectorError(
        'network',
        `The address of ${name} leads into this network instead of the internet, and no key is sent there. Check the DNS of this machine.`,
      ),
    );
  }
  if (error instanceof Error && 'code' in error && error.code === TOO_LARGE) {
    return final(new ConnectorError('too_large', `${name} answered with more than can be read at once.`));
  }
  return {
    kind: 'fault',
    error: new ConnectorError(
      'network',
      `${name} cannot be reached or does not finish its answers. Check this machine's connection, then try again.`,
    ),
    isPassing: true,
    retryAfter: null,
  };
}

function outOfTime(name: string): ConnectorError {
  return new ConnectorError('time', `Reading from ${name} took too long and was given up. Try again later.`);
}
