import { beforeEach, describe, expect, test } from 'vitest';
import { takeLease } from '#db/queries/leases.ts';
import { hours } from '#domain/units.ts';
import { readingRig } from '#tests/support/reading-rig.ts';
import { aListing } from '#tests/support/shop-connector.ts';
import type { ConnectionState } from '#usecases/connections/connections.ts';
import { type ReadingLoopDeps, runReadingLoop } from './reading-loop.ts';

const rig = readingRig('amazon');

let troubles: unknown[];
let waits: number[];
beforeEach(() => {
  troubles = [];
  waits = [];
  rig.shop.catalogue = [[aListing('A-1')]];
});

/** Runs the loop until it has waited so many times. */
async function run(times: number, over: Partial<ReadingLoopDeps> = {}): Promise<void> {
  const stopping = new AbortController();
  const connected: ConnectionState = { kind: 'connected', connection: rig.shop.connection };
  await runReadingLoop(
    {
      ...{ db: rig.engine.db, now: () => rig.time, owner: 'us', stopping: stopping.signal },
      isStopping: () => stopping.signal.aborted,
      connections: { stateOf: async () => connected },
      wait: async (most) => {
        waits.push(most);
        if (waits.length >= times) stopping.abort();
      },
      onTrouble: (error) => troubles.push(error),
      ...over,
    },
    'amazon',
  );
}

describe('the loop', () => {
  test('reads what is due, then waits, and gives its turn up at the end', async () => {
    await run(2);
    expect(rig.shop.asked.filter((call) => call === 'listings')).toHaveLength(1);
    expect(await takeLease(rig.engine.db, 'read:amazon', 'another', hours(1))).not.toBeNull();
  });

  test('stands by while another process reads', async () => {
    await takeLease(rig.engine.db, 'read:amazon', 'another', hours(1));
    await run(3);
    expect(rig.shop.asked).toEqual([]);
  });

  test.each<ConnectionState>([{ kind: 'file' }, { kind: 'paused', why: 'Switched off.' }])(
    'asks nothing of a marketplace that is not connected: $kind',
    async (state) => {
      await run(2, { connections: { stateOf: async () => state } });
      expect(rig.shop.asked).toEqual([]);
    },
  );

  test('tells trouble of our own, and tries again after waits that grow to a minute', async () => {
    rig.shop.trouble.set('listings', new Error('A fault of ours.'));
    const stateOf = async (): Promise<ConnectionState> => {
      rig.pass(hours(2));
      return { kind: 'connected', connection: rig.shop.connection };
    };
    await run(6, { connections: { stateOf } });
    expect(troubles).toHaveLength(6);
    expect(waits).toEqual([5_000, 10_000, 20_000, 40_000, 60_000, 60_000]);
  });
});
