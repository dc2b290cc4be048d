import { sql } from 'drizzle-orm';
import type { LightMyRequestResponse } from 'fastify';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { aReadyUser, callAs } from '#tests/support/people.ts';
import { createTestApp, PASSWORD, type TestApp } from '#tests/support/test-app.ts';

const ANN = 'ann@example.com';
const CHOSEN = 'eleven quiet owls listen';

let shop: TestApp;
let admin: string;
let origin: string;
let ann: string;
beforeEach(async () => {
  shop = await createTestApp();
  admin = await shop.admin();
  ann = await aReadyUser(shop, ANN);
  origin = await shop.app.listen({ port: 0, host: '127.0.0.1' });
});
afterEach(() => shop.close());

/** Somebody's browser: signed in, with a stream open. */
interface Browser {
  readonly cookie: string;
  /** Everything the stream said, once it has ended. */
  readonly heard: Promise<string>;
  close(): void;
}

async function browserOf(email: string, cookie?: string): Promise<Browser> {
  const own = cookie ?? (await shop.signIn(email));
  const abort = new AbortController();
  const stream = await fetch(`${origin}/api/events`, { headers: { cookie: own }, signal: abort.signal });
  expect(stream.status).toBe(200);
  const heard = stream.text();
  // Whoever closes the browser is not interested any more.
  heard.catch(() => undefined);
  return { cookie: own, heard, close: () => abort.abort() };
}

/** What happens to Ann's account, and which of her browsers it leaves signed in: it is done from the first. */
interface Event {
  readonly name: string;
  readonly prepare?: () => Promise<unknown>;
  readonly happen: (own: Browser) => Promise<LightMyRequestResponse>;
  readonly leaves: 'none' | 'the other';
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
        ...{ username: ANN, password: PASSWORD, newPassword: CHOSEN },
      }),
    leaves: 'none',
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
];

async function statusOf({ cookie }: Browser): Promise<number> {
  return (await shop.get('/api/user', cookie)).statusCode;
}

describe.each(EVENTS)('$name', ({ prepare, happen, leaves }) => {
  test('ends the sessions and streams of that account, at once, and nobody else’s', async () => {
    const [own, other, boss] = [await browserOf(ANN), await browserOf(ANN), await browserOf('boss', admin)];
    await prepare?.();
    expect((await happen(own)).statusCode).toBe(200);

    const ended = leaves === 'none' ? [own, other] : [own];
    for (const browser of ended) {
      // Told so, and not by the heartbeat, which nobody has called.
      expect(await browser.heard).toMatch(/data: \{"kind":"signedOut"\}\n\n$/);
      expect(await statusOf(browser)).toBe(401);
      expect((await fetch(`${origin}/api/events`, { headers: { cookie: browser.cookie } })).status).toBe(401);
    }
    const left = leaves === 'none' ? [boss] : [other, boss];
    for (const browser of left) expect(await statusOf(browser)).toBe(200);
    expect(shop.deps.liveStreams.count).toBe(left.length);
    for (const browser of left) browser.close();
  });

  test('ends nothing when it cannot be written down: it is one transaction', async () => {
    const own = await browserOf(ANN);
    await prepare?.();
    await shop.db.execute(sql`create function refuse() returns trigger language plpgsql
      as 'begin raise exception ''no audit log today''; end'`);
    await shop.db.execute(
      sql`create trigger refuse before insert on audit_log for each row execute function refuse()`,
    );
    const user = JSON.stringify((await shop.db.execute(sql`select * from users where id = ${ann}`)).rows);
    expect((await happen(own)).statusCode).toBe(500);
    expect(await statusOf(own)).toBe(200);
    expect(JSON.stringify((await shop.db.execute(sql`select * from users where id = ${ann}`)).rows)).toBe(
      user,
    );
    expect(shop.deps.liveStreams.count).toBe(1);
    own.close();
  });
});

test('role and approval count from the next request, whoever changed them', async () => {
  await write(sql`role = 'admin'`);
  const cookie = await shop.signIn(ANN);
  expect((await shop.get('/api/users', cookie)).statusCode).toBe(200);
  await write(sql`role = 'user'`);
  expect((await shop.get('/api/users', cookie)).statusCode).toBe(403);
  expect((await shop.get('/api/stats', cookie)).statusCode).toBe(200);
  await write(sql`approved = false`);
  expect((await shop.get('/api/stats', cookie)).statusCode).toBe(401);
});
