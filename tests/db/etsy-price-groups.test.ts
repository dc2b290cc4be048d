import { sql } from 'drizzle-orm';
import { afterEach, expect, test } from 'vitest';
import { createEtsy } from '#connectors/etsy/etsy.ts';
import { repricingState } from '#db/schema/repricing-state.ts';
import { appSettings } from '#db/schema/settings.ts';
import { cents, minutes } from '#domain/units.ts';
import { type Sandbox, startSandbox } from '#sandbox/server.ts';
import type { ItemPlan } from '#sandbox/world/catalog.ts';
import { createWorld } from '#sandbox/world/world.ts';
import { usd } from '#tests/builders/facts.ts';
import { asMany } from '#tests/support/breadth.ts';
import { engineFixture } from '#tests/support/engine-fixture.ts';
import { memoryVault } from '#tests/support/memory-vault.ts';
import { addRule, setLive } from '#tests/support/seed.ts';
import { syncWhatIsDue } from '#tests/support/sync-what-is-due.ts';
import type { Connections } from '#usecases/marketplaces/connections/connections.ts';
import { createSender, sendTick } from '#usecases/marketplaces/sending/sending-loop.ts';

const RELEASE = '1.0.0/1';
const COLORS = ['Red', 'Blue', 'Green'];
const fixture = engineFixture();
const never = new AbortController().signal;
let sandbox: Sandbox;
afterEach(() => sandbox.close());

/** A T-shirt in three colors and two sizes. @param pricedBy the properties by which its prices differ */
function shirt(itemId: string, pricedBy: readonly number[]): ItemPlan[] {
  return COLORS.flatMap((color) =>
    ['S', 'L'].map(
      (size): ItemPlan => ({
        marketplace: 'etsy',
        sku: `${itemId}-${color}-${size}`,
        title: `Shirt, ${color} ${size}`,
        fulfillmentType: 'FBM',
        price: cents(2_400),
        itemId,
        quantity: 5,
        viewsPerDay: 0,
        variation: {
          values: { 514: color, 515: size },
          pricedBy,
          quantityBy: [514, 515],
          skuBy: [514, 515],
        },
      }),
    ),
  );
}

/** So many listings of each kind, with six variations each: 18 variations, and 720 with `--all`. */
const OF_EACH = asMany(1, 40);

/** Listings by the properties by which their prices differ: none, the size, color and size. */
const KINDS = [
  { itemId: '7001', pricedBy: [], prices: 1 },
  { itemId: '7002', pricedBy: [515], prices: 2 },
  { itemId: '7003', pricedBy: [514, 515], prices: 6 },
] as const;

const SHIRTS = KINDS.flatMap(({ itemId, ...kind }) =>
  Array.from({ length: OF_EACH }, (_, at) => ({
    ...kind,
    itemId: `${itemId}${String(at).padStart(3, '0')}`,
  })),
);

/** The server's background work for one Etsy shop. @param items what it sells; parcels cost nothing */
async function openShop(items: readonly ItemPlan[]) {
  const { db } = fixture;
  const now = () => fixture.now;
  const world = createWorld({ seed: 'groups', startsAt: fixture.now, items, stock: [] });
  sandbox = await startSandbox({ world, port: 0 });
  await addRule(db, { strategy: 'Fixed Margin' });
  await db.update(appSettings).set({ etsyEnabled: true, etsyKeystring: 'key' });
  await db.execute(sql`INSERT INTO connector_credentials (holder, name, value)
    VALUES ('etsy', 'sharedSecret', 'v1.ciphertext'), ('etsy', 'refreshToken', 'v1.ciphertext')`);
  await setLive(db, 'etsy');
  await db.update(repricingState).set({ release: RELEASE });
  const wait = async (milliseconds: number) => {
    fixture.advance(milliseconds);
    world.advance(fixture.now);
  };
  const connector = createEtsy({ baseUrl: sandbox.addresses.etsy, now, wait });
  const account = {
    credentials: sandbox.credentials.etsy as Record<string, string>,
    tokens: memoryVault({}),
  };
  const [{ generation } = { generation: 0 }] = (
    await db.execute<{ generation: number }>(
      sql`SELECT generation FROM integrations WHERE marketplace = 'etsy'`,
    )
  ).rows;
  const connection = { marketplace: 'etsy' as const, connector, account, generation };
  const connections: Connections = { stateOf: async () => ({ kind: 'connected', connection }) };
  const onUnexpectedError = (error: unknown) => Promise.reject(error);
  const sender = createSender(
    { db, connections, now, owner: 'one', release: RELEASE, onUnexpectedError },
    'etsy',
  );
  const check = async (): Promise<void> => {
    world.advance(fixture.now);
    await syncWhatIsDue({ db, now }, { connection, signal: never });
    await db.execute(sql`INSERT INTO skus (sku, name, product_cost, weight_oz)
      SELECT sku, title, CASE WHEN sku LIKE '7003%' THEN 15.3 + length(sku) / 10.0 + (id % 6) / 7.0
        WHEN sku LIKE '7002%-L' THEN 16.1 ELSE 16.5 END, 8 FROM listings l WHERE NOT EXISTS (SELECT FROM skus s WHERE s.sku = l.sku)`);
    await db.execute(sql`UPDATE listings SET shipping_cost = 0 WHERE shipping_cost IS NULL`);
    await fixture.untilIdle();
    while ((await sendTick(sender)) === 'worked');
    await wait(minutes(61));
  };
  return { world, check };
}

