import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { auditLog } from '#db/schema/audit.ts';
import { aRegistration, createTestApp, type TestApp } from '#tests/support/test-app.ts';
import { asOwner } from '#tests/support/test-database.ts';
import { approveUser } from '#usecases/identity/accounts/approve-by-operator.ts';

const MINUTE = 60_000;
let shop: TestApp;
let eve: string;
beforeEach(async () => {
  shop = await createTestApp();
  await shop.admin();
  await shop.post('/api/register', aRegistration({ email: 'eve@example.com' }));
  await approveUser(shop.deps, 'eve@example.com', false);
  eve = await shop.logIn('eve@example.com');
});
afterEach(() => shop.close());

async function refusals(): Promise<(typeof auditLog.$inferSelect)[]> {
  const rows = await shop.db.select().from(auditLog).orderBy(auditLog.id);
  return rows.filter(({ targetKind }) => targetKind === 'call');
}

describe('a denied request', () => {
  test('of a user without the role is logged with user, call, address and request ID', async () => {
    const answer = await shop.get('/api/settings', eve);
    expect(answer.statusCode).toBe(403);
    expect(await refusals()).toMatchObject([
      {
        action: 'access.refused',
        actor: 'eve@example.com',
        address: '127.0.0.1',
        targetKind: 'call',
        targetId: 'GET /api/settings',
        requestId: answer.headers['x-request-id'],
        after: { reason: 'You need administrator privileges to do this.' },
      },
    ]);
  });

  test('that is repeated is one row per minute, and the next one has the number of omitted ones', async () => {
    for (let time = 0; time < 5; time++) await shop.get('/api/settings', eve);
    expect(await refusals()).toHaveLength(1);
    shop.advance(MINUTE);
    await shop.get('/api/settings', eve);
    expect((await refusals()).at(-1)?.after).toMatchObject({ leftOut: 4 });
  });

  test('from very many addresses does not fill the disk', async () => {
    for (let place = 0; place < 80; place++) {
      const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' };
      const answer = await shop.post('/api/logout', {}, { headers, remoteAddress: `203.0.113.${place}` });
      expect(answer.statusCode).toBe(403);
    }
    expect(await refusals()).toHaveLength(60);
    // A flood of one kind does not affect other kinds.
    await shop.get('/api/settings', eve);
    expect((await refusals()).at(-1)?.action).toBe('access.refused');
  });

  test('is denied even if the row cannot be written', async () => {
    await asOwner(
      shop.db,
      "ALTER TABLE audit_log ADD CONSTRAINT shut CHECK (action <> 'access.refused') NOT VALID",
    );
    expect((await shop.get('/api/settings', eve)).statusCode).toBe(403);
    expect(shop.log.join('\n')).toContain('denied request could not be written');
  });

  test('of an administrator without the required second factor is logged', async () => {
    await shop.close();
    shop = await createTestApp({ requiresTwoFactor: true });
    const cookie = await shop.admin();
    const goLive = { marketplaces: ['walmart'], token: 'x' };
    expect((await shop.post('/api/engine/go-live', goLive, { headers: { cookie } })).statusCode).toBe(403);
    expect(await refusals()).toMatchObject([
      { action: 'access.refused', actor: 'boss@example.com', targetId: 'POST /api/engine/go-live' },
    ]);
  });

  test('of everyday kinds leaves no row: not logged in, not found, invalid input', async () => {
    await shop.get('/api/settings');
    await shop.get('/api/nothing', eve);
    await shop.post('/api/skus', { sku: '' }, { headers: { cookie: eve } });
    expect(await refusals()).toEqual([]);
  });
});

test('a request from another site is logged with the site', async () => {
  const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example', cookie: eve };
  await shop.post('/api/engine/halt', {}, { headers });
  expect(await refusals()).toMatchObject([
    { action: 'request.cross_site', actor: null, after: { origin: 'https://evil.example' } },
  ]);
});

test('a request with two Host headers is logged', async () => {
  const address = await shop.app.listen({ host: '127.0.0.1', port: 0 });
  const socket = connect(Number(new URL(address).port), '127.0.0.1');
  socket.end('GET /api/user HTTP/1.1\r\nHost: a.example\r\nHost: b.example\r\nConnection: close\r\n\r\n');
  socket.resume();
  await once(socket, 'close');
  expect((await refusals()).map(({ action }) => action)).toEqual(['request.two_hosts']);
});

test('a setup link that does not work is logged, without the link', async () => {
  const form = { ...aRegistration({ email: 'mallory@example.com' }), setupToken: 'x'.repeat(43) };
  expect((await shop.post('/api/register', form)).statusCode).toBe(403);
  const rows = await refusals();
  expect(rows).toMatchObject([{ action: 'setup_link.refused', targetId: 'POST /api/register' }]);
  expect(JSON.stringify(rows)).not.toMatch(/x{43}|mallory/);
});

test('an unexpected error is logged by its ID, without its text or stack', async () => {
  await asOwner(shop.db, 'ALTER TABLE saved_views RENAME TO stolen_views');
  const answer = await shop.get('/api/views?list=listings', eve);
  expect(answer.statusCode).toBe(500);
  const rows = await refusals();
  expect(rows).toMatchObject([
    { action: 'error.unexpected', actor: 'eve@example.com', requestId: answer.json().requestId },
  ]);
  expect(Object.keys(rows[0]?.after ?? {})).toEqual(['error']);
  expect(JSON.stringify(rows)).not.toMatch(/saved_views|at \w+ \(|SELECT/i);
});

describe('around accounts', () => {
  test('a wrong verification link, and a registration with a taken address, are logged', async () => {
    await shop.get(`/api/verify-email/${'y'.repeat(43)}`);
    await shop.post('/api/register', aRegistration({ email: 'eve@example.com' }));
    const rows = await shop.db.select().from(auditLog).orderBy(auditLog.id);
    expect(rows.slice(-2)).toMatchObject([
      { action: 'verification.failed', actor: null, targetId: null },
      { action: 'registration.refused', actor: null, targetKind: 'user', targetId: expect.any(String) },
    ]);
    expect(JSON.stringify(rows)).not.toMatch(/y{43}/);
  });

  test('a change that is rolled back leaves no row', async () => {
    await asOwner(
      shop.db,
      `CREATE FUNCTION too_late() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'too late'; END $$;
      CREATE CONSTRAINT TRIGGER too_late AFTER INSERT ON skus
        DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION too_late()`,
    );
    const sku = { sku: 'NEW', name: 'Mug', productCost: '4.20', weightOz: 12.5 };
    expect((await shop.post('/api/skus', sku, { headers: { cookie: eve } })).statusCode).toBe(500);
    const rows = await shop.db.select().from(auditLog);
    expect(rows.map(({ action }) => action)).not.toContain('sku.created');
  });
});
