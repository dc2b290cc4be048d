/**
 * The lists over HTTP, as pages ask for them: sorting, filtering, searching and paging through a whole catalog.
 *
 *   node --import tsx bench/lists.ts                                       100,000 listings, one client
 *   node --import tsx bench/lists.ts --listings 1000000 --clients 5        a minute per client, 3 GB of disk
 *   node --import tsx bench/lists.ts --keep                                leaves the database for the next run
 */
import { rmSync } from 'node:fs';
import { Agent, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createAccountDeletions } from '#connectors/ebay/account-deletion.ts';
import { createIdentityProvider } from '#connectors/openid/openid-provider.ts';
import { openS3Store } from '#connectors/s3/open-s3-store.ts';
import { createVeeqo } from '#connectors/veeqo/veeqo.ts';
import { openWebhookSender } from '#connectors/webhook-receivers/open-webhook-sender.ts';
import { openDatabase } from '#db/client.ts';
import { joinEmbeddedPostgres } from '#db/embedded/supervisor.ts';
import { migrate } from '#db/migrate.ts';
import { instant } from '#domain/units.ts';
import { buildApp } from '#server/app.ts';
import { createLiveStreams } from '#server/live-streams.ts';
import { createLogger } from '#server/logger.ts';
import { recordedQueue } from '#tests/support/recorded-queue.ts';
import { createPasswordHasher } from '#usecases/identity/accounts/password-hasher.ts';
import { configuredKey } from '#usecases/identity/encryption/secret-keys.ts';
import { addressOf, type ListRequest, requestMix } from './lists-requests.ts';
import { fillShop } from './lists-shop.ts';
import { spreadOf } from './rounds.ts';
import { type Line, printTable } from './table.ts';

const { values } = parseArgs({
  options: {
    listings: { type: 'string', default: '100000' },
    /** Rows of the price history for each listing. */
    moves: { type: 'string', default: '3' },
    clients: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '3' },
    keep: { type: 'boolean', default: false },
    /** Prints the slowest requests. */
    slowest: { type: 'string', default: '0' },
  },
});
const shop = { listings: Number(values.listings), movesEach: Number(values.moves) };
const clients = Number(values.clients);
const dataDir = join(import.meta.dirname, `../.cache/bench/lists-${shop.listings}-${shop.movesEach}`);

const server = await joinEmbeddedPostgres({ dataDir });
await migrate(server.ownerUrl);
const database = openDatabase(server.ownerUrl);
const filled = await database.pool.query('SELECT FROM listings LIMIT 1');
if (filled.rowCount === 0) await fillShop(database.pool, shop);

const log = createLogger('warn', process.stderr);
const app = await buildApp({
  db: database.db,
  log,
  liveStreams: createLiveStreams(log),
  passwords: createPasswordHasher(),
  queue: recordedQueue(),
  identityProvider: createIdentityProvider({ now: () => instant(Date.now()) }),
  now: () => instant(Date.now()),
  sessionClock: () => 'database',
  isSchemaCurrent: async () => true,
  isAccepting: () => true,
  webRoot: null,
  version: '0.0.0',
  publicUrl: null,
  boundToLoopback: true,
  trustedProxies: [],
  metricsToken: null,
  requiresTwoFactor: false,
  isDemo: false,
  backups: { isOnByDefault: false, defaultFolder: '', hasEnvironmentPassphrase: false },
  openStore: openS3Store,
  usesTestAddresses: false,
  connections: {
    stateOf: async () => ({ kind: 'file' as const }),
    consentOf: async () => Promise.reject(new Error('no connection here')),
  },
  secrets: configuredKey(Buffer.alloc(32)),
  marketplaceEvents: {},
  accountDeletions: createAccountDeletions({ baseUrl: 'http://127.0.0.1:9' }),
  webhookSender: openWebhookSender(),
  inventory: createVeeqo({ baseUrl: 'http://127.0.0.1:9' }),
  home: () => 'http://127.0.0.1',
  sendsEmail: false,
});
await app.listen({ port: 0, host: '127.0.0.1' });
const port = (app.server.address() as AddressInfo).port;
const cookie = await logIn();
const agent = new Agent({ keepAlive: true, maxSockets: clients });

const mix = requestMix();
const totals = new Map<string, number>();
// Once before it counts: memory is warm as on any day, and the totals lead to the last pages.
for (const request of mix) await ask({ ...request, page: 1 });

const rounds: Timed[][] = [];
const loadBefore = loadavg()[0] ?? 0;
for (let round = 0; round < Number(values.rounds); round++) rounds.push(await playMix());
report(rounds);
await app.close();
agent.destroy();
await database.close();
await server.leave();
if (!values.keep) rmSync(dataDir, { recursive: true, force: true });

