import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MAX_LINES_TEXT } from '#domain/lines/line.ts';
import {
  bodyWith,
  has,
  namesOf,
  type Place,
  requestPlaces,
  type Schema,
} from '#tests/support/request-places.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';
import type { DeclaredRoute } from './access.ts';
import { exampleOf } from './api-docs/examples.ts';

/**
 * Their bodies are files, parsed with limits of their own, or bytes whose signature is checked before their
 * content.
 */
const FILES = [
  ...['POST /api/imports', 'POST /api/incoming/:marketplace', 'POST /api/incoming/ebay/account-deletion'],
  'POST /api/webhooks/:marketplace',
];
/**
 * By the specification anything but a number counts as 15 minutes; see `tests/architecture/security-exceptions.md`.
 */
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

/** An address of the call. */
function addressOf(call: DeclaredRoute): string {
  return exampleOf(nameOf(call))?.url ?? call.path.replaceAll(/:\w+/g, '1');
}

async function send(call: DeclaredRoute, url: string, body?: unknown): Promise<string> {
  const answer = await shop.app.inject({
    method: call.method as 'GET',
    url,
    ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
    headers: {
      host: '127.0.0.1:5000',
      'sec-fetch-site': 'same-origin',
      cookie,
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

/** Whether a pattern limits the length of a text: anchored, and without an unbounded repetition. */
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
  test('is checked', () => {
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

  test('declares all members of all objects inside a body', () => {
    const open = places.filter(({ schema }) => {
      const { additionalProperties: rest, propertyNames } = schema;
      const isMap = typeof rest === 'object' && propertyNames !== undefined && isShort(propertyNames);
      return has(schema, 'object') && rest !== false && !isMap;
    });
    expect(namesOf(open)).toEqual([]);
  });

  test('limits the length of every text and every list', () => {
    // Twenty lines of eight conditions with names of sellers are longer than any other text.
    const areLines = ({ path, schema }: Place): boolean =>
      path.at(-1) === 'lines' && schema.maxLength === MAX_LINES_TEXT;
    const endless = places.filter((place) => {
      const { schema } = place;
      return (
        (has(schema, 'string') && !isShort(schema) && !areLines(place)) ||
        (has(schema, 'array') && (schema.maxItems ?? Number.POSITIVE_INFINITY) > 10_000)
      );
    });
    expect(namesOf(endless)).toEqual([]);
  });

  test('checks its whole body, unless that is a file or signed', () => {
    const unchecked = places.filter(({ path, schema }) => {
      const { type, anyOf, oneOf, allOf } = schema;
      // A pattern alone is an additional check on a text whose length is limited next to it.
      const says = type ?? schema.enum ?? schema.const ?? anyOf ?? oneOf ?? allOf ?? schema.pattern;
      return says === undefined && !(path[0]?.startsWith('?') ?? false);
    });
    expect(
      namesOf(unchecked)
        .map((name) => name.trim())
        .sort(),
    ).toEqual(FILES);
  });

  test('declares the parameters of its path', () => {
    const forgotten = calls.filter(({ path, schema }) => path.includes(':') && schema?.params === undefined);
    expect(forgotten.map(nameOf)).toEqual([]);
  });
});

test('anything but a number is refused wherever a number is expected', async () => {
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
