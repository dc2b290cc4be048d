import { asc, eq, sql } from 'drizzle-orm';
import { listings } from '#db/schema/listings.ts';
import { priceHistory, priceIntents } from '#db/schema/prices.ts';
import { repricingState } from '#db/schema/repricing-state.ts';
import { appSettings } from '#db/schema/settings.ts';
import type { Editor } from '#usecases/editor.ts';
import type { MarketplaceSender, SendingDeps } from '#usecases/marketplaces/sending/sending-deps.ts';
import { createSender, sendTick } from '#usecases/marketplaces/sending/sending-loop.ts';
import { ANN, type EngineFixture, engineFixture } from './engine-fixture.ts';
import { seedEngineShop } from './engine-shop.ts';
import { FakeMarketplace } from './fake-marketplace.ts';
import { readEveryPrice } from './seed.ts';

/** The user who sets manual prices. */
export const EDITOR: Editor = {
  ...ANN,
  address: '127.0.0.1',
  requestId: '00000000-0000-4000-8000-000000000001',
};
export const RELEASE = '1.0.0/31';

/** An engine, a marketplace that it is connected to, and a sender between them. */
export interface SendingFixture extends EngineFixture {
  readonly market: FakeMarketplace;
  /**
   * A live store with a number of listings whose prices the engine wants to change, connected; buyers see our prices.
   */
  seed(listings: number): Promise<void>;
  desk(over?: Partial<SendingDeps>): MarketplaceSender;
  /** Passes until there is nothing to do. */
  send(desk?: MarketplaceSender): Promise<void>;
  intents(): Promise<(typeof priceIntents.$inferSelect)[]>;
  /** Their states, by id. */
  states(): Promise<string[]>;
  ledger(): Promise<(typeof priceHistory.$inferSelect)[]>;
  listing(id: number): Promise<typeof listings.$inferSelect>;
}

/** Registers the hooks of a test file and answers with its fixture. */
export function sendingFixture(): SendingFixture {
  const engine = engineFixture();
  let market = new FakeMarketplace();
  const fixture: SendingFixture = Object.defineProperties(
    {
      seed: async (count: number) => {
        market = new FakeMarketplace();
        await seedEngineShop(engine.db, count);
        await engine.db
          .update(appSettings)
          .set({ walmartClientId: 'id', walmartClientSecret: 'v1.ciphertext' });
        await readEveryPrice(engine.db);
        await engine.db.update(repricingState).set({ release: RELEASE });
        await engine.sweptJustNow();
        for (const { id, currentPrice } of await engine.db.select().from(listings)) {
          market.live.set(id, currentPrice);
        }
      },
      desk: (over: Partial<SendingDeps> = {}) =>
        createSender(
          {
            db: engine.db,
            now: () => engine.now,
            owner: 'one',
            release: RELEASE,
            connections: market.connections(),
            onUnexpectedError: (error) => {
              throw error;
            },
            ...over,
          },
          'walmart',
        ),
      send: async (desk = fixture.desk()) => {
        for (let passes = 0; passes < 100; passes++) if ((await sendTick(desk)) === 'idle') return;
        throw new Error('The sender never rests.');
      },
      intents: () => engine.db.select().from(priceIntents).orderBy(asc(priceIntents.id)),
      states: async () => (await fixture.intents()).map(({ state }) => state),
      ledger: () =>
        engine.db
          .select()
          .from(priceHistory)
          .where(sql`${priceHistory.oldPrice} IS NOT NULL`)
          .orderBy(asc(priceHistory.id)),
      listing: async (id: number) => {
        const [row] = await engine.db.select().from(listings).where(eq(listings.id, id));
        if (row === undefined) throw new Error(`There is no listing ${id}.`);
        return row;
      },
    } as unknown as SendingFixture,
    { ...Object.getOwnPropertyDescriptors(engine), market: { get: () => market } },
  );
  return fixture;
}
