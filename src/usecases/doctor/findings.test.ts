import { expect, test } from 'vitest';
import { readServerFigures, readWorkFigures, type WorkFigures } from '#db/queries/background/doctor.ts';
import { acquireLease } from '#db/queries/background/leases.ts';
import { hours, type Instant, instant, minutes, seconds } from '#domain/units.ts';
import { NOW } from '#tests/builders/facts.ts';
import { borrowDatabase } from '#tests/support/recycled-database.ts';
import {
  checkBackupSchedule,
  checkClock,
  checkCredentials,
  checkEngine,
  checkMasterKey,
  checkSchema,
  checkServer,
} from './database-findings.ts';
import {
  checkBackup,
  checkDisk,
  checkFolder,
  checkMemory,
  checkNode,
  checkPublicUrl,
} from './machine-findings.ts';

const ago = (milliseconds: number): Instant => instant(NOW - milliseconds);
const work = (over: Partial<WorkFigures>): WorkFigures => ({
  engineSince: ago(hours(5)),
  beatAt: ago(minutes(1)),
  leases: [],
  ending: [],
  ...over,
});
const server = { versionNumber: 180_004, version: '18.4', now: NOW, hasSchema: true, isReadOnly: false };
const ending = (milliseconds: number) =>
  work({ ending: [{ marketplace: 'etsy', endsAt: instant(NOW + milliseconds) }] });
const schedule = (over: Partial<Parameters<typeof checkBackupSchedule>[0]>) => ({
  isOn: true,
  lastTakenAt: ago(hours(9)),
  since: ago(hours(24 * 90)),
  problem: null,
  isOnDataDisk: false,
  unconfirmedRestoreAt: null,
  ...over,
});
const backup = (milliseconds: number) => ({
  file: 'x.tar',
  takenAt: new Date(NOW - milliseconds).toISOString(),
});
const DAY = hours(24);

test.each([
  ['an old Node.js', checkNode('20.18.9'), 'error'],
  ['the oldest Node.js', checkNode('20.19.0'), 'ok'],
  ['a newer Node.js', checkNode('24.1.0'), 'ok'],
  ['little memory', checkMemory(0.9e9), 'warning'],
  ['enough memory', checkMemory(1e9), 'ok'],
  ['a folder of someone else', checkFolder('/data', null, false), 'error'],
  ['a folder that others may read', checkFolder('/data', 'chmod 700 /data', true), 'warning'],
  ['a closed folder', checkFolder('/data', null, true), 'ok'],
  ['a full disk', checkDisk('/data', 0.4e9), 'error'],
  ['a disk that fills up', checkDisk('/data', 1.9e9), 'warning'],
  ['an empty disk', checkDisk('/data', 2e9), 'ok'],
  ['no schedule of backups', checkBackupSchedule(schedule({ isOn: false }), NOW), 'ok'],
  ['a backup of today', checkBackupSchedule(schedule({}), NOW), 'ok'],
  ['a failed backup', checkBackupSchedule(schedule({ problem: 'No space.' }), NOW), 'error'],
  ['an overdue backup', checkBackupSchedule(schedule({ lastTakenAt: ago(hours(51)) }), NOW), 'error'],
  ['a backup of the future', checkBackupSchedule(schedule({ lastTakenAt: ago(-DAY) }), NOW), 'error'],
  ['backups next to the data', checkBackupSchedule(schedule({ isOnDataDisk: true }), NOW), 'warning'],
  [
    'a restore that is not confirmed',
    checkBackupSchedule(schedule({ isOn: false, unconfirmedRestoreAt: NOW }), NOW),
    'warning',
  ],
  ['no backup', checkBackup(null, false, NOW), 'warning'],
  ['a backup of last week', checkBackup(backup(7 * DAY + 1), true, NOW), 'warning'],
  ['a backup of next week', checkBackup(backup(-7 * DAY), true, NOW), 'warning'],
  ['a backup of this week', checkBackup(backup(7 * DAY), true, NOW), 'ok'],
  ['a backup that was removed', checkBackup(backup(0), false, NOW), 'warning'],
  ['a backup in a bucket', checkBackup(backup(0), null, NOW), 'ok'],
  ['no public address', checkPublicUrl(null, null), 'ok'],
  ['a public address that answers', checkPublicUrl('https://x.example', 200), 'ok'],
  ['a public address that is silent', checkPublicUrl('https://x.example', null), 'warning'],
  ["a public address with another's answer", checkPublicUrl('https://x.example', 404), 'warning'],
  ['an old PostgreSQL', checkServer({ ...server, versionNumber: 140_009 }), 'error'],
  ['a standby', checkServer({ ...server, isReadOnly: true }), 'error'],
  ['a PostgreSQL', checkServer(server), 'ok'],
  ['the schema of this release', checkSchema(151, 151), 'ok'],
  ['an older schema', checkSchema(150, 151), 'warning'],
  ['a newer schema', checkSchema(152, 151), 'error'],
  ['no schema', checkSchema(null, 151), 'warning'],
  ['clocks in step', checkClock(-seconds(5)), 'ok'],
  ['a clock ahead', checkClock(seconds(5) + 1), 'error'],
  ['a clock behind', checkClock(-seconds(5) - 1), 'error'],
  ['an engine at work', checkEngine(work({}), NOW), 'ok'],
  ['an engine that just began', checkEngine(work({ engineSince: NOW, beatAt: ago(DAY) }), NOW), 'ok'],
  ['an engine without heartbeat', checkEngine(work({ beatAt: ago(minutes(6)) }), NOW), 'error'],
  ['an engine that never beat', checkEngine(work({ beatAt: null }), NOW), 'error'],
  ['no engine', checkEngine(work({ engineSince: null }), NOW), 'warning'],
  ['no engine for days', checkEngine(work({ engineSince: null, beatAt: ago(2 * DAY) }), NOW), 'warning'],
  ['a master key that fits', checkMasterKey([], null), 'ok'],
  ['a missing master key', checkMasterKey(['0a1b2c3d'], null), 'error'],
  ['a broken master key', checkMasterKey([], 'The file is damaged.'), 'error'],
  ['lasting credentials', checkCredentials(ending(31 * DAY), NOW), 'ok'],
  ['credentials that expire', checkCredentials(ending(29 * DAY), NOW), 'warning'],
  ['expired credentials', checkCredentials(ending(0), NOW), 'error'],
])('%s', (_, finding, status) => {
  expect(finding.status).toBe(status);
  expect(finding.fix === null).toBe(status === 'ok');
});

test('the figures of a database without processes, and of one with a lease', async () => {
  const database = await borrowDatabase();
  try {
    const { db } = database.open;
    const figures = await readServerFigures(db);
    expect(figures).toMatchObject({ hasSchema: true, isReadOnly: false });
    expect(figures.versionNumber).toBeGreaterThanOrEqual(150_000);
    const nothing = { engineSince: null, beatAt: null, leases: [], ending: [] };
    expect(await readWorkFigures(db, minutes(1))).toEqual(nothing);
    await acquireLease(db, 'send:walmart', 'process 7', minutes(1));
    const { leases } = await readWorkFigures(db, minutes(1));
    expect(leases).toMatchObject([{ name: 'send:walmart', owner: 'process 7' }]);
    expect(leases[0]?.heldFor).toBeGreaterThanOrEqual(0);
  } finally {
    await database.giveBack();
  }
});
