import { createRequire } from 'node:module';
import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createVeeqo } from '#connectors/veeqo/veeqo.ts';
import { openDatabase } from '#db/client.ts';
import type { Queue } from '#db/queue.ts';
import { createLogger } from '#server/logger.ts';
import { readTraceSettings } from '#src/bootstrap/trace-settings.ts';
import {
  describesRun,
  tracedCalls,
  tracedHandlers,
  tracedQueue,
  tracedSync,
  tracedTask,
} from '#src/bootstrap/traced-work.ts';
import { openTracing, type TraceLimits, type Tracing } from '#src/bootstrap/tracing.ts';
import { type FakeVeeqo, reply, startFakeVeeqo, VEEQO_KEY } from '#tests/support/fake-veeqo.ts';
import { recordingHost } from '#tests/support/loop-host.ts';
import { settingsPage } from '#tests/support/settings-app.ts';
import { type SpanCollector, startSpanCollector } from '#tests/support/span-collector.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';
import { AppError } from '#usecases/app-error.ts';
import { runLoop } from '#usecases/background/supervised-loop.ts';

const COLLECTOR_KEY = 'canary-of-the-collector';
/** No timer of the sender ends before the test: what waits is sent at the end. */
const AT_THE_END: Partial<TraceLimits> = { delay: 3_600_000, closing: 3_600_000 };

let collector: SpanCollector;
let fake: FakeVeeqo;
let shop: TestApp;
const closers: (() => Promise<void>)[] = [];
beforeEach(async () => {
  collector = await startSpanCollector();
  fake = await startFakeVeeqo();
});
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
  await fake.close();
  await collector.close();
});

async function opened(
  over: Partial<TraceLimits> = AT_THE_END,
  endpoint = collector.url,
  sampler: Record<string, string> = {},
): Promise<Tracing> {
  const read = readTraceSettings({
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    OTEL_EXPORTER_OTLP_HEADERS: `x-api-key=${COLLECTOR_KEY}`,
    ...sampler,
  });
  if ('problem' in read || read.traces === null) throw new Error('no traces');
  return openTracing(read.traces, '1.2.3', over);
}

/** The app with Veeqo behind it, connected, and its first administrator. */
async function startShop(tracing: Tracing | null): Promise<string> {
  const calls = tracing === null ? {} : tracedCalls(tracing, 'veeqo');
  const inventory = createVeeqo({ baseUrl: fake.url, wait: async () => undefined, ...calls });
  const traces = tracing === null ? {} : { traceRequest: tracing.traceRequest };
  shop = await createTestApp({ inventory, ...traces });
  closers.push(() => shop.close());
  const cookie = await shop.admin();
  const page = settingsPage(shop, cookie);
  await page.save({ ...(await page.read()), veeqo: { enabled: true, apiKey: VEEQO_KEY } });
  return cookie;
}

const checkVeeqo = (cookie: string) => shop.post('/api/veeqo/check', undefined, { headers: { cookie } });

/** The files of OpenTelemetry that record and send; prom-client loads its API, which does neither. */
function loadedFiles(): string[] {
  const files = Object.keys(createRequire(import.meta.url).cache);
  return files.filter((file) => /@opentelemetry[\\/](?!api[\\/])/.test(file));
}

// The first of the file: afterwards this process has loaded it.
test('without an endpoint requests are answered, and nothing of OpenTelemetry is loaded', async () => {
  expect(readTraceSettings({ OTEL_TRACES_SAMPLER: 'of another program' })).toEqual({ traces: null });
  const cookie = await startShop(null);
  expect((await checkVeeqo(cookie)).statusCode).toBe(200);
  expect(loadedFiles()).toEqual([]);
  const tracing = await opened();
  expect(loadedFiles()).not.toEqual([]);
  await tracing.close();
});

