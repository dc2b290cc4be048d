import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { MoneyEvent } from '#domain/money/money-event.ts';
import { hours, type Instant, instant } from '#domain/units.ts';
import { aBooking } from '#tests/support/shop-connector.ts';
import { syncFixture } from '#tests/support/sync-fixture.ts';
import { unnamedWindows } from './money-windows.ts';

const fixture = syncFixture('etsy');
const { read, pass, rows } = fixture;
const DAY = hours(24);
const soon = hours(2);
const SECOND = 1_000;

describe('payments of unknown orders', () => {
  test('are read again until Etsy says their orders, and then belong to these', async () => {
    const paidAt = instant(fixture.time - DAY);
    const refundedAt = instant(paidAt + hours(1));
    const booked = (order: Partial<MoneyEvent>) => [
      aBooking('1', 'principal', 3_132, { postedAt: paidAt, ...order }),
      aBooking('2', 'refund_principal', -3_132, { postedAt: refundedAt, ...order }),
      // Of the shop: Etsy names no order of a label.
      aBooking('3', 'label', -500, { postedAt: instant(paidAt - DAY) }),
    ];
    const times = fixture.shop.moneyTimes as { since: Instant; until: Instant }[];
    const again = { since: paidAt, until: refundedAt + SECOND };
    fixture.shop.money = [{ events: booked({}) }];
    await read();
    pass(5 * DAY);
    await read();
    for (let round = 0; round < 2; round++) {
      times.length = 0;
      pass(soon);
      await read();
      expect(times.slice(1)).toEqual([again]);
    }
    fixture.shop.money = [{ events: booked({ orderRef: 'R-1' }) }];
    pass(soon);
    await read();
    // Of a canceled order, which is no sale: both count, or neither.
    expect(
      await rows(sql`SELECT external_id AS id, order_ref AS "order", counts_alone AS counts FROM money_events
        WHERE superseded_by IS NULL ORDER BY external_id`),
    ).toEqual([
      { id: '1', order: 'R-1', counts: true },
      { id: '2', order: 'R-1', counts: true },
      expect.objectContaining({ id: '3', order: null }),
    ]);
    times.length = 0;
    pass(soon);
    await read();
    expect(times).toHaveLength(1);
  });

  test('come up in turn, a few days in an hour, however many are never said', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), fc.nat(1_000_000), (count, hour) => {
        const unnamed = Array.from({ length: count }, (_, at) => ({
          first: instant(at * DAY),
          last: instant(at * DAY + 5),
        }));
        const seen = new Set<number>();
        for (let turn = 0; turn < count; turn++) {
          const windows = unnamedWindows(unnamed, instant((hour + turn) * hours(1)));
          expect(windows.length).toBe(Math.min(count, 5));
          for (const { since } of windows) seen.add(since);
        }
        expect(seen.size).toBe(count);
      }),
    );
  });
});
