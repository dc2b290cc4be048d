import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { readBackupSettings } from '#db/queries/background/backups.ts';
import {
  listMigrations,
  writeMigrationRequests,
} from '#db/queries/marketplaces/sending/listing-migrations.ts';
import { readUnconfirmedRestore } from '#db/queries/repricing/engine.ts';
import { auditLog } from '#db/schema/audit.ts';
import { backupFiles, backupSettings } from '#db/schema/backups.ts';
import { accountFindings } from '#db/schema/connections.ts';
import { installation } from '#db/schema/installation.ts';
import { priceIntents } from '#db/schema/prices.ts';
import { hours } from '#domain/units.ts';
import { MINUTE } from '#tests/support/engine-fixture.ts';
import { heartbeatFixture, SET_BACK, UNTOUCHED } from '#tests/support/heartbeat-fixture.ts';
import { newScratchFolder } from '#tests/support/scratch-folder.ts';
import { setLive } from '#tests/support/seed.ts';
import { HeartbeatFile } from './heartbeat-file.ts';

const fixture = heartbeatFixture();

describe.each([
  ['with the database in the data folder', true],
  ['with a database elsewhere', false],
])('%s', (_, isInFolder) => {
  test('a restored dump is detected, with the file and without: recommend only everywhere, an empty queue, no sessions', async () => {
    await fixture.seedShop();
    await fixture.started({ isInFolder }).beat(fixture.shop.db);
    await fixture.takeOutOfDump();
    if (!isInFolder) await rm(fixture.folder, { recursive: true });
    await fixture.started({ isInFolder }).check(fixture.shop.db);
    expect(await fixture.state()).toEqual(SET_BACK);
    const reason =
      'The database was restored from a backup or copied. Its data is from 2026-11-21T12:00:00.000Z.';
    expect(await fixture.shop.db.select().from(auditLog).orderBy(auditLog.id)).toMatchObject([
      { actor: 'Pricewright', action: 'engine.disarmed', after: { live: [], reason } },
      {
        actor: 'Pricewright',
        action: 'engine.restored',
        after: {
          lastAtWork: '2026-11-21T12:00:00.000Z',
          setToRecommendOnly: expect.arrayContaining(['ebay', 'etsy']),
          sessionsEnded: 1,
        },
      },
    ]);
    expect((await fixture.shop.db.select().from(priceIntents))[0]?.marketplaceMessage).toBe(reason);
    expect(fixture.found).toEqual(['restored_backup']);
  });

  test('a restored copy touches nothing of the original: no place of its backups, no request that waited, no events', async () => {
    const { db, now } = fixture.shop;
    await fixture.seedShop();
    await fixture.started({ isInFolder }).beat(db);
    await db.insert(backupFiles).values({
      folder: 'https://s3.example.com/backups/',
      name: 'pricewright-2026-11-20T030000Z.tar',
      takenAt: now,
      bytes: 1,
      isEncrypted: false,
      checkedAt: now,
    });
    await db.update(backupSettings).set({ isOn: true, requestedAt: now });
    await writeMigrationRequests(db, [
      { marketplace: 'ebay', itemId: '110', generation: 1, askedBy: 'Ann', askedAt: now },
    ]);
    const found = (marketplace: 'amazon' | 'etsy', name: string, value: unknown) =>
      db.insert(accountFindings).values({ marketplace, name, value, generation: 1, foundAt: now });
    await found('etsy', 'unfinished_writes', [{ listingId: 9001 }]);
    await found('amazon', 'amazon_write', { is: 'proving' });
    await found('amazon', 'amazon_business', { is: 'off' });
    await fixture.takeOutOfDump();
    await fixture.started({ isInFolder }).check(db);
    expect(await db.select({ name: accountFindings.name }).from(accountFindings)).toEqual([
      { name: 'amazon_business' },
    ]);
    expect(await db.$count(backupFiles)).toBe(0);
    expect(await readBackupSettings(db)).toMatchObject({
      isOn: true,
      requestedAt: null,
      unconfirmedRestoreAt: now,
    });
    expect(await listMigrations(db, 'ebay', 10)).toMatchObject([{ state: 'refused', endedAt: now }]);
  });

  test('it is detected once: a marketplace that goes live again stays live', async () => {
    await fixture.started({ isInFolder }).beat(fixture.shop.db);
    await fixture.takeOutOfDump();
    await fixture.started({ isInFolder }).check(fixture.shop.db);
    await setLive(fixture.shop.db, 'etsy');
    for (let start = 0; start < 3; start++) {
      const heartbeat = fixture.started({ isInFolder });
      await heartbeat.check(fixture.shop.db);
      await heartbeat.beat(fixture.shop.db);
      fixture.shop.advance(MINUTE);
      await heartbeat.keep(fixture.shop.db);
    }
    expect(fixture.found).toEqual(['restored_backup']);
    expect(await fixture.state()).toMatchObject({ live: ['etsy'] });
  });

  test('a database that falls behind its folder is a restore, and so is one behind a process that lives on', async () => {
    const heartbeat = fixture.started({ isInFolder });
    for (let beat = 0; beat < 5; beat++) await heartbeat.beat(fixture.shop.db);
    await setLive(fixture.shop.db, 'etsy');
    await fixture.rollBack({ number: 2 });
    await fixture.started({ isInFolder }).check(fixture.shop.db);
    expect(await fixture.state()).toMatchObject({ live: [] });
    expect(await fixture.numbers()).toEqual([1_000_000_005]);
    await heartbeat.keep(fixture.shop.db);
    await setLive(fixture.shop.db, 'etsy');
    await fixture.rollBack({ number: 2 });
    await heartbeat.keep(fixture.shop.db);
    expect(await fixture.state()).toMatchObject({ live: [] });
    expect(fixture.found).toEqual(['restored_backup', 'restored_backup']);
  });

  test('more than a day without the engine: recommend only everywhere, and users stay logged in', async () => {
    await fixture.seedShop();
    await fixture.started({ isInFolder }).beat(fixture.shop.db);
    fixture.shop.advance(hours(24));
    await fixture.started({ isInFolder }).check(fixture.shop.db);
    expect(await fixture.state()).toEqual(UNTOUCHED);
    fixture.shop.advance(1);
    await fixture.started({ isInFolder }).check(fixture.shop.db);
    expect(await fixture.state()).toEqual({ live: [], sessions: 1, intents: ['expired'] });
    expect(await readUnconfirmedRestore(fixture.shop.db)).toBeNull();
    expect(fixture.found).toEqual(['downtime']);
    expect(await fixture.shop.db.select().from(auditLog).orderBy(auditLog.id)).toMatchObject([
      {
        action: 'engine.disarmed',
        after: {
          reason: 'Pricewright did not run for more than a day. Its data is from 2026-11-21T12:00:00.000Z.',
        },
      },
    ]);
  });

  test('a machine that slept over the weekend counts too, and a store that only recommended is not alerted', async () => {
    const heartbeat = fixture.started({ isInFolder });
    await heartbeat.beat(fixture.shop.db);
    fixture.shop.advance(hours(60));
    await heartbeat.keep(fixture.shop.db);
    expect(fixture.found).toEqual([]);
    await setLive(fixture.shop.db, 'etsy');
    fixture.shop.advance(hours(60));
    await heartbeat.keep(fixture.shop.db);
    expect(fixture.found).toEqual(['downtime']);
    expect(await fixture.state()).toMatchObject({ live: [] });
  });
});

