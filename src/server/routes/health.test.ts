import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase } from '#db/client.ts';
import type { AppDeps } from '#server/app-deps.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';

let shop: TestApp;
let state: { schema: boolean; accepting: boolean };
beforeEach(async () => {
  state = { schema: true, accepting: true };
  const over: Partial<AppDeps> = {
    isSchemaCurrent: async () => state.schema,
    isAccepting: () => state.accepting,
    metricsToken: 'a token for scrapers',
  };
  shop = await createTestApp(over);
});
afterEach(() => shop.close());

const metrics = (over: { remoteAddress?: string; headers?: Record<string, string> }) =>
  shop.app.inject({ url: '/metrics', ...over, headers: { host: 'localhost:5000', ...over.headers } });

test('ready means that the database accepts writes, the schema fits and the process is not stopping', async () => {
  const answer = await shop.get('/readyz');
  expect(answer.statusCode).toBe(200);
  expect(answer.json()).toEqual({
    ready: true,
    checks: { databaseWrite: true, schema: true, accepting: true },
  });
});

test('shutting down is not ready, immediately', async () => {
  await shop.get('/readyz');
  state.accepting = false;
  const answer = await shop.get('/readyz');
  expect(answer.statusCode).toBe(503);
  expect(answer.json()).toMatchObject({ ready: false, checks: { accepting: false, databaseWrite: true } });
});

test('a schema of another release is not ready; the database is queried once per second', async () => {
  await shop.get('/readyz');
  state.schema = false;
  expect((await shop.get('/readyz')).statusCode).toBe(200);
  shop.advance(1_000);
  expect((await shop.get('/readyz')).json()).toMatchObject({ ready: false, checks: { schema: false } });
});

test('a process without its database is alive, not ready, and refuses access', async () => {
  const unreachable = openDatabase('postgresql://127.0.0.1:1/missing');
  const lost = await createTestApp({ db: unreachable.db });
  expect((await lost.get('/healthz')).json()).toEqual({ status: 'ok' });
  expect((await lost.get('/readyz')).json()).toMatchObject({
    ready: false,
    checks: { databaseWrite: false },
  });
  const answer = await lost.get('/api/user', `pricewright=${'a'.repeat(43)}`);
  expect(answer.statusCode).toBe(503);
  expect(answer.json()).toMatchObject({ code: 'unavailable' });
  await unreachable.close();
  await lost.close();
});

test('a frozen database is not ready within seconds, and is queried by one connection at a time', async () => {
  const sockets: Socket[] = [];
  const silent = createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const address = silent.address();
  const port = typeof address === 'object' ? address?.port : null;
  const frozen = openDatabase(`postgresql://127.0.0.1:${port}/frozen`);
  const lost = await createTestApp({ db: frozen.db });
  const answer = await lost.get('/readyz');
  // It did not wait for the connection timeout.
  expect(sockets.map((socket) => socket.readyState)).toEqual(['open']);
  expect(answer.statusCode).toBe(503);
  expect(answer.json()).toMatchObject({ checks: { databaseWrite: false } });
  lost.advance(1_000);
  expect((await lost.get('/readyz')).statusCode).toBe(503);
  expect(sockets).toHaveLength(1);
  for (const socket of sockets) socket.destroy();
  silent.close();
  await lost.close();
  await frozen.close();
});

test('metrics are for the machine itself or the holder of the token', async () => {
  expect((await metrics({})).statusCode).toBe(200);
  expect((await metrics({ remoteAddress: '10.0.0.9' })).statusCode).toBe(403);
  expect((await metrics({ headers: { 'x-forwarded-for': '127.0.0.1' } })).statusCode).toBe(403);
  const withToken = (token: string) =>
    metrics({ remoteAddress: '10.0.0.9', headers: { authorization: `Bearer ${token}` } });
  expect((await withToken('a token for scrapers')).statusCode).toBe(200);
  expect((await withToken('a token for scraperz')).statusCode).toBe(403);
  expect((await withToken('null')).statusCode).toBe(403);
});

test('metrics count requests by route, not by address', async () => {
  await shop.get('/api/user');
  await shop.get('/made/up');
  const { body } = await metrics({});
  expect(body).toContain(
    'http_request_duration_seconds_count{method="GET",route="/api/user",status="401"} 1',
  );
  expect(body).not.toContain('made/up');
  expect(body).toContain('nodejs_eventloop_lag_p99_seconds');
  expect(body).toContain('pricewright_live_streams 0');
});
