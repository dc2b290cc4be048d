import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';
import { createAccountDeletions } from '#connectors/ebay/account-deletion.ts';
import { createVeeqo } from '#connectors/veeqo/veeqo.ts';
import { openWebhookSender } from '#connectors/webhook-receivers/open-webhook-sender.ts';
import type { RegisterPayload } from '#contract/session.ts';
import type { Db } from '#db/client.ts';
import { type Instant, instant } from '#domain/units.ts';
import { buildApp } from '#server/app.ts';
import type { AppDeps } from '#server/app-deps.ts';
import { createLiveStreams } from '#server/live-streams.ts';
import { createLogger } from '#server/logger.ts';
import { createPasswordHasher } from '#usecases/identity/accounts/password-hasher.ts';
import { configuredKey } from '#usecases/identity/encryption/secret-keys.ts';
import { type Connectors, openConnections } from '#usecases/marketplaces/connections/open-connections.ts';
import { recordCall } from './example-recorder.ts';
import { UNREACHABLE_PROVIDER } from './fake-identity-provider.ts';
import { openMemoryStore } from './memory-store.ts';
import { type RecordedQueue, recordedQueue } from './recorded-queue.ts';
import { borrowDatabase } from './recycled-database.ts';

export const PASSWORD = 'nine purple cats dance';

/** A registration form; the address is also the name, as the register screen sends it. */
export function aRegistration(over: Partial<RegisterPayload> = {}): RegisterPayload {
  const email = over.email ?? 'ann@example.com';
  return {
    username: email,
    email,
    password: PASSWORD,
    fullName: 'Ann Arbor',
    phoneNumber: '+1 555 0100',
    ...over,
  };
}

export type TestApp = {
  readonly app: FastifyInstance;
  readonly db: Db;
  /** Of the same database. */
  readonly url: string;
  /** What was sent to the queue; nothing runs automatically. */
  readonly queue: RecordedQueue;
  readonly deps: AppDeps;
  readonly log: string[];
  /** Moves the clock by so many milliseconds. */
  advance(by: number): void;
  /** A POST as our own pages send it. */
  post(url: string, payload?: object, over?: InjectOptions): Promise<LightMyRequestResponse>;
  get(url: string, cookie?: string): Promise<LightMyRequestResponse>;
  /** Registers the first administrator, from the machine itself; answers with the cookie. */
  admin(): Promise<string>;
  logIn(username: string, password?: string): Promise<string>;
  close(): Promise<void>;
};

/** "name=value" of the session cookie that an answer sets. */
export function cookieOf(answer: LightMyRequestResponse): string {
  const [cookie] = answer.cookies;
  if (!cookie) throw new Error(`no cookie in ${answer.statusCode} ${answer.body}`);
  return `${cookie.name}=${cookie.value}`;
}

/** argon2's least. Tests of the strength itself hand in the program's own hasher. */
const WEAK = { memoryCost: 8, timeCost: 1, parallelism: 1 };

/** What a test brings itself, and the marketplaces that can be called: none unless it brings them. */
type Given = Partial<AppDeps> & { readonly connectors?: Connectors };

/** The whole app on an empty database of its own, with a fixed clock and weak hashes. */
export async function createTestApp({ connectors = {}, ...over }: Given = {}): Promise<TestApp> {
  const database = await borrowDatabase();
  const { db } = database.open;
  let now = Date.UTC(2026, 0, 15, 12);
  const queue = recordedQueue();
  const lines: string[] = [];
  const log = createLogger('debug', { write: (line) => lines.push(line) });
  const secrets = over.secrets ?? configuredKey(Buffer.alloc(32, 7));
  const clock = (): Instant => instant(now);
  const deps: AppDeps = {
    db,
    log,
    queue,
    connections: openConnections({ db, secrets, now: clock }, connectors),
    passwords: createPasswordHasher(WEAK),
    // Nothing answers there: tests about Veeqo have their own server.
    identityProvider: UNREACHABLE_PROVIDER,
    inventory: createVeeqo({ baseUrl: 'http://127.0.0.1:9' }),
    marketplaceEvents: {},
    accountDeletions: createAccountDeletions({ baseUrl: 'http://127.0.0.1:9' }),
    webhookSender: openWebhookSender(),
    secrets,
    now: clock,
    sessionClock: over.now ?? clock,
    liveStreams: createLiveStreams(log),
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
    backups: { isOnByDefault: true, defaultFolder: '/data/backups', hasEnvironmentPassphrase: false },
    openStore: openMemoryStore(),
    usesTestAddresses: false,
    home: () => 'http://127.0.0.1:5000',
    sendsEmail: false,
    ...over,
  };
  const app = await buildApp(deps);
  const inject = async (request: InjectOptions): Promise<LightMyRequestResponse> => {
    const answer = await app.inject(request);
    recordCall(app.declaredRoutes, request, answer);
    return answer;
  };
  const post: TestApp['post'] = (url, payload, { headers, ...rest } = {}) =>
    inject({
      method: 'POST',
      url,
      ...(payload ? { payload } : {}),
      ...rest,
      headers: { host: '127.0.0.1:5000', 'sec-fetch-site': 'same-origin', ...headers },
    });
  return {
    app,
    db,
    url: database.url,
    queue,
    deps,
    log: lines,
    advance: (by) => {
      now += by;
    },
    post,
    get: (url, cookie) => inject({ url, headers: cookie === undefined ? {} : { cookie } }),
    admin: async () => cookieOf(await post('/api/register', aRegistration({ email: 'boss@example.com' }))),
    logIn: async (username, password = PASSWORD) =>
      cookieOf(await post('/api/login', { username, password, twoFactorToken: '' })),
    close: async () => {
      await app.close();
      await database.giveBack();
    },
  };
}