/** A page of a list; the search of everything answers with one of listings and one of SKUs. */
interface Page {
  readonly total: number;
  readonly rows?: unknown[];
  readonly skus?: unknown[];
}

interface Timed {
  readonly request: ListRequest;
  readonly milliseconds: number;
}

/** Each client takes the next request as soon as it has its answer. */
async function playMix(): Promise<Timed[]> {
  const timed: Timed[] = [];
  const waiting = [...mix];
  const play = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      timed.push({ request: next, milliseconds: await ask(next) });
    }
  };
  await Promise.all(Array.from({ length: clients }, play));
  return timed;
}

/** @returns milliseconds from the request to the last byte of its answer */
async function ask(request: ListRequest): Promise<number> {
  const key = JSON.stringify([request.path, request.query]);
  const started = performance.now();
  const body = await fetchText(addressOf(request, totals.get(key) ?? 0));
  const milliseconds = performance.now() - started;
  const answer: Page & { listings?: Page } = JSON.parse(body);
  const { total, rows = answer.skus ?? [] } = answer.listings ?? answer;
  totals.set(key, total);
  if (total > 0 && rows.length === 0 && (request.page === 1 || request.page === 'last')) {
    throw new Error(`An empty page of ${total} rows: ${key}`);
  }
  return milliseconds;
}

function fetchText(path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    get({ port, host: '127.0.0.1', path, agent, headers: { cookie } }, (answer) => {
      let body = '';
      answer.setEncoding('utf8').on('data', (piece: string) => {
        body += piece;
      });
      answer.on('end', () =>
        answer.statusCode === 200 ? resolve(body) : reject(new Error(`${answer.statusCode} ${path} ${body}`)),
      );
    }).on('error', reject);
  });
}

async function logIn(): Promise<string> {
  const email = 'bench@example.com';
  const password = 'nine purple cats dance';
  const headers = { host: `127.0.0.1:${port}`, 'sec-fetch-site': 'same-origin' };
  const person = { username: email, email, password, fullName: 'Bench', phoneNumber: '1' };
  const first = await app.inject({ method: 'POST', url: '/api/register', headers, payload: person });
  const answer =
    first.cookies.length > 0
      ? first
      : await app.inject({
          method: 'POST',
          url: '/api/login',
          headers,
          payload: { username: email, password, twoFactorToken: '' },
        });
  const [session] = answer.cookies;
  if (!session) throw new Error(`No session: ${answer.body}`);
  return `${session.name}=${session.value}`;
}

function report(all: readonly Timed[][]): void {
  const count = shop.listings.toLocaleString('en-US');
  const past = (shop.listings * shop.movesEach).toLocaleString('en-US');
  console.log(
    `\n${count} listings, ${past} price changes, ${clients} client(s), ${mix.length} requests a round, ` +
      `load ${loadBefore.toFixed(1)} to ${(loadavg()[0] ?? 0).toFixed(1)}`,
  );
  const lists = ['sort', 'filter', 'search'];
  printTable(
    'listings, any sort, filter, search, page',
    percentiles(({ kind }) => lists.includes(kind), 100),
  );
  for (const kind of [...lists, 'find', 'history', 'skus']) {
    const goal = { skus: 100, find: 300 }[kind];
    printTable(
      kind,
      percentiles((one) => one.kind === kind, goal),
    );
  }
  const slowest = all.flat().toSorted((a, b) => b.milliseconds - a.milliseconds);
  for (const { request, milliseconds } of slowest.slice(0, Number(values.slowest))) {
    console.log(
      milliseconds.toFixed(0).padStart(6),
      request.path,
      JSON.stringify(request.query),
      request.page,
    );
  }

  function percentiles(belongs: (request: ListRequest) => boolean, goal?: number): Line[] {
    return [50, 95, 99].map((percent) => ({
      name: `p${percent}`,
      spread: spreadOf(
        all.map((round) =>
          percentileOf(
            round.filter(({ request }) => belongs(request)),
            percent,
          ),
        ),
      ),
      unit: 'ms',
      ...(percent === 95 && goal !== undefined && { goal: { atMost: goal } }),
    }));
  }
}

function percentileOf(timed: readonly Timed[], percent: number): number {
  const sorted = timed.map(({ milliseconds }) => milliseconds).toSorted((a, b) => a - b);
  return sorted[Math.ceil((percent / 100) * sorted.length) - 1] ?? Number.NaN;
}
