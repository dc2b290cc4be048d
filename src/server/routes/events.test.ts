import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';
import { asOwner } from '#tests/support/test-database.ts';

const HOUR = 60 * 60_000;

let shop: TestApp;
let cookie: string;
let origin: string;
beforeEach(async () => {
  shop = await createTestApp();
  cookie = await shop.admin();
  origin = await shop.app.listen({ port: 0, host: '127.0.0.1' });
});
afterEach(() => shop.close());

/** A connected browser: `next()` is the next event or comment; null when the stream has ended. */
async function listen() {
  const response = await fetch(`${origin}/api/events`, { headers: { cookie } });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  async function next(): Promise<string | null> {
    while (!text.includes('\n\n')) {
      const chunk = await reader?.read();
      if (!chunk || chunk.done) return null;
      text += chunk.value;
    }
    const [message = '', ...rest] = text.split('\n\n');
    text = rest.join('\n\n');
    return message;
  }
  return { response, next, close: () => reader?.cancel() };
}
const event = (value: object) => `data: ${JSON.stringify(value)}`;

test('a stream starts with resync and then reports changes', async () => {
  const { response, next } = await listen();
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  expect(await next()).toBe(event({ kind: 'resync' }));
  shop.deps.liveStreams.publish({ kind: 'changed', topic: 'listings', ids: ['7', '9'] });
  expect(await next()).toBe(event({ kind: 'changed', topic: 'listings', ids: ['7', '9'] }));
});

test('requires a session', async () => {
  const response = await fetch(`${origin}/api/events`);
  expect(response.status).toBe(401);
});

test('logging out ends the stream immediately', async () => {
  const { next } = await listen();
  await next();
  await shop.post('/api/logout', undefined, { headers: { cookie } });
  expect(await next()).toBe(event({ kind: 'signedOut' }));
  expect(await next()).toBeNull();
  expect(shop.deps.liveStreams.count).toBe(0);
});

test('a heartbeat keeps an active stream open and does not count as activity', async () => {
  const { next } = await listen();
  await next();
  shop.advance(HOUR - 1);
  await shop.deps.liveStreams.beat();
  expect(await next()).toBe(': beat');
  shop.advance(1);
  await shop.deps.liveStreams.beat();
  expect(await next()).toBe(event({ kind: 'signedOut' }));
  expect(await next()).toBeNull();
});

test('withdrawing an approval ends the stream at the next heartbeat', async () => {
  const { next } = await listen();
  await next();
  await shop.db.execute(sql`update users set approved = false`);
  await shop.deps.liveStreams.beat();
  expect(await next()).toBe(event({ kind: 'signedOut' }));
  expect(await next()).toBeNull();
});

test('a session that cannot be checked counts as ended', async () => {
  const { next } = await listen();
  await next();
  await asOwner(shop.db, 'ALTER TABLE sessions RENAME TO sessions_hidden');
  await shop.deps.liveStreams.beat();
  expect(await next()).toBeNull();
});

test('the seventh stream of a session ends the first', async () => {
  const streams = await Promise.all(Array.from({ length: 7 }, listen));
  for (const { next } of streams) expect(await next()).toBe(event({ kind: 'resync' }));
  expect(shop.deps.liveStreams.count).toBe(6);
});

test('closing the server ends every stream', async () => {
  const { next } = await listen();
  await next();
  await shop.app.close();
  expect(await next()).toBeNull();
});