test('a request is a span with route and status, and a call to a service one below it, with its retries', async () => {
  const tracing = await opened();
  const cookie = await startShop(tracing);
  fake.faults.push(reply(503, { message: 'canary of the service' }));
  expect((await checkVeeqo(cookie)).json()).toMatchObject({ success: true });
  await tracing.close();

  const request = collector.spans.find(({ name }) => name === 'POST /api/veeqo/check');
  expect(request).toMatchObject({ kind: 2, parentSpanId: null, isError: false });
  expect(request?.attributes).toEqual({
    'http.request.method': 'POST',
    'http.route': '/api/veeqo/check',
    'http.response.status_code': 200,
  });
  const call = collector.spans.find(({ kind }) => kind === 3);
  expect(call).toMatchObject({ traceId: request?.traceId, parentSpanId: request?.spanId, isError: false });
  expect(call?.attributes).toEqual({
    'pricewright.service': 'veeqo',
    'pricewright.operation': call?.name.slice('veeqo '.length),
    'http.request.method': 'GET',
    'server.address': '127.0.0.1',
    'http.response.status_code': 200,
    'http.request.resend_count': 1,
  });
  // One trace per request, also for those with a body.
  expect(new Set(collector.spans.filter(({ kind }) => kind === 2).map(({ traceId }) => traceId)).size).toBe(
    collector.spans.filter(({ kind }) => kind === 2).length,
  );
  expect(collector.requests.map(({ line }) => line)).toEqual(['POST /v1/traces']);
  expect(collector.requests[0]?.headers['x-api-key']).toBe(COLLECTOR_KEY);
  expect(collector.text()).toContain('"1.2.3"');
});

test('no span has a secret, an address, a header or what users and services said', async () => {
  const tracing = await opened();
  const cookie = await startShop(tracing);
  fake.faults.push(reply(401, { message: 'canary of the service' }));
  await checkVeeqo(cookie);
  await shop.get('/api/no-such-address/canary-of-the-path?q=canary');
  await shop.post('/api/login', { username: 'canary@example.com', password: 'canary', twoFactorToken: '' });
  await tracing
    .within('refused', {}, async () => Promise.reject(new AppError('not_allowed', 'canary of a message')))
    .catch(() => undefined);
  await tracing.close();

  expect(collector.spans.find(({ kind }) => kind === 3)).toMatchObject({
    isError: true,
    attributes: { 'error.type': 'key', 'http.response.status_code': 401 },
  });
  expect(collector.spans.find(({ name }) => name === 'GET')?.attributes).toEqual({
    'http.request.method': 'GET',
    'http.response.status_code': 404,
  });
  expect(collector.spans.find(({ name }) => name === 'refused')?.attributes).toEqual({
    'error.type': 'not_allowed',
  });
  const secrets = ['canary', VEEQO_KEY, COLLECTOR_KEY, 'boss@example.com', cookie.split('=')[1] ?? ''];
  expect(secrets.filter((secret) => collector.text().includes(secret))).toEqual([]);
  expect(collector.spans.map(({ name }) => name)).toContain('POST /api/login');
});

test('log lines of a request name its trace, and the log of the answer does too', async () => {
  const tracing = await opened();
  const lines: string[] = [];
  const log = createLogger('info', { write: (line) => lines.push(line) }, tracing.logFields);
  shop = await createTestApp({ log, traceRequest: tracing.traceRequest });
  closers.push(() => shop.close());
  await shop.get('/api/no-such-address');
  log.info('of no request');
  await tracing.close();
  const [span] = collector.spans;
  const logged = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(logged.find(({ msg }) => msg === 'answered')).toMatchObject({
    trace_id: span?.traceId,
    span_id: span?.spanId,
  });
  expect(logged.find(({ msg }) => msg === 'of no request')).not.toHaveProperty('trace_id');
});

test('a trace that the sampler leaves out is not sent, and not named in log lines', async () => {
  const tracing = await opened(AT_THE_END, collector.url, { OTEL_TRACES_SAMPLER: 'always_off' });
  const fields = await tracing.within('dropped', {}, async () => tracing.logFields());
  await tracing.close();
  expect(fields).toEqual({});
  expect(collector.requests).toEqual([]);
});

