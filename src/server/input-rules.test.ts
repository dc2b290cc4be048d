import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';
import type { DeclaredRoute } from './access.ts';
import { exampleOf } from './api-docs/examples.ts';

/** A JSON Schema of the description at /api/docs, as far as it is looked at here. */
interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly pattern?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly propertyNames?: Schema;
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}
interface Place {
  /** "PUT /api/rules/{id} body.filter.minRating", a list's items as "0". */
  readonly call: string;
  readonly path: readonly string[];
  readonly schema: Schema;
}

/** Their bodies are files, read by readers with limits of their own. */
const FILES = ['POST /api/imports', 'POST /api/bundles/check'];
/** The specification has what is no number count as 15 minutes; `docs/exceptions.md` says so. */
const FALLS_BACK = 'PUT /api/settings checkInterval';

let shop: TestApp;
let cookie: string;
let calls: readonly DeclaredRoute[];
let places: readonly Place[];
beforeAll(async () => {
  shop = await createTestApp();
  cookie = await shop.admin();
  calls = shop.app.declaredRoutes.filter(
    ({ path }) => path.startsWith('/api/') && !path.startsWith('/api/docs'),
  );
  places = requestPlaces((await shop.get('/api/docs/json', cookie)).json());
});
afterAll(() => shop.close());

const nameOf = ({ method, path }: DeclaredRoute): string => `${method} ${path}`;

/** An address that the call takes. */
function addressOf(call: DeclaredRoute): string {
  return exampleOf(nameOf(call))?.url ?? call.path.replaceAll(/:\w+/g, '1');
}

async function send(call: DeclaredRoute, url: string, body?: unknown): Promise<string> {
  const answer = await shop.app.inject({
    method: call.method as 'GET',
    url,
    ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
    headers: {
      ...{ host: '127.0.0.1:5000', 'sec-fetch-site': 'same-origin', cookie },
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    payloadAsStream: true,
  });
  if (answer.statusCode !== 400) {
    answer.stream().destroy();
    return String(answer.statusCode);
  }
  return (await answer.stream().toArray()).join('');
}

/** Everything a request may carry, at every depth, as the description of the API has it. */
function requestPlaces(description: {
  paths: Record<string, Record<string, { parameters?: unknown[]; requestBody?: object }>>;
}): Place[] {
  return Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { parameters = [], requestBody }]) => {
      const call = `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`;
      const named = (parameters as { name: string; schema: Schema }[]).map(({ name, schema }) =>
        inside({ call, path: [`?${name}`], schema }),
      );
      const content = (requestBody as { content?: Record<string, { schema: Schema }> })?.content ?? {};
      const sent = Object.values(content).map(({ schema }) => inside({ call, path: [], schema }));
      return [...named, ...sent].flat();
    }),
  );
}

/** A place and all places in it. */
function inside(place: Place): Place[] {
  const { call, path, schema } = place;
  const { properties = {}, items, additionalProperties: rest, anyOf = [], oneOf = [], allOf = [] } = schema;
  const below: [string, Schema][] = Object.entries(properties);
  if (items) below.push(['0', items]);
  if (typeof rest === 'object') below.push(['*', rest]);
  return [
    place,
    ...below.flatMap(([name, each]) => inside({ call, path: [...path, name], schema: each })),
    ...[...anyOf, ...oneOf, ...allOf].flatMap((each) => inside({ call, path, schema: each })),
  ];
}

const has = ({ type }: Schema, name: string): boolean => [type].flat().includes(name);
const namesOf = (found: readonly Place[]): string[] =>
  found.map(({ call, path }) => `${call} ${path.join('.')}`);

/** Whether a pattern says how long a text can be: from start to end, and nothing repeated without an end. */
function isBounded(pattern: string): boolean {
  const bare = pattern.replaceAll(/\\./g, 'x').replaceAll(/\[[^\]]*\]/g, 'x');
  return bare.startsWith('^') && bare.endsWith('$') && !/[*+]|\{\d+,\}/.test(bare);
}

function isShort(schema: Schema): boolean {
  const { maxLength, pattern } = schema;
  return (
    schema.enum !== undefined ||
    schema.const !== undefined ||
    (maxLength !== undefined && maxLength <= 4_096) ||
    (pattern !== undefined && isBounded(pattern))
  );
}

