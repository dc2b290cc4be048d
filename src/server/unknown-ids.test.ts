import type { LightMyRequestResponse } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ErrorBody } from '#contract/errors.ts';
import type { DeclaredRoute } from '#server/access.ts';
import { exampleOf } from '#server/api-docs/examples.ts';
import { IS_ALL } from '#tests/support/breadth.ts';
import { aReadyUser, callAs } from '#tests/support/people.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';

/** Well-formed IDs that belong to nothing. */
const UNKNOWN = ['987654321', '999999999999999'];
/** Values that are not IDs of ours: other types, lists, other systems' IDs. */
const MALFORMED = [
  ...['x', '0', '00', '-1', '+1', '1.5', '1e3', '0x10', '01', '１', ' 1', '1 ', '%31%20'],
  ...['null', 'undefined', 'true', 'NaN', '1,2', '[1]', '{"id":1}', "1' OR '1'='1", '1;2', '%'],
  ...['\u0000', '1\u0000', '1\n', '\ud800', '__proto__', 'constructor', '9'.repeat(16), '9'.repeat(40)],
];
/** Several of them for each route, others for the next, so that each is tried; all of them for all with --all. */
const malformedFor = (place: number): readonly string[] =>
  IS_ALL ? MALFORMED : MALFORMED.filter((_, index) => (index + place) % 8 === 0);
/** No text is an account's ID either. */
const UNSTORABLE = '\u0000';

let shop: TestApp;
let admin: string;
let routes: DeclaredRoute[];
beforeAll(async () => {
  shop = await createTestApp();
  admin = await shop.admin();
  routes = shop.app.declaredRoutes.filter(({ path }) => /:(listingI|i)d\b/.test(path));
});
afterAll(() => shop.close());

const nameOf = ({ method, path }: DeclaredRoute): string => `${method} ${path}`;

/** Calls a route with one ID in all places, and with a valid query and body. */
function call(route: DeclaredRoute, id: string): Promise<LightMyRequestResponse> {
  const { url = '', body } = exampleOf(nameOf(route)) ?? {};
  const part = [...Buffer.from(id)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
  const address = route.path.replaceAll(/:\w+/g, part) + (/\?.*$/.exec(url)?.[0] ?? '');
  return callAs(shop, admin, route.method as 'GET', address, body == null ? undefined : body);
}

/** The response without what differs from call to call. */
function said(answer: LightMyRequestResponse): string {
  const { requestId: _, message, ...rest } = ErrorBody.parse(answer.json());
  const words = UNKNOWN.reduce((text, id) => text.replaceAll(id, 'ID'), message);
  return JSON.stringify({ status: answer.statusCode, message: words, ...rest });
}

describe('every route with an id', () => {
  test('is checked', () => {
    expect(routes.length).toBeGreaterThan(40);
    const bodiless = routes.filter(
      (route) => route.schema?.body !== undefined && exampleOf(nameOf(route)) === undefined,
    );
    expect(bodiless.map(nameOf)).toEqual([]);
  });

  test('returns not found for an ID that belongs to nothing', async () => {
    const others: string[] = [];
    for (const route of routes) {
      for (const id of UNKNOWN) {
        const answer = await call(route, id);
        if (answer.statusCode !== 404)
          others.push(`${nameOf(route)} ${id}: ${answer.statusCode} ${answer.body}`);
      }
    }
    expect(others).toEqual([]);
  });

  test('returns the same response for everything that is not an ID', async () => {
    const others: string[] = [];
    for (const [place, route] of routes.entries()) {
      // Any text could be the ID of an account: it just does not exist.
      const isText = route.path.startsWith('/api/users/');
      const first = said(await call(route, isText ? '987654321' : 'x'));
      for (const id of malformedFor(place)) {
        const answer = await call(route, id);
        if (isText && id.includes(UNSTORABLE)) expect(answer.statusCode).toBe(400);
        else if (said(answer) !== first)
          others.push(`${nameOf(route)} ${JSON.stringify(id)}: ${said(answer)}`);
      }
    }
    expect(others).toEqual([]);
  });

  test('returns not found for an endless ID', async () => {
    for (const route of routes) {
      const answer = await call(route, '1'.repeat(5_000));
      expect(answer.json(), nameOf(route)).toMatchObject({ code: 'not_found' });
    }
  });
});

test('a SKU of maximum length finds its route', async () => {
  const sku = 'S'.repeat(200);
  expect((await shop.get(`/api/bundles/${sku}`, admin)).statusCode).toBe(200);
  expect((await shop.get(`/api/bundles/${sku}S`, admin)).statusCode).toBe(404);
});

test('what belongs to another user is not found, with the same message as what does not exist', async () => {
  await aReadyUser(shop, 'ann@example.com');
  const ann = await shop.logIn('ann@example.com');
  const example = exampleOf('POST /api/views')?.body as object;
  const view = { ...example, name: 'Mine alone', isShared: false };
  const created = await callAs(shop, ann, 'POST', '/api/views', view);
  const { id } = created.json();
  const edit = exampleOf('PUT /api/views/:id')?.body as object;
  for (const [method, verb, body] of [
    ['PUT', '', edit],
    ['DELETE', '', undefined],
    ['POST', '/restore', undefined],
  ] as const) {
    const foreign = await callAs(shop, admin, method, `/api/views/${id}${verb}`, body);
    const unknown = await callAs(shop, admin, method, `/api/views/987654321${verb}`, body);
    expect(said(foreign)).toBe(said(unknown));
    expect(foreign.statusCode).toBe(404);
  }
});
