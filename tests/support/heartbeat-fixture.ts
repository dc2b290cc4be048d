import { execFileSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { sql } from 'drizzle-orm';
import { afterEach, beforeEach } from 'vitest';
import { sessions, users } from '#db/schema/accounts.ts';
import { installation } from '#db/schema/installation.ts';
import { priceIntents } from '#db/schema/prices.ts';
import { marketplaceModes } from '#db/schema/repricing-state.ts';
import type { RollbackKind } from '#domain/data-rollback.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import { hours, instant } from '#domain/units.ts';
import { usd } from '#tests/builders/facts.ts';
import { Heartbeat } from '#usecases/repricing/engine/heartbeat.ts';
import { HeartbeatFile } from '#usecases/repricing/engine/heartbeat-file.ts';
import { type EngineFixture, engineFixture } from './engine-fixture.ts';
import { newScratchFolder } from './scratch-folder.ts';
import { addListing, setLive } from './seed.ts';

/** What a restore takes away. */
export interface ShopState {
  readonly live: readonly Marketplace[];
  readonly sessions: number;
  readonly intents: readonly string[];
}

/** A store with two live marketplaces, a session and a queued price, as {@link HeartbeatFixture.seedShop} leaves it. */
export const UNTOUCHED: ShopState = { live: ['ebay', 'etsy'], sessions: 1, intents: ['queued'] };
export const SET_BACK: ShopState = { live: [], sessions: 0, intents: ['expired'] };

/** An installation: a database, a data folder, and processes that are started on both. */
export interface HeartbeatFixture {
  readonly shop: EngineFixture;
  readonly folder: string;
  /** What the processes found. */
  readonly found: RollbackKind[];
  readonly folderErrors: unknown[];
  /** A process, with the database in the data folder unless given otherwise. */
  started(over?: { readonly isInFolder?: boolean; readonly file?: HeartbeatFile }): Heartbeat;
  seedShop(): Promise<void>;
  state(): Promise<ShopState>;
  /** The number of the mark; none before the first heartbeat. */
  numbers(): Promise<number[]>;
  /** Runs a line of shell in the data folder. */
  shell(line: string): void;
  /** Puts the row back as it was, as a copy of the server's files or a snapshot of its disk would. */
  rollBack(row: Partial<typeof installation.$inferSelect>): Promise<void>;
  /** What a restore from a dump does to the row, by whatever tool. */
  takeOutOfDump(): Promise<void>;
}

/** Registers the hooks of a test file and answers with its fixture. */
export function heartbeatFixture(): HeartbeatFixture {
  const shop = engineFixture();
  let folder: string;
  const found: RollbackKind[] = [];
  const folderErrors: unknown[] = [];
  beforeEach(async () => {
    folder = await newScratchFolder('mark');
    found.length = 0;
    folderErrors.length = 0;
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));
  return {
    shop,
    found,
    folderErrors,
    get folder() {
      return folder;
    },
    started: ({ isInFolder = true, file = new HeartbeatFile(folder) } = {}) =>
      new Heartbeat({
        now: () => shop.now,
        file,
        isInFolder,
        onRollback: (rollback) => found.push(rollback),
        onNoFolder: (error) => folderErrors.push(error),
      }),
    seedShop: () => seedShop(shop),
    state: async () => {
      const modes = await shop.db.select().from(marketplaceModes).orderBy(marketplaceModes.marketplace);
      const intents = await shop.db.select().from(priceIntents).orderBy(priceIntents.id);
      return {
        live: modes
          .filter(({ mode }) => mode === 'live')
          .map(({ marketplace }) => marketplace)
          .toSorted(),
        sessions: await shop.db.$count(sessions),
        intents: intents.map(({ state }) => state),
      };
    },
    numbers: async () => (await shop.db.select().from(installation)).map(({ number }) => number),
    shell: (line) => void execFileSync('/bin/sh', ['-c', line], { cwd: folder }),
    rollBack: async (row) => {
      const writtenBy = sql`pg_current_xact_id()::xid::text`;
      await shop.db.update(installation).set({ ...row, writtenBy });
    },
    takeOutOfDump: () =>
      shop.db.transaction(async (tx) => {
        await tx.execute(sql`CREATE TEMP TABLE dumped ON COMMIT DROP AS SELECT * FROM installation`);
        await tx.execute(sql`DELETE FROM installation`);
        await tx.execute(sql`INSERT INTO installation SELECT * FROM dumped`);
      }),
  };
}

async function seedShop({ db, now }: EngineFixture): Promise<void> {
  const ann = { username: 'ann', email: 'ann@example.com', password: 'x', fullName: 'Ann', phoneNumber: '1' };
  const [user] = await db.insert(users).values(ann).returning({ id: users.id });
  const expiresAt = instant(now + hours(9));
  await db.insert(sessions).values({
    tokenHash: 'h',
    userId: user?.id ?? '',
    createdAt: now,
    lastSeenAt: now,
    stepUpAt: now,
    expiresAt,
  });
  const listingId = await addListing(db, 'A-1');
  await db.insert(priceIntents).values({
    listingId,
    marketplace: 'etsy',
    sequence: 1,
    price: usd(19),
    fromPrice: usd(20),
    state: 'queued',
    marginFloor: usd(15),
    reason: 'Beat',
    source: 'rule',
    createdAt: now,
    expiresAt,
    idempotencyKey: 'a',
  });
  await setLive(db, 'etsy');
  await setLive(db, 'ebay');
}
