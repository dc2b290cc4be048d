import { sql } from 'drizzle-orm';
import { afterEach, expect, test } from 'vitest';
import { cents, minutes } from '#domain/units.ts';
import type { Sandbox } from '#sandbox/server.ts';
import type { ItemPlan } from '#sandbox/world/catalog.ts';
import { pct } from '#tests/builders/facts.ts';
import { asMany } from '#tests/support/breadth.ts';
import { engineFixture } from '#tests/support/engine-fixture.ts';
import { openLiveShops } from '#tests/support/live-shops.ts';
import { addRule } from '#tests/support/seed.ts';

/*
 * An eBay shop as sellers have them: seven of ten listings were never in the Inventory model, three of ten have
 * variations. All of them are read, priced and read back.
 */

/** As many as `npm run proof:markets -- --ebay` asks for; 0: the small shop of a run of all tests. */
const PROOF_LISTINGS = Number(process.env.PRICEWRIGHT_EBAY_LISTINGS ?? 0);
const LISTINGS = PROOF_LISTINGS || asMany(20, 200);
/** Within these every price has to be confirmed. */
const HOURS = PROOF_LISTINGS > 0 ? 72 : asMany(4, 12);
const fixture = engineFixture();
let sandbox: Sandbox;
afterEach(() => sandbox.close());

/** The listings of the shop: of each ten, three have two variations, and seven are unknown to the Inventory API. */
function shop(): ItemPlan[] {
  return Array.from({ length: LISTINGS }, (_, at) => at).flatMap((at): ItemPlan[] => {
    const isTrading = at % 10 < 7;
    const hasVariations = at % 10 < 3;
    const itemId = String(110_000_000_000 + at);
    const listing = {
      marketplace: 'ebay' as const,
      title: `Product ${at}`,
      fulfillmentType: 'FBM' as const,
      price: cents(2_000 + (at % 700)),
      itemId,
      quantity: 5,
      viewsPerDay: 0,
      competitors: [],
      ...(isTrading && { keys: { offerId: '' } }),
    };
    if (!hasVariations) return [{ ...listing, sku: `E-${at}` }];
    const by = { pricedBy: [513], quantityBy: [513], skuBy: [513] };
    return ['Red', 'Blue'].map((color) => ({
      ...listing,
      sku: `E-${at}-${color}`,
      variation: { values: { 513: color }, ...by },
    }));
  });
}

async function isSending(): Promise<boolean> {
  const { rows } = await fixture.db.execute(
    sql`SELECT FROM price_intents WHERE state NOT IN ('confirmed', 'rejected', 'expired') LIMIT 1`,
  );
  return rows.length > 0;
}

/** The prices of listings of which one was confirmed by eBay, in cents. */
async function stored(): Promise<ReadonlyMap<string, number>> {
  const { rows } = await fixture.db.execute<{ sku: string; price: number }>(
    sql`SELECT l.sku, (l.current_price * 100)::float8 AS price FROM listings l
      WHERE EXISTS (SELECT FROM price_intents i WHERE i.listing_id = l.id AND i.state = 'confirmed')`,
  );
  return new Map(rows.map(({ sku, price }) => [sku, price]));
}

test(
  'an eBay shop whose listings were made in every way is read, priced and read back',
  async () => {
    const items = shop();
    await addRule(fixture.db, { strategy: 'Fixed Margin', minimumMargin: pct(20) });
    const shops = await openLiveShops(fixture, {
      seed: 'ebay shop',
      items,
      quirks: { ebay: { lag: { list: [0, 1_800], event: [0, 300] } } },
      live: ['ebay'],
      costShare: 0.6,
      checkInterval: 60,
    });
    sandbox = shops.sandbox;
    const market = sandbox.world.market('ebay');
    const before = market.items();
    for (let hour = 0; hour < HOURS && (await stored()).size < items.length; hour++) {
      await shops.check();
      for (let minute = 1; minute <= 60; minute++) {
        shops.pass(minutes(1));
        if (await isSending()) await shops.send();
      }
    }
    const { rows: read } = await fixture.db.execute(
      sql`SELECT count(*)::int AS read FROM listings WHERE deleted_at IS NULL`,
    );
    expect(read).toEqual([{ read: items.length }]);
    const prices = await stored();
    const live = market.items().filter(({ sku, price }) => prices.get(sku) === price);
    expect(live.length).toBeGreaterThanOrEqual(items.length * 0.99);
    const changed = new Set(sandbox.world.receivedPrices().map(({ sku }) => sku));
    expect(changed.size).toBe(prices.size);
    const withoutPrice = (all: typeof before) =>
      all.map(({ sku, quantity, isActive, variation }) => ({ sku, quantity, isActive, variation }));
    expect(withoutPrice(market.items())).toEqual(withoutPrice(before));
  },
  300_000 + asMany(0, 240_000) + PROOF_LISTINGS * 360,
);
