import { expect, test } from 'vitest';
import { insertPriceHistory } from '#db/queries/repricing/decision-rows.ts';
import { type Cents, hours, type Instant, instant } from '#domain/units.ts';
import { NOW, usd } from '#tests/builders/facts.ts';
import { MINUTE } from '#tests/support/engine-fixture.ts';
import { beatenPrice } from '#tests/support/engine-shop.ts';
import { sendingFixture } from '#tests/support/sending-fixture.ts';
import { readRecentPrices } from './recent-prices.ts';

const fixture = sendingFixture();

test('recent prices of a listing are those of its ledger and those that were sent', async () => {
  await fixture.seed(2);
  await fixture.untilIdle();
  await fixture.send();
  const adopted = instant(fixture.now + hours(1));
  await observe(1, beatenPrice(1), usd(17), adopted);
  const recent = await readRecentPrices(fixture.db, [1, 99], instant(adopted + MINUTE));
  expect(recent.get(1)).toEqual({
    inForce: [
      { price: usd(20.01), since: NOW - hours(2), isOwn: false },
      { price: beatenPrice(1), since: NOW, isOwn: true },
      { price: usd(17), since: adopted, isOwn: false },
    ],
    sent: [{ price: beatenPrice(1), at: NOW, isGivenUp: false }],
  });
  expect(recent.get(99)).toEqual({ inForce: [], sent: [] });
  // A day later only the last two were in force within the window.
  const late = await readRecentPrices(fixture.db, [1], instant(adopted + hours(23.5)));
  expect(late.get(1)).toMatchObject({
    inForce: [{ price: beatenPrice(1) }, { price: usd(17) }],
    sent: [],
  });
});

async function observe(listingId: number, oldPrice: Cents, newPrice: Cents, at: Instant): Promise<void> {
  const rest = {
    marginImpact: null,
    marginAfter: null,
    ruleId: null,
    competitorPrice: null,
    marginFloor: null,
  };
  await insertPriceHistory(
    fixture.db,
    [{ listingId, oldPrice, newPrice, reason: 'Seen.', ...rest, feeVersion: null, facts: null }],
    { source: 'observed', at, runId: null, actor: null },
  );
}
