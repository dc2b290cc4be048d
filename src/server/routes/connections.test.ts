import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ConnectorError } from '#connectors/connector-error.ts';
import type { ConnectionCheck, ConnectionList } from '#contract/connections.ts';
import { acquireLease } from '#db/queries/background/leases.ts';
import { finishSync, startSync, writePassedOver } from '#db/queries/marketplaces/sync/marketplace-syncs.ts';
import type { SyncKind } from '#domain/connections/sync-kinds.ts';
import { MARKETPLACES } from '#domain/marketplaces.ts';
import { hours, instant } from '#domain/units.ts';
import { type FakeConnector, fakeConnector } from '#tests/support/fake-connector.ts';
import { auditOf } from '#tests/support/read-back.ts';
import { type SettingsPage, settingsPage } from '#tests/support/settings-app.ts';
import { aRegistration, createTestApp, type TestApp } from '#tests/support/test-app.ts';
import { approveUser } from '#usecases/identity/accounts/approve-by-operator.ts';

const CANARY = 'canary-5up3r-s3cr3t';
const MICHAELS = { enabled: true, apiKey: CANARY };

let shop: TestApp;
let boss: string;
let page: SettingsPage;
let michaels: FakeConnector;
beforeEach(async () => {
  michaels = fakeConnector('michaels');
  shop = await createTestApp({
    connectors: { michaels: michaels.connector, amazon: fakeConnector('amazon').connector },
  });
  boss = await shop.admin();
  page = settingsPage(shop, boss);
});
afterEach(() => shop.close());

async function aMember(): Promise<string> {
  await shop.post('/api/register', aRegistration());
  await approveUser(shop.deps, 'ann@example.com', false);
  return shop.logIn('ann@example.com');
}

const save = async (over: Record<string, object>) => page.save(await page.withMarkets(over));
const check = (name = 'michaels', cookie = boss) =>
  shop.post(`/api/connections/${name}/check`, undefined, { headers: { cookie } });
async function list(cookie = boss): Promise<ConnectionList['marketplaces']> {
  return (await shop.get('/api/connections', cookie)).json<ConnectionList>().marketplaces;
}
const of = async (name: string, cookie = boss) =>
  (await list(cookie)).find(({ marketplace }) => marketplace === name);

