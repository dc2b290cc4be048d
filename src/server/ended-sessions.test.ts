import { sql } from 'drizzle-orm';
import type { LightMyRequestResponse } from 'fastify';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { aToken, callWith } from '#tests/support/api-tokens.ts';
import { asMany } from '#tests/support/breadth.ts';
import { aReadyUser, callAs } from '#tests/support/people.ts';
import { cookieOf, createTestApp, PASSWORD, type TestApp } from '#tests/support/test-app.ts';
import { asOwner } from '#tests/support/test-database.ts';
import { codeOf, enrolAs, loginWith, ownCall, startAs } from '#tests/support/two-factor.ts';

const ANN = 'ann@example.com';
const CHOSEN = 'eleven quiet owls listen';

let shop: TestApp;
let admin: string;
let origin: string;
let ann: string;
/** The secret of Ann's authenticator app, where she has one. */
let secret: string;
beforeEach(async () => {
  shop = await createTestApp();
  admin = await shop.admin();
  ann = await aReadyUser(shop, ANN);
  origin = await shop.app.listen({ port: 0, host: '127.0.0.1' });
});
afterEach(() => shop.close());

/** A user's browser: logged in, with an open event stream. */
interface Browser {
  readonly cookie: string;
  /** All events of the stream, once it has ended. */
  readonly received: Promise<string>;
  close(): void;
}

async function browserOf(email: string, cookie?: string): Promise<Browser> {
  const own = cookie ?? (await shop.logIn(email));
  const abort = new AbortController();
  const stream = await fetch(`${origin}/api/events`, { headers: { cookie: own }, signal: abort.signal });
  expect(stream.status).toBe(200);
  const received = stream.text();
  // Not needed if the browser is closed.
  received.catch(() => undefined);
  return { cookie: own, received, close: () => abort.abort() };
}

/** What happens to Ann's account, and which of her browsers stay logged in: it is done from the first. */
interface Event {
  readonly name: string;
  /** Before she logs in, and how she does. */
  readonly arrange?: () => Promise<unknown>;
  readonly logIn?: () => Promise<string>;
  /** While she is logged in. */
  readonly prepare?: (own: Browser) => Promise<unknown>;
  readonly happen: (own: Browser) => Promise<LightMyRequestResponse>;
  readonly leaves: 'none' | 'the other';
  /** The browser it was done from gets another token and reopens its stream. */
  readonly goesOn?: true;
}

const onAnn = (method: 'PUT' | 'DELETE', verb: string, body?: object) =>
  callAs(shop, admin, method, `/api/users/${ann}${verb}`, body);
const write = (change: ReturnType<typeof sql>) =>
  shop.db.execute(sql`update users set ${change} where id = ${ann}`);

const EVENTS: readonly Event[] = [
  {
    name: 'logout',
    happen: ({ cookie }) => callAs(shop, cookie, 'POST', '/api/logout'),
    leaves: 'the other',
  },
  {
    name: 'a password of her own choice',
    happen: ({ cookie }) =>
      callAs(shop, cookie, 'POST', '/api/change-password', {
        username: ANN,
        password: PASSWORD,
        newPassword: CHOSEN,
      }),
    leaves: 'none',
    goesOn: true,
  },
  {
    name: 'an administrator’s reset',
    happen: () => onAnn('PUT', '/reset-password', { newPassword: CHOSEN }),
    leaves: 'none',
  },
  {
    name: 'a higher role',
    happen: () => onAnn('PUT', '/role', { role: 'admin' }),
    leaves: 'none',
  },
  {
    name: 'a lower role',
    prepare: () => write(sql`role = 'admin'`),
    happen: () => onAnn('PUT', '/role', { role: 'user' }),
    leaves: 'none',
  },
  {
    name: 'removal, which is rejection too',
    happen: () => onAnn('DELETE', ''),
    leaves: 'none',
  },
  {
    name: 'a withdrawn approval',
    happen: () => onAnn('PUT', '/withdraw-approval'),
    leaves: 'none',
  },
  {
    name: 'a second factor that an administrator switches off',
    prepare: () => write(sql`two_factor_enabled = true`),
    happen: () => onAnn('PUT', '/disable-2fa'),
    leaves: 'none',
  },
  {
    name: 'a second factor that she sets up',
    prepare: async ({ cookie }) => {
      secret = await startAs(shop, cookie);
    },
    happen: ({ cookie }) => ownCall(shop, cookie, 'confirm', { code: codeOf(shop, secret) }),
    leaves: 'none',
    goesOn: true,
  },
  {
    name: 'a second factor that she turns off',
    arrange: async () => {
      ({ secret } = await enrolAs(shop, await shop.logIn(ANN)));
    },
    logIn: async () => {
      const cookie = cookieOf(await loginWith(shop, ANN, codeOf(shop, secret)));
      // A code works once.
      shop.advance(30_000);
      return cookie;
    },
    happen: ({ cookie }) =>
      ownCall(shop, cookie, 'disable', { password: PASSWORD, code: codeOf(shop, secret) }),
    leaves: 'none',
    goesOn: true,
  },
];

