import { asc } from 'drizzle-orm';
import { afterEach, beforeEach } from 'vitest';
import type { Database, Db } from '#db/client.ts';
import { dueListings } from '#db/schema/due-listings.ts';
import { listings } from '#db/schema/listings.ts';
import { repricingState } from '#db/schema/repricing-state.ts';
import { repricingRuns } from '#db/schema/runs.ts';
import { type Cents, hours, type Instant, instant } from '#domain/units.ts';
import { NOW } from '#tests/builders/facts.ts';
import type { EngineDeps } from '#usecases/repricing/engine/engine-deps.ts';
import { engineStep } from '#usecases/repricing/engine/engine-loop.ts';
import { PlannedPages } from '#usecases/repricing/engine/planned-pages.ts';
import { borrowDatabase, type RecycledDatabase } from './recycled-database.ts';

export const ANN = { id: 'ann', name: 'Ann' };
export const MINUTE = hours(1 / 60);

/** An engine that does one step at a time, on a database of its own per test, with a fixed clock. */
export interface EngineFixture {
  readonly open: Database;
  readonly db: Db;
  readonly now: Instant;
  /** What the engine reported of its own faults. */
  readonly faults: readonly unknown[];
  deps(over?: Partial<EngineDeps>): EngineDeps;
  advance(by: number): void;
  /** Steps until there is nothing to do. @returns how many pieces of work there were */
  untilIdle(engine?: EngineDeps): Promise<number>;
  runs(): Promise<(typeof repricingRuns.$inferSelect)[]>;
  /** Ids of the listings that wait, in order. */
  due(): Promise<number[]>;
  prices(): Promise<Cents[]>;
  engineSwitch(): Promise<typeof repricingState.$inferSelect | undefined>;
  /** Everything was checked just now: only due listings are worked on. */
  sweptJustNow(): Promise<void>;
}

/** Registers the hooks of a test file and answers with its fixture. */
export function engineFixture(): EngineFixture {
  let database: RecycledDatabase;
  let now: Instant = NOW;
  const skippedUntil = new Map<number, Instant>();
  const faults: unknown[] = [];
  beforeEach(async () => {
    database = await borrowDatabase();
    now = NOW;
    skippedUntil.clear();
    faults.length = 0;
  });
  afterEach(() => database.giveBack());
  const standing: Omit<EngineDeps, 'db'> = {
    now: () => now,
    batchSize: 1_000,
    isStopping: () => false,
    skippedUntil,
    planned: new PlannedPages(),
    onUnexpectedError: (error) => faults.push(error),
  };
  const fixture: EngineFixture = {
    faults,
    get open() {
      return database.open;
    },
    get db() {
      return database.open.db;
    },
    get now() {
      return now;
    },
    deps: (over = {}) => ({ ...standing, db: fixture.db, ...over }),
    advance: (by) => {
      now = instant(now + by);
    },
    untilIdle: async (engine = fixture.deps()) => {
      for (let steps = 0; steps < 100; steps++) if ((await engineStep(engine)) === 'idle') return steps;
      throw new Error('The engine never rests.');
    },
    runs: () => fixture.db.select().from(repricingRuns).orderBy(asc(repricingRuns.id)),
    due: async () => {
      const rows = await fixture.db.select().from(dueListings).orderBy(asc(dueListings.listingId));
      return rows.map(({ listingId }) => listingId);
    },
    prices: async () =>
      (await fixture.db.select().from(listings).orderBy(asc(listings.id))).map((row) => row.currentPrice),
    engineSwitch: async () => (await fixture.db.select().from(repricingState))[0],
    sweptJustNow: async () => {
      await fixture.db
        .insert(repricingRuns)
        .values({ trigger: 'full_check', state: 'done', startedAt: now, endedAt: now });
    },
  };
  return fixture;
}
