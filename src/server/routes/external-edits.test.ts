import { eq, sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { externalEdits } from '#db/schema/prices.ts';
import { usd } from '#tests/builders/facts.ts';
import { createPricedShop, type PricedShop } from '#tests/support/priced-shop.ts';
import { auditOf } from '#tests/support/read-back.ts';
import { readEveryPrice } from '#tests/support/seed.ts';

/** A-1 is at $20.00 on a connected Walmart; its margin floor is $14.29. */
let shop: PricedShop;
beforeEach(async () => {
  shop = await createPricedShop();
  await shop.app.db.execute(
    sql`UPDATE integrations SET price_channel = 'connected' WHERE marketplace = 'walmart'`,
  );
  await readEveryPrice(shop.app.db);
  await shop.engineRuns();
});
afterEach(() => shop.app.close());

const iso = (): string => new Date(shop.app.deps.now()).toISOString();
const edit = async () => (await shop.get(`/api/listings/${shop.id}/external-edit`)).json();

/** The price was changed on the marketplace to $11.00, which is the listing's price since. */
async function found(): Promise<string> {
  await shop.app.db.execute(sql`
    INSERT INTO price_history (listing_id, old_price, new_price, reason, source, timestamp, margin_floor)
    VALUES (${shop.id}, 20, 11, 'Changed there', 'observed', ${iso()}::timestamptz, 14.29)`);
  const [row] = await shop.app.db
    .insert(externalEdits)
    .values({
      listingId: shop.id,
      marketplace: 'walmart',
      foundAt: shop.app.deps.now(),
      price: usd(11),
      priceBefore: usd(20),
      problem: 'below_floor',
      unrepairedBecause: 'policy',
      repairPrice: usd(14.29),
    })
    .returning({ id: externalEdits.id });
  return String(row?.id);
}

test('an edit that waits for a user is shown, and left as it was once', async () => {
  expect(await edit()).toEqual({ edit: null });
  const id = await found();
  expect(await edit()).toEqual({
    edit: {
      id,
      marketplace: 'walmart',
      foundAt: iso(),
      price: '11.00',
      priceBefore: '20.00',
      problem: 'below_floor',
      unrepairedBecause: 'policy',
      repairPrice: '14.29',
      isInForce: true,
    },
  });
  const leave = () => shop.send('POST', `/api/listings/${shop.id}/external-edit/leave`, { edit: id });
  const left = await leave();
  expect(left.statusCode, left.body).toBe(200);
  expect(left.json()).toMatchObject({ id: String(shop.id), currentPrice: '11.00' });
  expect(await edit()).toEqual({ edit: null });
  const [row] = await shop.app.db
    .select()
    .from(externalEdits)
    .where(eq(externalEdits.id, Number(id)));
  expect(row).toMatchObject({ decision: 'left' });
  const again = await leave();
  expect(again.statusCode).toBe(409);
  expect(again.json()).toMatchObject({ code: 'conflict' });
});

test('what happens to such edits is set by marketplace, and audited', async () => {
  const saved = await shop.send('PUT', '/api/connections/etsy/external-edits', { policy: 'repair_floor' });
  expect(saved.json()).toEqual({ policy: 'repair_floor' });
  expect(await auditOf(shop.app.db, 'external_edits.set')).toHaveLength(1);
  const connections = (await shop.get('/api/connections')).json().marketplaces as { marketplace: string }[];
  expect(connections.find(({ marketplace }) => marketplace === 'etsy')).toMatchObject({
    externalEdits: 'repair_floor',
  });
  expect(connections.find(({ marketplace }) => marketplace === 'ebay')).toMatchObject({
    externalEdits: 'repair_loss',
  });
  const unknown = await shop.send('PUT', '/api/connections/etsy/external-edits', { policy: 'often' });
  expect(unknown.statusCode).toBe(400);
  expect(unknown.json()).toMatchObject({ fields: { policy: expect.any(String) } });
});
