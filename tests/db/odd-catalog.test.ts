import { sql } from 'drizzle-orm';
import { afterEach, expect, test } from 'vitest';
import { listPassedOver, listSyncs } from '#db/queries/marketplaces/sync/marketplace-syncs.ts';
import { MARKETPLACE_NAMES, MARKETPLACES, type Marketplace } from '#domain/marketplaces.ts';
import type { PassedOverReason } from '#domain/readings/passed-over.ts';
import { cents, hours } from '#domain/units.ts';
import type { OddValuePlan } from '#sandbox/faults/odd-values.ts';
import { type Sandbox, startSandbox } from '#sandbox/server.ts';
import { createWorld } from '#sandbox/world/world.ts';
import { asMany } from '#tests/support/breadth.ts';
import { engineFixture } from '#tests/support/engine-fixture.ts';
import { connectorTo } from '#tests/support/fault-shop.ts';
import { memoryVault } from '#tests/support/memory-vault.ts';
import { findDueSyncs, runSync } from '#usecases/marketplaces/sync/sync-loop.ts';
import { passedOverText } from '#web/features/settings/passed-over-text.ts';

/** Listings by marketplace: 600, and 10,000 with `--all`. */
const COUNTS: Readonly<Record<Marketplace, number>> = {
  walmart: asMany(150, 7_000),
  amazon: asMany(150, 900),
  michaels: asMany(75, 600),
  ebay: asMany(75, 500),
  etsy: asMany(75, 500),
  shopify: asMany(75, 500),
};

/** How a row that is not like the others ends; null where it is taken like them. */
type End = PassedOverReason | 'not for sale' | null;

/** [what it has, the call that reports it, the member, its JSON or undefined for none, how it ends] */
type Way = readonly [of: string, operation: string, member: string, becomes: string | undefined, ends: End];

/** What catalogs may have in place of a row like the others, by marketplace. */
const WAYS: Readonly<Record<Marketplace, readonly Way[]>> = {
  walmart: [
    ['no price', 'getAllItems', 'price', undefined, 'no_price'],
    ['a negative price', 'getAllItems', 'price.amount', '-1', 'unreadable'],
    ['a price in words', 'getAllItems', 'price.amount', '"USD 5"', 'unreadable'],
    ['another currency', 'getAllItems', 'price.currency', '"CAD"', 'other_currency'],
    ['the SKU of another listing', 'getAllItems', 'sku', '"walmart-0"', 'repeated'],
    ['no SKU', 'getAllItems', 'sku', 'null', 'no_sku'],
    ['an unknown status', 'getAllItems', 'publishedStatus', '"IN_REVIEW"', 'not for sale'],
    ['HTML in its title', 'getAllItems', 'productName', '"<b onclick=x>Mug</b>"', null],
    ['an emoji in its title', 'getAllItems', 'productName', '"Mug \u{1F381}"', null],
    ['control characters in its title', 'getAllItems', 'productName', '"Mug\\u0000\\u0007\\r\\n2"', null],
  ],
  amazon: [
    [
      'a price finer than a cent',
      'searchListingsItems',
      'offers.price.amount',
      '"19.995"',
      'price_not_in_cents',
    ],
    ['null in place of an object', 'searchListingsItems', 'summaries', '[null]', 'unreadable'],
    ['a number in place of a text', 'searchListingsItems', 'offers.price.amount', '20.5', null],
    [
      'a title of 5,000 characters',
      'searchListingsItems',
      'itemName',
      JSON.stringify('Mug '.repeat(1_250)),
      null,
    ],
    ['a time in the future', 'searchListingsItems', 'summaries.createdDate', '"2099-01-01T00:00:00Z"', null],
    ['a fraction of a piece', 'searchListingsItems', 'fulfillmentAvailability.quantity', '2.5', 'unreadable'],
  ],
  michaels: [
    ['a text in place of a number', 'listAllListings', 'price', '"20.00"', null],
    [
      'a SKU of 300 characters',
      'listAllListings',
      'sellerSkuNumber',
      JSON.stringify('M'.repeat(300)),
      'no_sku',
    ],
  ],
  ebay: [
    ['an offer without prices', 'getOffers', 'pricingSummary', 'null', 'no_price'],
    ['a price in euros', 'getOffers', 'price.currency', '"EUR"', 'other_currency'],
  ],
  etsy: [['null in place of a list', 'getListingsByShop', 'products.offerings', 'null', 'unreadable']],
  shopify: [
    ['an unknown enum value', 'productVariants', 'product.status', '"SLEEPING"', 'not for sale'],
    ['no ID', 'productVariants', 'nodes.id', 'null', 'unreadable'],
  ],
};
/** So often each of them: one row in a hundred. */
const EACH = asMany(1, 4);

interface OddRow extends OddValuePlan {
  readonly service: Marketplace;
  readonly sku: string;
  readonly of: string;
  readonly ends: End;
}

const ODD: readonly OddRow[] = MARKETPLACES.flatMap((service) =>
  Array.from({ length: EACH }, () => WAYS[service])
    .flat()
    .map(([of, operation, member, becomes, ends], at) => {
      const value = becomes === undefined ? {} : { becomes };
      return { service, operation, member, ...value, sku: `${service}-${20 + 2 * at}`, of, ends };
    }),
);

