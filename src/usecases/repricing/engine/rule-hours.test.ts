import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { listings } from '#db/schema/listings.ts';
import { priceHistory } from '#db/schema/prices.ts';
import { appSettings } from '#db/schema/settings.ts';
import { readStoredCase } from '#domain/decision/stored-case.ts';
import { parseLines } from '#domain/lines/parse-lines.ts';
import { printLines } from '#domain/lines/print-lines.ts';
import { hours } from '#domain/units.ts';
import { pct, usd } from '#tests/builders/facts.ts';
import { engineFixture, MINUTE } from '#tests/support/engine-fixture.ts';
import { addListing, addRule, addSku, setLive } from '#tests/support/seed.ts';
import { explainHistory, explainNow } from '#usecases/repricing/explanations/explain-price.ts';

const fixture = engineFixture();
/** The clock of the fixture starts at noon of a Saturday, UTC: 7:00 in New York, 21:00 in Tokyo. */
const TO_TEN_PM_IN_TOKYO = 60 * MINUTE;

async function seedShop(): Promise<number> {
  const { db } = fixture;
  await addSku(db, 'A-1');
  const id = await addListing(db, 'A-1', { currentPrice: usd(20), anchorPrice: usd(20) });
  await setLive(db, 'walmart');
  await db.update(appSettings).set({ timeZone: 'Asia/Tokyo' });
  return id;
}

const linesText = (text: string): string => printLines(parseLines(text).lines ?? []);

test('a line about hours decides with the full check after its hour, and the price is explained by it for good', async () => {
  const id = await seedShop();
  const lines = linesText('hours 22 to 4: 5% over own price; otherwise: own price');
  await addRule(fixture.db, { lines, onlySameShipping: false, minimumMargin: pct(10) });
  await fixture.untilIdle();
  expect(await fixture.prices()).toEqual([usd(20)]);
  fixture.advance(TO_TEN_PM_IN_TOKYO - MINUTE);
  await fixture.untilIdle();
  expect(await fixture.prices()).toEqual([usd(20)]);
  // The check interval of a new installation.
  fixture.advance(15 * MINUTE);
  await fixture.untilIdle();
  expect(await fixture.prices()).toEqual([usd(21)]);
  const [row] = await fixture.db
    .select()
    .from(priceHistory)
    .where(eq(priceHistory.newPrice, usd(21)));
  expect(readStoredCase(row?.facts)?.policy.local).toMatchObject({ minuteOfDay: 22 * 60 + 14, weekday: 6 });
  const deps = { db: fixture.db, now: () => fixture.now };
  fixture.advance(hours(12));
  const then = await explainHistory(deps as never, id, row?.id ?? 0);
  expect(then.sentence).toContain('$21.00');
  expect(then).toMatchObject({ outcome: 'change' });
});

test('a rule decides from the start of its window until its end, and then the next one', async () => {
  const id = await seedShop();
  const night = {
    activeFrom: null,
    activeUntil: null,
    windows: [{ fromDay: 6, toDay: 6, from: 22 * 60, to: 4 * 60 } as const],
  };
  const dear = linesText('otherwise: 5% over own price');
  const own = linesText('otherwise: own price');
  const over = { onlySameShipping: false, minimumMargin: pct(10) };
  const nights = await addRule(fixture.db, {
    name: 'Night',
    lines: dear,
    priority: 1,
    schedule: night,
    ...over,
  });
  await addRule(fixture.db, { name: 'Day', lines: own, ...over });
  await fixture.untilIdle();
  expect(await fixture.prices()).toEqual([usd(20)]);
  fixture.advance(TO_TEN_PM_IN_TOKYO);
  await fixture.untilIdle();
  expect(await fixture.prices()).toEqual([usd(21)]);
  await fixture.db.update(listings).set({ awaitingUploadSince: null });
  fixture.advance(hours(6));
  await fixture.untilIdle();
  expect(await fixture.prices()).toEqual([usd(20)]);
  // Assigned, it leaves the listing to no other rule.
  await fixture.open.pool.query('UPDATE listings SET rule_id = $1 WHERE id = $2', [nights, id]);
  await fixture.untilIdle();
  const deps = { db: fixture.db, now: () => fixture.now };
  expect(await explainNow(deps as never, id)).toMatchObject({
    outcome: 'keep',
    sentence: 'The assigned rule Night does not apply at this time: the price stays.',
  });
});
