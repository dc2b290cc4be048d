import { expect, test } from 'vitest';
import type { Marketplace } from '#domain/marketplaces.ts';
import { RELEASE, sendingRig } from '#tests/support/sending-fixture.ts';
import { type RunningLoop, startLoops } from '#usecases/background/supervised-loop.ts';
import { type SendingLoopDeps, sendingLoop } from './sending-loop.ts';

const PATIENCE = { timeout: 15_000, interval: 20 };
const rig = sendingRig();
const deps = () => ({
  db: rig.db,
  now: () => rig.now,
  release: RELEASE,
  connections: rig.market.connections(),
  onFault: (error: unknown) => expect.fail(String(error)),
});

function start({
  marketplaces,
  ...deps
}: SendingLoopDeps & { readonly marketplaces: readonly Marketplace[] }): RunningLoop {
  return startLoops(marketplaces.map((marketplace) => sendingLoop(deps, marketplace)));
}

test('one of two processes sends, and a marketplace in trouble delays no other', async () => {
  await rig.seed(45);
  await rig.untilIdle();
  const troubles = new Set<string>();
  const { stateOf } = rig.market.connections();
  const processes = ['one', 'two'].map((owner) =>
    start({
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
  const one = start({ ...deps(), owner: 'one', marketplaces: ['walmart'], onTrouble: expect.fail });
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
