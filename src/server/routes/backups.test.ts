import { afterAll, beforeAll, expect, test } from 'vitest';
import { SECRET_MASK } from '#contract/settings.ts';
import { readBackupSettings } from '#db/queries/background/backups.ts';
import { minutes } from '#domain/units.ts';
import { type MemoryStores, openMemoryStore } from '#tests/support/memory-store.ts';
import { auditOf } from '#tests/support/read-back.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';

let shop: TestApp;
let cookie: string;
let stores: MemoryStores;
beforeAll(async () => {
  stores = openMemoryStore();
  shop = await createTestApp({ openStore: stores });
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
  destination: 'folder',
  folder: '/mnt/backups/',
  bucket: {
    endpoint: '',
    region: '',
    name: '',
    prefix: '',
    isPathStyle: true,
    accessKeyId: '',
    secretAccessKey: '',
  },
};
const SECRET = 'the-secret-key-of-a-bucket';
const BUCKET = {
  endpoint: 'https://s3.example.com/',
  region: 'eu-central-1',
  name: 'backups',
  prefix: '/shop',
  isPathStyle: true,
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: SECRET,
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

test('a bucket is stored with its secret key encrypted, which is never shown', async () => {
  const whole = { ...SCHEDULE, destination: 's3', passphrase: SECRET_MASK };
  const bare = await put({ ...whole, version: (await read()).version });
  expect([bare.statusCode, Object.keys(bare.json().fields)]).toEqual([
    400,
    ['bucket.endpoint', 'bucket.region', 'bucket.name', 'bucket.accessKeyId', 'bucket.secretAccessKey'],
  ]);
  const stored = {
    ...BUCKET,
    endpoint: 'https://s3.example.com',
    prefix: 'shop/',
    secretAccessKey: SECRET_MASK,
  };
  const saved = await put({ ...whole, bucket: BUCKET, version: (await read()).version });
  expect(saved.json()).toMatchObject({ destination: 's3', bucket: stored });
  const { s3SecretKey } = await readBackupSettings(shop.db);
  expect(s3SecretKey).not.toContain(SECRET);
  const kept = await put({ ...whole, bucket: stored, version: saved.json().version });
  expect(kept.statusCode).toBe(200);
  expect((await readBackupSettings(shop.db)).s3SecretKey).toBe(s3SecretKey);
  expect(JSON.stringify(await auditOf(shop.db, 'backups.saved'))).not.toContain(SECRET);
});

test('a bucket is tested as it is entered, with the stored secret key or another one', async () => {
  const check = (bucket: object) => shop.post('/api/backups/test', { bucket }, { headers: { cookie } });
  expect((await check({ ...BUCKET, secretAccessKey: SECRET_MASK })).json()).toEqual({
    success: true,
    error: null,
  });
  expect(stores.opened.at(-1)).toMatchObject({ name: 'backups', secretAccessKey: SECRET });
  expect(stores.objects.size).toBe(0);
  await check({ ...BUCKET, secretAccessKey: 'another' });
  expect(stores.opened.at(-1)).toMatchObject({ secretAccessKey: 'another' });
  stores.refused.add('remove');
  expect((await check({ ...BUCKET, prefix: '', secretAccessKey: 'another' })).json()).toEqual({
    success: false,
    error: expect.stringContaining('remove'),
  });
  const count = stores.opened.length;
  expect((await check({ ...SCHEDULE.bucket, name: 'backups' })).json()).toMatchObject({ success: false });
  expect(stores.opened).toHaveLength(count);
});

test.each([
  ['endpoint', 'https://s3.example.com/path'],
  ['endpoint', 's3.example.com'],
  ['region', 'EU West'],
  ['name', 'My_Bucket'],
  ['prefix', 'a//b'],
  ['accessKeyId', 'two words'],
  ['secretAccessKey', 'two words'],
])('%s of a bucket may not be %j', async (field, value) => {
  const { version } = await read();
  const bucket = { ...BUCKET, [field]: value };
  const answer = await put({ ...SCHEDULE, bucket, passphrase: SECRET_MASK, version });
  expect([answer.statusCode, Object.keys(answer.json().fields)]).toEqual([400, [`bucket.${field}`]]);
});

test('a backup that was asked for is under way, once', async () => {
  const run = () => shop.post('/api/backups/run', undefined, { headers: { cookie } });
  expect((await run()).statusCode).toBe(202);
  expect((await run()).statusCode).toBe(409);
  expect(await read()).toMatchObject({ isUnderWay: true });
});

test('the schedule changes and a bucket is tested only after the password', async () => {
  shop.advance(minutes(11));
  const { version } = await read();
  const answer = await put({ ...SCHEDULE, passphrase: SECRET_MASK, version });
  expect([answer.statusCode, answer.json().code]).toEqual([403, 'step_up_required']);
  const check = await shop.post('/api/backups/test', { bucket: BUCKET }, { headers: { cookie } });
  expect([check.statusCode, check.json().code]).toEqual([403, 'step_up_required']);
});
