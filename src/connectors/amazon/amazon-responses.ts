import { z } from 'zod';
import { ConnectorError } from '#connectors/connector-error.ts';

export const AMAZON = 'Amazon';

export const Text = z.string().max(10_000);
export const Id = z.string().min(1).max(500);
/** A token for the next page: absent, null and "" all mean that there is none. */
export const NextToken = z
  .string()
  .max(20_000)
  .nullish()
  .transform((token) => token || null);

/**
 * Parses a response with the schema of the members that are used.
 * @param what goes on after "not a valid": "list of orders"
 * @throws ConnectorError of fault "unreadable"; nothing of such a response is used
 */
export function read<Schema extends z.ZodType>(
  schema: Schema,
  body: unknown,
  what: string,
  mayHaveActed = false,
): z.output<Schema> {
  const answer = schema.safeParse(body);
  if (answer.success) return answer.data;
  const where = answer.error.issues[0]?.path.map(String).join('.') ?? '';
  const place = where === '' ? '' : ` (at ${where.slice(0, 100)})`;
  throw new ConnectorError('unreadable', `Unexpected response from ${AMAZON}: not a valid ${what}${place}.`, {
    status: 200,
    mayHaveActed,
  });
}

/**
 * Whether Amazon says that what was requested does not exist. A 404 without its list of errors is of another path or of
 * something in between, and says nothing about a listing. The list is documented:
 * https://developer-docs.amazon.com/sp-api/docs/listings-items-api-v2021-08-01-reference. Its code for an unknown SKU is
 * `NOT_FOUND`, as sellers' programs report it, and `NotFound` in other parts of the API.
 */
export function isNotFound(error: unknown): error is ConnectorError {
  return (
    error instanceof ConnectorError &&
    error.fault === 'refused' &&
    error.status === 404 &&
    /^not_?found$/i.test(error.code ?? '')
  );
}

/** Undefined for what is not JSON: every schema rejects that. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Amazon's issues with a listing or with what was sent for it. */
export const Issue = z.object({
  code: Text.nullish(),
  message: Text,
  severity: z.string(),
  attributeNames: z.array(z.string()).nullish(),
});
export type Issue = z.output<typeof Issue>;

/** A refusal of a price, as an outcome has it. */
export interface AmazonRefusal {
  readonly kind: 'rejected';
  readonly message: string;
  readonly code: string;
}

/** The refusal that issues are, with the code of the first error; null without a message. */
export function refusalBy(
  issues: readonly Pick<Issue, 'message' | 'severity' | 'code'>[],
): AmazonRefusal | null {
  const message = issueMessages(issues);
  if (message === '') return null;
  const code = (issues.find(({ severity }) => severity === 'ERROR') ?? issues[0])?.code ?? 'INVALID';
  return { kind: 'rejected', message, code };
}

/** Shortened to what a user reads. */
function issueMessages(issues: readonly Pick<Issue, 'message' | 'severity'>[]): string {
  const errors = issues.filter(({ severity }) => severity === 'ERROR');
  const reported = errors.length > 0 ? errors : issues;
  return reported
    .slice(0, 3)
    .map(({ message }) => message.trim())
    .join(' ');
}
