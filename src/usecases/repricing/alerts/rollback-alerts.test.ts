import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { listAlerts } from '#db/queries/repricing/alerts.ts';
import { setUnconfirmedRestore } from '#db/queries/repricing/engine.ts';
import { backupSettings } from '#db/schema/backups.ts';
import { marketplaceModes } from '#db/schema/repricing-state.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import { hours, type Instant } from '#domain/units.ts';
import { alertFixture } from '#tests/support/alert-fixture.ts';
import { newScratchFolder } from '#tests/support/scratch-folder.ts';
import { setLive } from '#tests/support/seed.ts';
import { handleUpgrade } from '#usecases/repricing/engine/handle-upgrade.ts';
import { Heartbeat } from '#usecases/repricing/engine/heartbeat.ts';
import { HeartbeatFile } from '#usecases/repricing/engine/heartbeat-file.ts';

const fixture = alertFixture();

let folder: string;
beforeEach(async () => {
  folder = await newScratchFolder('mark');
});
afterEach(() => rm(folder, { recursive: true }));

/** A process that starts on the database and its data folder. */
const started = () =>
  new Heartbeat({
    now: fixture.shop.deps.now,
    file: new HeartbeatFile(folder),
    isInFolder: true,
    onRollback: () => undefined,
    onNoFolder: (error) => expect.fail(String(error)),
  });
/** The database is restored without its data folder. */
const restore = async () => {
  await rm(join(folder, 'installation.mark'));
  await started().check(fixture.shop.db);
};
const goLiveAs = async (marketplace: Marketplace) => {
  await fixture.shop.db
    .update(marketplaceModes)
    .set({ mode: 'live', changedBy: 'Ann', changedAt: fixture.shop.deps.now() })
    .where(eq(marketplaceModes.marketplace, marketplace));
};
const moment = (at: Instant) => `${new Date(at).toISOString().slice(0, 16).replace('T', ' at ')} UTC`;

test('a restore is shown with what to do, also by email, until each marketplace is live again', async () => {
  const { db } = fixture.shop;
  await started().beat(db);
  await setLive(db, 'walmart');
  await setLive(db, 'ebay');
  const before = moment(fixture.shop.deps.now());
  fixture.shop.advance(hours(1));
  await restore();
  fixture.shop.advance(hours(30));
  await setUnconfirmedRestore(db, null);
  await fixture.watch();
  const reported = `The database was restored from a backup or copied. Costs, rules and prices are from ${before}. Queued prices were canceled, and everyone must log in again.`;
  expect(await fixture.open()).toEqual([
    `${reported} eBay and Walmart were switched to recommend only. Check the costs, review the next run, then go live again.`,
  ]);
  expect((await fixture.emails()).map(({ subject }) => subject)).toEqual([
    'Pricewright: Switched to recommend only',
  ]);
  await goLiveAs('walmart');
  await fixture.watch();
  expect(await fixture.open()).toEqual([
    `${reported} eBay was switched to recommend only. Check the costs, review the next run, then go live again.`,
  ]);
  await goLiveAs('ebay');
  await fixture.watch();
  expect(await fixture.open()).toEqual([]);
});

test('a restored store that only recommended is shown an alert for a day, and that no backups are scheduled until it is confirmed', async () => {
  const { db } = fixture.shop;
  await started().beat(db);
  await restore();
  await fixture.watch();
  const waits = expect.stringMatching(/^This database was restored or copied\. No backups are scheduled/);
  expect((await fixture.open()).sort()).toEqual([
    expect.stringMatching(/^The database was restored .* log in again\. Check the costs/),
    waits,
  ]);
  fixture.shop.advance(hours(24 * 7));
  await fixture.watch();
  expect(await fixture.open()).toEqual([waits]);
  await setUnconfirmedRestore(db, null);
  await fixture.watch();
  expect(await fixture.open()).toEqual([]);
});

test('a backup that fails before the restore is confirmed is an alert too, one of the original is not', async () => {
  const { db } = fixture.shop;
  const fail = { isOn: true, failedAt: fixture.shop.deps.now(), failures: 1, problem: 'The disk is full.' };
  await started().beat(db);
  await db.update(backupSettings).set(fail);
  await restore();
  const kinds = async () => {
    await fixture.watch();
    return (await listAlerts(db, fixture.shop.deps.now(), 50))
      .filter(({ kind, endedAt }) => kind === 'backup' && endedAt === null)
      .map(({ subject }) => subject)
      .toSorted();
  };
  expect(await kinds()).toEqual(['restore']);
  // An administrator made one all the same.
  await db.update(backupSettings).set(fail);
  expect(await kinds()).toEqual(['failed', 'restore']);
});

test('a long downtime and an upgrade after it are separate alerts', async () => {
  const { db } = fixture.shop;
  await handleUpgrade(fixture.shop.deps, '1.3.0/30');
  await started().beat(db);
  await setLive(db, 'etsy');
  const before = moment(fixture.shop.deps.now());
  fixture.shop.advance(hours(60));
  await started().beat(db);
  await fixture.watch();
  const rest = `Prices were not checked for more than a day, since ${before}, so costs and offers may be outdated. Etsy was switched to recommend only. Check them, review the next run, then go live again.`;
  expect(await fixture.open()).toEqual([rest]);
  fixture.shop.advance(hours(1));
  await goLiveAs('ebay');
  await handleUpgrade(fixture.shop.deps, '1.4.0/31');
  await fixture.watch();
  expect((await fixture.open()).sort()).toEqual([
    rest,
    'eBay was switched to recommend only by the upgrade. Review the next run, then go live again.',
  ]);
});
