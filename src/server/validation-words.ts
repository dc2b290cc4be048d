/** One complaint of the validation, as the framework hands it over: `keyword` is Zod's code, `params` its details. */
export type ValidationProblem = {
  readonly instancePath: string;
  readonly message?: string | undefined;
  readonly keyword?: string;
  readonly params?: Readonly<Record<string, unknown>>;
};

/** How Zod's own texts begin; everything else was written for people, beside the field it is about. */
const RAW = /^(Invalid|Too (big|small)|Unrecognized)/;

const KINDS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
};

/** Says a complaint so that a person understands it, without a full stop. */
export function inWords({ message, keyword, params = {} }: ValidationProblem): string {
  if (message !== undefined && !RAW.test(message)) return message;
  switch (keyword) {
    case 'invalid_type': {
      const expected = `Expected ${KINDS[String(params.expected)] ?? 'another kind of value'}`;
      return message?.endsWith('received undefined') ? `${expected}, but it is missing` : expected;
    }
    case 'invalid_value':
      return `Expected ${listOf(params.values)}`;
    case 'too_big':
      return `Expected at most ${params.maximum}${unitOf(params.origin)}`;
    case 'too_small':
      return `Expected at least ${params.minimum}${unitOf(params.origin)}`;
    case 'unrecognized_keys':
      return `Unknown: ${Array.isArray(params.keys) ? params.keys.join(', ') : 'a field'}`;
    default:
      return 'Not valid';
  }
}

function listOf(values: unknown): string {
  if (!Array.isArray(values)) return 'another value';
  return values.length === 1 ? String(values[0]) : `one of ${values.join(', ')}`;
}

function unitOf(origin: unknown): string {
  if (origin === 'string') return ' characters';
  return origin === 'array' ? ' entries' : '';
}
