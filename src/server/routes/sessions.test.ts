import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Session } from '#contract/sessions.ts';
import { findUserByEmail } from '#db/queries/identity/users.ts';
import { listenAs } from '#tests/support/listening-browser.ts';
import { aReadyUser, callAs } from '#tests/support/people.ts';
import { cookieOf, createTestApp, PASSWORD, type TestApp } from '#tests/support/test-app.ts';

const MINUTE = 60_000;
const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) Version/17.5 Mobile/15E148 Safari/604.1';
const LAPTOP = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:128.0) Gecko/20100101 Firefox/128.0';

let shop: TestApp;
let boss: string;
let annId: string;
beforeEach(async () => {
  shop = await createTestApp();
  boss = await shop.admin();
  annId = await aReadyUser(shop, 'ann@example.com');
});
afterEach(() => shop.close());

/** Logs Ann in with a browser of her own. @returns its cookie */
async function annWith(userAgent: string, remoteAddress = '198.51.100.7'): Promise<string> {
  const login = { username: 'ann@example.com', password: PASSWORD, twoFactorToken: '' };
  const headers = { 'user-agent': userAgent };
  return cookieOf(await shop.post('/api/login', login, { headers, remoteAddress }));
}

const sessionsOf = async (cookie: string): Promise<Session[]> =>
  (await shop.get('/api/sessions', cookie)).json();
const statusOf = async (cookie: string): Promise<number> => (await shop.get('/api/user', cookie)).statusCode;
const end = (cookie: string, id: string) => callAs(shop, cookie, 'DELETE', `/api/sessions/${id}`);

async function auditOf(action: string): Promise<unknown[]> {
  const { rows } = await shop.db.execute(
    sql`select actor, target_kind, target_id, before, after from audit_log where action = ${action}`,
  );
  return rows;
}

/** The ID of the session of a cookie. */
async function currentOf(cookie: string): Promise<string> {
  const current = (await sessionsOf(cookie)).find(({ isCurrent }) => isCurrent);
  if (current === undefined) throw new Error('A list without the session that asked for it.');
  return current.id;
}

test('the list shows where a user is logged in, this session first, and contains no token', async () => {
  const phone = await annWith(PHONE, '203.0.113.9');
  const loggedIn = new Date(shop.deps.now()).toISOString();
  shop.advance(5 * MINUTE);
  const laptop = await annWith(LAPTOP);
  const answer = await shop.get('/api/sessions', phone);
  expect(answer.json()).toEqual([
    {
      id: expect.any(String),
      startedAt: loggedIn,
      lastSeenAt: new Date(shop.deps.now()).toISOString(),
      address: '203.0.113.9',
      client: 'Safari on iPhone',
      isCurrent: true,
    },
    expect.objectContaining({ client: 'Firefox on Windows', address: '198.51.100.7', isCurrent: false }),
  ]);
  const { rows } = await shop.db.execute<{ token_hash: string }>(sql`select token_hash from sessions`);
  for (const { token_hash } of rows) expect(answer.body).not.toContain(token_hash);
  expect(await currentOf(laptop)).not.toBe(await currentOf(phone));
});

test('expired sessions are not shown', async () => {
  const old = await annWith(PHONE);
  const use = () => shop.get('/api/user', old);
  for (let n = 0; n < 23; n += 1) {
    shop.advance(59 * MINUTE);
    await use();
  }
  const resting = await annWith(LAPTOP);
  shop.advance(59 * MINUTE);
  expect((await use()).statusCode).toBe(200);
  // A day and half an hour after its login, and not an hour after its last use.
  shop.advance(59 * MINUTE);
  const fresh = await annWith(LAPTOP);
  const { rows } = await shop.db.execute(sql`select from sessions where user_id = ${annId}`);
  expect(rows).toHaveLength(3);
  expect(await sessionsOf(fresh)).toHaveLength(1);
  expect([await statusOf(old), await statusOf(resting)]).toEqual([401, 401]);
});

test('ending a session logs that browser out immediately, with its stream, and is logged', async () => {
  const phone = await annWith(PHONE, '203.0.113.9');
  const laptop = await annWith(LAPTOP);
  const { ended, stop } = await listenAs(shop, phone);
  expect((await end(laptop, await currentOf(phone))).statusCode).toBe(200);
  expect(await ended).toContain('signedOut');
  stop();
  expect([await statusOf(phone), await statusOf(laptop)]).toEqual([401, 200]);
  expect(await sessionsOf(laptop)).toHaveLength(1);
  expect(await auditOf('session.ended')).toEqual([
    {
      actor: 'ann@example.com',
      target_kind: 'user',
      target_id: annId,
      before: {
        client: 'Safari on iPhone',
        address: '203.0.113.9',
        startedAt: new Date(shop.deps.now()).toISOString(),
      },
      after: null,
    },
  ]);
});

test('a session of another user, an ended one, and an invalid ID get the same response', async () => {
  const ann = await annWith(LAPTOP);
  const over = await currentOf(await annWith(PHONE));
  await end(ann, over);
  const others = await currentOf(boss);
  const unknown = '00000000-0000-4000-8000-000000000000';
  const answers = [];
  for (const id of [others, over, unknown, 'x', '%00', "' or true --", '1'.repeat(90)]) {
    const answer = await end(ann, encodeURIComponent(decodeURIComponent(id)));
    const { requestId, ...said } = answer.json();
    answers.push({ status: answer.statusCode, ...said });
  }
  const notFound = { status: 404, code: 'not_found', message: 'This session has already ended.' };
  expect(answers).toEqual(answers.map(() => notFound));
  expect(await statusOf(boss)).toBe(200);
  expect(await auditOf('session.ended')).toHaveLength(1);
});

