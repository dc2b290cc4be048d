import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { auditLog } from '#db/schema/audit.ts';
import { type Cents, instant } from '#domain/units.ts';
import { NOW, usd } from '#tests/builders/facts.ts';
import { MINUTE } from '#tests/support/engine-fixture.ts';
import { beatenPrice } from '#tests/support/engine-shop.ts';
import { sendingFixture } from '#tests/support/sending-fixture.ts';
import { reconcile } from './reconcile.ts';

const fixture = sendingFixture();
const prices = (...listed: [number, Cents][]) => listed.map(([listingId, price]) => ({ listingId, price }));

describe("a marketplace's price", () => {
  test('is adopted where it differs, with a hold and an audit entry', async () => {
    await fixture.seed(3);
    const read = prices([1, usd(20.01)], [2, usd(17)], [3, Number.NaN as Cents], [99, usd(5)]);
    expect(await reconcile(fixture.db, 'walmart', read, fixture.now, fixture.now)).toEqual({
      compared: 3,
      drifted: [2],
    });
    expect(await fixture.prices()).toEqual([usd(20.01), usd(17), usd(20.03)]);
    expect(await fixture.ledger()).toMatchObject([
      { listingId: 2, oldPrice: usd(20.02), newPrice: usd(17), source: 'observed', timestamp: NOW },
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
    expect(await reconcile(fixture.db, 'walmart', read, fixture.now, fixture.now)).toMatchObject({
      drifted: [],
    });
  });

  test('is not compared while a price is in progress, or when it was read before the last change', async () => {
    await fixture.seed(2);
    await fixture.untilIdle();
    const readAt = fixture.now;
    const read = prices([1, usd(20.01)], [2, usd(20.02)]);
    fixture.advance(MINUTE);
    expect(await reconcile(fixture.db, 'walmart', prices([1, usd(17)]), fixture.now, fixture.now)).toEqual({
      compared: 0,
      drifted: [],
    });
    await fixture.send();
    expect(await fixture.prices()).toEqual([beatenPrice(1), beatenPrice(2)]);
    // What was read before the change is old news, not an edit.
    expect(await reconcile(fixture.db, 'walmart', read, readAt, fixture.now)).toEqual({
      compared: 0,
      drifted: [],
    });
    const later = instant(fixture.now + MINUTE);
    expect(await reconcile(fixture.db, 'walmart', read, later, later)).toMatchObject({ drifted: [1, 2] });
  });

  test('is not compared where the clock was set back after the read, so that changes look older', async () => {
    await fixture.seed(1);
    const readAt = fixture.now;
    fixture.advance(-MINUTE);
    expect(await reconcile(fixture.db, 'walmart', prices([1, usd(17)]), readAt, fixture.now)).toEqual({
      compared: 0,
      drifted: [],
    });
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
    expect(await reconcile(fixture.db, 'walmart', read, fixture.now, fixture.now)).toEqual({
      compared: 1,
      drifted: [2],
    });
    await fixture.db.execute(
      sql`UPDATE integrations SET price_channel = 'connected' WHERE marketplace = 'walmart'`,
    );
    expect(await reconcile(fixture.db, 'walmart', read, fixture.now, fixture.now)).toMatchObject({
      drifted: [1],
    });
  });

  test('of another marketplace is nothing to it', async () => {
    await fixture.seed(1);
    expect(await reconcile(fixture.db, 'amazon', prices([1, usd(17)]), fixture.now, fixture.now)).toEqual({
      compared: 0,
      drifted: [],
    });
  });
});