test.each([
  ['of the disk, without its file', true],
  ['of the server, after an empty update', false],
])(
  'a copy %s, as the documentation marks one that cannot be noticed, is a restore',
  async (_, isInFolder) => {
    await fixture.seedShop();
    await fixture.started({ isInFolder }).beat(fixture.shop.db);
    if (isInFolder) fixture.shell('rm -f installation.mark*');
    else await fixture.shop.db.execute(sql`UPDATE installation SET number = number`);
    await fixture.started({ isInFolder }).check(fixture.shop.db);
    expect(await fixture.state()).toEqual(SET_BACK);
    expect(await readUnconfirmedRestore(fixture.shop.db)).toBe(fixture.shop.now);
  },
);

test.each([
  ['deleted and copied back', 'rm -rf * && cp -a $b. .'],
  ['overwritten by a copy', 'cp -a $b. .'],
  ['given up for a copy elsewhere', 'mv installation.mark moved && cp -a $b. .'],
  ['copied without the file', 'rm installation.mark'],
  [
    'taken from another installation',
    'echo "other 7" > installation.mark.x && mv installation.mark.x installation.mark',
  ],
])('a folder that was %s is a restore', async (_, command) => {
  await fixture.seedShop();
  await fixture.started().beat(fixture.shop.db);
  const before = await fixture.shop.db.select().from(installation);
  const backup = await newScratchFolder('backup');
  fixture.shell(`cp -a . ${backup}/`);
  // After a night of work the disk with the database is restored.
  const engine = fixture.started();
  for (let beat = 0; beat < 4; beat++) await engine.beat(fixture.shop.db);
  await fixture.rollBack({ ...before[0] });
  fixture.shell(command.replaceAll('$b', `${backup}/`));
  await fixture.started().check(fixture.shop.db);
  await rm(backup, { recursive: true });
  expect(fixture.found).toEqual(['restored_backup']);
  expect(await fixture.state()).toEqual(SET_BACK);
});

test('a host without a check so far does not detect the same restore again', async () => {
  const hosts = ['one', 'two'].map((name) => new HeartbeatFile(join(fixture.folder, name)));
  for (const file of [...hosts, ...hosts])
    await fixture.started({ isInFolder: false, file }).beat(fixture.shop.db);
  await fixture.rollBack({ number: 1 });
  for (const file of hosts) await fixture.started({ isInFolder: false, file }).beat(fixture.shop.db);
  expect(fixture.found).toEqual(['restored_backup']);
});
