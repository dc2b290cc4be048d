import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { auditLog } from '#db/schema/audit.ts';
import { installation } from '#db/schema/installation.ts';
import { priceIntents } from '#db/schema/prices.ts';
import { hours } from '#domain/units.ts';
import { MINUTE } from '#tests/support/engine-fixture.ts';
import { heartbeatRig, SET_BACK, UNTOUCHED } from '#tests/support/heartbeat-fixture.ts';
import { newScratchFolder } from '#tests/support/scratch-folder.ts';
import { arm } from '#tests/support/seed.ts';
import { HeartbeatFile } from './heartbeat-file.ts';

const rig = heartbeatRig();

describe.each([
  ['with the database in the data folder', true],
  ['with a database elsewhere', false],
])('%s', (_, isInFolder) => {
  test('a dump is noticed, with the file and without: everything observes, nothing waits, nobody is signed in', async () => {
    await rig.seedShop();
    await rig.started({ isInFolder }).beat(rig.shop.db);
    await rig.takeOutOfDump();
    if (!isInFolder) await rm(rig.folder, { recursive: true });
    await rig.started({ isInFolder }).check(rig.shop.db);
    expect(await rig.standing()).toEqual(SET_BACK);
    const reason =
      'The database was restored from a backup or copied. Its data is from 2026-11-21T12:00:00.000Z.';
    expect(await rig.shop.db.select().from(auditLog)).toMatchObject([
      { actor: 'Pricewright', action: 'engine.disarmed', after: { armed: [], reason } },
      {
        actor: 'Pricewright',
        action: 'engine.restored',
        after: {
          lastAtWork: '2026-11-21T12:00:00.000Z',
          disarmed: expect.arrayContaining(['ebay', 'etsy']),
          sessionsEnded: 1,
        },
      },
    ]);
    expect((await rig.shop.db.select().from(priceIntents))[0]?.marketplaceMessage).toBe(reason);
    expect(rig.found).toEqual(['restore']);
  });

  test('it is noticed once: whoever arms again stays armed', async () => {
    await rig.started({ isInFolder }).beat(rig.shop.db);
    await rig.takeOutOfDump();
    await rig.started({ isInFolder }).check(rig.shop.db);
    await arm(rig.shop.db, 'etsy');
    for (let start = 0; start < 3; start++) {
      const heartbeat = rig.started({ isInFolder });
      await heartbeat.check(rig.shop.db);
      await heartbeat.beat(rig.shop.db);
      rig.shop.advance(MINUTE);
      await heartbeat.keep(rig.shop.db);
    }
    expect(rig.found).toEqual(['restore']);
    expect(await rig.standing()).toMatchObject({ armed: ['etsy'] });
  });

  test('a database that falls behind its folder is a restore, and so is one behind a process that lives on', async () => {
    const heartbeat = rig.started({ isInFolder });
    for (let beat = 0; beat < 5; beat++) await heartbeat.beat(rig.shop.db);
    await arm(rig.shop.db, 'etsy');
    await rig.rollBack({ number: 2 });
    await rig.started({ isInFolder }).check(rig.shop.db);
    expect(await rig.standing()).toMatchObject({ armed: [] });
    expect(await rig.numbers()).toEqual([1_000_000_005]);
    await heartbeat.keep(rig.shop.db);
    await arm(rig.shop.db, 'etsy');
    await rig.rollBack({ number: 2 });
    await heartbeat.keep(rig.shop.db);
    expect(await rig.standing()).toMatchObject({ armed: [] });
    expect(rig.found).toEqual(['restore', 'restore']);
  });

  test('more than a day without the engine: everything observes, and people stay signed in', async () => {
    await rig.seedShop();
    await rig.started({ isInFolder }).beat(rig.shop.db);
    rig.shop.advance(hours(24));
    await rig.started({ isInFolder }).check(rig.shop.db);
    expect(await rig.standing()).toEqual(UNTOUCHED);
    rig.shop.advance(1);
    await rig.started({ isInFolder }).check(rig.shop.db);
    expect(await rig.standing()).toEqual({ armed: [], sessions: 1, intents: ['expired'] });
    expect(rig.found).toEqual(['rest']);
    expect(await rig.shop.db.select().from(auditLog)).toMatchObject([
      {
        action: 'engine.disarmed',
        after: {
          reason: 'Pricewright did not run for more than a day. Its data is from 2026-11-21T12:00:00.000Z.',
        },
      },
    ]);
  });

  test('a machine that slept over the weekend is no better, and a shop that observed has nothing to hear', async () => {
    const heartbeat = rig.started({ isInFolder });
    await heartbeat.beat(rig.shop.db);
    rig.shop.advance(hours(60));
    await heartbeat.keep(rig.shop.db);
    expect(rig.found).toEqual([]);
    await arm(rig.shop.db, 'etsy');
    rig.shop.advance(hours(60));
    await heartbeat.keep(rig.shop.db);
    expect(rig.found).toEqual(['rest']);
    expect(await rig.standing()).toMatchObject({ armed: [] });
  });
});

test.each([
  ['deleted and copied back', 'rm -rf * && cp -a $b. .'],
  ['overwritten by a copy', 'cp -a $b. .'],
  ['given up for a copy elsewhere', 'mv installation.mark gone && cp -a $b. .'],
  ['copied without the file', 'rm installation.mark'],
  [
    'taken from another installation',
    'echo "other 7" > installation.mark.x && mv installation.mark.x installation.mark',
  ],
])('a folder that was %s is a restore', async (_, command) => {
  await rig.seedShop();
  await rig.started().beat(rig.shop.db);
  const before = await rig.shop.db.select().from(installation);
  const backup = await newScratchFolder('backup');
  rig.shell(`cp -a . ${backup}/`);
  // A night's work, and then the disk, with the database on it, is put back.
  const engine = rig.started();
  for (let beat = 0; beat < 4; beat++) await engine.beat(rig.shop.db);
  await rig.rollBack({ ...before[0] });
  rig.shell(command.replaceAll('$b', `${backup}/`));
  await rig.started().check(rig.shop.db);
  await rm(backup, { recursive: true });
  expect(rig.found).toEqual(['restore']);
  expect(await rig.standing()).toEqual(SET_BACK);
});

test('a host that was not asked yet does not take the database for restored once more', async () => {
  const hosts = ['one', 'two'].map((name) => new HeartbeatFile(join(rig.folder, name)));
  for (const file of [...hosts, ...hosts]) await rig.started({ isInFolder: false, file }).beat(rig.shop.db);
  await rig.rollBack({ number: 1 });
  for (const file of hosts) await rig.started({ isInFolder: false, file }).beat(rig.shop.db);
  expect(rig.found).toEqual(['restore']);
});
