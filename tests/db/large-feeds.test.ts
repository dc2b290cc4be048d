import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createWalmart } from '#connectors/walmart/walmart.ts';
import { anAccount } from '#tests/support/connector-fixture.ts';
import { MINUTE } from '#tests/support/engine-fixture.ts';
import { FINAL_CODE } from '#tests/support/fake-marketplace.ts';
import { anItem, type FakeWalmart, startFakeWalmart, WALMART_PAIR } from '#tests/support/fake-walmart.ts';
import { sendingFixture } from '#tests/support/sending-fixture.ts';

/*
 * Prices that left in a feed of 5,000, read back from a Walmart that answers slowly: 300 ms for an item, 600 ms for a page
 * of results, of which the feed has a hundred.
 */
const fixture = sendingFixture();
const LISTINGS = 10;
const REFUSED = 'A-1';
const ARRIVED = 'A-2';

let fake: FakeWalmart;
/** Requested pages of results. */
let pages: number;
beforeEach(async () => {
  pages = 0;
  fake = await startFakeWalmart();
  await fixture.seed(LISTINGS);
  fixture.market.reactionTo = () => 'accept';
  await fixture.untilIdle();
  await fixture.send();
  await fixture.db.execute(sql`UPDATE price_intents SET receipt = 'F1'`);
});
afterEach(() => fake.close());

/** The sender, with the Walmart that reads prices back. */
async function desk(): Promise<ReturnType<typeof fixture.desk>> {
  const { rows } = await fixture.db.execute<{ sku: string; old: string; price: string }>(
    // In dollars.
    sql`SELECT sku, current_price AS old, price FROM price_intents JOIN listings ON listings.id = listing_id`,
  );
  const prices = new Map(rows.map(({ sku, old, price }) => [sku, sku === ARRIVED ? price : old]));
  fake.on('GET', /^\/v3\/items\/[^?]+\?/, ({ path }) => {
    fixture.advance(300);
    const sku = /items\/([^?]+)/.exec(path)?.[1] ?? '';
    const price = { currency: 'USD', amount: Number(prices.get(sku)) };
    return { body: { ItemResponse: [anItem(1, { sku, price })] } };
  });
  const skus = [...prices.keys()].filter((sku) => sku !== REFUSED);
  fake.on('GET', /^\/v3\/feeds\/F1\?/, ({ query }) => {
    fixture.advance(600);
    pages += 1;
    const from = Number(query.get('offset'));
    const details = Array.from({ length: 50 }, (_, at) => {
      const sku = skus[from + at] ?? (from + at === 4_999 ? REFUSED : `OTHER-${from + at}`);
      const ingestionError = [{ type: 'DATA_ERROR', code: FINAL_CODE, description: 'Below minimum.' }];
      return sku === REFUSED
        ? { sku, ingestionStatus: 'DATA_ERROR', ingestionErrors: { ingestionError } }
        : { sku, ingestionStatus: 'SUCCESS' };
    });
    return {
      body: { feedStatus: 'PROCESSED', itemsReceived: 5_000, itemDetails: { itemIngestionStatus: details } },
    };
  });
  const walmart = createWalmart({
    baseUrl: fake.url,
    now: () => fixture.now,
    wait: async (milliseconds) => fixture.advance(milliseconds),
  });
  const account = anAccount({ ...WALMART_PAIR });
  const market = fixture.market.connections();
  return fixture.desk({
    connections: {
      stateOf: async (marketplace) => {
        const state = await market.stateOf(marketplace);
        if (state.kind !== 'connected') return state;
        const connector = { ...state.connection.connector, readPrices: walmart.readPrices };
        return { ...state, connection: { ...state.connection, connector, account } };
      },
    },
  });
}

test('prices of a large feed are settled over several passes, none of which keeps urgent prices waiting for long', async () => {
  const sender = await desk();
  const stateOf = async (sku: string) => {
    const { rows } = await fixture.db.execute<{ state: string }>(
      sql`SELECT state FROM price_intents JOIN listings ON listings.id = listing_id WHERE sku = ${sku}`,
    );
    return rows[0]?.state;
  };
  let passes = 0;
  for (; passes < 20 && (await stateOf(REFUSED)) === 'accepted'; passes++) {
    fixture.advance(MINUTE);
    const startedAt = fixture.now;
    await fixture.send(sender);
    expect(fixture.now - startedAt).toBeLessThan(20_000);
    expect(await stateOf(ARRIVED)).toBe('confirmed');
  }
  expect(passes).toBeGreaterThan(1);
  expect(passes).toBeLessThan(10);
  expect(await stateOf(REFUSED)).toBe('rejected');
  expect(pages).toBe(100);
  expect(await stateOf('A-3')).toBe('accepted');
});
