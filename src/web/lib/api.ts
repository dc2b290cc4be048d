import type { z } from 'zod';
import { ErrorBody, type ErrorCode } from '#contract/errors.ts';
import { noteAnswer, noteNoAnswer } from './connection.ts';
import { askToSignIn } from './reauth-store.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** A call that did not succeed. `text` is the sentence to show to a person. */
export abstract class CallError extends Error {
  abstract readonly text: string;
  /** What support needs to find the request in the log; null when no request arrived. */
  abstract readonly requestId: string | null;
}

/** The server refused. `message` is "<status>: <body>", or the status text when the body is empty. */
export class ApiError extends CallError {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly text: string;
  /** The whole answer; empty when it had no body. */
  readonly body: string;
  /** Null when the answer was not one of ours, such as a proxy's error page. */
  readonly code: ErrorCode | null;
  readonly requestId: string | null;
  /** Message per field of the request, by its name. */
  readonly fields: Readonly<Record<string, string>>;

  constructor(status: number, statusText: string, body: string) {
    super(`${status}: ${body || statusText}`);
    const known = ErrorBody.safeParse(parseJson(body));
    this.status = status;
    this.body = body;
    this.text = known.success ? known.data.message : `The server returned ${status} ${statusText}`.trimEnd();
    this.code = known.success ? known.data.code : null;
    this.requestId = known.success ? known.data.requestId : null;
    this.fields = known.success ? (known.data.fields ?? {}) : {};
  }
}

/** No answer came: the server is down, or the network is. */
export class NoAnswerError extends CallError {
  override readonly name = 'NoAnswerError';
  readonly text =
    'Pricewright is not responding. Check that it is running and that you are online, then try again.';
  readonly requestId = null;
}

/** An answer came that this page does not understand, as after an upgrade of the server. */
export class UnknownAnswerError extends CallError {
  override readonly name = 'UnknownAnswerError';
  readonly text = 'This page received an unexpected response. Reload the page and try again.';
  readonly requestId = null;
}

/**
 * One call to the server, its answer checked against the contract. A session that has ended meanwhile is begun again by
 * the person, and the call repeated.
 * @param path begins with "/api/"
 * @param body sent as JSON; nothing is sent when left out
 * @throws ApiError when refused, NoAnswerError when unreachable, UnknownAnswerError when the form is unknown
 */
export async function call<Schema extends z.ZodType>(
  schema: Schema,
  method: Method,
  path: string,
  body?: unknown,
): Promise<z.output<Schema>> {
  return withSession(() => callOnce(schema, method, path, body));
}

/** {@link call} that never asks anybody to sign in: for asking who is signed in, and for signing in. */
export async function callOnce<Schema extends z.ZodType>(
  schema: Schema,
  method: Method,
  path: string,
  body?: unknown,
): Promise<z.output<Schema>> {
  const response = await send(method, path, body);
  const text = await response.text();
  if (!response.ok) throw new ApiError(response.status, response.statusText, text);
  const answer = schema.safeParse(text === '' ? null : parseJson(text));
  if (!answer.success) {
    throw new UnknownAnswerError(`${method} ${path}: ${answer.error.message}`, { cause: answer.error });
  }
  return answer.data;
}

/**
 * Reads an answer of JSON lines as they come.
 * @param onLine hears of each, checked against the contract
 * @param signal ends the call
 * @throws like {@link call}; NoAnswerError also when the answer breaks off
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
    // What has no end yet waits for the rest of it.
    rest = done ? '' : (lines.pop() ?? '');
    yield* lines.filter((line) => line !== '');
    if (done) return;
  }
}

/**
 * A file from the server, with the headers of its answer.
 * @throws ApiError when refused, NoAnswerError when unreachable
 */
export async function download(path: string): Promise<{ file: Blob; headers: Headers }> {
  return withSession(async () => {
    const response = await send('GET', path, undefined);
    if (!response.ok) throw new ApiError(response.status, response.statusText, await response.text());
    return { file: await response.blob(), headers: response.headers };
  });
}

/** Tries once more when the person, asked because their session has ended, signs in again. */
export async function withSession<Result>(attempt: () => Promise<Result>): Promise<Result> {
  try {
    return await attempt();
  } catch (error) {
    const isSignedOut = error instanceof ApiError && error.code === 'not_signed_in';
    if (!isSignedOut || !(await askToSignIn())) throw error;
    return attempt();
  }
}

/** The sentence to show for any failure. */
export function errorText(error: unknown): string {
  return error instanceof CallError ? error.text : 'Something failed on this page. Reload it and try again.';
}

/** What the server said of a refusal, or a fixed sentence where there was no answer, or one without words as from a proxy. */
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
    noteNoAnswer();
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
