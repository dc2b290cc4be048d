import { afterEach, beforeEach, expect, test } from 'vitest';
import { createAmazon } from '#connectors/amazon/amazon.ts';
import type { MarketplaceConnector, PriceOrder, SendOutcome } from '#connectors/connector.ts';
import { cents, hours, instant } from '#domain/units.ts';
import { type Sandbox, startSandbox } from '#sandbox/server.ts';
import type { Terms } from '#sandbox/world/terms.ts';
import { createWorld } from '#sandbox/world/world.ts';
import { memoryVault } from '#tests/support/memory-vault.ts';

/*
 * A user's price below a running sale, from connector to market: what a merge must not touch is what the simulated
 * market says of itself.
 */

const START = instant(Date.parse('2026-03-02T08:00:00Z'));
const SALE = { price: cents(1_700), from: START, to: instant(START + hours(48)) };
const BUSINESS = { price: cents(1_900), levels: [{ from: 5, price: cents(1_800) }] };

let sandbox: Sandbox;
let connector: MarketplaceConnector;
beforeEach(async () => {
  const terms: Partial<Terms> = { sale: SALE, business: BUSINESS };
  const item = { marketplace: 'amazon', sku: 'A-1', title: 'Mug', price: cents(2_000) } as const;
  const items = [{ ...item, fulfillmentType: 'FBM' as const, competitors: [], viewsPerDay: 0, terms }];
  const world = createWorld({ seed: 'sale', startsAt: START, items, stock: [] });
  sandbox = await startSandbox({ world, port: 0 });
  connector = createAmazon({
    baseUrl: sandbox.addresses.amazon,
    now: world.now,
    wait: async (milliseconds) => world.advance(instant(world.now() + milliseconds)),
  });
});
afterEach(() => sandbox.close());

const market = () => sandbox.world.market('amazon');
const live = () => market().item('A-1');

async function send(pastReason: string | null): Promise<SendOutcome | undefined> {
  const account = { credentials: sandbox.credentials.amazon, tokens: memoryVault() };
  const order: PriceOrder = {
    ref: { listingId: 1, sku: 'A-1', fulfillmentType: 'FBM', itemId: null, keys: {} },
    price: cents(2_100),
    currentPrice: cents(2_000),
    ownPrices: [],
    pastReason,
    sequence: 1,
    isUrgent: true,
    idempotencyKey: 'k-1',
    notAfter: instant(sandbox.world.now() + 60_000),
  };
  const [outcome] = await connector.sendPrices(account, [order], new AbortController().signal);
  return outcome;
}

test('only the price of a user who confirmed the sale goes, and sale and business prices stay', async () => {
  const stopped = await send(null);
  expect(stopped).toMatchObject({
    kind: 'stopped',
    found: { kind: 'not_repriceable', isConfirmable: true, until: SALE.to },
  });
  const reported = stopped?.kind === 'stopped' ? stopped.message : '';
  expect(await send(`${reported} Or so.`)).toMatchObject({ kind: 'stopped' });
  sandbox.world.advance(instant(sandbox.world.now() + hours(2)));
  expect(live()).toMatchObject({ price: 2_000, salePrice: SALE.price });

  expect(await send(reported)).toMatchObject({ kind: 'accepted' });
  sandbox.world.advance(instant(sandbox.world.now() + hours(2)));
  expect(live()).toMatchObject({ price: 2_100, salePrice: SALE.price });
  expect(live()?.terms).toMatchObject({ sale: SALE, business: BUSINESS });
  sandbox.world.advance(SALE.to);
  sandbox.world.advance(instant(SALE.to + hours(1)));
  expect(live()).toMatchObject({ price: 2_100, salePrice: null });
});
