import fc from 'fast-check';

/** As much of a JSON Schema as the description of the calls uses. */
export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly propertyNames?: JsonSchema;
  readonly additionalProperties?: boolean | JsonSchema;
  readonly items?: JsonSchema;
  readonly maxItems?: number;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** Ids that are mostly there in a small shop, and some at the edges of what a database counts. */
const IDS = [
  ...Array.from({ length: 12 }, (_, n) => String(n + 1)),
  ...['2147483647', '2147483648', '999999999', '9007199254740993', '9999999999999999'],
];

/** Texts that look right to a schema which says no more than "a text". */
const MONEY = ['19.99', '0.00', '0.01', '5', '15.00', '99999999.99', '12.5', '100.00', '-0.05'];
const WORDS = [
  'A-1',
  'SET-1',
  'Corner Store',
  'ann@example.com',
  'a1b2',
  '2026-01-15',
  '2026-01-15T12:00:00.000Z',
];

function nested(depth: number): unknown {
  let value: unknown = 'deep';
  for (let n = 0; n < depth; n += 1) value = n % 2 === 0 ? [value] : { in: value };
  return value;
}

// Through the parser, which makes them members as every other; written in the source they would set the prototype.
const POISON: unknown[] = [
  '{"__proto__":{"isPoisoned":true}}',
  '{"constructor":{"prototype":{"isPoisoned":true}}}',
  '{"in":{"__proto__":{"isPoisoned":true}}}',
].map((text) => JSON.parse(text));

const ODD_TEXTS = [
  ...[
    '',
    ' ',
    '\t',
    '\u0000',
    'a\u0000b',
    '\ud800',
    '\udc00x',
    '\u202eabc',
    'e\u0301',
    '\ufeff',
    '𝟙𝟚',
    '١٢',
    '１',
  ],
  ...['-1', '0', '00', '1e3', '0x10', '1.999', '12,99', '1,000.00', '$5', 'NaN', 'Infinity', '1'.repeat(400)],
  ...["' OR 1=1 --", '"; DROP TABLE users; --', '%', '_', '\\', '../../etc/passwd', '{{7*7}}', '<img src=x>'],
  ...['=1+1', 'null', 'true', '[]', '{}', '\r\nx: y', '9999-12-31', '2026-02-30', '0001-01-01T00:00:00Z'],
  ...['+275760-09-13T00:00:00.000Z', '2026-01-15T12:00:00+99:99', '__proto__', 'constructor', 'toString'],
];

/** What no field expects, or few. */
export const odd: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    false,
    0,
    -0,
    -1,
    0.1,
    1.5,
    2 ** 31,
    2 ** 53,
    -(2 ** 63),
    1e308,
    1e-308,
  ),
  fc.constantFrom<unknown>(...ODD_TEXTS),
  fc.constantFrom<unknown>([], {}, [null], [[]], ['1', 1], { id: '1' }, ['1', '1'], ...POISON),
  fc.constantFrom<unknown>(
    'x'.repeat(5_000),
    '\u{1f4b8}'.repeat(20_000),
    Array(3_000).fill('1'),
    nested(900),
  ),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.double(),
);

/** Odd, and no longer than an address may be. */
export const oddText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...ODD_TEXTS),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom('x'.repeat(99), 'x'.repeat(101), '9'.repeat(300)),
);

/** Values of a schema: most fit it, some do not. */
export function valueFor(schema: JsonSchema, name = ''): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 14, arbitrary: fitting(schema, name) }, { weight: 1, arbitrary: odd });
}

function fitting(schema: JsonSchema, name: string): fc.Arbitrary<unknown> {
  if (schema.enum !== undefined && schema.enum.length > 0) return fc.constantFrom(...schema.enum);
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map((one) => valueFor(one, name)));
  const types = [schema.type ?? 'null'].flat();
  return fc.oneof(...types.map((type) => ofType(type, schema, name)));
}

function ofType(type: string, schema: JsonSchema, name: string): fc.Arbitrary<unknown> {
  switch (type) {
    case 'object':
      return object(schema);
    case 'array':
      return fc.array(valueFor(schema.items ?? {}, name), { maxLength: Math.min(schema.maxItems ?? 4, 4) });
    case 'string':
      return text(schema, name);
    case 'number':
      return number(schema).map((value) => (value % 2 === 0 ? value : value + 0.5));
    case 'integer':
      return number(schema);
    case 'boolean':
      return fc.boolean();
    default:
      return fc.constant(null);
  }
}

function object({ properties = {}, required = [], ...more }: JsonSchema): fc.Arbitrary<object> {
  const members = Object.entries(properties).map(([key, schema]) => {
    const value = valueFor(schema, key).map((one): [string, unknown][] => [[key, one]]);
    const missing = fc.constant<[string, unknown][]>([]);
    const share = required.includes(key) ? 30 : 1;
    return fc.oneof({ weight: share, arbitrary: value }, { weight: 1, arbitrary: missing });
  });
  const { additionalProperties: rest } = more;
  if (typeof rest === 'object') {
    const key = valueFor(more.propertyNames ?? { type: 'string' }).map(String);
    members.push(fc.array(fc.tuple(key, valueFor(rest)), { maxLength: 3 }));
  }
  return fc.tuple(...members).map((parts) => Object.fromEntries(parts.flat()));
}

function number({ minimum = 0, maximum = 100 }: JsonSchema): fc.Arbitrary<number> {
  // Versions begin at 1, and a stale one is refused before anything else happens.
  return fc.oneof(
    fc.constantFrom(1, 2),
    fc.integer({ min: Math.max(minimum, -1e6), max: Math.min(maximum, 1e6) }),
  );
}

function text({ pattern }: JsonSchema, name: string): fc.Arbitrary<string> {
  if (pattern?.startsWith('^[1-9]')) return fc.constantFrom(...IDS);
  // What looks ahead cannot be turned around into texts; only names of members do.
  if (pattern?.includes('(?!')) return fc.constantFrom('sku', 'page', 'constructor', 'a b');
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern));
  const isMoney = /price|cost|margin|offset|charge|percent|fixed|upTo|step|drift|share|depth|rating/i.test(
    name,
  );
  return fc.oneof(
    { weight: isMoney ? 8 : 1, arbitrary: fc.constantFrom(...MONEY) },
    { weight: 2, arbitrary: fc.constantFrom(...WORDS) },
    { weight: 1, arbitrary: fc.string({ maxLength: 12 }) },
  );
}

/** A copy of a value in which one place is another: replaced, taken away, or with a member more. */
export function spoiled(value: unknown, at: number, by: unknown): unknown {
  const copy: unknown = structuredClone(value);
  const places = placesOf(copy);
  const place = places[at % Math.max(places.length, 1)];
  if (place === undefined) return by;
  const { holder, key } = place;
  const how = at % 3;
  if (how === 0) Reflect.set(holder, key, by);
  else if (how === 1) Reflect.deleteProperty(holder, key);
  else Reflect.set(holder, `${key}2`, by);
  return copy;
}

interface Place {
  readonly holder: object;
  readonly key: string;
}

function placesOf(value: unknown): Place[] {
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, part]) => [{ holder: value, key }, ...placesOf(part)]);
}
