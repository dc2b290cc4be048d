import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createAmazon } from '#connectors/amazon/amazon.ts';
import { NOW } from '#tests/builders/facts.ts';
import { asMany, IS_ALL } from '#tests/support/breadth.ts';
import { ANN, MINUTE } from '#tests/support/engine-fixture.ts';
import { amazonAccount, amazonItem, US } from '#tests/support/fake-amazon.ts';
import { type Asked, type FakeService, startFakeService } from '#tests/support/fake-service.ts';
import { sendingFixture } from '#tests/support/sending-fixture.ts';
import { haltEngine } from '#usecases/repricing/engine/halt.ts';
import type { MarketplaceSender } from './sending-deps.ts';
import { sendTick } from './sending-loop.ts';

/*
 * The real desk, with its real times, and the real connector of Amazon with its real budgets. The clock goes on by what
 * they wait, and by what Amazon takes to answer.
 */
const fixture = sendingFixture();
/** From 600 on Amazon takes them as documents. */
const MANY = asMany(600, 2_000);

let service: FakeService;
/** Milliseconds that each answer takes. */
let answerTakes: number;
/** What buyers see where a price was accepted, by SKU; in dollars. */
const taken = new Map<string, string>();
beforeEach(async () => {
  answerTakes = 0;
  taken.clear();
  service = await startFakeService();
  const answer = (method: string, path: RegExp, body: (requested: Asked) => unknown): void => {
    service.on(method, path, (requested) => {
      fixture.advance(answerTakes);
      return { body: body(requested) };
    });
  };
  answer('POST', /^\/auth\/o2\/token$/, () => ({
    access_token: 't',
    token_type: 'bearer',
    expires_in: 3600,
  }));
  answer('GET', /^\/listings\/[^?]+\/[^?/]+\/[^?/]+\?/, ({ path }) => itemOf(skuIn(path)));
  answer('PATCH', /^\/listings/, ({ path, json }) => {
    const [, price] = /"value_with_tax":([\d.]+)/.exec(JSON.stringify(json)) ?? [];
    if (price === undefined) throw new Error('A price without a price.');
    taken.set(skuIn(path), price);
    return { sku: skuIn(path), status: 'ACCEPTED', issues: [] };
  });
  answer('GET', /identifiers=/, ({ query }) => {
    const skus = (query.get('identifiers') ?? '').split(',');
    return { numberOfResults: skus.length, items: skus.map(itemOf) };
  });
  answer('POST', /\/documents$/, () => ({ feedDocumentId: 'doc-1', url: `${service.url}/upload` }));
  answer('PUT', /^\/upload/, () => '');
  answer('POST', /\/feeds$/, () => ({ feedId: 'feed-1' }));
});
afterEach(() => service.close());

const skuIn = (path: string): string => decodeURIComponent(/items\/[^/]+\/([^?]+)/.exec(path)?.[1] ?? '');
/** Buyers see the last accepted price, else the initial one: as many cents as the number of the SKU. */
function itemOf(sku: string): Record<string, unknown> {
  const amount = taken.get(sku) ?? (20 + Number(sku.slice(2)) / 100).toFixed(2);
  const offer = { marketplaceId: US, offerType: 'B2C', price: { currencyCode: 'USD', amount } };
  return amazonItem(1, { sku, offers: [offer] });
}

function amazonDesk(): MarketplaceSender {
  const connector = createAmazon({
    baseUrl: service.url,
    now: () => fixture.now,
    wait: async (milliseconds) => fixture.advance(milliseconds),
  });
  const connection = { marketplace: 'walmart', connector, account: amazonAccount(), generation: 1 } as const;
  return fixture.desk({ connections: { stateOf: async () => ({ kind: 'connected', connection }) } });
}

const stillQueued = async (): Promise<number> => {
  const { rows } = await fixture.db.execute<{ count: number }>(
    sql`SELECT count(*)::int AS count FROM price_intents WHERE state = 'queued'`,
  );
  return rows[0]?.count ?? -1;
};

describe('as many prices as a repricing of everything brings', () => {
  test.each([
    ['at once', MANY, 0],
    // Four are asked at a time here: each of them takes a second.
    ['after a while', MANY, 250],
    // Few enough to go one by one: the first are read back while the last have not left.
    ['one by one', 200, 250],
  ])('all reach an Amazon that answers %s, long before their time is over', async (_, count, takes) => {
    await fixture.seed(count);
    await fixture.untilIdle();
    answerTakes = takes;
    expect(await stillQueued()).toBe(count);
    const desk = amazonDesk();
    for (let passes = 0; passes < 60 && (await stillQueued()) > 0; passes++) {
      if ((await sendTick(desk)) === 'idle') fixture.advance(1_000);
    }
    const states = new Set(await fixture.states());
    for (const ended of ['expired', 'rejected', 'sent'] as const) expect(states).not.toContain(ended);
    if (count < MANY) expect(states).toContain('confirmed');
    expect(fixture.now - NOW).toBeLessThan(5 * MINUTE);
  });
});

test.runIf(IS_ALL)('the largest feed of Walmart leaves in one call', async () => {
  const count = 5_000;
  await fixture.seed(count);
  await fixture.untilIdle();
  fixture.market.reactionTo = () => 'accept';
  fixture.market.atOnce = count;
  await sendTick(fixture.desk());
  expect(fixture.market.orders).toHaveLength(count);
  expect(new Set(await fixture.states())).toEqual(new Set(['accepted']));
});

test('after a halt during a call to an unresponsive Amazon no further price is sent', async () => {
  await fixture.seed(100);
  await fixture.untilIdle();
  const patches = (): number => service.asked.filter(({ method }) => method === 'PATCH').length;
  let halted: Promise<unknown> | null = null;
  // It accepted some and then stopped responding: calls in progress stay open until their timeout.
  service.on('PATCH', /^\/listings/, ({ path }) => {
    if (patches() <= 8) return { body: { sku: skuIn(path), status: 'ACCEPTED', issues: [] } };
    halted ??= haltEngine({ db: fixture.db, now: () => fixture.now }, null, ANN);
    return () => undefined;
  });
  const desk = amazonDesk();
  await sendTick(desk);
  await halted;
  // Four at a time.
  const left = patches();
  expect(left).toBeLessThanOrEqual(12);
  const requested = service.asked.length;
  await fixture.send(desk);
  expect(service.asked.slice(requested).map(({ method }) => method)).not.toContain('PATCH');
  const states = await fixture.states();
  const count = (state: string): number => states.filter((one) => one === state).length;
  expect([count('accepted'), count('unknown'), count('expired')]).toEqual([8, left - 8, 100 - left]);
});
