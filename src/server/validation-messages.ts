/** One error of the validation, as the framework passes it: `keyword` is Zod's code, `params` its details. */
export type ValidationProblem = {
  readonly instancePath: string;
  readonly message?: string | undefined;
  readonly keyword?: string;
  readonly params?: Readonly<Record<string, unknown>>;
};

/** The beginnings of Zod's own texts; all others were written for users, to be shown next to their field. */
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

/** The labels of fields, where they differ from the field's own name. */
const LABELS: Readonly<Record<string, string>> = {
  sku: 'SKU',
  weightOz: 'Weight (oz)',
  minWeight: 'Min Weight (oz)',
  maxWeight: 'Max Weight (oz)',
  veeqoId: 'Veeqo ID',
  twoFactorToken: '2FA code',
  username: 'Email address',
  q: 'Search',
};

/**
 * "productCost" as "Product cost", "components.2.quantity" as "Quantity (entry 3)"; without a name it is the
 * request.
 */
export function labelOf(path: string): string {
  const parts = path.split('.');
  const name = parts.findLast((part) => !/^\d*$/.test(part));
  if (name === undefined) return 'The request';
  const words = name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/ ids?$/, (id) => id.toUpperCase());
  const label = LABELS[name] ?? words.charAt(0).toUpperCase() + words.slice(1);
  const place = parts.findLast((part) => /^\d+$/.test(part));
  return place === undefined ? label : `${label} (entry ${Number(place) + 1})`;
}

/** Whether an error message was written for users, to be shown next to its field. */
export function isOwnMessage({ message }: ValidationProblem): boolean {
  return message !== undefined && !RAW.test(message);
}

/**
 * Turns a validation error into a message for users, without a period.
 * @param path of the field with dots; empty for the whole
 */
export function toMessage(problem: ValidationProblem, path: string): string {
  const { message, keyword, params = {} } = problem;
  if (message !== undefined && isOwnMessage(problem)) return message;
  const label = labelOf(path);
  switch (keyword) {
    case 'invalid_type':
      return message?.endsWith('received undefined')
        ? `${label} is missing`
        : `${label} must be ${KINDS[String(params.expected)] ?? 'another kind of value'}`;
    case 'invalid_value':
      return `${label} must be ${listOf(params.values)}`;
    case 'too_big':
      return `${label} can ${sizeOf('at most', params.maximum, params.origin)}`;
    case 'too_small':
      return `${label} must ${sizeOf('at least', params.minimum, params.origin)}`;
    case 'unrecognized_keys':
      return `Unknown: ${Array.isArray(params.keys) ? params.keys.join(', ') : 'a field'}`;
    default:
      return `${label} is not valid`;
  }
}

/** "be at most 5", "have at most 254 characters" */
function sizeOf(bound: string, limit: unknown, origin: unknown): string {
  const unit = unitOf(origin);
  return `${unit === '' ? 'be' : 'have'} ${bound} ${limit}${unit}`;
}

function listOf(values: unknown): string {
  if (!Array.isArray(values)) return 'another value';
  return values.length === 1 ? String(values[0]) : `one of ${values.join(', ')}`;
}

function unitOf(origin: unknown): string {
  if (origin === 'string') return ' characters';
  return origin === 'array' ? ' entries' : '';
}
