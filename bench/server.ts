import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { BENCH_CACHE } from './reprice-program.ts';
import { OUR_SELLER, shopFiles } from './shop-files.ts';
import { type Line, printTable } from './table.ts';

/*
 * The whole program, as `npm start` runs it: a store is imported, goes live and is repriced while a client keeps requesting
 * lists. What counts is the most memory it ever held, and how long it kept an idle question waiting.
 */

const { values } = parseArgs({ options: { listings: { type: 'string', default: '100000' } } });
const listings = Number(values.listings);
const PROGRAM = join(import.meta.dirname, '../dist/server/main.js');
const PASSWORD = 'nine purple cats dance';
const PORT = '5089';
const HOME = `http://127.0.0.1:${PORT}`;

if (!existsSync(PROGRAM)) throw new Error('Build the program first: npm run build');
const folder = await mkdtemp(join(tmpdir(), 'pricewright-bench-'));
await chmod(folder, 0o711);
const program = spawn(process.execPath, [PROGRAM], {
  env: {
    ...process.env,
    PORT,
    PRICEWRIGHT_DATA: folder,
    DATABASE_URL: undefined,
    DATABASE_OWNER_URL: undefined,
    LOG_LEVEL: 'warn',
  },
  stdio: ['ignore', 'ignore', 'inherit'],
});
try {
  const cookie = await firstAdmin();
  const waits = { healthz: [] as number[], lists: [] as number[] };
  const asking = new AbortController();
  const requested = Promise.all([
    ask('/healthz', waits.healthz, cookie, asking.signal),
    ask('/api/listings?sort=-margin&page=3', waits.lists, cookie, asking.signal),
  ]);
  const files = shopFiles({ listings, offers: listings * 3 }, BENCH_CACHE);
  for (const kind of ['skus', 'tiers', 'fees', 'rules', 'listings', 'offers'] as const) {
    await bringIn(kind, readFileSync(files[kind]), cookie);
  }
  await untilIdle(cookie);
  await call('POST', '/api/runs', cookie);
  await untilIdle(cookie);
  asking.abort();
  await requested;
  printTable(`the program, ${listings.toLocaleString('en-US')} listings imported and repriced`, [
    { name: 'peak memory', spread: same(peakMegabytes()), unit: 'MB', goal: { atMost: 400 } },
    ...waitLines('an idle question', waits.healthz),
    ...waitLines('a page of listings', waits.lists),
  ]);
} finally {
  program.kill('SIGTERM');
  if (program.exitCode === null) await once(program, 'exit');
  await rm(folder, { recursive: true, force: true });
}

async function firstAdmin(): Promise<string> {
  while (!(await fetch(`${HOME}/readyz`).catch(() => null))?.ok) await pause(100);
  const form = { username: 'boss@example.com', email: 'boss@example.com', password: PASSWORD };
  const answer = await post('/api/register', '', { ...form, fullName: 'Boss', phoneNumber: '+1 555 0100' });
  const cookie = answer.headers.get('set-cookie')?.split(';', 1)[0];
  if (cookie === undefined) throw new Error(await answer.text());
  return cookie;
}

/** Asks the same again and again and notes how long each answer took. */
async function ask(path: string, waits: number[], cookie: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const from = performance.now();
    const answer = await fetch(HOME + path, { headers: { cookie } });
    await answer.arrayBuffer();
    waits.push(performance.now() - from);
    await pause(50);
  }
}

async function bringIn(kind: string, file: Buffer, cookie: string): Promise<void> {
  const sent = await fetch(`${HOME}/api/imports?kind=${kind}&name=${kind}.csv`, {
    method: 'POST',
    body: new Uint8Array(file),
    headers: { cookie, origin: HOME, 'content-type': 'text/csv' },
  });
  const { id } = (await answerOf(sent)) as { id: string };
  await untilState(id, 'checked', cookie);
  const ownSellers = kind === 'offers' ? [{ marketplace: 'walmart', name: OUR_SELLER }] : undefined;
  const checked = await answerOf(await fetch(`${HOME}/api/imports/${id}`, { headers: { cookie } }));
  const { checkId } = checked as { checkId: string };
  await answerOf(await post(`/api/imports/${id}/run`, cookie, { checkId, allOrNothing: false, ownSellers }));
  await untilState(id, 'done', cookie);
}

async function untilState(id: string, wanted: string, cookie: string): Promise<void> {
  for (;;) {
    const { state, fault } = (await call('GET', `/api/imports/${id}`, cookie)) as Record<string, string>;
    if (state === wanted) return;
    if (state === 'failed') throw new Error(fault);
    await pause(100);
  }
}

async function untilIdle(cookie: string): Promise<void> {
  for (;;) {
    const status = (await call('GET', '/api/engine', cookie)) as { run: unknown; pendingCount: number };
    if (status.run === null && status.pendingCount === 0) return;
    await pause(200);
  }
}

async function call(method: string, path: string, cookie: string): Promise<unknown> {
  return answerOf(await fetch(HOME + path, { method, headers: { cookie, origin: HOME } }));
}

function post(path: string, cookie: string, body: object): Promise<Response> {
  const headers = { cookie, origin: HOME, 'content-type': 'application/json' };
  return fetch(HOME + path, { method: 'POST', body: JSON.stringify(body), headers });
}

async function answerOf(answer: Response): Promise<unknown> {
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  return answer.json();
}

/** The most that was ever resident, as Linux keeps it for a process. */
function peakMegabytes(): number {
  const status = readFileSync(`/proc/${program.pid}/status`, 'utf8');
  return (Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1]) * 1_024) / 1e6;
}

function waitLines(name: string, waits: readonly number[]): Line[] {
  const sorted = waits.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN;
  return [
    { name: `${name}, half wait at most`, spread: same(at(0.5)), unit: 'ms' },
    { name: `${name}, 99 of 100`, spread: same(at(0.99)), unit: 'ms' },
  ];
}

function same(figure: number): Line['spread'] {
  return { min: figure, median: figure, max: figure };
}
