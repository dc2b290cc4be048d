import fc from 'fast-check';
import { type JsonSchema, odd, oddText, spoiled, valueFor } from './fuzz-values.ts';
import { inlined } from './inlined-schemas.ts';

/** What the description says of one call. */
interface Operation {
  readonly parameters?: readonly {
    readonly in: string;
    readonly name: string;
    readonly required?: boolean;
    readonly schema: JsonSchema;
  }[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { schema: JsonSchema; example?: unknown } | undefined>>;
  };
}

/** The document that /api/docs/json answers. */
export interface ApiDescription {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/** One request, and the call it was made from: "PUT /api/rules/{id}". */
export interface FuzzRequest {
  readonly call: string;
  readonly method: string;
  readonly url: string;
  readonly contentType: string | null;
  readonly payload: string | null;
  /** Limits per address would answer most requests. */
  readonly remoteAddress: string;
}

const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS'];
const JSON_TYPES = ['application/json', 'application/json; charset=utf-8'];
const OTHER_TYPES = [
  ...['text/plain', 'text/csv', 'application/xml', 'multipart/form-data; boundary=x', 'application/jsonx'],
  ...[
    'application/x-www-form-urlencoded',
    'application/json; charset=utf-16',
    ' application/json',
    '*/*',
    'x',
  ],
];

/** Files as users may upload them, and worse. */
const CSV = [
  'sku,name,productCost,weightOz\nA-9,Nine,4.00,8\n',
  'sku;name;productCost;weightOz\r\nA-9;"Ni;ne";4,00;8\r\n',
  '"unclosed\nA,B',
  '\u0000\u0001\u0002',
  '__proto__,constructor\n1,2\n',
  ',,,,\n'.repeat(2_000),
  `sku\n${'x'.repeat(70_000)}`,
];

/** Requests for every call of a description, most of them a little wrong. */
export function requestsFor(description: ApiDescription): fc.Arbitrary<FuzzRequest> {
  const calls = Object.entries(inlined(description).paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) =>
      requestFor(method.toUpperCase(), path, operation),
    ),
  );
  return fc.oneof(...calls);
}

function requestFor(method: string, path: string, operation: Operation): fc.Arbitrary<FuzzRequest> {
  return fc.record({
    call: fc.constant(`${method} ${path}`),
    method: mostly(40, fc.constant(method), fc.constantFrom(...METHODS)),
    url: urlOf(path, operation),
    contentType: mostly(20, fc.constantFrom(...JSON_TYPES), fc.constantFrom(...OTHER_TYPES, null)),
    payload: operation.requestBody === undefined ? noPayload : payloadOf(operation.requestBody),
    remoteAddress: fc.ipV4(),
  });
}

/** `usual` so many times as often as `other`. */
function mostly<T>(times: number, usual: fc.Arbitrary<T>, other: fc.Arbitrary<T>): fc.Arbitrary<T> {
  return fc.oneof({ weight: times, arbitrary: usual }, { weight: 1, arbitrary: other });
}

const noPayload: fc.Arbitrary<string | null> = mostly(20, fc.constant(null), odd.map(jsonOf));

function payloadOf({ content }: NonNullable<Operation['requestBody']>): fc.Arbitrary<string | null> {
  const { schema = {}, example } = content['application/json'] ?? {};
  const isFile = Object.keys(schema).length === 0;
  if (isFile) return fc.oneof(fc.constantFrom(...CSV), fc.string({ unit: 'binary', maxLength: 200 }));
  const made = valueFor(schema).map(jsonOf);
  const spoiledExample = fc.tuple(fc.nat(999), odd).map(([at, by]) => jsonOf(spoiled(example ?? {}, at, by)));
  return fc.oneof(
    { weight: 10, arbitrary: made },
    { weight: 6, arbitrary: spoiledExample },
    { weight: 3, arbitrary: fc.constant(jsonOf(example ?? {})) },
    { weight: 1, arbitrary: odd.map(jsonOf) },
    { weight: 1, arbitrary: fc.tuple(made, fc.nat(40)).map(([text, left]) => text.slice(0, left)) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('', '{"a":1,"a":2}', '['.repeat(20_000), '\ufeff{}', 'undefined'),
    },
  );
}

function jsonOf(value: unknown): string {
  return JSON.stringify(value) ?? '';
}

function urlOf(path: string, { parameters = [] }: Operation): fc.Arbitrary<string> {
  const parts = path.split(/\{(\w+)\}/).map((part, index) => {
    if (index % 2 === 0) return fc.constant(part);
    const schema = parameters.find(({ name, in: place }) => place === 'path' && name === part)?.schema ?? {};
    return mostly(
      8,
      valueFor(schema, part).map((value) => encoded(String(value).slice(0, 300))),
      oddPathPart,
    );
  });
  const queries = parameters
    .filter(({ in: place }) => place === 'query')
    .map(({ name, schema, required = false }) => queryOf(name, schema, required));
  const query = fc.tuple(...queries, mostly(25, fc.constant(''), strayQuery)).map((pairs) => {
    const given = pairs.filter((pair) => pair !== '');
    return given.length === 0 ? '' : `?${given.join('&')}`;
  });
  return fc.tuple(fc.tuple(...parts), query).map(([made, search]) => made.join('') + search);
}

const oddPathPart = fc.oneof(
  oddText.map(encoded),
  fc.constantFrom('%zz', '..', '.', '%2F', '%00', '1%2F2', '1;a=b'),
);
const strayQuery = fc.constantFrom(
  'include=users',
  '__proto__[x]=1',
  'a[b][c]=1',
  '&&=',
  '%zz=%zz',
  'page=1&page=2',
);

function queryOf(name: string, schema: JsonSchema, isRequired: boolean): fc.Arbitrary<string> {
  const fits = valueFor(schema, name).map((value) => `${name}=${encoded(String(value).slice(0, 2_000))}`);
  const isOdd = oddText.map((text) => `${name}=${encoded(text)}`);
  const given = mostly(
    12,
    fits,
    fc.oneof(isOdd, fc.constantFrom(`${name}[]=1`, `${name}=1&${name}=2`, name)),
  );
  return mostly(isRequired ? 20 : 1, given, fc.constant(''));
}

/** By its bytes, so that every text can be part of an address, half characters too. */
function encoded(text: string): string {
  return [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
}
