import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { auditLog } from '#db/schema/audit.ts';
import { marketplaceModes } from '#db/schema/repricing-state.ts';
import { engineFixture } from '#tests/support/engine-fixture.ts';
import { setLive } from '#tests/support/seed.ts';
import { handleUpgrade } from './handle-upgrade.ts';

const fixture = engineFixture();
const live = async () =>
  (
    await fixture.db
      .select()
      .from(marketplaceModes)
      .where(eq(marketplaceModes.mode, 'live'))
      .orderBy(marketplaceModes.marketplace)
  ).map((row) => row.marketplace);
const audited = () => fixture.db.select().from(auditLog).orderBy(auditLog.id);

test('the very first start changes no mode', async () => {
  await setLive(fixture.db, 'etsy');
  await handleUpgrade(fixture.deps(), '1.0.0/11');
  expect(await live()).toEqual(['etsy']);
  expect(await audited()).toEqual([]);
  expect(await fixture.engineSwitch()).toMatchObject({ release: '1.0.0/11', halted: false });
});

test('a restart of the same release leaves everything as it is', async () => {
  await handleUpgrade(fixture.deps(), '1.0.0/11');
  await setLive(fixture.db, 'etsy');
  await handleUpgrade(fixture.deps(), '1.0.0/11');
  expect(await live()).toEqual(['etsy']);
  expect(await audited()).toEqual([]);
});

test.each(['1.0.1/11', '1.0.0/12'])(
  'an upgrade to %s switches to recommend only and shows why',
  async (release) => {
    await handleUpgrade(fixture.deps(), '1.0.0/11');
    await setLive(fixture.db, 'etsy');
    await setLive(fixture.db, 'ebay');
    await handleUpgrade(fixture.deps(), release);
    expect(await live()).toEqual([]);
    expect(await audited()).toMatchObject([
      {
        actor: 'Pricewright',
        action: 'engine.disarmed',
        after: { live: [], reason: `Pricewright was upgraded from 1.0.0/11 to ${release}.` },
      },
    ]);
  },
);