describe('a test of a connection', () => {
  test('uses the stored credentials, reports the result, and stores it', async () => {
    await save({ michaels: MICHAELS });
    michaels.answer = async () => ({
      shopName: 'Mug Shop',
      notes: ['The key may only read.'],
      endsAt: instant(Date.UTC(2026, 1, 1)),
    });
    const answer = await check();
    expect(answer.statusCode, answer.body).toBe(200);
    expect(answer.json()).toEqual({
      success: true,
      error: null,
      shopName: 'Mug Shop',
      notes: ['The key may only read.'],
      endsAt: '2026-02-01T00:00:00.000Z',
      checkedAt: '2026-01-15T12:00:00.000Z',
      milliseconds: 0,
    });
    expect(michaels.asked.map(({ credentials }) => credentials)).toEqual([{ apiKey: CANARY }]);
    expect(await of('michaels')).toMatchObject({ priceChannel: 'read_only', lastCheck: answer.json() });
  });

  test('reports the day on which the secret ends that was entered, where the marketplace reports none', async () => {
    const keys = {
      sellerId: 'A2OURSELLER',
      lwaClientId: 'id',
      lwaClientSecret: CANARY,
      refreshToken: CANARY,
    };
    await save({ amazon: { enabled: true, ...keys, credentialExpiresAt: '2026-07-01' } });
    expect((await check('amazon')).json()).toMatchObject({
      success: true,
      endsAt: '2026-07-01T00:00:00.000Z',
    });
  });

  test('the next one replaces the last', async () => {
    await save({ michaels: MICHAELS });
    await check();
    shop.advance(60_000);
    michaels.answer = () => Promise.reject(new ConnectorError('key', 'Michaels does not take the key.'));
    expect((await check()).json()).toMatchObject({
      success: false,
      error: 'Michaels does not take the key.',
      shopName: null,
    });
    expect((await of('michaels'))?.lastCheck).toMatchObject({
      success: false,
      checkedAt: '2026-01-15T12:01:00.000Z',
    });
    expect(shop.log.join('')).toContain('Michaels does not take the key.');
  });

  test.each([
    ['nothing is stored', {}, /^No credentials are stored for Michaels\./],
    ['it is switched off', { ...MICHAELS, enabled: false }, 'Michaels is turned off in Settings.'],
  ])('makes no call while %s, and reports it', async (_, settings, error) => {
    await save({ michaels: settings });
    const { success, error: said } = (await check()).json<ConnectionCheck>();
    expect(success).toBe(false);
    expect(said).toMatch(error);
    expect(michaels.asked).toEqual([]);
    expect((await of('michaels'))?.lastCheck).toBeNull();
  });

  test('is deleted with its credentials, and not stored when they changed during the test', async () => {
    await save({ michaels: MICHAELS });
    await check();
    await save({ michaels: { apiKey: 'another' } });
    expect((await of('michaels'))?.lastCheck).toBeNull();
    michaels.answer = async () => {
      await save({ michaels: { apiKey: 'a third' } });
      return { shopName: 'Mug Shop', notes: [], endsAt: null };
    };
    expect((await check()).json()).toMatchObject({ success: true });
    expect((await of('michaels'))?.lastCheck).toBeNull();
  });

  test('one at a time for each marketplace', async () => {
    await save({ michaels: MICHAELS });
    let finish: () => void = () => undefined;
    const isRequested = new Promise<void>((requested) => {
      michaels.answer = () => {
        requested();
        return new Promise((resolve) => {
          finish = () => resolve({ shopName: null, notes: [], endsAt: null });
        });
      };
    });
    const first = check();
    await isRequested;
    expect((await check()).statusCode).toBe(409);
    expect((await check('etsy')).statusCode).toBe(200);
    finish();
    expect((await first).json()).toMatchObject({ success: true });
  });

  test('ends with the server', async () => {
    await save({ michaels: MICHAELS });
    const isRequested = new Promise<AbortSignal>((requested) => {
      michaels.answer = (_, signal) => {
        requested(signal);
        return new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new ConnectorError('time', 'It took too long.')));
        });
      };
    });
    const first = check();
    await isRequested;
    await Promise.all([shop.app.close(), first]);
    expect((await first).json()).toMatchObject({ success: false, error: 'It took too long.' });
  });

  test('an external text is shortened', async () => {
    await save({ michaels: MICHAELS });
    const long = 'x'.repeat(5_000);
    michaels.answer = async () => ({ shopName: long, notes: Array(50).fill(long), endsAt: null });
    const { shopName, notes } = (await check()).json<ConnectionCheck>();
    expect([shopName?.length, notes.length, notes[0]?.length]).toEqual([300, 10, 300]);
  });

  test('is for administrators, and only for known marketplaces', async () => {
    const ann = await aMember();
    expect((await check('michaels', ann)).statusCode).toBe(403);
    expect((await check('temu')).statusCode).toBeGreaterThanOrEqual(400);
    expect((await check('constructor')).statusCode).toBeLessThan(500);
  });
});

