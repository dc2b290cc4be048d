import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { createAmazon } from '#connectors/amazon/amazon.ts';
import { createWalmart } from '#connectors/walmart/walmart.ts';
import { rebuildProfitDays } from '#db/queries/catalog/profit-days.ts';
import { readProfit } from '#db/queries/catalog/profit-sums.ts';
import { readSettlements } from '#db/queries/marketplaces/money/money-lists.ts';
import { transact } from '#db/transact.ts';
import { centsFromDecimal, decimalFromCents } from '#domain/decimal.ts';
import { cents, hours, type Instant, instant } from '#domain/units.ts';
import { orderIdOf } from '#sandbox/adapters/amazon/orders.ts';
import { purchaseOrderIdOf } from '#sandbox/adapters/walmart/orders.ts';
import { type Sandbox, startSandbox } from '#sandbox/server.ts';
import { sampleWorld } from '#sandbox/world/sample-world.ts';
import type { Books } from '#sandbox/world/truth/books.ts';
import { createWorld } from '#sandbox/world/world.ts';
import { memoryVault } from '#tests/support/memory-vault.ts';
import { addListing, addSku } from '#tests/support/seed.ts';
import { syncFixture } from '#tests/support/sync-fixture.ts';
import { computeDueSales } from '#usecases/catalog/sales/compute-sales.ts';
import type { Connection } from '#usecases/marketplaces/connections/connections.ts';
import { findDueSyncs, runSync } from '#usecases/marketplaces/sync/sync-loop.ts';

const DAY = hours(24);
/** The end of the first settlement. */
const SETTLED = 14 * DAY;
/** The last day whose orders are settled by then, and of which all other money is reported. */
const LAST_DAY = 9;
/** When everything is synced; Amazon reports up to two days late. */
const SYNCS = [6, 12, 17].map((days) => days * DAY);

const SUBJECTS = {
  amazon: { make: createAmazon, refOf: orderIdOf },
  walmart: { make: createWalmart, refOf: purchaseOrderIdOf },
} as const;
const KINDS = ['sales', 'money'] as const;
const never = new AbortController().signal;

