import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { MoneyEvent } from '#domain/money/money-event.ts';
import { hours, type Instant, instant, type Millis } from '#domain/units.ts';
import { aBooking } from '#tests/support/shop-connector.ts';
import { syncFixture } from '#tests/support/sync-fixture.ts';
import { unnamedWindows } from './money-windows.ts';

const fixture = syncFixture('etsy');
const { read, pass, rows } = fixture;
const DAY = hours(24);
/** After which they are read again. */
const soon = hours(6);
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

  test('are not read again with every sync, nor without end', async () => {
    const paidAt = instant(fixture.time - DAY);
    fixture.shop.money = [{ events: [aBooking('1', 'principal', 3_132, { postedAt: paidAt })] }];
    await read();
    const times = fixture.shop.moneyTimes as { since: Instant; until: Instant }[];
    const readAgainAfter = async (time: Millis): Promise<boolean> => {
      times.length = 0;
      pass(time);
      await read();
      return times.some(({ since }) => since === paidAt);
    };
    expect(await readAgainAfter((5 * DAY) as Millis)).toBe(true);
    expect(await readAgainAfter(hours(2))).toBe(false);
    expect(await readAgainAfter(hours(2))).toBe(false);
    expect(await readAgainAfter(hours(2))).toBe(true);
    expect(await readAgainAfter((172 * DAY) as Millis)).toBe(true);
    expect(await readAgainAfter((2 * DAY) as Millis)).toBe(false);
  });

  test('come up in turn, a few days at once, however many are never named', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 60 }),
        fc.option(fc.integer({ min: -1, max: 61 })),
        (count, from) => {
          const unnamed = Array.from({ length: count }, (_, at) => ({
            first: instant((count - at) * DAY),
            last: instant((count - at) * DAY + 5),
          }));
          let readDownTo = from === null ? null : instant(from * DAY);
          const seen = new Set<number>();
          for (let turn = 0; turn < Math.ceil(count / 5); turn++) {
            const windows = unnamedWindows(unnamed, readDownTo);
            expect(windows.length).toBe(Math.min(count, 5));
            for (const { since } of windows) seen.add(since);
            readDownTo = windows.at(-1)?.since ?? null;
          }
          expect(seen.size).toBe(count);
        },
      ),
    );
  });
});