const problems = async () =>
  (
    await fixture.db.execute<{ sku: string; reason: string }>(
      sql`SELECT l.sku, concat_ws(' ', m.outcome, m.reason_code, m.review_reason) AS reason FROM listings l JOIN listing_metrics m ON m.listing_id = l.id
        WHERE m.outcome <> 'keep' OR m.reason_code <> 'already_there' ORDER BY 1`,
    )
  ).rows;

test('an Etsy shop whose variations share a price is priced whole, and no variation changes', async () => {
  const { world, check } = await openShop(SHIRTS.flatMap(({ itemId, pricedBy }) => shirt(itemId, pricedBy)));
  const before = world.market('etsy').items();
  for (let round = 0; round < 6; round++) await check();
  const after = world.market('etsy').items();
  expect(await problems()).toEqual([]);
  expect(after.every(({ price }) => price < 2_400)).toBe(true);
  const shown = SHIRTS.map(({ itemId }) =>
    after.filter((item) => item.itemId === itemId).map(({ price }) => price),
  );
  expect(shown.map((prices) => prices.length)).toEqual(SHIRTS.map(() => 6));
  expect(shown.map((prices) => new Set(prices).size)).toEqual(SHIRTS.map(({ prices }) => prices));
  const withoutPrice = (all: typeof before) =>
    all.map(({ sku, quantity, isActive, variation }) => ({ sku, quantity, isActive, variation }));
  expect(withoutPrice(after)).toEqual(withoutPrice(before));
  // One write for all that share a price.
  const { rows } =
    await fixture.db.execute(sql`SELECT DISTINCT group_size AS size, count(*)::int AS groups FROM (
    SELECT DISTINCT group_order, group_size FROM price_intents WHERE group_order IS NOT NULL) g GROUP BY 1 ORDER BY 1`);
  expect(rows.map(({ size }) => size)).toEqual([3, 6]);
});

test('a listing that is split there is priced by its own parts, after the next catalog', async () => {
  const { world, check } = await openShop(shirt('7001', []));
  await check();
  const together = world.market('etsy').items()[0]?.price;
  expect(together).toBeLessThan(usd(24));
  world
    .market('etsy')
    .edit('7001-Red-S', { differsBy: { pricedBy: [514], quantityBy: [514, 515], skuBy: [514, 515] } });
  await fixture.db.execute(sql`UPDATE skus SET product_cost = 17 WHERE sku LIKE '%Red%'`);
  for (let round = 0; round < 6; round++) await check();
  const shown = new Map(
    world
      .market('etsy')
      .items()
      .map(({ sku, price }) => [sku, price]),
  );
  expect(shown.get('7001-Red-S')).toBe(shown.get('7001-Red-L'));
  expect(shown.get('7001-Blue-S')).toBe(shown.get('7001-Green-L'));
  expect(shown.get('7001-Red-S')).toBeGreaterThan(shown.get('7001-Blue-S') ?? Infinity);
});
