import { sql } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { ANN, engineFixture, MINUTE } from '#tests/support/engine-fixture.ts';
import { seedEngineShop } from '#tests/support/engine-shop.ts';
import { asOwner } from '#tests/support/test-database.ts';
import { NONE_LOWERED } from '#usecases/catalog/costs/lowered-floors.ts';
import { goLive } from './go-live.ts';
import { type PlanFigures, PreviewCache } from './preview-cache.ts';
import { watchPreview } from './preview-run.ts';

const fixture = engineFixture();
let looked: PreviewCache;
beforeEach(async () => {
  looked = new PreviewCache();
  await seedEngineShop(fixture.db, 6);
  await fixture.db.execute(sql`UPDATE marketplace_modes SET mode = 'recommend_only'`);
});

async function look(): Promise<string> {
  const looking = watchPreview(fixture.db, ['walmart'], fixture.now, looked);
  for (;;) {
    const { done, value } = await looking.next();
    if (done === true) return value.plan.token();
  }
}
const goLiveWith = (token: string, plans: PreviewCache | undefined = looked) =>
  goLive(
    { ...fixture.deps(), ...(plans === undefined ? {} : { previews: plans }) },
    { marketplaces: ['walmart'], token },
    ANN,
  );
/** Lowers competitor offers without a due mark: only a repeated decision can see it. */
const lowerUnmarked = async (): Promise<void> => {
  await asOwner(
    fixture.db,
    `ALTER TABLE competitor_offers DISABLE TRIGGER USER;
    UPDATE competitor_offers SET price = price - 0.5;
    ALTER TABLE competitor_offers ENABLE TRIGGER USER`,
  );
};
const CHANGED = 'The changes are different now. Review them again.';

describe('going live with a plan that was just reviewed', () => {
  test('decides nothing again', async () => {
    const token = await look();
    await lowerUnmarked();
    await expect(goLiveWith(token)).resolves.toBeUndefined();
  });

  test.each([
    ['a listing was touched', `UPDATE listings SET min_price = 1 WHERE id = 3`],
    ['a listing was deleted', `UPDATE listings SET deleted_at = now() WHERE id = 3`],
    ['an offer was edited', `UPDATE competitor_offers SET price = price - 1 WHERE listing_id = 2`],
    ['a cost rose', `UPDATE skus SET product_cost = 12 WHERE sku = 'A-2'`],
    ['a limit was set', `UPDATE app_settings SET max_step = 1`],
  ])('decides everything again when %s', async (_, change) => {
    const token = await look();
    await lowerUnmarked();
    await fixture.db.execute(change);
    await expect(goLiveWith(token)).rejects.toThrow(CHANGED);
  });

  test('decides everything again after two minutes, and in another process', async () => {
    const token = await look();
    await lowerUnmarked();
    await expect(goLiveWith(token, new PreviewCache())).rejects.toThrow(CHANGED);
    fixture.advance(3 * MINUTE);
    await expect(goLiveWith(token)).rejects.toThrow(CHANGED);
  });

  test('accepts the same plan also when it has to be decided again', async () => {
    const token = await look();
    await fixture.db.execute(sql`UPDATE listings SET title = 'Another' WHERE id = 3`);
    await expect(goLiveWith(token)).resolves.toBeUndefined();
  });

  test('is rejected when the mode of another marketplace changed at the same time', async () => {
    const token = await look();
    class Slow extends PreviewCache {
      override async figuresOf(): Promise<PlanFigures> {
        await fixture.db.execute(sql`UPDATE marketplace_modes SET mode = 'live' WHERE marketplace = 'etsy'`);
        return { changes: 6, fallen: NONE_LOWERED };
      }
    }
    await expect(goLiveWith(token, new Slow())).rejects.toThrow(CHANGED);
  });
});