async function statusOf(cookie: string): Promise<number> {
  return (await shop.get('/api/user', cookie)).statusCode;
}

/** Ann's stored account, except for the code that was tried: it is used up in any case. */
async function storedAnn(): Promise<string> {
  const { rows } = await shop.db.execute(
    sql`select to_jsonb(users) - 'two_factor_last_step' as ann from users where id = ${ann}`,
  );
  return JSON.stringify(rows);
}

/** What cannot be committed is tried with every fourth of them, and with all by --all: one transaction is behind each. */
const tried = EVENTS.map((event, at) => ({ ...event, isRefused: at % asMany(4, 1) === 0 }));

describe.each(tried)('$name', ({ arrange, logIn = () => shop.logIn(ANN), prepare, happen, ...event }) => {
  test('ends the sessions and streams of that account immediately, and those of no other', async () => {
    await arrange?.();
    const own = await browserOf(ANN, await logIn());
    const other = await browserOf(ANN, await logIn());
    const boss = await browserOf('boss', admin);
    await prepare?.(own);
    const program = await aToken(shop, ANN);
    const answer = await happen(own);
    expect(answer.statusCode).toBe(200);
    // A token of a program ends where all sessions do; a logout is one browser's.
    const said = await callWith(shop, program, 'GET', '/api/stats');
    expect(said.json().code).toBe(event.leaves === 'none' ? 'token_invalid' : undefined);

    // With the response: the heartbeat would find them too, twenty seconds later.
    const left = event.leaves === 'none' ? [boss] : [other, boss];
    expect(shop.deps.liveStreams.count).toBe(left.length);
    const ended = event.leaves === 'none' ? [own, other] : [own];
    for (const browser of ended) {
      const isNotified = /data: \{"kind":"signedOut"\}\n\n$/.test(await browser.received);
      expect(isNotified).toBe(!(event.goesOn && browser === own));
      expect(await statusOf(browser.cookie)).toBe(401);
      expect((await fetch(`${origin}/api/events`, { headers: { cookie: browser.cookie } })).status).toBe(401);
    }
    if (event.goesOn) expect(await statusOf(cookieOf(answer))).toBe(200);
    for (const browser of left) expect(await statusOf(browser.cookie)).toBe(200);
    for (const browser of left) browser.close();
  });

  test.runIf(event.isRefused)(
    'ends nothing when the change cannot be committed: it is one transaction',
    async () => {
      await arrange?.();
      const own = await browserOf(ANN, await logIn());
      await prepare?.(own);
      await asOwner(
        shop.db,
        `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql
        AS 'BEGIN RAISE EXCEPTION ''no audit log today''; END';
      CREATE TRIGGER refuse BEFORE INSERT ON audit_log FOR EACH ROW EXECUTE FUNCTION refuse()`,
      );
      const before = await storedAnn();
      expect((await happen(own)).statusCode).toBe(500);
      expect(await statusOf(own.cookie)).toBe(200);
      expect(await storedAnn()).toBe(before);
      expect(shop.deps.liveStreams.count).toBe(1);
      own.close();
    },
  );
});

test('role and approval apply from the next request', async () => {
  await write(sql`role = 'admin'`);
  const cookie = await shop.logIn(ANN);
  expect((await shop.get('/api/users', cookie)).statusCode).toBe(200);
  await write(sql`role = 'user'`);
  expect((await shop.get('/api/users', cookie)).statusCode).toBe(403);
  expect((await shop.get('/api/stats', cookie)).statusCode).toBe(200);
  await write(sql`approved = false`);
  expect((await shop.get('/api/stats', cookie)).statusCode).toBe(401);
});
