import type { z } from 'zod';
import type { Account } from './connector.ts';
import { ConnectorError } from './connector-error.ts';
import type { HttpAnswer, HttpCall } from './http/http-client.ts';

interface Answered {
  readonly status: number;
  readonly body: unknown;
}

/**
 * The used members of a response, validated.
 * @param name the service in messages
 * @param what goes on after "not a valid": "list of items"
 * @param mayHaveActed the response is one to a call that changes something
 * @throws ConnectorError of fault "unreadable": nothing of such a response is used
 */
export function parseResponse<Schema extends z.ZodType>(
  name: string,
  schema: Schema,
  { status, body }: Answered,
  what: string,
  mayHaveActed = false,
): z.output<Schema> {
  const read = schema.safeParse(body);
  if (read.success) return read.data;
  const where = read.error.issues[0]?.path.map(String).join('.') ?? '';
  const place = where === '' ? '' : ` (at ${where})`;
  throw new ConnectorError('unreadable', `Unexpected response from ${name}: not a valid ${what}${place}.`, {
    status,
    mayHaveActed,
  });
}

/** Makes a call and parses its response: see {@link parseResponse}. */
export type ReadCall = <Schema extends z.ZodType>(
  account: Account,
  call: HttpCall,
  schema: Schema,
  what: string,
  signal: AbortSignal,
) => Promise<z.output<Schema>>;

/** @param ask makes a call for an account */
export function readWith(
  name: string,
  ask: (account: Account, call: HttpCall, signal: AbortSignal) => Promise<HttpAnswer>,
): ReadCall {
  return async (account, call, schema, what, signal) =>
    parseResponse(name, schema, await ask(account, call, signal), what);
}

/**
 * The credentials that a connector uses.
 * @param labels their names in messages
 * @throws ConnectorError of fault "key" that names what is missing
 */
export function credentialsFor<Schema extends z.ZodType>(
  name: string,
  schema: Schema,
  credentials: Readonly<Record<string, string>>,
  labels: Readonly<Record<string, string>>,
): z.output<Schema> {
  const read = schema.safeParse(credentials);
  if (read.success) return read.data;
  const member = String(read.error.issues[0]?.path[0] ?? '');
  throw new ConnectorError(
    'key',
    `The ${labels[member] ?? 'key'} of ${name} is missing. Enter it in Settings.`,
  );
}
