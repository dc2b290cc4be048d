import { expect, test } from 'vitest';
import { NOW } from '#tests/builders/facts.ts';
import { engineRig } from '#tests/support/engine-fixture.ts';
import { QUIET_HEARTBEAT } from '#tests/support/quiet-heartbeat.ts';
import { runEngineLoop } from './engine-loop.ts';

const rig = engineRig();

test('trouble is told and tried again after waits that grow to a minute', async () => {
  const rests: number[] = [];
  const troubles: unknown[] = [];
  await runEngineLoop({
    openSeat: async () => {
      throw new Error('The database is away.');
    },
    now: () => NOW,
    release: '1.0.0/1',
    heartbeat: QUIET_HEARTBEAT,
    isStopping: () => rests.length === 8,
    wait: async () => expect.fail('nothing to wait for without a connection'),
    rest: async (time) => {
      rests.push(time);
    },
    onTrouble: (error) => troubles.push(error),
  });
  expect(rests).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
  expect(troubles).toHaveLength(8);
});

test('a connection that broke is closed and replaced, and waits begin anew once it works', async () => {
  const log: string[] = [];
  let seats = 0;
  let waits = 0;
  await runEngineLoop({
    openSeat: async () => {
      seats++;
      const name = `seat ${seats}`;
      let asked = 0;
      return {
        db: rig.db,
        tryAcquire: async () => {
          asked++;
          // The second breaks after its first step, the others at once.
          if (name === 'seat 2' ? asked > 2 : name !== 'seat 4') throw new Error(`${name} is lost`);
          return true;
        },
        close: async () => {
          log.push(`${name} closed`);
        },
      };
    },
    now: () => NOW,
    release: '1.0.0/1',
    heartbeat: QUIET_HEARTBEAT,
    isStopping: () => waits === 2,
    wait: async () => {
      waits++;
    },
    rest: async (time) => {
      log.push(`rested ${time}`);
    },
    onTrouble: (error) => log.push(error instanceof Error ? error.message : 'unknown'),
  });
  expect(log).toEqual([
    ...['seat 1 is lost', 'seat 1 closed', 'rested 1000'],
    ...['seat 2 is lost', 'seat 2 closed', 'rested 1000'],
    ...['seat 3 is lost', 'seat 3 closed', 'rested 2000'],
    'seat 4 closed',
  ]);
});

test('the database is asked whether it was restored before it is taken over, and again before each piece of work', async () => {
  const asked: string[] = [];
  const ask = (what: string) => async () => {
    const { release } = (await rig.engineSwitch()) ?? {};
    asked.push(`${what} while the engine is of ${release}`);
  };
  let waits = 0;
  await runEngineLoop({
    openSeat: async () => ({ db: rig.db, tryAcquire: async () => true, close: async () => undefined }),
    now: () => NOW,
    release: '1.0.0/1',
    heartbeat: { beat: ask('beat'), keep: ask('keep') },
    isStopping: () => waits === 2,
    wait: async () => {
      waits++;
    },
    rest: async () => expect.fail('no trouble to rest from'),
    onTrouble: (error) => expect.fail(String(error)),
  });
  expect(asked).toEqual([
    'beat while the engine is of null',
    'keep while the engine is of 1.0.0/1',
    'keep while the engine is of 1.0.0/1',
  ]);
});
