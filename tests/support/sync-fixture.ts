import type { sql } from 'drizzle-orm';
import { beforeEach } from 'vitest';
import type { Marketplace } from '#domain/marketplaces.ts';
import { type Instant, instant } from '#domain/units.ts';
import type { Connection } from '#usecases/marketplaces/connections/connections.ts';
import { type EngineFixture, engineFixture } from './engine-fixture.ts';
import { type ShopConnector, shopConnector } from './shop-connector.ts';
import { syncWhatIsDue } from './sync-what-is-due.ts';

/** A store on a marketplace that is synced, on a database of its own per test, with a fixed clock. */
export interface SyncFixture {
  readonly engine: EngineFixture;
  readonly time: Instant;
  readonly shop: ShopConnector;
  /** One round of whatever is due. @returns whether anything was */
  read(connection?: Connection, signal?: AbortSignal): Promise<boolean>;
  pass(milliseconds: number): void;
  rows(query: ReturnType<typeof sql>): Promise<Record<string, unknown>[]>;
}

/** Registers the hooks of a test file and answers with its fixture. */
export function syncFixture(marketplace: Marketplace): SyncFixture {
  const engine = engineFixture();
  const never = new AbortController().signal;
  let time: Instant;
  let shop: ShopConnector;
  beforeEach(() => {
    time = engine.now;
    shop = shopConnector(marketplace, () => time);
  });
  return {
    engine,
    get time() {
      return time;
    },
    get shop() {
      return shop;
    },
    read: (connection = shop.connection, signal = never) =>
      syncWhatIsDue({ db: engine.db, now: () => time }, { connection, signal }),
    pass: (milliseconds) => {
      time = instant(time + milliseconds);
    },
    rows: async (query) => (await engine.db.execute<Record<string, unknown>>(query)).rows,
  };
}
