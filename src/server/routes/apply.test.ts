import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { skus } from '#db/schema/catalog.ts';
import { usd } from '#tests/builders/facts.ts';
import { createPricedShop, type PricedShop } from '#tests/support/priced-shop.ts';

let shop: PricedShop;
beforeEach(async () => {
  shop = await createPricedShop();
});
afterEach(() => shop.app.close());

describe('Apply', () => {
  const apply = (shown: string) => shop.send('POST', `/api/listings/${shop.id}/apply`, { shown });

  test('applies the recommended price although the marketplace is on recommend only, and keeps the anchor', async () => {
    await shop.engineRuns();
    const answer = await apply('17.99');
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({ currentPrice: '17.99', recommendedPrice: null, hold: null });
    expect(answer.json().awaitingUploadSince).not.toBeNull();
    expect(await shop.lastMove()).toMatchObject({
      source: 'apply',
      actor: 'boss@example.com',
      reason: expect.stringContaining('$18.00'),
      competitorPrice: usd(18),
      marginFloor: usd(14.29),
      ruleId: expect.any(Number),
    });
    const listing = await shop.listing();
    expect(listing).toMatchObject({ anchorPrice: usd(20), lastRepriced: shop.app.deps.now() });
  });

  test('is not bound by limits of automatic changes', async () => {
    await shop.app.db.execute(`UPDATE listings SET auto_repricing_enabled = false, held_by = 'Ann', hold_reason = 'Sale',
      awaiting_upload_since = now()`);
    await shop.app.db.execute('UPDATE repricing_rules SET requires_review = true');
    await shop.app.db.execute('UPDATE app_settings SET auto_repricing = false');
    await shop.app.db.execute('DELETE FROM own_sellers');
    expect((await apply('17.99')).statusCode).toBe(200);
  });

  test('applies a price beyond the step limit', async () => {
    await shop.app.db.update(skus).set({ productCost: usd(30) });
    await shop.engineRuns();
    const listing = await shop.listing();
    // 30.00 / 0.70 = 42.857
    expect(listing.recommendedPrice).toBe(usd(42.86));
    expect((await apply('42.86')).statusCode).toBe(200);
  });

  test('decides again: another price than the one shown is a conflict with the new one', async () => {
    await shop.engineRuns();
    await shop.app.db.execute('UPDATE competitor_offers SET price = 17.50');
    const answer = await apply('17.99');
    expect(answer.statusCode).toBe(409);
    expect(answer.json()).toMatchObject({
      message: "The recommendation changed from $17.99 to $17.49. Beat Corner Store's $17.50 by $0.01.",
      fields: { price: '17.49' },
    });
    expect((await apply('17.49')).statusCode).toBe(200);
  });

  test('reports when there is nothing left to apply', async () => {
    await shop.engineRuns();
    await shop.app.db.execute('DELETE FROM competitor_offers');
    const answer = await apply('17.99');
    expect(answer.statusCode).toBe(409);
    expect(answer.json().message).toMatch(/^There is no longer a price to apply\. /);
  });

  test('twice at the same time applies it once', async () => {
    await shop.engineRuns();
    const codes = (await Promise.all([apply('17.99'), apply('17.99')])).map(({ statusCode }) => statusCode);
    expect(codes.sort()).toEqual([200, 409]);
  });

  test('is refused while repricing is halted', async () => {
    await shop.engineRuns();
    await shop.halt();
    expect((await apply('17.99')).statusCode).toBe(409);
    expect((await shop.lastMove()).newPrice).toBe(usd(20));
  });
});
