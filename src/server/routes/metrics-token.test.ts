import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';

const METRICS_TOKEN = 'a token for scrapers only';
/** Attempts of one address that are checked before the waits start. */
const FREE = 50;

let shop: TestApp;
beforeEach(async () => {
  shop = await createTestApp({ metricsToken: METRICS_TOKEN });
});
afterEach(() => shop.close());

/** Requests the metrics from another machine. */
const metrics = (authorization?: string, remoteAddress = '10.0.0.9') =>
  shop.app.inject({
    url: '/metrics',
    remoteAddress,
    headers: authorization === undefined ? {} : { authorization },
  });

test('the correct token for metrics is refused after too many wrong ones, but not on this machine', async () => {
  const right = `Bearer ${METRICS_TOKEN}`;
  for (let n = 0; n < FREE; n += 1) await metrics(`Bearer ${n}`);
  const late = await metrics(right);
  expect(late.statusCode).toBe(429);
  expect(late.headers['retry-after']).toBe('30');
  expect((await metrics(right, '10.0.0.10')).statusCode).toBe(200);
  const here = { url: '/metrics', headers: { host: 'localhost:5000' } };
  expect((await shop.app.inject(here)).statusCode).toBe(200);
  shop.advance(30_000);
  expect((await metrics(right)).statusCode).toBe(200);
  const { rows } = await shop.db.execute(
    sql`select after from audit_log where action = 'access.refused' and target_id = 'GET /metrics' order by id`,
  );
  expect(rows.map(({ after }) => (after as { reason: string }).reason)).toEqual([
    'Call from the machine itself, or send METRICS_TOKEN as a bearer token.',
  ]);
});

test('the correct token for metrics is not an attempt, however often it is used, and neither is none', async () => {
  for (let n = 0; n < 2 * FREE; n += 1) await metrics(`Bearer ${METRICS_TOKEN}`);
  for (let n = 0; n < 2 * FREE; n += 1) expect((await metrics()).statusCode).toBe(403);
  expect((await metrics(`Bearer ${METRICS_TOKEN}`)).statusCode).toBe(200);
});
