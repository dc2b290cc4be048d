import { eq, sql } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { beginTerm } from '#db/queries/marketplaces/integrations.ts';
import { marketplaceListings } from '#db/schema/marketplace-syncs.ts';
import { integrations } from '#db/schema/settings.ts';
import type { Cents } from '#domain/units.ts';
import { usd } from '#tests/builders/facts.ts';
import { beatenPrice } from '#tests/support/engine-shop.ts';
import { EDITOR, sendingFixture } from '#tests/support/sending-fixture.ts';
import { aListing, shopConnector } from '#tests/support/shop-connector.ts';
import { deleteListings, undeleteListings } from '#usecases/catalog/listings/delete-listings.ts';
import { syncCatalog } from '#usecases/marketplaces/sync/sync-catalog.ts';
import { applyPrice } from '#usecases/repricing/prices/apply-price.ts';
import { setPrice } from '#usecases/repricing/prices/set-price.ts';

/*
 * A listing on a connected, armed marketplace whose price came from a file: 20.01 here, with a rival at 19.51.
 */
const fixture = sendingFixture();
beforeEach(async () => {
  await fixture.seed(1);
  await fixture.db.delete(marketplaceListings);
});

const WAITS = 'The current price on Walmart is not confirmed yet';

/** A whole reading in which the marketplace asks this, with the keys in force unless a term is given. */
async function read(price: Cents | null, given?: number): Promise<void> {
  const [walmart] = await fixture.db
    .select()
    .from(integrations)
    .where(eq(integrations.marketplace, 'walmart'));
  const shop = shopConnector('walmart', () => fixture.now);
  shop.catalogue = [[aListing('A-1', { price, title: 'Product 1' })]];
  const connection = { ...shop.connection, generation: given ?? walmart?.generation ?? 0 };
  const signal = new AbortController().signal;
  await syncCatalog({ db: fixture.db, now: () => fixture.now }, { connection, signal }, fixture.now);
}
const queued = async () => (await fixture.intents()).map(({ price, state }) => [price, state]);

describe('a price that no reading has shown', () => {
  test('is only recommended from, and sent from once a reading shows it', async () => {
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

  test('is not what counts where the marketplace asks another one', async () => {
    await fixture.untilIdle();
    await read(usd(60));
    await fixture.untilIdle();
    expect(await queued()).toEqual([]);
    expect(await fixture.listing(1)).toMatchObject({ currentPrice: usd(60) });
  });

  test('stays so when the marketplace names the listing without a price', async () => {
    await read(null);
    await fixture.untilIdle();
    expect(await queued()).toEqual([]);
  });

  test('is applied by nobody, and typed by whoever knows it', async () => {
    const deps = { db: fixture.db, now: () => fixture.now };
    await expect(applyPrice(deps, 1, beatenPrice(1), EDITOR)).rejects.toThrow(
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

  test('with the keys of before is not known any more: what waits is not sent', async () => {
    await fixture.untilIdle();
    expect(await queued()).toEqual([[beatenPrice(1), 'queued']]);
    await beginTerm(fixture.db, 'walmart');
    await fixture.send();
    expect(await fixture.intents()).toMatchObject([
      {
        state: 'expired',
        marketplaceMessage: 'The current price on the marketplace was not confirmed before sending.',
      },
    ]);
    expect(fixture.market.live.get(1)).toBe(usd(20.01));
  });

  test('by a reading that began with the keys of before is not known either', async () => {
    await beginTerm(fixture.db, 'walmart');
    await read(usd(20.01), 1);
    await fixture.untilIdle();
    expect(await queued()).toEqual([]);
    await read(usd(20.01));
    await fixture.untilIdle();
    expect(await queued()).toEqual([[beatenPrice(1), 'queued']]);
  });

  test('is read again once the listing was deleted and brought back', async () => {
    await deleteListings(fixture.db, [1], EDITOR, fixture.now);
    await undeleteListings(fixture.db, [1], EDITOR, fixture.now);
    await fixture.untilIdle();
    expect(await queued()).toEqual([]);
  });

  test('is read again once the marketplace is switched on again', async () => {
    await fixture.db.execute(sql`UPDATE app_settings SET walmart_enabled = false`);
    await fixture.db.execute(sql`UPDATE app_settings SET walmart_enabled = true`);
    await fixture.untilIdle();
    expect(await queued()).toEqual([]);
    await read(usd(20.01));
    await fixture.untilIdle();
    expect(await queued()).toEqual([[beatenPrice(1), 'queued']]);
  });
});
