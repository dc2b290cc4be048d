import { eq, sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { insertListings } from '#db/queries/catalog/import-listings.ts';
import { skus } from '#db/schema/catalog.ts';
import { listings } from '#db/schema/listings.ts';
import { instant } from '#domain/units.ts';
import { usd } from '#tests/builders/facts.ts';
import { type BundleShop, createBundleShop, part } from '#tests/support/bundle-shop.ts';
import { auditOf, dueSkus, forgetDue } from '#tests/support/read-back.ts';
import { addListing, addSku } from '#tests/support/seed.ts';

let shop: BundleShop;
beforeEach(async () => {
  shop = await createBundleShop();
});
afterEach(() => shop.close());

const read = async (sku: string) =>
  (await shop.get(`/api/bundles/${encodeURIComponent(sku)}`, shop.cookie)).json();
const isUnconfirmed = async (sku: string) =>
  (await shop.db.select().from(listings).where(eq(listings.sku, sku)).orderBy(listings.id)).map(
    (row) => row.bundleUnconfirmed,
  );

describe('saving', () => {
  test('a list replaces all components of every listing SKU that it names, and of no other', async () => {
    await shop.save([part('SET-1', shop.mug), part('SET-2', shop.mug), part('OTHER', shop.plate)]);
    const answer = await shop.save([
      part('SET-1', shop.plate, 2),
      part('SET-2', shop.mug, 3),
      part('SET-2', shop.plate),
    ]);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toHaveLength(3);
    expect(await shop.packed('SET-1')).toEqual(['2 x PLATE']);
    expect(await shop.packed('SET-2')).toEqual(['3 x MUG', '1 x PLATE']);
    expect(await shop.packed('OTHER')).toEqual(['1 x PLATE']);
  });

  test('a component is returned with its SKU, name and costs', async () => {
    await shop.save([part('SET-1', shop.mug, 2)]);
    expect(await read('SET-1')).toEqual([
      {
        id: expect.stringMatching(/^\d+$/),
        listingSku: 'SET-1',
        componentSkuId: shop.mug,
        quantity: 2,
        sku: 'MUG',
        name: 'Product MUG',
        isDeleted: false,
        productCost: '10.00',
        weightOz: 8,
        packagingCost: '0.50',
        miscCost: '0.10',
      },
    ]);
  });

  test('the default quantity is one', async () => {
    await shop.save([{ listingSku: 'SET-1', componentSkuId: shop.mug }]);
    expect(await shop.packed('SET-1')).toEqual(['1 x MUG']);
  });

  test('what is not a bundle has no components', async () => {
    expect(await read('NOTHING')).toEqual([]);
  });

  test('one invalid row leaves every bundle unchanged', async () => {
    await shop.save([part('SET-1', shop.mug), part('SET-2', shop.mug)]);
    const answer = await shop.save([part('SET-1', shop.plate, 2), part('SET-2', '999999')]);
    expect(answer.statusCode).toBe(409);
    expect(answer.json().message).toContain('There is no SKU with the number 999999.');
    expect(await shop.packed('SET-1')).toEqual(['1 x MUG']);
    expect(await shop.packed('SET-2')).toEqual(['1 x MUG']);
    expect(await auditOf(shop.db, 'bundles.saved')).toHaveLength(1);
  });

  test('a deleted SKU is refused by name; a bundle with one reports it', async () => {
    await shop.save([part('SET-1', shop.mug), part('SET-1', shop.plate)]);
    await shop.db
      .update(skus)
      .set({ deletedAt: instant(0) })
      .where(eq(skus.sku, 'MUG'));
    const answer = await shop.save([part('SET-1', shop.mug, 2)]);
    expect(answer.statusCode).toBe(409);
    expect(answer.json().message).toBe(
      'SKU MUG was deleted. Remove it from the bundle, or add it again under SKUs.',
    );
    expect((await read('SET-1')).map(({ isDeleted }: { isDeleted: boolean }) => isDeleted)).toEqual([
      true,
      false,
    ]);
  });

  test('a bundle in a bundle is refused, in one call too: its SKU costs what the box costs', async () => {
    const box = String(await addSku(shop.db, 'SET-1', { productCost: usd(0.5) }));
    const both = await shop.save([part('SET-2', box, 2), part('SET-1', shop.mug, 3)]);
    expect(both.statusCode).toBe(409);
    expect(both.json().message).toBe(
      'SKU SET-1 is itself a bundle: add its components to bundle SET-2 instead.',
    );
    expect(await shop.packed('SET-1')).toEqual([]);
    await shop.save([part('SET-1', shop.mug, 3)]);
    expect((await shop.save([part('SET-2', box, 2)])).statusCode).toBe(409);
    await addListing(shop.db, 'SET-1');
    await shop.remove('SET-1');
    expect((await shop.save([part('SET-2', box, 2)])).statusCode).toBe(409);
    await shop.ask('confirm-single', { listingSkus: ['SET-1'] });
    expect((await shop.save([part('SET-2', box, 2)])).statusCode).toBe(200);
  });

  test('a set of several of one product does not make that product a bundle', async () => {
    expect((await shop.save([part('MUG', shop.mug, 2), part('SET-2', shop.mug)])).statusCode).toBe(200);
    expect(await shop.packed('MUG')).toEqual(['2 x MUG']);
  });

  test('a component that becomes a bundle makes its bundles due, and their cost unknown', async () => {
    const box = String(await addSku(shop.db, 'SET-1', { productCost: usd(0.5) }));
    const id = await addListing(shop.db, 'SET-2');
    await shop.save([part('SET-2', box, 2)]);
    await forgetDue(shop.db);
    await shop.save([part('SET-1', shop.mug, 3)]);
    expect(await dueSkus(shop.db)).toEqual(['walmart SET-2: cost']);
    const costs = (await shop.get(`/api/listings/${id}/costs`, shop.cookie)).json();
    expect(costs).toMatchObject({ totalCost: null, gaps: ['bundle_in_bundle'] });
    const list = (await shop.get('/api/bundles?state=incomplete', shop.cookie)).json();
    expect(list.rows.map(({ listingSku }: { listingSku: string }) => listingSku)).toEqual(['SET-2']);
  });

  test('an invalid bundle is refused', async () => {
    for (const [what, payload] of [
      ['a quantity of zero', [{ listingSku: 'SET-1', componentSkuId: '1', quantity: 0 }]],
      ['half a piece', [{ listingSku: 'SET-1', componentSkuId: '1', quantity: 1.5 }]],
      ['a quantity as text', [{ listingSku: 'SET-1', componentSkuId: '1', quantity: '2' }]],
      ['a blank listing SKU', [{ listingSku: ' ', componentSkuId: '1', quantity: 1 }]],
      ['an empty list', []],
    ] as const) {
      expect((await shop.save(payload)).statusCode, what).toBe(400);
    }
  });

  test('one SKU twice in one bundle is refused: the client must add up', async () => {
    const answer = await shop.save([part('SET-1', shop.mug), part('SET-1', shop.mug, 2)]);
    expect(answer.statusCode).toBe(400);
    expect(answer.json().message).toContain('is in bundle SET-1 twice');
    expect(await shop.packed('SET-1')).toEqual([]);
  });

  test('the listings of the SKU are due on every marketplace, others are not', async () => {
    await addListing(shop.db, 'SET-1');
    await addListing(shop.db, 'SET-1', { marketplace: 'ebay' });
    await addListing(shop.db, 'SET-2');
    await forgetDue(shop.db);
    await shop.save([part('SET-1', shop.mug)]);
    expect(await dueSkus(shop.db)).toEqual(['ebay SET-1: cost', 'walmart SET-1: cost']);
  });

  test('what is stored already is not changed', async () => {
    await addListing(shop.db, 'SET-1');
    const [before] = (await shop.save([part('SET-1', shop.mug), part('SET-1', shop.plate)])).json();
    await forgetDue(shop.db);
    const [after] = (await shop.save([part('SET-1', shop.plate), part('SET-1', shop.mug)])).json();
    expect(after).toEqual(before);
    expect(await dueSkus(shop.db)).toEqual([]);
    expect(await auditOf(shop.db, 'bundles.saved')).toHaveLength(1);
  });

  test('the audit log has its components before and after', async () => {
    await shop.save([part('SET-1', shop.mug)]);
    await shop.save([part('SET-1', shop.mug, 2), part('SET-1', shop.plate)]);
    expect((await auditOf(shop.db, 'bundles.saved'))[1]).toMatchObject({
      actor: 'boss@example.com',
      before: { 'SET-1': ['1 x MUG'] },
      after: { 'SET-1': ['2 x MUG', '1 x PLATE'] },
    });
  });
});

describe('two users', () => {
  test('the one who saves over a newer bundle gets a conflict and changes nothing', async () => {
    const [mine] = (await shop.save([part('SET-1', shop.mug)])).json();
    expect((await shop.save([part('SET-1', shop.plate)], `?seen=${mine.id}`)).statusCode).toBe(200);
    const late = await shop.save([part('SET-1', shop.mug, 9)], `?seen=${mine.id}`);
    expect(late.statusCode).toBe(409);
    expect(late.json().message).toContain(
      'This bundle was changed after you opened it (boss@example.com, just now).',
    );
    expect(await shop.packed('SET-1')).toEqual(['1 x PLATE']);
    // What an import leaves is by no user in the log.
    await shop.db.execute(sql`UPDATE bundle_components SET quantity = 7`);
    const later = await shop.save([part('SET-1', shop.mug, 9)], `?seen=${mine.id}`);
    expect(later.json().message).toContain('after you opened it.');
  });

  test('the one who saw no bundle does not overwrite one', async () => {
    await shop.save([part('SET-1', shop.mug)]);
    expect((await shop.save([part('SET-1', shop.plate)], '?seen=0')).statusCode).toBe(409);
  });

  test('at the same time leave one of the two bundles, complete', async () => {
    const answers = await Promise.all([
      shop.save([part('SET-1', shop.mug), part('SET-1', shop.plate)], '?seen=0'),
      shop.save([part('SET-1', shop.mug, 5)], '?seen=0'),
    ]);
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
    expect([['1 x MUG', '1 x PLATE'], ['5 x MUG']]).toContainEqual(await shop.packed('SET-1'));
  });
});

describe('removing', () => {
  test('its listings have an unknown cost until a user confirms what they are', async () => {
    await addListing(shop.db, 'SET/1 ä');
    await addListing(shop.db, 'SET/1 ä', { marketplace: 'etsy' });
    await shop.save([part('SET/1 ä', shop.mug), part('SET/1 ä', shop.plate)]);
    await forgetDue(shop.db);
    expect((await shop.remove('SET/1 ä')).json()).toEqual({ removed: 2, unconfirmed: 2 });
    expect(await shop.packed('SET/1 ä')).toEqual([]);
    expect(await isUnconfirmed('SET/1 ä')).toEqual([true, true]);
    expect(await dueSkus(shop.db)).toHaveLength(2);
    expect(await auditOf(shop.db, 'bundle.removed')).toMatchObject([
      { before: { 'SET/1 ä': ['1 x MUG', '1 x PLATE'] } },
    ]);
  });

  test('what was not a bundle does not change', async () => {
    await addListing(shop.db, 'MUG');
    expect((await shop.remove('MUG')).json()).toEqual({ removed: 0, unconfirmed: 0 });
    expect(await isUnconfirmed('MUG')).toEqual([false]);
  });

  test('new listings of the SKU need the confirmation too, and one confirmation covers all', async () => {
    await addListing(shop.db, 'SET-1', { deletedAt: instant(0) });
    await shop.save([part('SET-1', shop.mug)]);
    await shop.remove('SET-1');
    const wanted = { sku: 'SET-1', title: 'Set', currentPrice: '20.00', fulfillmentType: 'FBM' };
    const other = { ...wanted, marketplace: 'etsy', sku: 'SET-2' };
    await insertListings(shop.db, [{ ...wanted, marketplace: 'ebay' }, other], instant(0));
    expect(await isUnconfirmed('SET-1')).toEqual([true, true]);
    expect(await isUnconfirmed('SET-2')).toEqual([false]);
    await shop.ask('confirm-single', { listingSkus: ['SET-1'] });
    expect(await isUnconfirmed('SET-1')).toEqual([false, false]);
  });

  test('Undo restores it unchanged, even with a SKU that was deleted after it', async () => {
    await addListing(shop.db, 'SET-1');
    await shop.save([part('SET-1', shop.mug), part('SET-1', shop.plate, 2)]);
    await shop.remove('SET-1');
    await shop.db
      .update(skus)
      .set({ deletedAt: instant(0) })
      .where(eq(skus.sku, 'MUG'));
    const before = [part('SET-1', shop.mug), part('SET-1', shop.plate, 2)];
    expect((await shop.save(before, '?seen=0')).statusCode).toBe(409);
    expect((await shop.save(before, '?seen=0&restores=true')).statusCode).toBe(200);
    expect(await shop.packed('SET-1')).toEqual(['1 x MUG', '2 x PLATE']);
    expect(await isUnconfirmed('SET-1')).toEqual([false]);
    // It is not an Undo where a bundle exists.
    expect((await shop.save([part('SET-1', shop.mug, 9)], '?restores=true')).statusCode).toBe(409);
  });

  test('the next save defines it again', async () => {
    await addListing(shop.db, 'SET-1');
    await shop.save([part('SET-1', shop.mug)]);
    await shop.remove('SET-1');
    await shop.save([part('SET-1', shop.mug)]);
    expect(await isUnconfirmed('SET-1')).toEqual([false]);
  });

  test('a user may confirm that it is not a bundle; its listings are due, and it is logged', async () => {
    await addListing(shop.db, 'SET-1');
    await addListing(shop.db, 'MUG');
    await shop.save([part('SET-1', shop.mug)]);
    await shop.remove('SET-1');
    await forgetDue(shop.db);
    const answer = await shop.ask('confirm-single', { listingSkus: ['SET-1', 'MUG'] });
    expect(answer.json()).toEqual({ confirmed: 1 });
    expect(await isUnconfirmed('SET-1')).toEqual([false]);
    expect(await dueSkus(shop.db)).toEqual(['walmart SET-1: listing']);
    expect(await auditOf(shop.db, 'bundles.confirmed_single')).toMatchObject([
      { after: { listingSkus: ['SET-1'] } },
    ]);
    expect((await shop.ask('confirm-single', { listingSkus: ['SET-1'] })).json()).toEqual({ confirmed: 0 });
  });
});