const fixture = engineFixture();
let sandbox: Sandbox;
afterEach(() => sandbox.close());

const rows = async (query: ReturnType<typeof sql>) =>
  (await fixture.db.execute<Record<string, unknown>>(query)).rows;

/** Six shops, and what reads the catalogs of all of them. */
async function openShops(): Promise<{ readonly read: () => Promise<void> }> {
  const { db } = fixture;
  const now = () => fixture.now;
  const items = MARKETPLACES.flatMap((marketplace) =>
    Array.from({ length: COUNTS[marketplace] }, (_, at) => ({
      marketplace,
      sku: `${marketplace}-${at}`,
      title: `Product ${at}`,
      fulfillmentType: 'FBM' as const,
      price: cents(2_000 + (at % 900)),
      quantity: 9,
      viewsPerDay: 0,
      competitors: [],
    })),
  );
  const world = createWorld({ seed: 'odd', startsAt: now(), items, stock: [] });
  sandbox = await startSandbox({ world, port: 0 });
  const wait = async (milliseconds: number) => {
    fixture.advance(milliseconds);
    world.advance(fixture.now);
  };
  const { signal } = new AbortController();
  const sources = MARKETPLACES.map((marketplace) => {
    const connector = connectorTo(marketplace, { baseUrl: sandbox.addresses[marketplace], now, wait });
    const account = { credentials: sandbox.credentials[marketplace], tokens: memoryVault() };
    return { connection: { marketplace, generation: 0, account, connector }, signal };
  });
  const read = async () => {
    await wait(hours(1));
    for (const source of sources) {
      const due = await findDueSyncs({ db, now }, source.connection.marketplace);
      for (const one of due) if (one.kind === 'listings') await runSync({ db, now }, source, one);
    }
    for (const { problem, kind, endedAt } of await listSyncs(db))
      expect({ kind, problem, isOver: endedAt !== null }).toEqual({
        kind: 'listings',
        problem: null,
        isOver: true,
      });
  };
  return { read };
}

function writeOddValues(): void {
  for (const { of: _, ends: __, ...plan } of ODD) sandbox.oddValues.add(plan);
}

/** Each odd row, as Settings name it: why, and what to do. */
async function named(): Promise<{ readonly why: string; readonly text: string }[]> {
  const all = await Promise.all(
    MARKETPLACES.map(async (name) =>
      (await listPassedOver(fixture.db, name)).map((row) => ({
        why: `${name} ${row.why}`,
        text: `${row.what}: ${passedOverText(row, MARKETPLACE_NAMES[name])}`,
      })),
    ),
  );
  return all.flat().toSorted((one, other) => (one.why < other.why ? -1 : 1));
}

const LISTINGS = MARKETPLACES.reduce((sum, marketplace) => sum + COUNTS[marketplace], 0);
const NAMED = ODD.flatMap(({ service, ends }) =>
  ends === null || ends === 'not for sale' ? [] : [`${service} ${ends}`],
).toSorted();

test(
  'catalogs with odd rows are taken but for these, each of which is named with what to do',
  async () => {
    const { read } = await openShops();
    writeOddValues();
    await read();
    const found = await rows(sql`SELECT sku FROM listings`);
    const skus = new Set(found.map(({ sku }) => sku));
    expect(found).toHaveLength(skus.size);
    const left = ODD.filter(({ ends }) => ends !== null);
    expect(ODD.filter(({ sku }) => !skus.has(sku))).toEqual(left);
    expect(skus.size).toBe(LISTINGS - left.length);
    const first = await named();
    expect(first.map(({ why }) => why)).toEqual(NAMED);
    // A sentence that says what is wrong, and one that says what to do or why nothing can be done.
    for (const { text } of first) expect(text).toMatch(/^.{1,200}: .+[.,].+\.$/);
    const titles = await rows(
      sql`SELECT sku, title FROM listings WHERE title ~ '[[:cntrl:]]' OR char_length(title) > 1000`,
    );
    expect(titles).toEqual([]);

    // As soon as they are put right they are added, and nothing twice.
    sandbox.oddValues.clear();
    await read();
    expect(
      await rows(
        sql`SELECT count(*)::int AS count, count(DISTINCT (marketplace, sku))::int AS skus FROM listings`,
      ),
    ).toEqual([{ count: LISTINGS, skus: LISTINGS }]);
    expect(await named()).toEqual([]);

    // Of known listings nothing is lost, whatever their rows become.
    writeOddValues();
    for (const _ of [1, 2]) await read();
    expect(await rows(sql`SELECT count(*)::int AS count FROM listings`)).toEqual([{ count: LISTINGS }]);
    expect(
      await rows(sql`SELECT sku FROM listings WHERE missing_since IS NOT NULL OR deleted_at IS NOT NULL`),
    ).toEqual([]);
    expect(await rows(sql`SELECT listing_id FROM price_history WHERE old_price IS NOT NULL`)).toEqual([]);
    expect((await named()).map(({ why }) => why)).toEqual(NAMED);
  },
  asMany(300_000, 1_800_000),
);