describe('a requested full sync', () => {
  const request = (name = 'michaels', cookie = boss) =>
    shop.post(`/api/connections/${name}/sync`, undefined, { headers: { cookie } });
  const syncOf = async (cookie = boss) => (await of('michaels', cookie))?.sync;
  const NOON = '2026-01-15T12:00:00.000Z';
  /** Syncs one kind, as a loop does it. */
  async function wasSynced(kind: SyncKind, problem: string | null): Promise<void> {
    const startedAt = shop.deps.now();
    await startSync(shop.db, 'michaels', kind, startedAt);
    await finishSync(shop.db, 'michaels', kind, {
      isWhole: problem === null,
      notes: problem === null ? ['Could not read the images.'] : [],
      startedAt,
      endedAt: instant(startedAt + 5_000),
      problem,
      counts: problem === null ? { read: 7 } : {},
    });
  }

  test('is pending until everything that the marketplace offers was synced, and requested once', async () => {
    await save({ michaels: MICHAELS });
    expect(await syncOf()).toEqual({ requestedAt: null, last: [] });
    const answer = await request();
    expect(answer.statusCode, answer.body).toBe(202);
    expect(answer.json()).toEqual({ requestedAt: NOON });
    shop.advance(1_000);
    await wasSynced('listings', null);
    expect((await request()).json()).toEqual({ requestedAt: NOON });
    expect((await syncOf())?.requestedAt).toBe(NOON);
    await wasSynced('sales', 'Michaels answers too slowly.');
    expect((await syncOf())?.requestedAt).toBeNull();
    expect(await auditOf(shop.db, 'marketplace.read_requested')).toHaveLength(1);
    shop.advance(1_000);
    expect((await request()).json()).toEqual({ requestedAt: '2026-01-15T12:00:02.000Z' });
  });

  test('shows every user what was synced and when, and administrators the errors', async () => {
    await wasSynced('listings', null);
    await wasSynced('sales', 'Michaels does not take the key.');
    const listings = {
      kind: 'listings',
      startedAt: NOON,
      endedAt: '2026-01-15T12:00:05.000Z',
      succeededAt: NOON,
      isRunning: false,
      counts: { read: 7 },
      problem: null,
      failed: false,
      notes: [],
    };
    const sales = { ...listings, kind: 'sales', succeededAt: null, counts: {}, failed: true };
    expect((await syncOf(await aMember()))?.last).toEqual([listings, sales]);
    expect((await syncOf())?.last).toEqual([
      { ...listings, notes: ['Could not read the images.'] },
      { ...sales, problem: 'Michaels does not take the key.' },
    ]);
  });

  test('names the rows that the last sync passed over, also to users', async () => {
    const rows = [
      { what: 'MUG-1', why: 'unreadable' as const, member: 'price', value: 'USD 5' },
      { what: 'MUG-2', why: 'no_sku' as const, member: null, value: null },
    ];
    await writePassedOver(shop.db, 'michaels', 'listings', rows);
    await writePassedOver(shop.db, 'walmart', 'listings', rows.slice(1));
    const answer = await shop.get('/api/connections/michaels/passed-over', await aMember());
    expect(answer.json()).toEqual({ rows: rows.map((row) => ({ kind: 'listings', ...row })) });
  });

  test('is running while a process holds the lease, and not after that died', async () => {
    await startSync(shop.db, 'michaels', 'listings', shop.deps.now());
    expect((await syncOf())?.last).toMatchObject([{ endedAt: null, isRunning: false }]);
    await acquireLease(shop.db, 'read:michaels', 'another process', hours(1));
    expect((await syncOf())?.last).toMatchObject([{ endedAt: null, isRunning: true }]);
  });

  test.each([
    ['nothing is stored', {}, 'Michaels is not connected. Save its credentials, then sync.'],
    ['it is switched off', { ...MICHAELS, enabled: false }, 'Michaels is turned off in Settings.'],
  ])('is refused while %s', async (_, settings, message) => {
    await save({ michaels: settings });
    const answer = await request();
    expect([answer.statusCode, answer.json().message]).toEqual([409, message]);
    expect((await syncOf())?.requestedAt).toBeNull();
  });

  test('is for administrators', async () => {
    await save({ michaels: MICHAELS });
    expect((await request('michaels', await aMember())).statusCode).toBe(403);
  });
});

describe('the list of connections', () => {
  test('has all six, with what each can do', async () => {
    const all = await list();
    expect(all.map(({ marketplace }) => marketplace)).toEqual([...MARKETPLACES]);
    expect(all.map(({ priceChannel, why, lastCheck }) => [priceChannel, why, lastCheck])).toEqual(
      Array(6).fill(['file', null, null]),
    );
    expect((await of('amazon'))?.capabilities).toMatchObject({
      competitors: 'offers',
      publishing: 'delayed',
    });
    expect((await of('etsy'))?.capabilities).toMatchObject({ competitors: 'none', publishing: 'immediate' });
  });

  test('shows every user how each is connected, and administrators the errors', async () => {
    await save({ michaels: MICHAELS, ebay: { enabled: true, certId: CANARY } });
    michaels.answer = () => Promise.reject(new ConnectorError('key', 'Michaels does not take the key.'));
    await check();
    const ann = await aMember();
    expect(await of('ebay')).toMatchObject({
      priceChannel: 'paused',
      why: 'eBay still needs: App ID and your authorization.',
    });
    expect(await of('ebay', ann)).toMatchObject({ priceChannel: 'paused', why: null });
    expect((await of('michaels'))?.lastCheck?.error).toBe('Michaels does not take the key.');
    expect((await of('michaels', ann))?.lastCheck).toMatchObject({ success: false, error: null, notes: [] });
    expect(JSON.stringify(await list())).not.toContain(CANARY);
  });
});
