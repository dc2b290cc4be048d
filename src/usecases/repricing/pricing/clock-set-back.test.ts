import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isoTime } from '#db/sql-values.ts';
import { hours, type Instant, instant, minutes } from '#domain/units.ts';
import { NOW, usd } from '#tests/builders/facts.ts';
import { borrowDatabase, type RecycledDatabase } from '#tests/support/recycled-database.ts';
import { addListing, addSku } from '#tests/support/seed.ts';
import { loadPricingInputs } from './load-pricing-inputs.ts';
import { loadPricingContext } from './pricing-context.ts';

let database: RecycledDatabase;
beforeEach(async () => {
  database = await borrowDatabase();
});
afterEach(() => database.giveBack());

/** Long after the listing was added. */
const AT = instant(NOW + hours(48));

/** A listing whose price was changed then from $20.00 to $21.00. @returns what limits its next price at {@link AT} */
async function limitsAfter(changedAt: Instant) {
  const { db } = database.open;
  await addSku(db, 'A-1');
  const id = await addListing(db, 'A-1');
  await db.execute(sql`
    INSERT INTO price_history (listing_id, old_price, new_price, reason, source, margin_floor, timestamp)
    VALUES (${id}, 20, 21, 'Changed', 'rule', 1, ${isoTime(changedAt)})`);
  const [input] = await loadPricingInputs(db, await loadPricingContext(db, AT), [id]);
  return { lastChangedAt: input?.facts.lastChangedAt, priceDayAgo: input?.facts.priceDayAgo };
}

test.each([
  ['an hour ago', -hours(1), { cooldown: true, daily: true }],
  // Clocks of processes differ.
  ['in a minute', minutes(1), { cooldown: true, daily: true }],
  // Limits of money hold for a day more.
  ['in half a day', hours(12), { cooldown: false, daily: true }],
  ['in a year', hours(24 * 366), { cooldown: false, daily: false }],
])(
  'a price changed %s, by a clock that was ahead and was set back, limits the next one',
  async (_, later, limits) => {
    const changedAt = instant(AT + later);
    expect(await limitsAfter(changedAt)).toEqual({
      lastChangedAt: limits.cooldown ? changedAt : null,
      priceDayAgo: limits.daily ? usd(20) : usd(21),
    });
  },
);
