import { afterAll, beforeAll, expect, test } from 'vitest';
import { SECRET_MASK } from '#contract/settings.ts';
import { readBackupSettings } from '#db/queries/background/backups.ts';
import { minutes } from '#domain/units.ts';
import { auditOf } from '#tests/support/read-back.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';

let shop: TestApp;
let cookie: string;
beforeAll(async () => {
  shop = await createTestApp();
  cookie = await shop.admin();
});
afterAll(() => shop.close());

const SCHEDULE = {
  isOn: true,
  timeOfDay: '02:30',
  keepDaily: 7,
  keepWeekly: 4,
  keepMonthly: 12,
  encrypts: true,
  folder: '/mnt/backups/',
};
const PASSPHRASE = 'five random words here';
const read = async () => (await shop.get('/api/backups', cookie)).json();
const put = (payload: object) => shop.post('/api/backups', payload, { method: 'PUT', headers: { cookie } });

test('the schedule is stored with its passphrase encrypted, which is never shown', async () => {
  const { version } = await read();
  expect(await read()).toMatchObject({ isOn: true, folder: '', passphrase: '', last: null, files: [] });
  const bare = await put({ ...SCHEDULE, passphrase: '', version });
  expect([bare.statusCode, Object.keys(bare.json().fields)]).toEqual([400, ['passphrase']]);
  const saved = await put({ ...SCHEDULE, passphrase: PASSPHRASE, version });
  expect(saved.json()).toMatchObject({ ...SCHEDULE, folder: '/mnt/backups', passphrase: SECRET_MASK });
  expect((await put({ ...SCHEDULE, passphrase: SECRET_MASK, version })).statusCode).toBe(409);
  const { passphrase } = await readBackupSettings(shop.db);
  const kept = await put({ ...SCHEDULE, passphrase: SECRET_MASK, version: version + 1 });
  expect(kept.statusCode).toBe(200);
  expect((await readBackupSettings(shop.db)).passphrase).toBe(passphrase);
  expect(passphrase).not.toContain(PASSPHRASE);
  expect(JSON.stringify(await auditOf(shop.db, 'backups.saved'))).not.toContain(PASSPHRASE);
});

test.each([
  ['folder', 'backups'],
  ['timeOfDay', '24:00'],
  ['keepDaily', 0],
  ['passphrase', 'too short'],
  ['passphrase', ' begins with a space'],
])('%s may not be %j', async (field, value) => {
  const { version } = await read();
  const answer = await put({ ...SCHEDULE, passphrase: SECRET_MASK, version, [field]: value });
  expect([answer.statusCode, Object.keys(answer.json().fields)]).toEqual([400, [field]]);
});

test('a backup that was asked for is under way, once', async () => {
  const run = () => shop.post('/api/backups/run', undefined, { headers: { cookie } });
  expect((await run()).statusCode).toBe(202);
  expect((await run()).statusCode).toBe(409);
  expect(await read()).toMatchObject({ isUnderWay: true });
});

test('the schedule changes only after the password', async () => {
  shop.advance(minutes(11));
  const { version } = await read();
  const answer = await put({ ...SCHEDULE, passphrase: SECRET_MASK, version });
  expect([answer.statusCode, answer.json().code]).toEqual([403, 'step_up_required']);
});