test('jobs, their transactions, syncs and turns of the engine are spans; an idle turn is none', async () => {
  const tracing = await opened();
  await startShop(null);
  const { db, close } = openDatabase(shop.url, 1, tracing.aroundTransaction);
  closers.push(close);
  const handlers = tracedHandlers(tracing, {
    import: async () => {
      await db.transaction((tx) => tx.execute(sql`SELECT 1`));
      await db.transaction((tx) => tx.execute(sql`SELECT 1 / 0`)).catch(() => undefined);
      return { state: 'done', summary: '' };
    },
  });
  const run = {
    id: 7,
    work: {} as never,
    createdBy: { id: null, name: '' },
    runId: null,
    attempt: 2,
    progress: async () => undefined,
  };
  const works: ((data: never) => Promise<void>)[] = [];
  const queue = {
    work: async (_kind: unknown, handler: (data: never) => Promise<void>) => void works.push(handler),
  } as unknown as Queue;
  await tracedQueue(tracing, queue).work({ name: 'job' }, async () => void (await handlers.import?.(run)));
  for (const work of works) await work({} as never);
  await tracedSync(tracing)('walmart', 'sales', async () => undefined);
  const turns = ['worked', 'idle'] as const;
  let turn = 0;
  const task = tracedTask(tracing, 'reprice', {
    idleWait: 1,
    turn: async () => {
      describesRun(tracing)({ id: 3, trigger: 'full_check' });
      // Below the engine a transaction is no span of its own.
      await db.transaction((tx) => tx.execute(sql`SELECT 1`));
      return turns[turn++] ?? 'idle';
    },
    onError: () => undefined,
    release: async () => undefined,
  });
  await runLoop(
    task,
    recordingHost(() => true),
  );
  await tracing.close();

  const { spans } = collector;
  const idOf = (name: string) => spans.find((span) => span.name === name)?.spanId;
  expect(turn).toBe(2);
  expect(spans.map(({ name, kind, parentSpanId }) => ({ name, kind, parentSpanId }))).toEqual([
    { name: 'transaction', kind: 3, parentSpanId: idOf('job import') },
    { name: 'transaction', kind: 3, parentSpanId: idOf('job import') },
    { name: 'job import', kind: 1, parentSpanId: idOf('process job') },
    { name: 'process job', kind: 5, parentSpanId: null },
    { name: 'sync walmart sales', kind: 1, parentSpanId: null },
    { name: 'reprice', kind: 1, parentSpanId: null },
  ]);
  expect(spans[1]).toMatchObject({ isError: true, attributes: { 'error.type': '22012' } });
  expect(spans[2]?.attributes).toEqual({ 'pricewright.job.id': 7, 'pricewright.job.attempt': 2 });
  expect(spans[5]?.attributes).toEqual({
    'pricewright.run.id': 3,
    'pricewright.run.trigger': 'full_check',
  });
});

test('with a collector that is away requests are answered, spans beyond the limit are dropped, and one line says so', async () => {
  // A retry would come after the time for one sending: there is none.
  const tracing = await opened(
    { waiting: 1, delay: 1, sending: 1, closing: 3_600_000 },
    'http://127.0.0.1:9',
  );
  const lines: string[] = [];
  tracing.reportTo(createLogger('info', { write: (line) => lines.push(line) }));
  const cookie = await startShop(tracing);
  expect((await checkVeeqo(cookie)).statusCode).toBe(200);
  await expect.poll(() => lines).toHaveLength(1);
  expect((await checkVeeqo(cookie)).statusCode).toBe(200);
  await tracing.close();
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 40, code: expect.any(String) });
  expect(lines.join('')).not.toContain(COLLECTOR_KEY);
});

test('a collector that never answers does not hold up the end beyond its limit', async () => {
  collector.fallSilent();
  const tracing = await opened({ delay: 3_600_000, sending: 3_600_000, closing: 1 });
  await tracing.within('last', {}, async () => undefined);
  // Ends, although its span has no answer: the time for one sending is an hour.
  await tracing.close();
  await expect.poll(() => collector.spans.map(({ name }) => name)).toEqual(['last']);
});
