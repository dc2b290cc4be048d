import { ConnectorError, type ConnectorFault, type DayLimit } from '#connectors/connector-error.ts';
import { RefusedAddressError } from './guarded-agent.ts';
import type { HttpCall, HttpClientOptions } from './http-client.ts';

/** The content of an error response. */
export interface ErrorResponse {
  /** Null without a response. */
  readonly status: number | null;
  /** The unparsed header. */
  readonly retryAfter: string | null;
  readonly words: { readonly code: string | null; readonly message: string } | null;
  /** A 429 because the calls of a day are used up. */
  readonly dayLimit: DayLimit | null;
}

const NO_RESPONSE: ErrorResponse = { status: null, retryAfter: null, words: null, dayLimit: null };

/** The HTTP library's and the system's codes for failures before a byte of the call was sent. */
const NOT_SENT_CODES = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);
/** The HTTP library's code for a response above the limit. */
const TOO_LARGE = 'UND_ERR_RES_EXCEEDED_MAX_SIZE';
/** Errors that may pass quickly. */
const TRANSIENT_STATUSES = new Set([429, 500, 502, 503, 504]);
/** The failure of one attempt. */
export interface CallFailure {
  readonly error: ConnectorError;
  readonly response: ErrorResponse;
  /** Worth a retry: the service is busy, failing or not reachable. */
  readonly isTransient: boolean;
}

/** The name of a service in messages, and of its key. */
type NamedService = Pick<HttpClientOptions, 'name' | 'keyName'>;

/**
 * The error, in one sentence for users.
 * @param cause what was thrown, or the content of an error response
 * @param isAborted the caller aborted the call
 */
export function errorOf(
  service: NamedService,
  call: HttpCall,
  cause: unknown,
  isAborted: boolean,
  status: number | null,
): CallFailure {
  if (isErrorResponse(cause)) {
    return {
      error: refusal(service, call, cause),
      response: cause,
      isTransient: TRANSIENT_STATUSES.has(cause.status ?? 0) && cause.dayLimit === null,
    };
  }
  const error = broken(service.name, call, cause, isAborted, status);
  const isTransient = error.fault === 'network' && !(cause instanceof RefusedAddressError);
  return { error, response: NO_RESPONSE, isTransient };
}

function isErrorResponse(cause: unknown): cause is ErrorResponse {
  return typeof cause === 'object' && cause !== null && 'retryAfter' in cause && 'words' in cause;
}

function refusal(
  { name, keyName = 'API key' }: NamedService,
  { changes }: HttpCall,
  { status, words, dayLimit }: ErrorResponse,
): ConnectorError {
  const code = words?.code ?? null;
  const said = words === null ? null : `${name} says: ${words.message}`;
  const make = (problem: ConnectorFault, sentence: string, mayHaveActed = false) =>
    new ConnectorError(problem, sentence, {
      ...(status === null ? {} : { status }),
      code,
      said,
      mayHaveActed,
      isOfRead: changes === undefined,
      dayLimit,
    });
  if (status === 401) {
    return make(
      'key',
      `${name} does not accept the ${keyName} (401). Copy it from ${name} again, save it here, then try again.`,
    );
  }
  if (status === 403) {
    return make('permission', `The key of ${name} lacks this permission (403). Grant it, then try again.`);
  }
  if (status === 429) {
    return make('busy', `${name} is rate limiting requests (429). Try again in a few minutes.`);
  }
  if (status !== null && status >= 400 && status < 500) {
    return make('refused', `${name} rejected the request (${status}).`);
  }
  // Also a redirect: it is not followed, and says nothing about what was done.
  return make(
    'service',
    `${name} answered with an error (${status}). Try again in a few minutes.`,
    changes !== undefined,
  );
}

function broken(
  name: string,
  call: HttpCall,
  cause: unknown,
  isAborted: boolean,
  status: number | null,
): ConnectorError {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const isRefusedAddress = cause instanceof RefusedAddressError;
  const mayHaveActed = call.changes !== undefined && !isRefusedAddress && !NOT_SENT_CODES.has(code);
  const details = { mayHaveActed, ...(status === null ? {} : { status }) };
  if (cause instanceof ConnectorError) {
    return new ConnectorError(cause.fault, cause.sentence, { ...details, said: cause.said });
  }
  if (isAborted) return timedOut(name, mayHaveActed);
  if (isRefusedAddress) {
    return new ConnectorError(
      'network',
      `The address of ${name} points to a private network, so no credentials are sent. Check this machine's DNS.`,
      details,
    );
  }
  if (code === TOO_LARGE) {
    return new ConnectorError('too_large', `The response from ${name} is too large.`, details);
  }
  return new ConnectorError(
    'network',
    `${name} cannot be reached or does not finish its answers. Check this machine's connection, then try again.`,
    details,
  );
}

export function timedOut(name: string, mayHaveActed = false): ConnectorError {
  return new ConnectorError('time', `${name} took too long to respond. Try again later.`, {
    mayHaveActed,
  });
}

export function tooLate(name: string): ConnectorError {
  return new ConnectorError('late', `Price not sent to ${name}: it waited too long in the queue.`);
}

/** @param what goes on after the colon: "not JSON" */
export function unreadable(name: string, what: string, status: number, mayHaveActed = false): ConnectorError {
  return new ConnectorError('unreadable', `Unexpected response from ${name}: ${what}.`, {
    status,
    mayHaveActed,
  });
}
