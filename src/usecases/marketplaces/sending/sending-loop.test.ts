import { expect, test } from 'vitest';
import type { Marketplace } from '#domain/marketplaces.ts';
import { RELEASE, sendingFixture } from '#tests/support/sending-fixture.ts';
import { type RunningLoop, startLoops } from '#usecases/background/supervised-loop.ts';
import { type SendingLoopDeps, sendingLoop } from './sending-loop.ts';

const fixture = sendingFixture();
const deps = () => ({
  db: fixture.db,
  now: () => fixture.now,
  release: RELEASE,
  connections: fixture.market.connections(),
  onUnexpectedError: (error: unknown) => expect.fail(String(error)),
});

function start({
  marketplaces,
  ...deps
}: SendingLoopDeps & { readonly marketplaces: readonly Marketplace[] }): RunningLoop {
  return startLoops(marketplaces.map((marketplace) => sendingLoop(deps, marketplace)));
}

test('one of two processes sends, and a failing marketplace delays no other', async () => {
  await fixture.seed(45);
  await fixture.untilIdle();
  const failing = new Set<string>();
  const { stateOf } = fixture.market.connections();
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
      onError: (_, marketplace) => failing.add(marketplace),
    }),
  );
  await expect.poll(async () => new Set(await fixture.states())).toEqual(new Set(['confirmed']));
  expect(failing).toEqual(new Set(['amazon']));
  expect(fixture.market.sent).toHaveLength(45);
  await Promise.all(processes.map((sending) => sending.stop()));
});

test('a wake signal takes effect immediately, and a process that ends releases its lease', async () => {
  await fixture.seed(1);
  const one = start({ ...deps(), owner: 'one', marketplaces: ['walmart'], onError: expect.fail });
  await fixture.untilIdle();
  one.wake();
  await expect.poll(() => fixture.states()).toEqual(['confirmed']);
  await one.stop();
  fixture.market.reactionTo = () => 'live';
  await fixture.db.execute(`UPDATE competitor_offers SET price = price - 0.1`);
  await fixture.untilIdle();
  await fixture.send(fixture.desk({ owner: 'two' }));
  expect(await fixture.states()).toEqual(['confirmed', 'confirmed']);
});
