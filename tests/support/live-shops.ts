import { sql } from 'drizzle-orm';
import { createAmazon } from '#connectors/amazon/amazon.ts';
import { createEbay } from '#connectors/ebay/ebay.ts';
import { createEtsy } from '#connectors/etsy/etsy.ts';
import { createMichaels } from '#connectors/michaels/michaels.ts';
import { createShopify } from '#connectors/shopify/shopify.ts';
import { createWalmart } from '#connectors/walmart/walmart.ts';
import { insertUser } from '#db/queries/identity/users.ts';
import { repricingState } from '#db/schema/repricing-state.ts';
import { appSettings } from '#db/schema/settings.ts';
import type { SyncKind } from '#domain/connections/sync-kinds.ts';
import { MARKETPLACES, type Marketplace } from '#domain/marketplaces.ts';
import { type Sandbox, startSandbox } from '#sandbox/server.ts';
import type { WorldPlan } from '#sandbox/world/catalog.ts';
import { createWorld } from '#sandbox/world/world.ts';
import { connectDemo } from '#usecases/demo/connect-demo.ts';
import { DEMO_LOGIN } from '#usecases/demo/demo-login.ts';
import { dataKeysOf } from '#usecases/identity/encryption/data-keys.ts';
import { configuredKey } from '#usecases/identity/encryption/secret-keys.ts';
import { openConnections } from '#usecases/marketplaces/connections/open-connections.ts';
import { createSender, sendTick } from '#usecases/marketplaces/sending/sending-loop.ts';
import type { EngineFixture } from './engine-fixture.ts';
import { setLive } from './seed.ts';
import { syncWhatIsDue } from './sync-what-is-due.ts';

const RELEASE = '1.0.0/1';
const CONNECTORS = {
  walmart: createWalmart,
  amazon: createAmazon,
  michaels: createMichaels,
  ebay: createEbay,
  etsy: createEtsy,
  shopify: createShopify,
};

/** Shops on simulated marketplaces, with the server's background work done step by step on the fixture's clock. */
export interface LiveShops {
  readonly sandbox: Sandbox;
  /** Reads what is due, decides, and sends until nothing is left to do. Waits for call limits make time pass. */
  check(): Promise<void>;
  /** Sends what may be sent now. */
  send(): Promise<void>;
  /** Lets so many milliseconds pass here and there. */
  pass(milliseconds: number): void;
}

interface ShopsPlan extends Pick<WorldPlan, 'seed' | 'items' | 'quirks' | 'fees'> {
  /** The marketplaces that are worked on; their prices are sent. */
  readonly live: readonly Marketplace[];
  /** What the product of a new listing costs, as a share of its price; its parcels cost nothing. */
  readonly costShare: number;
  /** What is entered after each reading, before prices are decided: then the parcels of the store cost what it says. */
  readonly enter?: () => Promise<void>;
  /** What is read; everything by default. */
  readonly kinds?: ReadonlySet<SyncKind>;
  /** Minutes between two checks of the store. */
  readonly checkInterval: number;
}

/** Connects an empty store with simulated shops that keep their call limits. Close the sandbox afterwards. */
export async function openLiveShops(
  fixture: EngineFixture,
  { live, costShare, checkInterval, enter, kinds, ...plan }: ShopsPlan,
): Promise<LiveShops> {
  const { db } = fixture;
  const now = () => fixture.now;
  const world = createWorld({ ...plan, startsAt: now(), stock: [] });
  const sandbox = await startSandbox({ world, port: 0, keepsLimits: true });
  const pass = (milliseconds: number): void => {
    fixture.advance(milliseconds);
    world.advance(fixture.now);
  };
  const secrets = dataKeysOf(db, configuredKey(Buffer.alloc(32, 7)), now);
  const owner = {
    username: 'demo',
    email: DEMO_LOGIN.email,
    fullName: 'Ann',
    password: 'x',
    phoneNumber: '1',
  };
  await insertUser(db, { ...owner, role: 'admin', approved: true, emailVerified: true }, now());
  await connectDemo({ db, secrets, now }, sandbox.credentials);
  await db.update(appSettings).set({ checkInterval });
  await db.update(repricingState).set({ release: RELEASE });
  for (const marketplace of live) await setLive(db, marketplace);
  const wait = async (milliseconds: number) => pass(milliseconds);
  const connectorOf = (name: Marketplace) =>
    CONNECTORS[name]({ baseUrl: sandbox.addresses[name], now, wait });
  const connectors = Object.fromEntries(MARKETPLACES.map((name) => [name, connectorOf(name)]));
  const connections = openConnections({ db, secrets, now }, connectors);
  const onUnexpectedError = (error: unknown) => Promise.reject(error);
  const senders = live.map((marketplace) =>
    createSender({ db, connections, now, owner: 'one', release: RELEASE, onUnexpectedError }, marketplace),
  );
  const send = async (): Promise<void> => {
    for (const sender of senders) while ((await sendTick(sender)) === 'worked');
  };
  const check = async (): Promise<void> => {
    for (const marketplace of live) {
      const state = await connections.stateOf(marketplace);
      if (state.kind !== 'connected') throw new Error(`${marketplace} is ${state.kind}`);
      const source = { connection: state.connection, signal: new AbortController().signal };
      await syncWhatIsDue({ db, now }, source, kinds);
    }
    await db.execute(sql`INSERT INTO skus (sku, name, product_cost, weight_oz)
      SELECT DISTINCT ON (sku) sku, title, round(current_price * ${costShare}, 2), 8 FROM listings l
      WHERE NOT EXISTS (SELECT FROM skus s WHERE s.sku = l.sku)`);
    await enter?.();
    await db.execute(sql`UPDATE listings SET shipping_cost = 0
      WHERE shipping_cost IS NULL AND fulfillment_type = 'FBM'`);
    await fixture.untilIdle();
    await send();
  };
  return { sandbox, check, send, pass };
}
