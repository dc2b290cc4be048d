import { z } from 'zod';
import type { Account } from '#connectors/connector.ts';
import { ConnectorError } from '#connectors/connector-error.ts';
import { unreadable } from './call-trouble.ts';
import type { HttpAnswer } from './http-client.ts';

/**
 * The body of an answer, once it has the form that is used.
 * @param what goes on after "is no": "list of offers"
 * @param isWrite the call changed something: then nobody knows whether it did
 * @throws ConnectorError of fault "unreadable" that names the first place that is wrong, and not what stands there
 */
export function checkedAnswer<Schema extends z.ZodType>(
  name: string,
  schema: Schema,
  { status, body }: HttpAnswer,
  what: string,
  isWrite = false,
): z.output<Schema> {
  const checked = schema.safeParse(body);
  if (checked.success) return checked.data;
  const where = checked.error.issues[0]?.path.map(String).join('.') ?? '';
  const place = where === '' ? '' : ` (at ${where})`;
  throw unreadable(name, `is no ${what}${place}`, status, isWrite);
}

/** A credential that travels in a header or a form: no blank, nothing that only looks like a letter. */
export const CredentialText = z.string().regex(/^[\x21-\x7e]{1,4000}$/);

/**
 * What a person entered, once everything that a call needs is there.
 * @param words what people call the members
 * @throws ConnectorError of fault "key" that names the first member that is missing or cannot be right
 */
export function checkedCredentials<Schema extends z.ZodType>(
  name: string,
  schema: Schema,
  { credentials }: Account,
  words: Readonly<Record<string, string>>,
): z.output<Schema> {
  const checked = schema.safeParse(credentials);
  if (checked.success) return checked.data;
  const member = String(checked.error.issues[0]?.path[0] ?? '');
  const trouble = credentials[member] === undefined ? 'is missing' : 'cannot be right';
  throw new ConnectorError(
    'key',
    `The ${words[member] ?? member} of ${name} ${trouble}. Enter it in the settings.`,
  );
}
