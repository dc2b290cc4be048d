import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { openDatabase } from '#db/client.ts';
import { notify } from '#db/listen.ts';
import { asMany, IS_ALL } from '#tests/support/breadth.ts';
import { newFilledFolder, serverPid } from '#tests/support/embedded-folder.ts';
import { startS3Stub } from '#tests/support/s3-stub.ts';
import { newScratchFolder } from '#tests/support/scratch-folder.ts';
import { openStopping, type StopRound } from '#tests/support/stop-rounds.ts';
import { aRegistration } from '#tests/support/test-app.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';
import { sealSecret, secretKeyOf } from '#usecases/identity/encryption/secret-box.ts';

/** A started program: its output so far, and how it ended. */
type Program = {
  readonly child: ChildProcess;
  readonly text: () => string;
  readonly ended: Promise<unknown[]>;
};

let database: TestDatabase;
let dataDir: string;
const programs: Program[] = [];
/** For a program with the embedded database. */
const NO_SERVER = { DATABASE_URL: '', DATABASE_OWNER_URL: '' };
beforeEach(async () => {
  database = await createTestDatabase();
  dataDir = await newScratchFolder('main');
});
afterEach(async () => {
  for (const { child, ended } of programs.splice(0)) {
    child.kill('SIGKILL');
    await ended;
  }
  await database.drop();
  await rm(dataDir, { recursive: true });
});

