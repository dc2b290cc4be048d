import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { asMany, IS_ALL } from '#tests/support/breadth.ts';
import { bodyWith, has, requestPlaces } from '#tests/support/request-places.ts';
import { addListing, addOffer, addRule, addSku } from '#tests/support/seed.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';
import { exampleOf } from './api-docs/examples.ts';

/** Would end a text or a name in SQL, and can be found again wherever it ends up. */
const MARK = `zqx'")]}--;\\`;

let shop: TestApp;
let cookie: string;
beforeAll(async () => {
  shop = await createTestApp();
  cookie = await shop.admin();
  await addSku(shop.db, 'A-1');
  await addOffer(shop.db, await addListing(shop.db, 'A-1'), 18);
  await addRule(shop.db);
});
afterAll(() => shop.close());

/** Every text that a call accepts, with the mark in its place. */
async function markedRequests(): Promise<{ method: string; url: string; body: object | null }[]> {
  const places = requestPlaces((await shop.get('/api/docs/json', cookie)).json());
  return places.flatMap((place) => {
    const [method = '', path = ''] = place.call.split(' ');
    const example = exampleOf(place.call);
    const url = example?.url ?? path.replaceAll(/:\w+/g, '1');
    const [name = ''] = place.path;
    // A number in an address is text, too.
    if (!has(place.schema, 'string') && !(name.startsWith('?') && has(place.schema, 'integer'))) return [];
    if (!name.startsWith('?')) {
      const body = bodyWith(place, MARK);
      return body === null ? [] : [{ method, url, body }];
    }
    const ofPath = path.includes(`:${name.slice(1)}`);
    const [bare = '', query = ''] = url.split('?');
    const requested = new URLSearchParams(query);
    if (!ofPath) requested.set(name.slice(1), MARK);
    const filled = ofPath
      ? path.replace(`:${name.slice(1)}`, encodeURIComponent(MARK)).replaceAll(/:\w+/g, '1')
      : bare;
    return [{ method, url: `${filled}?${requested}`, body: (example?.body ?? null) as object | null }];
  });
}

/** The first text of each call; every text when there is time. */
function chosen<Each extends { method: string; url: string }>(requests: readonly Each[]): Each[] {
  const calls = new Map<string, Each>();
  for (const [at, request] of requests.entries()) {
    const key = IS_ALL ? String(at) : `${request.method} ${request.url.split('?')[0]}`;
    if (!calls.has(key)) calls.set(key, request);
  }
  return [...calls.values()];
}

test('no text of any request gets into SQL except as a bound value', async () => {
  const requests = chosen(await markedRequests());
  expect(requests.length).toBeGreaterThan(asMany(50, 200));
  const requested = vi.spyOn(pg.Client.prototype, 'query');
  const broken: string[] = [];
  for (const { method, url, body } of requests) {
    const answer = await shop.app.inject({
      method: method as 'GET',
      url,
      headers: { host: '127.0.0.1:5000', 'sec-fetch-site': 'same-origin', cookie },
      ...(body === null ? {} : { payload: body }),
    });
    if (answer.statusCode >= 500) broken.push(`${method} ${url}: ${answer.statusCode}`);
  }
  const statements = requested.mock.calls.map(
    (call) => call as unknown as [string | { text: string }, unknown],
  );
  requested.mockRestore();
  const texts = statements.map(([what]) => (typeof what === 'string' ? what : what.text));
  expect(texts.filter((text) => text.includes('zqx'))).toEqual([]);
  // The marks did get there: bound.
  const bound = statements.filter((each) => JSON.stringify(each).includes('zqx'));
  expect(bound.length).toBeGreaterThan(20);
  expect(broken).toEqual([]);
});