test('ending all others keeps this session and those of other users', async () => {
  const phone = await annWith(PHONE);
  const laptop = await annWith(LAPTOP);
  const third = await annWith(LAPTOP);
  const { ended, stop } = await listenAs(shop, phone);
  const endOthers = () => callAs(shop, laptop, 'POST', '/api/sessions/end-others');
  expect((await endOthers()).json()).toEqual({ ended: 2 });
  expect(await ended).toContain('signedOut');
  stop();
  const states = [await statusOf(phone), await statusOf(third), await statusOf(laptop), await statusOf(boss)];
  expect(states).toEqual([401, 401, 200, 200]);
  expect((await endOthers()).json()).toEqual({ ended: 0 });
  expect(await auditOf('session.others_ended')).toEqual([
    {
      actor: 'ann@example.com',
      target_kind: 'user',
      target_id: annId,
      before: { sessions: 2 },
      after: null,
    },
  ]);
});

test('an administrator sees the sessions of an account and ends them all', async () => {
  const phone = await annWith(PHONE);
  const laptop = await annWith(LAPTOP);
  const listed = (await shop.get(`/api/users/${annId}/sessions`, boss)).json();
  expect(listed).toMatchObject([{ isCurrent: false }, { isCurrent: false }]);
  const endAll = () => callAs(shop, boss, 'DELETE', `/api/users/${annId}/sessions`);
  const { ended, stop } = await listenAs(shop, phone);
  expect((await endAll()).json()).toEqual({ ended: 2 });
  expect(await ended).toContain('signedOut');
  stop();
  expect([await statusOf(phone), await statusOf(laptop), await statusOf(boss)]).toEqual([401, 401, 200]);
  expect((await endAll()).json()).toEqual({ ended: 0 });
  expect(await auditOf('user.sessions_ended')).toEqual([
    {
      actor: 'boss@example.com',
      target_kind: 'user',
      target_id: annId,
      before: { username: 'ann@example.com' },
      after: { endedSessions: 2 },
    },
  ]);
});

test('ending the sessions of others requires a recent password of an administrator', async () => {
  const ann = await annWith(LAPTOP);
  const bossId = (await findUserByEmail(shop.db, 'boss@example.com'))?.id;
  expect((await shop.get(`/api/users/${bossId}/sessions`, ann)).statusCode).toBe(403);
  expect((await callAs(shop, ann, 'DELETE', `/api/users/${bossId}/sessions`)).statusCode).toBe(403);
  shop.advance(11 * MINUTE);
  const late = await callAs(shop, boss, 'DELETE', `/api/users/${annId}/sessions`);
  expect(late.json()).toMatchObject({ code: 'step_up_required' });
  expect(await statusOf(ann)).toBe(200);
  expect((await shop.get(`/api/users/${annId}/sessions`, boss)).statusCode).toBe(200);
});

test('the sessions of an unknown account are not found', async () => {
  for (const id of ['x', '00000000-0000-4000-8000-000000000000']) {
    expect((await shop.get(`/api/users/${id}/sessions`, boss)).json()).toMatchObject({ code: 'not_found' });
    expect((await callAs(shop, boss, 'DELETE', `/api/users/${id}/sessions`)).statusCode).toBe(404);
  }
});

test('users change their own name and phone number, with the checks of the registration', async () => {
  const ann = await annWith(LAPTOP);
  const edit = (body: object) => callAs(shop, ann, 'PUT', '/api/account/profile', body);
  const wanted = { fullName: '  Ann Harbor ', phoneNumber: ' +1 555 0199 ' };
  expect((await edit(wanted)).json()).toMatchObject({
    email: 'ann@example.com',
    fullName: 'Ann Harbor',
    phoneNumber: '+1 555 0199',
  });
  expect((await shop.get('/api/user', ann)).json()).toMatchObject({ fullName: 'Ann Harbor' });
  await edit(wanted);
  const before = { fullName: 'Ann Arbor', phoneNumber: '+1 555 0100' };
  const after = { fullName: 'Ann Harbor', phoneNumber: '+1 555 0199' };
  const row = { actor: 'ann@example.com', target_kind: 'user', target_id: annId, before, after };
  expect(await auditOf('user.profile_edited')).toEqual([row]);
});

test('a number from before the checks stays when the name is changed', async () => {
  const ann = await annWith(LAPTOP);
  await shop.db.execute(sql`update users set phone_number = 'abc' where id = ${annId}`);
  const answer = await callAs(shop, ann, 'PUT', '/api/account/profile', { fullName: 'Ann Harbor' });
  expect(answer.json()).toMatchObject({ fullName: 'Ann Harbor', phoneNumber: 'abc' });
});

test('no empty value, role or other address is a change of a profile', async () => {
  const ann = await annWith(LAPTOP);
  for (const [what, body, field] of [
    ['an empty name', { fullName: ' ', phoneNumber: '+1 555 0199' }, 'fullName'],
    ['an empty phone number', { fullName: 'Ann', phoneNumber: '' }, 'phoneNumber'],
    ['a phone number of letters', { fullName: 'Ann', phoneNumber: 'abc' }, 'phoneNumber'],
    ['a role', { fullName: 'Ann', phoneNumber: '+1 555 0199', role: 'admin' }, null],
    ['another address', { fullName: 'Ann', phoneNumber: '+1 555 0199', email: 'boss2@example.com' }, null],
  ] as const) {
    const answer = await callAs(shop, ann, 'PUT', '/api/account/profile', body);
    expect(answer.statusCode, what).toBe(400);
    if (field !== null) expect(answer.json().fields, what).toHaveProperty(field);
    expect(await findUserByEmail(shop.db, 'ann@example.com')).toMatchObject({
      fullName: 'Ann Arbor',
      role: 'user',
    });
  }
});
