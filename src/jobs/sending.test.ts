import { expect, test } from 'vitest';
import { RELEASE, sendingRig } from '#tests/support/sending-fixture.ts';
import { runSendingLoop } from '#usecases/marketplaces/sending/sending-loop.ts';
import { startSending } from './sending.ts';

const PATIENCE = { timeout: 15_000, interval: 20 };
const rig = sendingRig();
const deps = () => ({
  db: rig.db,
  now: () => rig.now,
  release: RELEASE,
  connections: rig.market.connections(),
  onFault: (error: unknown) => expect.fail(String(error)),
});

test('one of two processes sends, and a marketplace in trouble delays no other', async () => {
  await rig.seed(45);
  await rig.untilIdle();
  const troubles = new Set<string>();
  const { stateOf } = rig.market.connections();
  const processes = ['one', 'two'].map((owner) =>
    startSending({
      ...deps(),
      owner,
      marketplaces: ['amazon', 'walmart'],
      connections: {
        stateOf: async (marketplace) => {
          if (marketplace === 'amazon') throw new Error('The settings of Amazon cannot be read.');
          return stateOf(marketplace);
        },
      },
      onTrouble: (_, marketplace) => troubles.add(marketplace),
    }),
  );
  await expect.poll(async () => new Set(await rig.states()), PATIENCE).toEqual(new Set(['confirmed']));
  expect(troubles).toEqual(new Set(['amazon']));
  expect(rig.market.sent).toHaveLength(45);
  await Promise.all(processes.map((sending) => sending.stop()));
});

test('a wake is heeded at once, and a process that ends leaves its duty to the next', async () => {
  await rig.seed(1);
  const one = startSending({ ...deps(), owner: 'one', marketplaces: ['walmart'], onTrouble: expect.fail });
  await rig.untilIdle();
  one.wake();
  await expect.poll(() => rig.states(), PATIENCE).toEqual(['confirmed']);
  await one.stop();
  rig.market.reactionTo = () => 'live';
  await rig.db.execute(`UPDATE competitor_offers SET price = price - 0.1`);
  await rig.untilIdle();
  await rig.send(rig.desk({ owner: 'two' }));
  expect(await rig.states()).toEqual(['confirmed', 'confirmed']);
});

test('trouble is told and tried again after waits that grow to a minute', async () => {
  await rig.seed(1);
  const rests: number[] = [];
  const troubles: unknown[] = [];
  await runSendingLoop(
    {
      ...deps(),
      owner: 'one',
      connections: {
        stateOf: async () => {
          throw new Error('away');
        },
      },
      isStopping: () => rests.length === 9,
      wait: async () => expect.fail('There is nothing to wait for.'),
      rest: async (time) => {
        rests.push(time);
      },
      onTrouble: (error) => troubles.push(error),
    },
    'walmart',
  );
  expect(rests).toEqual([750, 1_500, 3_000, 6_000, 12_000, 24_000, 48_000, 60_000, 60_000]);
  expect(troubles).toHaveLength(9);
});
