import type { z } from 'zod';
import { ErrorBody, type ErrorCode, type NotRepriceableReason } from '#contract/errors.ts';
import { noteAnswer, noteNoAnswer } from './connection.ts';
import { requestLogIn } from './reauth-store.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** A call that failed. `text` is the sentence to show to the user. */
export abstract class CallError extends Error {
  abstract readonly text: string;
  /** What support needs to find the request in the log; null when no request arrived. */
  abstract readonly requestId: string | null;
}

/** The server answered with an error. `message` is "<status>: <body>", or the status text when the body is empty. */
export class ApiError extends CallError {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly text: string;
  /** The whole response body; may be empty. */
  readonly body: string;
  /** Null if the response was not ours, such as a proxy's error page. */
  readonly code: ErrorCode | null;
  readonly requestId: string | null;
  /** Message per field of the request, by its name. */
  readonly fields: Readonly<Record<string, string>>;
  /** Of `not_repriceable`: what has to be confirmed. */
  readonly reasons: readonly NotRepriceableReason[];

  constructor(status: number, statusText: string, body: string) {
    super(`${status}: ${body || statusText}`);
    const known = ErrorBody.safeParse(parseJson(body));
    this.status = status;
    this.body = body;
    this.text = known.success ? known.data.message : `The server returned ${status} ${statusText}`.trimEnd();
    this.code = known.success ? known.data.code : null;
    this.requestId = known.success ? known.data.requestId : null;
    this.fields = known.success ? (known.data.fields ?? {}) : {};
    this.reasons = known.success ? (known.data.reasons ?? []) : [];
  }
}

/** No response: the server or the network is down. */
export class NoAnswerError extends CallError {
  override readonly name = 'NoAnswerError';
  readonly text =
    'Pricewright is not responding. Check that it is running and that you are online, then try again.';
  readonly requestId = null;
}

/** A response this page does not understand, as after an upgrade of the server. */
export class UnknownAnswerError extends CallError {
  override readonly name = 'UnknownAnswerError';
  readonly text = 'This page received an unexpected response. Reload the page and try again.';
  readonly requestId = null;
}

/**
 * Calls the server and checks the response against the contract. If the session has ended, asks the user to log in
 * and repeats the call.
 * @param path starts with "/api/"
 * @param body sent as JSON; no body if undefined
 * @param signal aborts the call
 * @throws ApiError on an error response, NoAnswerError when unreachable, UnknownAnswerError for an unknown shape
 */
export async function call<Schema extends z.ZodType>(
  schema: Schema,
  method: Method,
  path: string,
  body?: unknown,
  signal?: AbortSignal,
): Promise<z.output<Schema>> {
  return withSession(() => callOnce(schema, method, path, body, signal));
}

/** {@link call} that never asks the user to log in: for loading the session and for logging in. */
export async function callOnce<Schema extends z.ZodType>(
  schema: Schema,
  method: Method,
  path: string,
  body?: unknown,
  signal?: AbortSignal,
): Promise<z.output<Schema>> {
  const response = await send(method, path, body, signal);
  const text = await response.text();
  if (!response.ok) throw new ApiError(response.status, response.statusText, text);
  const answer = schema.safeParse(text === '' ? null : parseJson(text));
  if (!answer.success) {
    throw new UnknownAnswerError(`${method} ${path}: ${answer.error.message}`, { cause: answer.error });
  }
  return answer.data;
}

/**
 * Reads a streamed response of JSON lines.
 * @param onLine receives each line, checked against the contract
 * @param signal aborts the call
 * @throws like {@link call}; NoAnswerError also when the stream breaks off
 */
export async function callLines<Schema extends z.ZodType>(
  schema: Schema,
  path: string,
  onLine: (line: z.output<Schema>) => void,
  signal: AbortSignal,
): Promise<void> {
  const response = await withSession(async () => {
    const answer = await send('GET', path, undefined, signal);
    if (!answer.ok) throw new ApiError(answer.status, answer.statusText, await answer.text());
    return answer;
  });
  for await (const text of linesOf(response, path)) {
    const line = schema.safeParse(parseJson(text));
    if (!line.success)
      throw new UnknownAnswerError(`GET ${path}: ${line.error.message}`, { cause: line.error });
    onLine(line.data);
  }
}

async function* linesOf({ body }: Response, path: string): AsyncGenerator<string> {
  if (body === null) return;
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read().catch((cause: unknown) => {
      throw new NoAnswerError(`GET ${path}: the answer broke off`, { cause });
    });
    const lines = `${rest}${value ?? ''}`.split('\n');
    // An incomplete last line waits for the next chunk.
    rest = done ? '' : (lines.pop() ?? '');
    yield* lines.filter((line) => line !== '');
    if (done) return;
  }
}

/**
 * A file from the server, with the response headers.
 * @throws ApiError on an error response, NoAnswerError when unreachable
 */
export async function download(path: string): Promise<{ file: Blob; headers: Headers }> {
  return withSession(async () => {
    const response = await send('GET', path, undefined);
    if (!response.ok) throw new ApiError(response.status, response.statusText, await response.text());
    return { file: await response.blob(), headers: response.headers };
  });
}

/** Repeats the call once if the user logs in again after the session has ended. */
export async function withSession<Result>(attempt: () => Promise<Result>): Promise<Result> {
  try {
    return await attempt();
  } catch (error) {
    const isSignedOut = error instanceof ApiError && error.code === 'not_signed_in';
    if (!isSignedOut || !(await requestLogIn())) throw error;
    return attempt();
  }
}

/** The sentence to show for any failure. */
export function errorText(error: unknown): string {
  return error instanceof CallError ? error.text : 'Something failed on this page. Reload it and try again.';
}

/** The server's message, or a fixed sentence if there was no response or one without a message, as from a proxy. */
export function serverText(error: unknown, otherwise: string): string {
  return error instanceof ApiError && error.code !== null ? error.text : otherwise;
}

async function send(method: Method, path: string, body: unknown, signal?: AbortSignal): Promise<Response> {
  const json =
    body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
  const end = signal === undefined ? {} : { signal };
  try {
    const response = await fetch(path, { method, credentials: 'include', ...end, ...json });
    noteAnswer();
    return response;
  } catch (error) {
    // An aborted call says nothing about the connection.
    if (signal?.aborted !== true) noteNoAnswer();
    throw new NoAnswerError(`${method} ${path}: no answer`, { cause: error });
  }
}

/** Undefined for text that is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
