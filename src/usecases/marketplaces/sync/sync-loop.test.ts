import { sql } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { ConnectorError } from '#connectors/connector-error.ts';
import { acquireLease } from '#db/queries/background/leases.ts';
import { listSyncs, writeFullSyncRequest } from '#db/queries/marketplaces/sync/marketplace-syncs.ts';
import { syncKindsOf } from '#domain/connections/sync-kinds.ts';
import { hours, instant, minutes } from '#domain/units.ts';
import { memoryFindings } from '#tests/support/memory-findings.ts';
import { memoryVault } from '#tests/support/memory-vault.ts';
import { aListing } from '#tests/support/shop-connector.ts';
import { syncFixture } from '#tests/support/sync-fixture.ts';
import { runLoop } from '#usecases/background/supervised-loop.ts';
import type { Connection, ConnectionState } from '#usecases/marketplaces/connections/connections.ts';
import { SYNC_FAILED } from '#usecases/sync-errors.ts';
import { SyncLoop, type SyncLoopDeps } from './sync-loop.ts';

const fixture = syncFixture('amazon');

let errors: unknown[];
let waits: number[];
beforeEach(() => {
  errors = [];
  waits = [];
  fixture.shop.catalog = [[aListing('A-1')]];
  fixture.shop.offers.set('A-1', []);
});

/** More checks than any test here needs. */
const MAX_CHECKS = 500;
const times =
  (count: number): (() => boolean) =>
  () =>
    waits.length >= count;
const requested = (call: string): number => fixture.shop.asked.filter((each) => each === call).length;

/** Runs the loop until that is so when it waits. */
async function run(until: () => boolean | Promise<boolean>, over: Partial<SyncLoopDeps> = {}): Promise<void> {
  const stopping = new AbortController();
  let looks = 0;
  const pause = async (most: number): Promise<void> => {
    waits.push(most);
    looks++;
    if ((await until()) || looks >= MAX_CHECKS) stopping.abort();
    // As long as the database takes for an answer: what is under way gets on, however busy the machine is.
    await fixture.engine.db.execute(sql`SELECT 1`);
  };
  const deps: SyncLoopDeps = {
    db: fixture.engine.db,
    now: () => fixture.time,
    owner: 'us',
    connections: { stateOf: async () => connected() },
    onError: (error) => errors.push(error),
    ...over,
  };
  await runLoop(new SyncLoop(deps, 'amazon'), { stopping: stopping.signal, wait: pause, rest: pause });
  expect(looks).toBeLessThan(MAX_CHECKS);
}

function connected(connection: Connection = fixture.shop.connection): ConnectionState {
  return { kind: 'connected', connection };
}

/** A connection whose report of figures never arrives: the sync waits until it is aborted. */
function withSlowFigures(): ConnectionState {
  const { connector } = fixture.shop.connection;
  async function* readFigures(...[, , signal]: Parameters<NonNullable<typeof connector.readFigures>>) {
    fixture.shop.asked.push('slow report');
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    fixture.shop.asked.push('broken off');
    yield* [];
    throw new ConnectorError('time', 'Reading from Amazon took too long.');
  }
  return connected({ ...fixture.shop.connection, connector: { ...connector, readFigures } });
}

describe('the loop', () => {
  test('syncs the catalog, then the other kinds, and releases its lease at the end', async () => {
    await run(() => requested('offers A-1') === 1);
    expect(requested('listings')).toBe(1);
    expect(await acquireLease(fixture.engine.db, 'read:amazon', 'another', hours(1))).not.toBeNull();
  });

  test.each<ConnectionState>([{ kind: 'file' }, { kind: 'paused', why: 'Switched off.' }])(
    'asks nothing of a marketplace that is not connected: $kind',
    async (state) => {
      await run(times(2), { connections: { stateOf: async () => state } });
      expect(fixture.shop.asked).toEqual([]);
    },
  );

  test('reports internal errors, and retries with a backoff of up to a minute', async () => {
    const stateOf = () => Promise.reject(new Error('A fault of ours.'));
    await run(times(6), { connections: { stateOf } });
    expect(errors).toHaveLength(6);
    expect(waits).toEqual([5_000, 10_000, 20_000, 40_000, 60_000, 60_000]);
  });

  test('pauses a kind for a minute after an internal error', async () => {
    fixture.shop.errors.set('listings', new Error('A fault of ours.'));
    let looks = 0;
    await run(() => {
      if (errors.length === 1) {
        looks++;
        // A requested full sync does not end the pause.
        void writeFullSyncRequest(fixture.engine.db, 'amazon', fixture.time);
        fixture.pass(looks < 10 ? 1 : 60_000);
      }
      return errors.length === 2;
    });
    expect(looks).toBeGreaterThanOrEqual(10);
    const read = (await listSyncs(fixture.engine.db)).find(({ kind }) => kind === 'listings');
    expect(read?.problem).toBe(SYNC_FAILED);
  });
});

