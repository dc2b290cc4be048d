import { z } from 'zod';

/** Characters of a value that a user sees of a row that cannot be read. */
const LONGEST_VALUE = 80;
const LONGEST_NAME = 200;
/** In place of what identifies a row, where the row does not report. */
export const NAMELESS = 'A row without a name';

/** A row of a response that cannot be read. The rows around it are taken. */
export interface UnreadableRow {
  readonly kind: 'passed_over';
  /** What identifies it at the service, its SKU or number; {@link NAMELESS} where it reports neither. */
  readonly what: string;
  readonly why: 'unreadable';
  /** The member that cannot be read, with those around it: "price.amount". */
  readonly member: string;
  /** What the service sent there, 80 characters at most. */
  readonly value: string;
}

/**
 * The schema of a row that is parsed for itself: what does not fit becomes an {@link UnreadableRow}, and the response
 * stays valid.
 * @param names members that identify the row, the best one first
 */
export function tolerant<Schema extends z.ZodType>(schema: Schema, ...names: readonly string[]) {
  return z.unknown().transform((row): z.output<Schema> | UnreadableRow => {
    const read = schema.safeParse(row);
    return read.success ? read.data : unreadableBy(read.error, row, names);
  });
}

/** What a schema found wrong with a row. */
function unreadableBy(error: z.ZodError, row: unknown, names: readonly string[]): UnreadableRow {
  const path = (error.issues[0]?.path ?? []).map(String);
  const member = path.filter((part) => !/^\d+$/.test(part)).join('.');
  return unreadableRow(nameIn(row, names), member, path.reduce<unknown>(memberOf, row));
}

/** @param what identifies the row; the first characters of a long one are used */
export function unreadableRow(what: string, member: string, value: unknown): UnreadableRow {
  return {
    kind: 'passed_over',
    what: plain(what).slice(0, LONGEST_NAME).trim() || NAMELESS,
    why: 'unreadable',
    member: plain(member).slice(0, LONGEST_NAME) || 'row',
    value: shortened(value),
  };
}

/** Says of a row what cannot be read. @param what it is about, such as "SKU" */
export function unreadableText(service: string, what: string, { member, value }: UnreadableRow): string {
  return `${service}'s answer about this ${what} cannot be read: ${member} is "${value}".`;
}

/** Whether a row could not be read. */
export function isUnreadable(row: object): row is UnreadableRow {
  return 'why' in row && row.why === 'unreadable';
}

/** The rows that could be read. */
export function readableOf<Row extends object>(rows: readonly Row[]): Exclude<Row, UnreadableRow>[] {
  return rows.filter((row): row is Exclude<Row, UnreadableRow> => !isUnreadable(row));
}

function nameIn(row: unknown, names: readonly string[]): string {
  for (const name of names) {
    const value = name.split('.').reduce<unknown>(memberOf, row);
    if ((typeof value === 'string' && plain(value) !== '') || typeof value === 'number') return String(value);
  }
  return '';
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
}

function shortened(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');
  return plain(text).slice(0, LONGEST_VALUE);
}

/** Trimmed, without the one character that PostgreSQL cannot store. */
function plain(text: string): string {
  return text.replaceAll('\0', '').trim();
}