describe.each(Object.keys(SUBJECTS) as (keyof typeof SUBJECTS)[])('%s', (marketplace) => {
  const fixture = syncFixture(marketplace);
  const { make, refOf } = SUBJECTS[marketplace];

  /** A store on a simulated marketplace, with its listings. */
  async function openShop(startsAt: Instant): Promise<{ sandbox: Sandbox; connection: Connection }> {
    const sample = sampleWorld('money', startsAt);
    const items = sample.items.filter((item) => item.marketplace === marketplace);
    const world = createWorld({ ...sample, items });
    const sandbox = await startSandbox({ world, port: 0, now: world.now });
    const connector = make({
      baseUrl: sandbox.addresses[marketplace],
      now: world.now,
      wait: async (milliseconds) => world.advance(instant(world.now() + milliseconds)),
    });
    for (const { sku, itemId, fulfillmentType } of items) {
      await addSku(fixture.engine.db, sku);
      await addListing(fixture.engine.db, sku, {
        marketplace,
        marketplaceItemId: itemId,
        ...(fulfillmentType === null ? {} : { fulfillmentType }),
      });
    }
    const account = { credentials: sandbox.credentials[marketplace], tokens: memoryVault() };
    return { sandbox, connection: { ...fixture.shop.connection, connector, account } };
  }

  test('what its sales and its days left, and its settlements, are what its own books say', async () => {
    const { db } = fixture.engine;
    const startsAt = fixture.time;
    const { sandbox, connection } = await openShop(startsAt);
    const { world } = sandbox;
    try {
      for (const passed of SYNCS) {
        world.advance(instant(startsAt + passed));
        const deps = { db, now: world.now };
        // Nothing else is synced before the catalog.
        for (const kind of passed === SYNCS[0] ? (['listings', ...KINDS] as const) : KINDS) {
          const due = (await findDueSyncs(deps, marketplace)).find((one) => one.kind === kind);
          if (due !== undefined) await runSync(deps, { connection, signal: never }, due);
        }
      }
      const all = (await (await fetch(`${sandbox.url}/_sandbox/books`)).json()) as Books[];
      const books = all.find((one) => one.marketplace === marketplace);
      const market = world.market(marketplace);
      // Money of the settlement that runs is reported in part.
      const running = new Set(
        market.money.events().map(({ at, order }) => (at >= startsAt + SETTLED ? order : null)),
      );
      const refs = new Map(
        market.orders().map((order) => [order.number, running.has(order) ? null : refOf(order)]),
      );
      const expected = new Map<string, number>();
      for (const { order, sku, net } of books?.lines ?? []) {
        const ref = refs.get(order);
        if (ref != null && net !== 0)
          expected.set(`${ref} ${sku}`, (expected.get(`${ref} ${sku}`) ?? 0) + net);
      }
      while (await transact(db, (tx) => computeDueSales(tx, world.now())));
      const rows =
        await fixture.rows(sql`SELECT h.order_ref || ' ' || l.sku AS key, bool_and(h.money_state = 'told') AS told,
          sum(h.total_revenue + coalesce(h.shipping_revenue, 0) + coalesce(h.adjustment, 0) - h.marketplace_fees
            - coalesce(h.ads, 0) - coalesce(h.refunds, 0))::text AS net
        FROM sales_history h JOIN listings l ON l.id = h.listing_id GROUP BY 1`);
      const sales = new Map(rows.map(({ key, told, net }) => [key, told === true ? net : 'not told']));
      expect(expected.size).toBeGreaterThan(50);
      expect(new Map([...expected.keys()].map((key) => [key, sales.get(key)]))).toEqual(
        new Map([...expected].map(([key, net]) => [key, decimalFromCents(cents(net))])),
      );
      while (await transact(db, (tx) => rebuildProfitDays(tx, 1_000)));
      const firstDay = Math.floor(startsAt / DAY) * DAY;
      const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);
      const days = { from: dayOf(firstDay), to: dayOf(firstDay + LAST_DAY * DAY) };
      const page = await readProfit(db, {
        group: 'day',
        ...days,
        marketplace,
        page: 1,
        size: 100,
        sort: { by: 'key', descending: false },
      });
      // On the day of an order all that was booked for it but returns: those are on their own, like what has no order.
      const byDay = new Map<string, number>();
      for (const { type, at, order, entries } of market.money.events()) {
        if (type === 'payout') continue;
        for (const { kind, amount, line } of entries) {
          if (kind === 'tax' || kind === 'tax_withheld') continue;
          // A label is of its order, and of none of its lines.
          const isOfOrder = order !== null && type !== 'refund' && (line !== null || kind === 'label');
          const day = dayOf(isOfOrder ? order.createdAt : at);
          byDay.set(day, (byDay.get(day) ?? 0) + amount);
        }
      }
      const earned = page.rows.map(({ key, profit, cost }) => {
        const left = centsFromDecimal(profit ?? '');
        return [key, left === null ? null : left + (centsFromDecimal(cost ?? '0') ?? 0)];
      });
      const inPeriod = [...byDay].filter(([day]) => day >= days.from && day <= days.to);
      expect(earned).toEqual(inPeriod.sort());
      // Amazon reports its advertising of no sale.
      expect(page.unlisted !== null).toBe(marketplace === 'amazon');
      const { rows: settlements } = await readSettlements(db, { page: 1, size: 10, marketplace });
      const closed = settlements.filter(({ state }) => state !== 'open');
      expect(closed.map(({ state, toldTotal }) => [state, centsFromDecimal(toldTotal ?? '')])).toEqual(
        books?.settlements.slice(0, 1).map(({ total }) => ['balanced', total]),
      );
    } finally {
      await sandbox.close();
    }
  });
});
