import { eq, sql } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { startGeneration } from '#db/queries/marketplaces/connections/integrations.ts';
import { integrations } from '#db/schema/connections.ts';
import { marketplaceListings } from '#db/schema/marketplace-syncs.ts';
import type { Cents } from '#domain/units.ts';
import { usd } from '#tests/builders/facts.ts';
import { MINUTE } from '#tests/support/engine-fixture.ts';
import { beatenPrice } from '#tests/support/engine-shop.ts';
import { EDITOR, sendingFixture } from '#tests/support/sending-fixture.ts';
import { aListing, shopConnector } from '#tests/support/shop-connector.ts';
import { deleteListings, undeleteListings } from '#usecases/catalog/listings/delete-listings.ts';
import { syncCatalog } from '#usecases/marketplaces/sync/sync-catalog.ts';
import { PassedOverList } from '#usecases/marketplaces/sync/sync-deps.ts';
import { applyPrice } from '#usecases/repricing/prices/apply-price.ts';
import { setPrice } from '#usecases/repricing/prices/set-price.ts';

/*
 * A listing on a connected, live marketplace whose price came from a file: 20.01 here, with a competitor at 19.51.
 */
const fixture = sendingFixture();
beforeEach(async () => {
  await fixture.seed(1);
  await fixture.db.delete(marketplaceListings);
});

const WAITS = 'The current price on Walmart is not confirmed yet';

/** A full sync with this marketplace price, by the current credentials unless a generation is given. */
async function read(price: Cents | null, given?: number): Promise<void> {
  const [walmart] = await fixture.db
    .select()
    .from(integrations)
    .where(eq(integrations.marketplace, 'walmart'));
  const shop = shopConnector('walmart', () => fixture.now);
  shop.catalog = [[aListing('A-1', { price, title: 'Product 1' })]];
  const connection = { ...shop.connection, generation: given ?? walmart?.generation ?? 0 };
  const signal = new AbortController().signal;
  await syncCatalog(
    { db: fixture.db, now: () => fixture.now },
    { connection, signal, passedOver: new PassedOverList() },
    fixture.now,
    null,
  );
}
const queued = async () => (await fixture.intents()).map(({ price, state }) => [price, state]);

describe('a price that no sync has confirmed', () => {
  test('is only used for recommendations until a sync confirms it', async () => {
    await fixture.untilIdle();
    expect(await queued()).toEqual([]);
    expect(await fixture.listing(1)).toMatchObject({
      recommendedPrice: beatenPrice(1),
      recommendedPriceReason: expect.stringContaining(WAITS),
    });
    await read(usd(20.01));
    expect(await fixture.due()).toEqual([1]);
    await fixture.untilIdle();
    await fixture.send();
    expect(await fixture.states()).toEqual(['confirmed']);
    expect(fixture.market.live.get(1)).toBe(beatenPrice(1));
  });

  test("does not count where the marketplace's price differs", async () => {
    await fixture.untilIdle();
    await read(usd(60));
    await fixture.untilIdle();
    expect(await queued()).toEqual([]);
    fixture.market.live.set(1, usd(60));
    fixture.advance(MINUTE);
    await fixture.send();
    expect(await fixture.listing(1)).toMatchObject({ currentPrice: usd(60) });
  });

  test('is confirmed by its item where the list shows another one', async () => {
    await read(usd(60));
    const [walmart] = await fixture.db
      .select()
      .from(integrations)
      .where(eq(integrations.marketplace, 'walmart'));
    fixture.market.generation = walmart?.generation ?? 0;
    fixture.advance(MINUTE);
    await fixture.send();
    await fixture.untilIdle();
    expect(await queued()).toEqual([[beatenPrice(1), 'queued']]);
  });

  test('stays so when the marketplace names the listing without a price', async () => {
    await read(null);
    await fixture.untilIdle();
    expect(await queued()).toEqual([]);
  });

  test('cannot be applied, but a manual price can be set', async () => {
    const deps = { db: fixture.db, now: () => fixture.now };
    await expect(applyPrice(deps, 1, { shown: beatenPrice(1) }, EDITOR)).rejects.toThrow(
      'The price of A-1 on Walmart is not confirmed yet. Wait for the next sync, or set a price.',
    );
    await setPrice(deps, 1, { price: usd(19.5), from: usd(20.01) }, EDITOR);
    await fixture.send();
    expect(fixture.market.live.get(1)).toBe(usd(19.5));
  });

  test('holds nothing up by file', async () => {
    await fixture.db.execute(
      sql`UPDATE app_settings SET walmart_client_id = NULL, walmart_client_secret = NULL`,
    );
    await fixture.untilIdle();
    expect(await fixture.prices()).toEqual([beatenPrice(1)]);
  });
});

describe('a price that was read', () => {
  beforeEach(() => read(usd(20.01)));

  test('is no longer confirmed after the credentials changed: queued prices are not sent', async () => {
    await fixture.untilIdle();
    expect(await queued()).toEqual([[beatenPrice(1), 'queued']]);
    await startGeneration(fixture.db, 'walmart');
    await fixture.send();
    expect(await fixture.intents()).toMatchObject([
      {
        state: 'expired',
        marketplaceMessage: 'The current price on the marketplace was not confirmed before sending.',
      },
    ]);
    expect(fixture.market.live.get(1)).toBe(usd(20.01));
  });

  test('is not confirmed by a sync that started with the former credentials', async () => {
    await startGeneration(fixture.db, 'walmart');
    await read(usd(20.01), 1);
    await fixture.untilIdle();
    expect(await queued()).toEqual([]);
    await read(usd(20.01));
    await fixture.untilIdle();
    expect(await queued()).toEqual([[beatenPrice(1), 'queued']]);
  });

  test('is read again once the listing was deleted and restored', async () => {
    await deleteListings(fixture.db, [1], EDITOR, fixture.now);
    await undeleteListings(fixture.db, [1], EDITOR, fixture.now);
    await fixture.untilIdle();
    expect(await queued()).toEqual([]);
  });

  test('is read again once the marketplace is enabled again', async () => {
    await fixture.db.execute(sql`UPDATE app_settings SET walmart_enabled = false`);
    await fixture.db.execute(sql`UPDATE app_settings SET walmart_enabled = true`);
    await fixture.untilIdle();
    expect(await queued()).toEqual([]);
    await read(usd(20.01));
    await fixture.untilIdle();
    expect(await queued()).toEqual([[beatenPrice(1), 'queued']]);
  });
});
