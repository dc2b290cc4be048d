import { sql } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { usd } from '#tests/builders/facts.ts';
import { engineFixture } from '#tests/support/engine-fixture.ts';
import { addListing, addOffer, addRule, addSku, declareSeller, setLive } from '#tests/support/seed.ts';

const fixture = engineFixture();

/** Mug "A-1" on Walmart and eBay, both at $20.00 and live, each with a competitor that the rule beats by a cent. */
let onWalmart: number;
let onEbay: number;
beforeEach(async () => {
  await addSku(fixture.db, 'A-1');
  for (const marketplace of ['walmart', 'ebay'] as const) {
    await declareSeller(fixture.db, marketplace);
    await setLive(fixture.db, marketplace);
  }
  onWalmart = await addListing(fixture.db, 'A-1');
  onEbay = await addListing(fixture.db, 'A-1', { marketplace: 'ebay' });
});

const setCompetitors = async (walmart: number, ebay: number): Promise<void> => {
  await addOffer(fixture.db, onWalmart, walmart);
  await addOffer(fixture.db, onEbay, ebay);
};
const reported = async (id: number) => {
  const { rows } = await fixture.db.execute<{
    price: string;
    recommended: string | null;
    reason: string | null;
  }>(sql`
    SELECT current_price AS price, recommended_price AS recommended, recommended_price_reason AS reason
    FROM listings WHERE id = ${id}`);
  return rows[0];
};
const lastReason = async (id: number): Promise<string | undefined> => {
  const { rows } = await fixture.db.execute<{ reason: string }>(sql`
    SELECT reason FROM price_history WHERE listing_id = ${id} ORDER BY id DESC LIMIT 1`);
  return rows[0]?.reason;
};

describe('a rule that refuses prices across channels', () => {
  beforeEach(() => addRule(fixture.db, { refuseCrossChannel: true }));

  test('only recommends what would leave Walmart higher, and shows why', async () => {
    await setCompetitors(19.01, 18.01);
    await fixture.untilIdle();
    // Walmart was first and followed its competitor; eBay would open a gap below it.
    expect(await reported(onWalmart)).toMatchObject({ price: '19.00', recommended: null });
    expect(await reported(onEbay)).toMatchObject({
      price: '20.00',
      recommended: '18.00',
      reason:
        "Beat Corner Store's $18.01 by $0.01. The price on Walmart would then be $1.00 higher than on eBay, which rule Beat everybody does not allow, so this price needs your review.",
    });
  });

  test.each([1_000, 1])(
    'lets no two of one SKU pass each other in one run (batches of %d)',
    async (batchSize) => {
      await fixture.db.execute(sql`UPDATE listings SET auto_repricing_enabled = false`);
      await fixture.db.execute(sql`INSERT INTO price_history (listing_id, old_price, new_price, reason, source, timestamp)
      VALUES (${onWalmart}, 20, 18, 'Imported', 'import', ${new Date(fixture.now).toISOString()}::timestamptz)`);
      await fixture.db.execute(sql`UPDATE listings SET auto_repricing_enabled = true`);
      // Walmart 18 -> 20 and eBay 20 -> 18: each is fine as long as the other stays.
      await setCompetitors(20.01, 18.01);
      await fixture.untilIdle(fixture.deps({ batchSize }));
      expect(await reported(onWalmart)).toMatchObject({ price: '20.00' });
      expect(await reported(onEbay)).toMatchObject({ price: '20.00', recommended: '18.00' });
    },
  );

  test("another channel's price makes the listing due, the engine's own moves wait for the sweep", async () => {
    await setCompetitors(19.01, 30);
    await fixture.untilIdle();
    expect(await fixture.due()).toEqual([]);
    const at = new Date(fixture.now).toISOString();
    await fixture.db.execute(sql`INSERT INTO price_history (listing_id, old_price, new_price, reason, source, timestamp)
      SELECT id, current_price, 17, 'Imported', 'import', ${at}::timestamptz FROM listings WHERE id = ${onEbay}`);
    expect((await fixture.due()).sort()).toEqual([onWalmart, onEbay].sort());
    await fixture.untilIdle();
    await fixture.db.execute(sql`UPDATE listings SET shipping_charge = 1 WHERE id = ${onEbay}`);
    expect((await fixture.due()).sort()).toEqual([onWalmart, onEbay].sort());
    await fixture.untilIdle();
    await fixture.db.execute(sql`UPDATE listings SET deleted_at = ${at}::timestamptz WHERE id = ${onEbay}`);
    expect(await fixture.due()).toContain(onWalmart);
  });
});

