import { sql } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { engineRig } from '#tests/support/engine-fixture.ts';
import { addListing, addOffer, addRule, addSku, arm, declareSeller } from '#tests/support/seed.ts';

const rig = engineRig();

/** Mug "A-1" on Walmart and eBay, both at $20.00, armed, each with a rival. The rule beats rivals by a cent. */
let onWalmart: number;
let onEbay: number;
beforeEach(async () => {
  await addSku(rig.db, 'A-1');
  for (const marketplace of ['walmart', 'ebay'] as const) {
    await declareSeller(rig.db, marketplace);
    await arm(rig.db, marketplace);
  }
  onWalmart = await addListing(rig.db, 'A-1');
  onEbay = await addListing(rig.db, 'A-1', { marketplace: 'ebay' });
});

const rivals = async (walmart: number, ebay: number): Promise<void> => {
  await addOffer(rig.db, onWalmart, walmart);
  await addOffer(rig.db, onEbay, ebay);
};
const told = async (id: number) => {
  const { rows } = await rig.db.execute<{
    price: string;
    recommended: string | null;
    reason: string | null;
  }>(sql`
    SELECT current_price AS price, recommended_price AS recommended, recommended_price_reason AS reason
    FROM listings WHERE id = ${id}`);
  return rows[0];
};
const lastReason = async (id: number): Promise<string | undefined> => {
  const { rows } = await rig.db.execute<{ reason: string }>(sql`
    SELECT reason FROM price_history WHERE listing_id = ${id} ORDER BY id DESC LIMIT 1`);
  return rows[0]?.reason;
};

describe('a rule that refuses prices across channels', () => {
  beforeEach(() => addRule(rig.db, { refuseCrossChannel: true }));

  test('only recommends what would leave Walmart dearer, and says why', async () => {
    await rivals(19.01, 18.01);
    await rig.untilIdle();
    // Walmart was first and went down with its rival; eBay would open a gap below it.
    expect(await told(onWalmart)).toMatchObject({ price: '19.00', recommended: null });
    expect(await told(onEbay)).toMatchObject({
      price: '20.00',
      recommended: '18.00',
      reason:
        "Beat Rival's $18.01 by $0.01. The price on Walmart would then be $1.00 higher than on eBay, which rule Beat everybody does not allow, so this price needs your review.",
    });
  });

  test.each([1_000, 1])(
    'lets no two of one SKU pass each other in one run (batches of %d)',
    async (batchSize) => {
      await rig.db.execute(sql`UPDATE listings SET auto_repricing_enabled = false`);
      await rig.db.execute(sql`INSERT INTO price_history (listing_id, old_price, new_price, reason, source, timestamp)
      VALUES (${onWalmart}, 20, 18, 'Imported', 'import', ${new Date(rig.now).toISOString()}::timestamptz)`);
      await rig.db.execute(sql`UPDATE listings SET auto_repricing_enabled = true`);
      // Walmart 18 -> 20 and eBay 20 -> 18: each is fine as long as the other stays.
      await rivals(20.01, 18.01);
      await rig.untilIdle(rig.deps({ batchSize }));
      expect(await told(onWalmart)).toMatchObject({ price: '20.00' });
      expect(await told(onEbay)).toMatchObject({ price: '20.00', recommended: '18.00' });
    },
  );

  test("another channel's price makes the listing due, the engine's own moves wait for the sweep", async () => {
    await rivals(19.01, 30);
    await rig.untilIdle();
    expect(await rig.due()).toEqual([]);
    const at = new Date(rig.now).toISOString();
    await rig.db.execute(sql`INSERT INTO price_history (listing_id, old_price, new_price, reason, source, timestamp)
      SELECT id, current_price, 17, 'Imported', 'import', ${at}::timestamptz FROM listings WHERE id = ${onEbay}`);
    expect((await rig.due()).sort()).toEqual([onWalmart, onEbay].sort());
    await rig.untilIdle();
    await rig.db.execute(sql`UPDATE listings SET shipping_charge = 1 WHERE id = ${onEbay}`);
    expect((await rig.due()).sort()).toEqual([onWalmart, onEbay].sort());
    await rig.untilIdle();
    await rig.db.execute(sql`UPDATE listings SET deleted_at = ${at}::timestamptz WHERE id = ${onEbay}`);
    expect(await rig.due()).toContain(onWalmart);
  });
});

describe('a rule that does not refuse', () => {
  beforeEach(() => addRule(rig.db));

  test('takes the price and tells the gap', async () => {
    await rivals(19.01, 18.01);
    await rig.untilIdle();
    expect(await told(onEbay)).toMatchObject({ price: '18.00' });
    expect(await lastReason(onEbay)).toBe(
      "Beat Rival's $18.01 by $0.01. The price on Walmart is then $1.00 higher than on eBay.",
    );
  });

  test('on the recommendation too', async () => {
    await rig.db.execute(sql`UPDATE marketplace_modes SET mode = 'recommend_only'`);
    await rivals(21.01, 30);
    await rig.untilIdle();
    expect((await told(onWalmart))?.reason).toMatch(
      /so this price needs your review\. The price on Walmart would then be \$1\.00 higher than on eBay\.$/,
    );
  });

  test('makes no listing due for what another channel asks', async () => {
    await rivals(19.01, 19.01);
    await rig.untilIdle();
    await rig.db.execute(sql`UPDATE listings SET shipping_charge = 1 WHERE id = ${onEbay}`);
    expect(await rig.due()).toEqual([onEbay]);
  });
});

test('a deleted listing is no channel of ours', async () => {
  await addRule(rig.db, { refuseCrossChannel: true });
  await rig.db.execute(sql`UPDATE listings SET deleted_at = now() WHERE id = ${onEbay}`);
  await addOffer(rig.db, onWalmart, 21.01);
  await rig.untilIdle();
  expect(await told(onWalmart)).toMatchObject({ price: '21.00' });
});

test('a rule that looks at other channels does not see the offers there of a listing that was deleted', async () => {
  await addRule(rig.db, { otherChannels: true });
  await rivals(19.01, 18.01);
  await rig.db.execute(sql`UPDATE listings SET deleted_at = now() WHERE id = ${onEbay}`);
  await rig.untilIdle();
  expect(await told(onWalmart)).toMatchObject({ price: '19.00' });
});