describe('every call of the API', () => {
  test('is looked at', () => {
    expect(calls.length).toBeGreaterThan(100);
    expect(places.length).toBeGreaterThan(300);
  });

  test('refuses a parameter that it does not know', async () => {
    const taken: string[] = [];
    for (const call of calls) {
      const url = addressOf(call);
      const { body } = exampleOf(nameOf(call)) ?? { body: null };
      const answer = await send(call, `${url}${url.includes('?') ? '&' : '?'}surprise=1`, body ?? undefined);
      if (!answer.includes('Unknown: surprise')) taken.push(`${nameOf(call)}: ${answer}`);
    }
    expect(taken).toEqual([]);
  });

  test('refuses a member of the body that it does not know', async () => {
    const taken: string[] = [];
    for (const call of calls.filter((each) => each.method !== 'GET' && !FILES.includes(nameOf(each)))) {
      const body = exampleOf(nameOf(call))?.body ?? {};
      const more = Array.isArray(body) ? [{ ...body[0], surprise: 1 }] : { ...(body as object), surprise: 1 };
      const answer = await send(call, addressOf(call), more);
      if (!answer.includes('surprise')) taken.push(`${nameOf(call)}: ${answer}`);
    }
    expect(taken).toEqual([]);
  });

  test('knows all members of all objects inside a body', () => {
    const open = places.filter(({ schema }) => {
      const { additionalProperties: rest, propertyNames } = schema;
      const isMap = typeof rest === 'object' && propertyNames !== undefined && isShort(propertyNames);
      return has(schema, 'object') && rest !== false && !isMap;
    });
    expect(namesOf(open)).toEqual([]);
  });

  test('says how long every text and every list may be', () => {
    const endless = places.filter(
      ({ schema }) =>
        (has(schema, 'string') && !isShort(schema)) ||
        (has(schema, 'array') && (schema.maxItems ?? Number.POSITIVE_INFINITY) > 10_000),
    );
    expect(namesOf(endless)).toEqual([]);
  });

  test('checks the whole of its body, unless that is a file', () => {
    const unchecked = places.filter(({ path, schema }) => {
      const { type, anyOf, oneOf, allOf } = schema;
      const says = type ?? schema.enum ?? schema.const ?? anyOf ?? oneOf ?? allOf;
      return says === undefined && !(path[0]?.startsWith('?') ?? false);
    });
    expect(namesOf(unchecked).map((name) => name.trim())).toEqual(FILES);
  });

  test('declares the parameters of its path', () => {
    const forgotten = calls.filter(({ path, schema }) => path.includes(':') && schema?.params === undefined);
    expect(forgotten.map(nameOf)).toEqual([]);
  });
});

/** The example body of a call with another value at one place; null when the example does not reach that far. */
function bodyWith({ call, path }: Place, value: unknown): object | null {
  const body: unknown = structuredClone(exampleOf(call)?.body ?? null);
  let at = body;
  for (const name of path.slice(0, -1)) at = (at as Record<string, unknown> | null)?.[name] ?? null;
  const last = path.at(-1);
  if (typeof at !== 'object' || at === null || last === undefined) return null;
  (at as Record<string, unknown>)[last] = value;
  return body as object;
}

test('what is no number is refused wherever a number is expected', async () => {
  const numbers = places.filter(
    ({ path, schema }) =>
      (has(schema, 'number') || has(schema, 'integer')) && !(path[0]?.startsWith('?') ?? false),
  );
  const taken: string[] = [];
  let tried = 0;
  for (const place of numbers) {
    const [name = ''] = namesOf([place]);
    const call = calls.find((each) => nameOf(each) === place.call);
    if (call === undefined || name === FALLS_BACK) continue;
    const isNullable = places.some(
      (each) => namesOf([each])[0] === name && (has(each.schema, 'null') || each.schema.type === 'null'),
    );
    for (const value of [false, '0x10', '16', '', [], ...(isNullable ? [] : [null])]) {
      const body = bodyWith(place, value);
      if (body === null) continue;
      tried += 1;
      const answer = await send(call, addressOf(call), body);
      if (!answer.includes('validation_failed')) taken.push(`${name} = ${JSON.stringify(value)}: ${answer}`);
    }
  }
  expect(taken).toEqual([]);
  expect(tried).toBeGreaterThan(100);
});