describe('the kinds of a marketplace', () => {
  const stateOf = async () => slow;
  let slow: ConnectionState;
  beforeEach(() => {
    slow = withSlowFigures();
  });

  test('do not wait for a slow report, also for a requested full sync', async () => {
    const done = async (): Promise<string[]> =>
      (await listSyncs(fixture.engine.db)).flatMap(({ kind: what, endedAt }) =>
        endedAt === null ? [] : [what],
      );
    let isRequested = false;
    await run(
      async () => {
        if (
          !isRequested &&
          requested('slow report') === 1 &&
          (await done()).length === syncKindsOf('amazon').length - 1
        ) {
          isRequested = true;
          fixture.pass(25_000);
          await writeFullSyncRequest(fixture.engine.db, 'amazon', fixture.time);
          fixture.pass(1);
        }
        return requested('offers A-1') === 2 && requested('listings') === 2;
      },
      { connections: { stateOf } },
    );
    // The report in progress is not requested twice.
    expect(requested('slow report')).toBe(1);
  });

  test('are aborted when the process ends, without a reported error', async () => {
    await run(() => requested('slow report') === 1, { connections: { stateOf } });
    expect(requested('broken off')).toBe(1);
    const figures = (await listSyncs(fixture.engine.db)).find(({ kind }) => kind === 'figures');
    expect(figures).toMatchObject({ endedAt: fixture.time, succeededAt: null, problem: null });
    expect(await acquireLease(fixture.engine.db, 'read:amazon', 'another', hours(1))).not.toBeNull();
  });

  test('are aborted when the marketplace is disconnected', async () => {
    const states = async () => (requested('slow report') === 0 ? slow : { kind: 'file' as const });
    await run(() => requested('broken off') === 1, { connections: { stateOf: states } });
    expect(errors).toEqual([]);
  });
});

describe('of two processes', () => {
  const them = 'another process';
  const LEASE = minutes(1);

  test('one waits while the other syncs', async () => {
    await acquireLease(fixture.engine.db, 'read:amazon', them, LEASE);
    await run(times(3));
    expect(fixture.shop.asked).toEqual([]);
  });

  test('one reads all kinds, each once', async () => {
    // To its end, since an aborted sync is started again by the other.
    const isDone = async (): Promise<boolean> => {
      const done = (await listSyncs(fixture.engine.db)).filter(({ endedAt }) => endedAt !== null);
      return ['listings', 'offers', 'sales'].every((wanted) => done.some(({ kind }) => kind === wanted));
    };
    await Promise.all([run(isDone), run(isDone, { owner: them })]);
    expect([requested('listings'), requested('offers A-1'), requested('sales')]).toEqual([1, 1, 1]);
  });

  test('the one that lost its lease stops syncing', async () => {
    const slow = withSlowFigures();
    let isLost = false;
    await run(() => requested('broken off') === 1, {
      connections: {
        stateOf: async () => {
          if (requested('slow report') === 1 && !isLost) {
            isLost = true;
            // It slept for longer than the lease duration, and another process acquired the lease.
            await fixture.engine.db.execute(
              sql`UPDATE leases SET expires_at = clock_timestamp() - interval '1 second'`,
            );
            await acquireLease(fixture.engine.db, 'read:amazon', them, LEASE);
            fixture.pass(hours(1));
          }
          return slow;
        },
      },
    });
    expect(requested('slow report')).toBe(1);
    expect(await acquireLease(fixture.engine.db, 'read:amazon', 'a third', hours(1))).toBeNull();
  });

  test('one that cannot reach the database stops once its lease may have expired', async () => {
    const slow = withSlowFigures();
    await run(() => requested('broken off') === 1, {
      connections: {
        stateOf: async () => {
          if (requested('slow report') === 0) return slow;
          fixture.pass(25_000);
          throw new Error('The database is away.');
        },
      },
    });
    expect(errors.length).toBeGreaterThanOrEqual(3);
  });
});

test('an authorization that ends unused is used once a week while its marketplace is switched off', async () => {
  const paused = async (): Promise<ConnectionState> => ({
    kind: 'paused',
    why: 'It is turned off.',
  });
  const obtainedAt = fixture.time;
  let now = obtainedAt;
  const { account, connector } = fixture.shop.connection;
  let checks = 0;
  const check = async () => {
    checks += 1;
    throw new ConnectorError('network', 'No answer.');
  };
  const tokens = memoryVault({ refresh: { value: 'r', obtainedAt, expiresAt: null } });
  const findings = memoryFindings({}, () => now);
  const unused = {
    ...fixture.shop.connection,
    connector: { ...connector, check },
    account: { ...account, tokens, findings },
  };
  const after = async (time: number) => {
    now = instant(obtainedAt + time);
    waits = [];
    const connections = { stateOf: paused, unusedOf: async () => unused };
    await run(times(3), { connections, now: () => now });
    return checks;
  };
  expect(await after(hours(7 * 24) - 1)).toBe(0);
  expect(await after(hours(7 * 24))).toBe(1);
  // Where it fails, again after a day.
  expect(await after(hours(8 * 24) - 1)).toBe(1);
  expect(await after(hours(8 * 24))).toBe(2);
  // The clock was ahead when it was used last.
  await findings.write('authorization_kept', {}, instant(obtainedAt - hours(2)));
  expect(await after(-hours(1))).toBe(3);
  expect(errors).toEqual([]);
});
