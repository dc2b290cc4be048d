import { expect, test } from 'vitest';
import { NOW } from '#tests/builders/facts.ts';
import { engineFixture } from '#tests/support/engine-fixture.ts';
import { recordingHost } from '#tests/support/loop-host.ts';
import { QUIET_HEARTBEAT } from '#tests/support/quiet-heartbeat.ts';
import { runLoop } from '#usecases/background/supervised-loop.ts';
import { EngineLoop } from './engine-loop.ts';

const fixture = engineFixture();

test('a broken connection is closed and replaced, and the backoff restarts once it works', async () => {
  const log: string[] = [];
  let locks = 0;
  const host = recordingHost(({ waits }) => waits.length === 2);
  const engine = new EngineLoop({
    openLock: async () => {
      locks++;
      const name = `lock ${locks}`;
      let requested = 0;
      return {
        db: fixture.db,
        tryAcquire: async () => {
          requested++;
          // The second breaks after its first step, the others at once.
          if (name === 'lock 2' ? requested > 1 : name !== 'lock 4') throw new Error(`${name} is lost`);
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
    onError: (error) => log.push(error instanceof Error ? error.message : 'unknown'),
  });
  await runLoop(engine, host);
  expect(log).toEqual([
    ...['lock 1 is lost', 'lock 1 closed'],
    ...['lock 2 is lost', 'lock 2 closed'],
    ...['lock 3 is lost', 'lock 3 closed'],
    'lock 4 closed',
  ]);
  expect(host.rests).toEqual([1_000, 1_000, 2_000]);
});

test('the heartbeat is checked before the engine starts, and again before each step', async () => {
  const requested: string[] = [];
  const ask = (what: string) => async () => {
    const { release } = (await fixture.engineSwitch()) ?? {};
    requested.push(`${what} while the engine is of ${release}`);
  };
  const engine = new EngineLoop({
    openLock: async () => ({ db: fixture.db, tryAcquire: async () => true, close: async () => undefined }),
    now: () => NOW,
    release: '1.0.0/1',
    heartbeat: { beat: ask('beat'), keep: ask('keep') },
    onError: (error) => expect.fail(String(error)),
  });
  await runLoop(
    engine,
    recordingHost(({ waits }) => waits.length === 2),
  );
  expect(requested).toEqual([
    'beat while the engine is of null',
    'keep while the engine is of 1.0.0/1',
    'keep while the engine is of 1.0.0/1',
  ]);
});
