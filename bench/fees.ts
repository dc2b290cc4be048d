/**
 * What the margin floor promises against what the marketplaces truly take: a shop in the sandbox whose fee categories,
 * bands and sizes no one reports in full. For every listing, the true margin at its floor.
 *
 *   npm run proof:fees
 *   npm run proof:fees -- --listings 5000 --seed another --readings 3 --sales 5
 *   npm run proof:fees -- --flat          as 1.3.0 priced: one rate for each marketplace, whatever is reported; FBM alone
 *
 * Marketplaces that report their fees only after a sale sell one unit of each listing every 16 days: first at its price, then
 * at its margin floor, as if competitors had pushed it there.
 *
 * Exit code 1 when nothing could be measured, never because a promise was not kept: it says how often.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { sql } from 'drizzle-orm';
import { createAmazon } from '#connectors/amazon/amazon.ts';
import { createEbay } from '#connectors/ebay/ebay.ts';
import { createEtsy } from '#connectors/etsy/etsy.ts';
import { createShopify } from '#connectors/shopify/shopify.ts';
import { createWalmart } from '#connectors/walmart/walmart.ts';
import type { Db } from '#db/client.ts';
import { transact } from '#db/transact.ts';
import { hours, instant } from '#domain/units.ts';
import { readShippedFees, schedulesOfPlans } from '#files/read-shipped-fees.ts';
import { startSandbox } from '#sandbox/server.ts';
import { createWorld } from '#sandbox/world/world.ts';
import { promisesIn, promiseTable } from '#tests/support/fee-promises.ts';
import { memoryVault } from '#tests/support/memory-vault.ts';
import { loadShippedFees } from '#usecases/catalog/fees/load-shipped-fees.ts';
import { computeDueSales } from '#usecases/catalog/sales/compute-sales.ts';
import type { Connection } from '#usecases/marketplaces/connections/connections.ts';
import { PassedOverList } from '#usecases/marketplaces/sync/sync-deps.ts';
import { syncFees } from '#usecases/marketplaces/sync/sync-fees.ts';
import { syncMoney } from '#usecases/marketplaces/sync/sync-money.ts';
import { syncSales } from '#usecases/marketplaces/sync/sync-sales.ts';
import { openFeeDatabase } from './fees-database.ts';
import { feeShop, listShop, MINIMUM_MARGIN, PROMISE, sellEach } from './fees-shop.ts';

const { values } = parseArgs({
  options: {
    listings: { type: 'string', default: '2000' },
    seed: { type: 'string', default: 'fees' },
    readings: { type: 'string', default: '2' },
    sales: { type: 'string', default: '3' },
    flat: { type: 'boolean', default: false },
  },
});
/** A marketplace's longest period from payout to payout, and two days. */
const SETTLED_AFTER = hours(16 * 24);
const AFTER_SALE = [
  ['walmart', createWalmart],
  ['ebay', createEbay],
  ['etsy', createEtsy],
  ['shopify', createShopify],
] as const;

/** The fees of 1.3.0: of its migration 0004, without categories and without sales tax. */
const FLAT_RATES = `TRUNCATE fee_schedules CASCADE;
  INSERT INTO fee_schedules (marketplace, band_kind, created_by)
    SELECT m, 'whole', 'Pricewright' FROM unnest(ARRAY['walmart', 'amazon', 'michaels', 'ebay', 'etsy', 'shopify']) m;
  INSERT INTO fee_bands (schedule_id, up_to, percent, fixed, minimum) SELECT s.id, b.up_to, b.percent, b.fixed, b.minimum
    FROM (VALUES ('walmart', NULL, 15, 0, 0), ('amazon', NULL, 15, 0, 0.30), ('michaels', NULL, 15, 0, 0), ('ebay', 10, 13.6, 0.30, 0),
      ('ebay', NULL, 13.6, 0.40, 0), ('etsy', NULL, 9.5, 0.45, 0), ('shopify', NULL, 2.9, 0.30, 0))
      AS b (marketplace, up_to, percent, fixed, minimum) JOIN fee_schedules s ON s.marketplace = b.marketplace`;