function start(args: string[], env: Record<string, string | undefined> = {}): Program {
  const child = spawn(process.execPath, [join(inject('testPrograms'), 'main.js'), ...args], {
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      PRICEWRIGHT_DATA: dataDir,
      DATABASE_URL: database.url,
      DATABASE_OWNER_URL: database.ownerUrl,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (part) => {
      text += part;
    });
  const program = { child, text: () => text, ended: once(child, 'close') };
  programs.push(program);
  return program;
}

/** Waits until the program has printed something; fails when it ends before. */
async function printed({ child, text, ended }: Program, pattern: RegExp): Promise<RegExpExecArray> {
  for (;;) {
    const match = pattern.exec(text());
    if (match) return match;
    const over = await Promise.race([
      ended,
      once(child.stdout ?? child, 'data'),
      once(child.stderr ?? child, 'data'),
    ]);
    if (child.exitCode !== null && over) throw new Error(`ended without ${pattern}:\n${text()}`);
  }
}
const addressOf = async (program: Program) => (await printed(program, /is ready: (http:\S+)/))[1] ?? '';

async function register(origin: string, email = 'boss@example.com'): Promise<Response> {
  const headers = { 'content-type': 'application/json', origin };
  return fetch(`${origin}/api/register`, {
    method: 'POST',
    headers,
    body: JSON.stringify(aRegistration({ email })),
  });
}

test('the program starts, registers its administrator, and stops in good order with streams open; the next start knows them', async () => {
  const program = start([]);
  const origin = await addressOf(program);
  await printed(program, /First start: .+register/);
  await printed(program, /\/auth\?setup=[\w-]{43}\n/);
  const answer = await register(origin);
  expect(await answer.json()).toMatchObject({ role: 'admin', approved: true });
  const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? '';
  const user = await fetch(`${origin}/api/user`, { headers: { cookie } });
  expect(await user.json()).toMatchObject({ username: 'boss@example.com' });
  expect(await (await fetch(`${origin}/readyz`)).json()).toMatchObject({ ready: true });
  const stream = await fetch(`${origin}/api/events`, { headers: { cookie } });
  const { db, close } = openDatabase(database.url);
  await notify(db, 'pricewright_listings', [7, 9]);
  await close();
  const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
  let reported = '';
  while (!reported.includes('changed')) reported += (await reader?.read())?.value ?? '';
  expect(reported).toBe(
    'data: {"kind":"resync"}\n\ndata: {"kind":"changed","topic":"listings","ids":["7","9"]}\n\n',
  );
  program.child.kill('SIGTERM');
  expect(await program.ended).toEqual([0, null]);
  expect(await reader?.read()).toMatchObject({ done: true });
  const second = start(['serve']);
  await printed(second, /Stop with Ctrl\+C/);
  expect(second.text()).not.toContain('setup=');
  const late = await register(await addressOf(second), 'late@example.com');
  expect(await late.json()).toMatchObject({ role: 'user', approved: false });
  second.child.kill('SIGINT');
  expect(await second.ended).toEqual([0, null]);
});

/** The tests of faults and of signals start it too. */
test.runIf(IS_ALL)('without DATABASE_URL the program starts its own database', async () => {
  const program = start([], NO_SERVER);
  const origin = await addressOf(program);
  expect((await fetch(`${origin}/readyz`)).status).toBe(200);
  program.child.kill('SIGTERM');
  expect(await program.ended).toEqual([0, null]);
});

test('an administrator is made from the command line, while a server is running', async () => {
  const server = start(['serve'], { HOST: '0.0.0.0', PRICEWRIGHT_INSECURE_HTTP: '1' });
  const [, port] = await printed(server, /is ready: http:\/\/\S+:(\d+)/);
  await printed(server, /WARNING: PRICEWRIGHT_INSECURE_HTTP=1/);
  const answer = await register(`http://127.0.0.1:${port}`);
  expect(await answer.json()).toMatchObject({ role: 'user', approved: false });
  if (IS_ALL) {
    const unknown = start(['users', 'approve', 'unknown@example.com']);
    expect(await unknown.ended).toEqual([1, null]);
  }
  const approve = start(['users', 'approve', 'boss@example.com', '--admin']);
  expect(await approve.ended).toEqual([0, null]);
  expect(approve.text()).toBe('boss@example.com can log in and is an administrator.\n');
  if (IS_ALL) {
    const list = start(['users', 'list']);
    await list.ended;
    expect(list.text()).toBe('boss@example.com\tadmin\tactive\tAnn Arbor\n');

    // A backup does not need the server to stop either.
    const backup = start(['backup', '--keep', '2']);
    expect(await backup.ended).toEqual([0, null]);
    const [file = ''] = await readdir(join(dataDir, 'backups'));
    expect(backup.text()).toContain(file);
    const restore = start(['restore', join(dataDir, 'backups', file), '--check']);
    expect(await restore.ended).toEqual([0, null]);
    await backUpIntoBucket();
  }
  const doctor = start(['doctor', '--json']);
  await doctor.ended;
  const { checks } = JSON.parse(doctor.text());
  const failed = checks.filter(({ status }: { status: string }) => status === 'error');
  // Its machine may have a full disk.
  expect(failed.filter(({ check }: { check: string }) => check !== 'disk')).toEqual([]);
});

async function backUpIntoBucket(): Promise<void> {
  const stub = await startS3Stub(() => Date.now());
  const env = {
    AWS_ACCESS_KEY_ID: stub.accessKeyId,
    AWS_SECRET_ACCESS_KEY: stub.secretAccessKey,
    AWS_REGION: stub.region,
    AWS_ENDPOINT_URL: stub.url,
  };
  const backup = start(['backup', '--to', 's3://backups/shop'], env);
  expect(await backup.ended).toEqual([0, null]);
  const [key = ''] = stub.objects.keys();
  expect(backup.text()).toContain(`s3://backups/${key} (`);
  const restore = start(['restore', `s3://backups/${key}`, '--check'], env);
  expect(await restore.ended).toEqual([0, null]);
  const guess = start(['restore', 's3://backups/shop', '--check'], env);
  expect(await guess.ended).toEqual([1, null]);
  expect(guess.text()).toContain(key);
  await stub.close();
}

/** Loaded with the program; at a signal it does what only a bug of ours would do. */
const atSignal = (error: string): string =>
  `--import=data:text/javascript,${encodeURIComponent(`process.on('SIGUSR2', () => { ${error} })`)}`;

const UNCAUGHT = [
  ['an error that is not caught', "throw new Error('out of the blue')"],
  ['a rejection that is not handled', "Promise.reject(new Error('out of the blue'))"],
] as const;
test.each(UNCAUGHT.slice(0, asMany(1, UNCAUGHT.length)))(
  '%s is logged and ends the program with 1: nothing goes on half broken',
  async (_, error) => {
    // With the embedded database, which is stopped too.
    const folder = await newFilledFolder();
    const env = { ...NO_SERVER, PRICEWRIGHT_DATA: folder.path };
    const program = start([], { NODE_OPTIONS: atSignal(error), ...env });
    const origin = await addressOf(program);
    program.child.kill('SIGUSR2');
    expect(await program.ended).toEqual([1, null]);
    expect(program.text()).toMatch(/"level":60.*"message":"out of the blue".*the process ends/);
    await expect(fetch(`${origin}/healthz`)).rejects.toThrow();
    expect(await serverPid(folder.cluster)).toBeNull();
    await folder.remove();
  },
);

test('a taken port is one sentence that says how to fix it', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const address = other.address();
  const port = typeof address === 'object' ? String(address?.port) : '';
  const program = start(['serve'], { PORT: port, LOG_LEVEL: 'silent' });
  expect(await program.ended).toEqual([1, null]);
  expect(program.text()).toBe(
    `Port ${port} of 127.0.0.1 is taken by another program. Stop that, or choose another port, such as PORT=${Number(port) + 1}.\n`,
  );
  other.close();
});

