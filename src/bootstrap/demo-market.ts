import type { Db } from '#db/client.ts';
import { hasFlag } from '#db/queries/demo/seed.ts';
import { type Instant, minutes } from '#domain/units.ts';
import type { Sandbox } from '#sandbox/server.ts';
import type { CompetitorPlan, ItemPlan } from '#sandbox/world/catalog.ts';
import { connectDemo } from '#usecases/demo/connect-demo.ts';
import { type LiveListing, liveMarket } from '#usecases/demo/live-market.ts';
import { seedDemo } from '#usecases/demo/seed-demo.ts';
import { createPasswordHasher } from '#usecases/identity/accounts/password-hasher.ts';
import { dataKeysOf } from '#usecases/identity/encryption/data-keys.ts';
import type { SecretKeys } from '#usecases/identity/encryption/secret-keys.ts';
import { masterKeysOf } from './master-keys.ts';
import { now, type Running } from './running-program.ts';
import { StartError } from './start-error.ts';
import { homeOf } from './startup-banner.ts';

/**
 * How many times faster competitors change prices and prices are confirmed than in reality: a visitor has minutes, not
 * days.
 */
const PACE = 20;
/** Views per day and listing. Sells much more than the ninety days before. */
const VIEWS = 3;
/** Orders of an earlier start keep their numbers: fewer than one per minute is sold on any marketplace. */
const ORDERS_SINCE = Date.UTC(2026, 0, 1);
/** Amazon's own seller id, the same everywhere. */
const AMAZON_ITSELF = 'ATVPDKIKX0DER';

/**
 * The program with its marketplaces: the real services or, for the sample store, simulated ones in this process.
 * Neither ever sees the data of the other.
 * @throws StartError when the data folder belongs to the other
 */
export async function onItsMarketplaces(running: Running, db: Db): Promise<Running> {
  const { config, closers } = running;
  if (config.isDemo) await seedDemo(db, createPasswordHasher(), now());
  const isSample = await hasFlag(db, 'demo');
  if (!config.isDemo && !isSample) return running;
  if (!config.isDemo) {
    throw new StartError(`The data folder ${config.dataDir} holds the demo store. Start it with --demo.`);
  }
  if (!isSample) {
    throw new StartError(
      `The data folder ${config.dataDir} holds real data, which must not be used with simulated marketplaces. Start it without --demo, or choose another folder with PRICEWRIGHT_DATA.`,
    );
  }
  const sandbox = await startDemoMarket(db, dataKeysOf(db, masterKeysOf(config), now), now);
  const { addresses, close, world } = sandbox;
  closers.push(close);
  // A port that the system chooses is not known yet: then the address is pasted.
  const home = config.port === 0 ? null : homeOf(config, `http://${config.host}:${config.port}`);
  world.market('ebay').consents.setReturnAddress(home === null ? null : `${home}/connect/ebay`);
  // The whole store is made up and labeled so: a bar about test addresses on every page would add nothing.
  return { ...running, config: { ...config, addresses, usesTestAddresses: false } };
}

/** Simulated, connected marketplaces that continue where the sample store's history ends, on the given clock. */
export async function startDemoMarket(db: Db, secrets: SecretKeys, clock: () => Instant): Promise<Sandbox> {
  const { startSandbox } = await import('#sandbox/server.ts');
  const { createWorld } = await import('#sandbox/world/world.ts');
  const startsAt = clock();
  const world = createWorld({
    seed: 'sample shop',
    startsAt,
    pace: PACE,
    stock: [],
    firstOrder: Math.max(1, Math.floor((startsAt - ORDERS_SINCE) / minutes(1))),
    items: (await liveMarket(db)).map(itemOf),
  });
  const sandbox = await startSandbox({ world, port: 0, now: clock });
  await connectDemo({ db, secrets, now: clock }, sandbox.credentials);
  return sandbox;
}

function itemOf(listing: LiveListing): ItemPlan {
  const { marketplace, sku, title, fulfillmentType, shippingCharge, currentPrice, competitors } = listing;
  return {
    marketplace,
    sku,
    title,
    fulfillmentType,
    shippingCharge,
    price: currentPrice,
    viewsPerDay: VIEWS,
    competitors: competitors.map(
      ({ isWarehouse, ...competitor }): CompetitorPlan => ({
        ...competitor,
        fulfillmentType: isWarehouse ? 'FBA/WFS' : 'FBM',
        ...(marketplace === 'amazon' ? { sellerId: amazonIdOf(competitor.name) } : {}),
      }),
    ),
  };
}

/** The same id for all items of a seller. */
function amazonIdOf(name: string): string {
  return name === 'Amazon' ? AMAZON_ITSELF : `A${name.toUpperCase().replaceAll(/[^A-Z]/g, '')}`;
}