const dataDir = join(import.meta.dirname, '../.cache/bench/fees');
let at = instant(Date.now());
const now = () => at;
const pass = (milliseconds: number): void => {
  at = instant(at + milliseconds);
};

const items = feeShop(values.seed, Number(values.listings));
const world = createWorld({ seed: values.seed, startsAt: at, items, stock: [] });
const sandbox = await startSandbox({
  world,
  port: 0,
  now,
  services: ['amazon', 'walmart', 'ebay', 'etsy', 'shopify'],
});
const database = await openFeeDatabase(dataDir);
try {
  if (values.flat) await database.db.execute(sql.raw(FLAT_RATES));
  else await loadShippedFees({ db: database.db, now }, schedulesOfPlans(await readShippedFees()));
  await listShop(database.db, items, at);
  if (values.flat) {
    await database.decideAll(now);
    const groups = await promisesIn(database.db, world, at, PROMISE);
    print(new Map([...groups].filter(([name]) => name.includes('FBM'))));
  } else await measure();
} finally {
  await database.close();
  await sandbox.close();
  rmSync(dataDir, { recursive: true, force: true });
}

async function measure(): Promise<void> {
  const wait = async (milliseconds: number) => pass(milliseconds);
  const connector = createAmazon({ baseUrl: sandbox.addresses.amazon, now, wait });
  const account = { credentials: sandbox.credentials.amazon, tokens: memoryVault() };
  const connection = { marketplace: 'amazon' as const, connector, account, generation: 1 };
  const source = { connection, signal: new AbortController().signal, passedOver: new PassedOverList() };
  for (let reading = 1; reading <= Number(values.readings); reading++) {
    const times = { syncedBefore: at, blockedBefore: at };
    const { told, refused, unread } = await syncFees(
      { db: database.db, now },
      source,
      times,
      () => undefined,
    );
    await database.decideAll(now);
    console.log(`Reading ${reading}: ${told} told, ${refused} refused, ${unread} not answered.`);
    pass(hours(24));
  }
  print(await promisesIn(database.db, world, at, PROMISE));
  const afterSale = AFTER_SALE.map(([marketplace, make]): Connection => {
    const baseUrl = sandbox.addresses[marketplace];
    const vault = { credentials: sandbox.credentials[marketplace], tokens: memoryVault() };
    return { marketplace, connector: make({ baseUrl, now, wait }), account: vault, generation: 1 };
  });
  for (let sale = 1; sale <= Number(values.sales); sale++) {
    await sellEach(database.db, world);
    pass(SETTLED_AFTER);
    world.advance(at);
    for (const connection of afterSale) {
      const { recorded, refusedAmounts } = await readSold(database.db, connection);
      console.log(
        `Sale ${sale}: ${connection.marketplace} told ${recorded} amounts, ${refusedAmounts} refused.`,
      );
    }
    while (await transact(database.db, (tx) => computeDueSales(tx, at)));
    await database.decideAll(now);
    const groups = await promisesIn(database.db, world, at, PROMISE);
    print(new Map([...groups].filter(([name]) => AFTER_SALE.some(([each]) => name.startsWith(each)))));
  }
}

/** What a marketplace reported of the sales so far, and of its money. */
async function readSold(db: Db, connection: Connection) {
  const from = { connection, signal: new AbortController().signal, passedOver: new PassedOverList() };
  await syncSales({ db, now }, from, instant(at - 2 * SETTLED_AFTER));
  return syncMoney({ db, now }, from, { startedAt: at, requestedAt: null }, () => undefined);
}

function print(groups: Awaited<ReturnType<typeof promisesIn>>): void {
  if (groups.size === 0) process.exitCode = 1;
  console.log(`\nTrue margin at the floor against the promised ${MINIMUM_MARGIN / 100}%, in points`);
  for (const line of promiseTable(groups)) console.log(line);
}
