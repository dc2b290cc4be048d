import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { auditLog } from '#db/schema/audit.ts';
import type { ReadingSource } from '#domain/readings/assess-reading.ts';
import { type Cents, type Instant, instant } from '#domain/units.ts';
import { NOW, usd } from '#tests/builders/facts.ts';
import { MINUTE } from '#tests/support/engine-fixture.ts';
import { beatenPrice } from '#tests/support/engine-shop.ts';
import { sendingFixture } from '#tests/support/sending-fixture.ts';
import { type ComparedPrices, compareShownPrices } from './compare-shown-prices.ts';

const fixture = sendingFixture();
const prices = (...listed: [number, Cents][]) => listed.map(([listingId, price]) => ({ listingId, price }));
const readAs = (
  source: ReadingSource,
  read: ReturnType<typeof prices>,
  readAt: Instant = fixture.now,
): Promise<ComparedPrices> =>
  compareShownPrices(fixture.db, 'walmart', read, { source, readAt }, instant(Math.max(readAt, fixture.now)));
const NOTHING = { compared: 0, stale: 0, suspects: 0, drifted: [] };

describe("a marketplace's price", () => {
  test('of an item is adopted where it differs, with a hold and an audit entry', async () => {
    await fixture.seed(3);
    const read = prices([1, usd(20.01)], [2, usd(17)], [3, Number.NaN as Cents], [99, usd(5)]);
    expect(await readAs('item', read)).toEqual({ compared: 3, stale: 0, suspects: 0, drifted: [2] });
    expect(await fixture.prices()).toEqual([usd(20.01), usd(17), usd(20.03)]);
    expect(await fixture.ledger()).toMatchObject([
      {
        listingId: 2,
        oldPrice: usd(20.02),
        newPrice: usd(17),
        source: 'observed',
        timestamp: NOW,
        reason: 'Changed to $17.00 on Walmart, outside Pricewright.',
      },
    ]);
    expect(await fixture.listing(2)).toMatchObject({
      heldBy: 'Pricewright',
      holdReason: 'Price changed on Walmart',
    });
    expect(await fixture.db.select().from(auditLog).orderBy(auditLog.id)).toMatchObject([
      {
        action: 'price.observed',
        actor: 'Pricewright',
        targetId: '2',
        before: { price: '20.02' },
        after: { price: '17.00' },
      },
    ]);
    // Read again it is as it should be.
    fixture.advance(MINUTE);
    expect(await readAs('item', read)).toMatchObject({ drifted: [] });
  });

  test.each(['list', 'document', 'event'] as const)('of a %s is never adopted', async (source) => {
    await fixture.seed(1);
    expect(await readAs(source, prices([1, usd(17)]))).toEqual({ ...NOTHING, compared: 1, suspects: 1 });
    expect(await fixture.ledger()).toEqual([]);
    expect(await fixture.listing(1)).toMatchObject({ currentPrice: usd(20.01), heldBy: null });
  });

  test('is not compared while a sent price is in progress, or when it was read before the last change', async () => {
    await fixture.seed(2);
    fixture.market.reactionTo = () => 'accept';
    await fixture.untilIdle();
    await fixture.send();
    const readAt = fixture.now;
    fixture.advance(MINUTE);
    expect(await readAs('item', prices([1, usd(17)]))).toEqual(NOTHING);
    fixture.market.goLive();
    await fixture.send();
    expect(await fixture.prices()).toEqual([beatenPrice(1), beatenPrice(2)]);
    // What was read before the change is old news, not an edit.
    expect(await readAs('item', prices([1, usd(17)], [2, usd(17)]), readAt)).toEqual(NOTHING);
    const later = instant(fixture.now + MINUTE);
    expect(await readAs('item', prices([1, usd(17)], [2, usd(17)]), later)).toMatchObject({
      drifted: [1, 2],
    });
  });

  test('is compared while the engine only queued one: that is not sent from another price', async () => {
    await fixture.seed(1);
    await fixture.untilIdle();
    fixture.advance(MINUTE);
    expect(await readAs('item', prices([1, usd(17)]))).toMatchObject({ drifted: [1] });
    await fixture.send();
    expect(await fixture.states()).toEqual(['expired']);
    expect(fixture.market.sent).toEqual([]);
  });

  test('is not compared where the clock was set back after the read, so that changes look older', async () => {
    await fixture.seed(1);
    const readAt = fixture.now;
    fixture.advance(-MINUTE);
    const from = { source: 'item' as const, readAt };
    expect(await compareShownPrices(fixture.db, 'walmart', prices([1, usd(17)]), from, fixture.now)).toEqual(
      NOTHING,
    );
  });

  test('is not compared while another price waits for upload on a file marketplace', async () => {
    await fixture.seed(2);
    await fixture.db.execute(
      sql`UPDATE listings SET awaiting_upload_since = now() - interval '1 day' WHERE id = 1`,
    );
    await fixture.db.execute(
      sql`UPDATE integrations SET price_channel = 'read_only' WHERE marketplace = 'walmart'`,
    );
    const read = prices([1, usd(17)], [2, usd(17)]);
    expect(await readAs('item', read)).toMatchObject({ compared: 1, drifted: [2] });
    await fixture.db.execute(
      sql`UPDATE integrations SET price_channel = 'connected' WHERE marketplace = 'walmart'`,
    );
    expect(await readAs('item', read)).toMatchObject({ drifted: [1] });
  });

  test('of another marketplace is nothing to it', async () => {
    await fixture.seed(1);
    const from = { source: 'item' as const, readAt: fixture.now };
    expect(await compareShownPrices(fixture.db, 'amazon', prices([1, usd(17)]), from, fixture.now)).toEqual(
      NOTHING,
    );
  });
});