describe('a rule that does not refuse', () => {
  beforeEach(() => addRule(fixture.db));

  test('applies the price and shows the gap', async () => {
    await setCompetitors(19.01, 18.01);
    await fixture.untilIdle();
    expect(await reported(onEbay)).toMatchObject({ price: '18.00' });
    expect(await lastReason(onEbay)).toBe(
      "Beat Corner Store's $18.01 by $0.01. The price on Walmart is then $1.00 higher than on eBay.",
    );
  });

  test('on the recommendation too', async () => {
    await fixture.db.execute(sql`UPDATE marketplace_modes SET mode = 'recommend_only'`);
    await setCompetitors(21.01, 30);
    await fixture.untilIdle();
    expect((await reported(onWalmart))?.reason).toMatch(
      /so this price needs your review\. The price on Walmart would then be \$1\.00 higher than on eBay\.$/,
    );
  });

  test("makes no listing due for another channel's price", async () => {
    await setCompetitors(19.01, 19.01);
    await fixture.untilIdle();
    await fixture.db.execute(sql`UPDATE listings SET shipping_charge = 1 WHERE id = ${onEbay}`);
    expect(await fixture.due()).toEqual([onEbay]);
  });
});

test('a deleted listing is no channel of ours', async () => {
  await addRule(fixture.db, { refuseCrossChannel: true });
  await fixture.db.execute(sql`UPDATE listings SET deleted_at = now() WHERE id = ${onEbay}`);
  await addOffer(fixture.db, onWalmart, 21.01);
  await fixture.untilIdle();
  expect(await reported(onWalmart)).toMatchObject({ price: '21.00' });
});

test('a rule that compares other channels does not see the offers there of a deleted listing', async () => {
  await addRule(fixture.db, { otherChannels: true });
  await setCompetitors(19.01, 18.01);
  await fixture.db.execute(sql`UPDATE listings SET deleted_at = now() WHERE id = ${onEbay}`);
  await fixture.untilIdle();
  expect(await reported(onWalmart)).toMatchObject({ price: '19.00' });
});

describe('an offer without a seller on another channel', () => {
  /** eBay is at $22.00 and follows a competitor there at $22.50, but for anything lower on Walmart. */
  beforeEach(async () => {
    await addRule(fixture.db, { otherChannels: true, marketplace: 'ebay' });
    await fixture.db.execute(sql`UPDATE listings SET auto_repricing_enabled = false WHERE id = ${onWalmart}`);
    await moved(onEbay, 20, 22);
    await moved(onWalmart, 20, 21);
    await addOffer(fixture.db, onEbay, 22.5);
  });
  const moved = (id: number, from: number, to: number) =>
    fixture.db.execute(sql`INSERT INTO price_history (listing_id, old_price, new_price, reason, source, timestamp)
      VALUES (${id}, ${from}, ${to}, 'Imported', 'import', ${new Date(fixture.now).toISOString()}::timestamptz)`);

  test.each([
    ['at our price there', 21],
    ['at our former price there', 21.5],
  ])('%s is not priced against', async (_, inForce) => {
    if (inForce !== 21) await moved(onWalmart, 21, inForce);
    await addOffer(fixture.db, onWalmart, 21, { by: null });
    await fixture.untilIdle();
    expect(await reported(onEbay)).toMatchObject({ price: '22.49' });
  });

  test('at any other price is', async () => {
    await addOffer(fixture.db, onWalmart, 21.01, { by: null });
    await fixture.untilIdle();
    expect(await reported(onEbay)).toMatchObject({ price: '21.00' });
  });
});

describe('a buy box without a seller', () => {
  /** The same item is sold twice on Walmart: at $20.00, and for $21.00 from the warehouse. */
  let twin: number;
  beforeEach(async () => {
    await addRule(fixture.db, { marketplace: 'walmart' });
    await addSku(fixture.db, 'A-1-W');
    const item = { marketplaceItemId: '555' };
    await fixture.db.execute(sql`UPDATE listings SET marketplace_item_id = '555' WHERE id = ${onWalmart}`);
    twin = await addListing(fixture.db, 'A-1-W', { ...item, currentPrice: usd(21) });
  });

  test.each([
    ['of our other listing of the item is not priced against', 20, '21.00'],
    ['at any other price is', 20.01, '20.00'],
  ])('%s', async (_, box, price) => {
    await addOffer(fixture.db, twin, box, { by: null, isFeatured: true });
    await fixture.untilIdle();
    expect(await reported(twin)).toMatchObject({ price });
  });
});