/** Each a start of the program; what it says to the others is held where the sentences are made. */
const REFUSED: readonly [string, string[], Record<string, string>, number, RegExp][] = [
  ['a wrong variable', [], { PORT: 'x', LOG_LEVEL: 'silent' }, 2, /^PORT must be a port number.*\n$/],
  [
    'a database that does not answer',
    ['work'],
    { ...NO_SERVER, DATABASE_URL: 'postgresql://me:hush@127.0.0.1:1/shop', LOG_LEVEL: 'silent' },
    1,
    /^The database of DATABASE_URL cannot be used: connect ECONNREFUSED 127\.0\.0\.1:1\.\n$/,
  ],
  ['a wrong word', ['server'], {}, 2, /^Usage: main\.js \[serve \| work \| users/],
  [
    'an environment in which certificates are not checked',
    ['serve'],
    { NODE_TLS_REJECT_UNAUTHORIZED: '0' },
    2,
    /NODE_TLS_REJECT_UNAUTHORIZED must not be set/,
  ],
];
test.each(REFUSED.slice(0, asMany(1, REFUSED.length)))(
  '%s is said plainly',
  async (_, args, env, code, message) => {
    const program = start(args, env);
    expect(await program.ended).toEqual([code, null]);
    expect(program.text()).toMatch(message);
    expect(program.text()).not.toContain('hush');
  },
);

test('a missing master key stops the start with instructions, and deleting what it encrypted allows the start', async () => {
  const { db, close } = openDatabase(database.url);
  const key = secretKeyOf(Buffer.alloc(32, 1));
  const record = sealSecret(key, 'app_settings/default/veeqoApiKey', 'vq');
  await db.execute(sql`UPDATE app_settings SET veeqo_api_key = ${record}`);
  await close();
  for (const kind of IS_ALL ? ['serve', 'work'] : ['serve']) {
    const program = start([kind], { LOG_LEVEL: 'silent' });
    expect(await program.ended).toEqual([1, null]);
    expect(program.text()).toBe(
      `Stored secrets are encrypted with a key that is not available (${key.id}). Set PRICEWRIGHT_SECRET_KEY to it, or restore secret.key in ${dataDir}. If it is lost, "pricewright keys forget --yes" removes those secrets; then start again and enter them again.\n`,
    );
  }
  if (IS_ALL) {
    const right = start(['serve'], { PRICEWRIGHT_SECRET_KEY: Buffer.alloc(32, 1).toString('hex') });
    await addressOf(right);
    const rotate = start(['keys', 'rotate'], {
      PRICEWRIGHT_SECRET_KEY: Buffer.alloc(32, 2).toString('hex'),
      PRICEWRIGHT_OLD_SECRET_KEYS: Buffer.alloc(32, 1).toString('hex'),
    });
    expect(await rotate.ended).toEqual([0, null]);
    expect(rotate.text()).toBe('1 secret encrypted with a new key.\n');
  }
  const forget = start(['keys', 'forget', '--yes']);
  expect(await forget.ended).toEqual([0, null]);
  expect(forget.text()).toMatch(/^\d secrets? removed\.\napp_settings\/default\/veeqoApiKey\n/);
  await addressOf(start(['serve']));
});

/**
 * How often each stop is tried: one signal under load once, all of them with `npm test -- --all`, and a number of times each by
 * hand.
 */
const STOPS = Number(process.env.PRICEWRIGHT_STOPS ?? process.env.PRICEWRIGHT_TEST_ALL ?? '0');
const BUSY = 60;
const KINDS: readonly StopRound[] = (['SIGTERM', 'SIGINT'] as const).flatMap((signal) => [
  { signal, to: 'group', clients: BUSY },
  { signal, to: 'group', clients: 0 },
]);
const USUAL: readonly StopRound[] = [{ signal: 'SIGTERM', to: 'group', clients: BUSY }];
const IN_ORDER = { end: 0, hasPostgres: false, unanswered: [] };
/** Its database stops at the same time: it may leave requests unanswered, but it ends in order, and no process may stay. */
const WITHOUT_DATABASE = { ...IN_ORDER, unanswered: expect.any(Array) };
const CONTROL_GROUP: StopRound = { signal: 'SIGTERM', to: 'control-group', clients: BUSY };
const ROUNDS: readonly StopRound[] =
  STOPS === 0 ? USUAL : [...KINDS, CONTROL_GROUP].flatMap((kind) => Array(STOPS).fill(kind));

test('a signal to the whole process group stops all of it gracefully: every request answered, no PostgreSQL left', {
  timeout: 300_000 + 60_000 * STOPS * KINDS.length,
}, async () => {
  const stopping = await openStopping();
  try {
    const counts: Record<string, { stops: number; underWay: number }> = {};
    for (const round of ROUNDS) {
      const { underWay, ...rest } = await stopping.round(round);
      expect({ round, ...rest }).toEqual({ round, ...(round.to === 'group' ? IN_ORDER : WITHOUT_DATABASE) });
      const kind = `${round.signal} to the ${round.to}, ${round.clients} clients`;
      const { stops = 0, underWay: before = 0 } = counts[kind] ?? {};
      counts[kind] = { stops: stops + 1, underWay: before + underWay };
    }
    if (STOPS > 0) console.log(counts);
    // Without a request that the signal met, "every one is answered" would say nothing.
    expect(counts[`SIGTERM to the group, ${BUSY} clients`]?.underWay).toBeGreaterThan(0);
  } finally {
    await stopping.remove();
  }
});
