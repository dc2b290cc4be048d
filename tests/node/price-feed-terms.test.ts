import { afterEach, expect, test } from 'vitest';
import { createAmazon } from '#connectors/amazon/amazon.ts';
import type { PriceOrder } from '#connectors/connector.ts';
import { cents, hours, instant } from '#domain/units.ts';
import { type Sandbox, startSandbox } from '#sandbox/server.ts';
import { createWorld } from '#sandbox/world/world.ts';
import { asMany } from '#tests/support/breadth.ts';
import { memoryFindings } from '#tests/support/memory-findings.ts';
import { memoryVault } from '#tests/support/memory-vault.ts';

const START = instant(Date.parse('2026-03-02T08:00:00Z'));
/** The fewest that go as a feed, or as many as the case names. */
const PRICES = asMany(41, 600);
const SALE = { price: cents(2_500), from: instant(START + hours(48)), to: instant(START + hours(72)) };
const BOUNDS = { min: cents(2_200), max: null };

let sandbox: Sandbox;
afterEach(() => sandbox.close());

test('a feed of prices erases nothing that the seller has just entered (C8)', async () => {
  const items = Array.from({ length: PRICES }, (_, at) => ({
    marketplace: 'amazon' as const,
    sku: `F-${at}`,
    title: `Mug ${at}`,
    price: cents(3_000),
    fulfillmentType: 'FBM' as const,
    competitors: [],
    viewsPerDay: 0,
  }));
  const quirks = { amazon: { lag: { list: [1_800, 1_800] as [number, number] } } };
  const world = createWorld({ seed: 'feed', startsAt: START, items, stock: [], quirks });
  sandbox = await startSandbox({ world, port: 0 });
  const market = world.market('amazon');
  for (const { sku } of items) market.edit(sku, { terms: { sale: SALE, bounds: BOUNDS } });
  const connector = createAmazon({
    baseUrl: sandbox.addresses.amazon,
    now: world.now,
    wait: async (milliseconds) => world.advance(instant(world.now() + milliseconds)),
  });
  const findings = memoryFindings({ amazon_write: { is: 'merge', isQuoted: false } });
  const account = { credentials: sandbox.credentials.amazon, tokens: memoryVault(), findings };
  const orders = items.map(({ sku }, at): PriceOrder => {
    return {
      ref: { listingId: at + 1, sku, fulfillmentType: 'FBM', itemId: null, keys: {} },
      price: cents(2_900),
      currentPrice: cents(3_000),
      ownPrices: [],
      pastReason: null,
      sequence: 1,
      isUrgent: false,
      idempotencyKey: `k-${at}`,
      notAfter: instant(world.now() + hours(1)),
    };
  });
  const outcomes = await connector.sendPrices(account, orders, new AbortController().signal);
  expect(new Set(outcomes.map(({ kind }) => kind))).toEqual(new Set(['accepted']));
  expect(new Set(world.receivedPrices().map(({ operation }) => operation))).toEqual(new Set(['createFeed']));
  world.advance(instant(world.now() + hours(1)));
  const kept = market.items().filter(({ price, terms }) => {
    return price === 2_900 && terms.sale === SALE && terms.bounds === BOUNDS;
  });
  expect(kept).toHaveLength(PRICES);
});
