import { eq, sql } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { ConnectorError } from '#connectors/connector-error.ts';
import { matchLateListings } from '#db/queries/marketplaces/sync/late-listings.ts';
import { listings } from '#db/schema/listings.ts';
import { transact } from '#db/transact.ts';
import { cents, hours } from '#domain/units.ts';
import { addListing, addSku } from '#tests/support/seed.ts';
import { aBooking } from '#tests/support/shop-connector.ts';
import { syncFixture } from '#tests/support/sync-fixture.ts';
import { computeDueSales } from '#usecases/catalog/sales/compute-sales.ts';

const fixture = syncFixture('amazon');
const { read, pass, rows } = fixture;

describe('sales', () => {
  const line = (over = {}) => ({
    externalId: 'o-1',
    orderRef: 'o',
    lineNumber: 1,
    sku: 'A-1',
    itemId: null,
    soldAt: fixture.engine.now,
    quantity: 2,
    unitPrice: cents(2_000),
    revenue: cents(4_000),
    shippingRevenue: cents(0),
    fees: cents(600),
    isCancelled: false,
    ...over,
  });
  const sales = async () => {
    while (await transact(fixture.engine.db, (tx) => computeDueSales(tx, fixture.time)));
    return rows(sql`SELECT quantity_sold AS quantity, total_revenue AS revenue, marketplace_fees AS fees,
      money_state AS state, total_margin AS margin FROM sales_history`);
  };
  beforeEach(async () => {
    await addSku(fixture.engine.db, 'A-1', { productCost: cents(500) });
    await addListing(fixture.engine.db, 'A-1', { marketplace: 'amazon' });
    await fixture.engine.untilIdle();
  });

  test('are recorded once however often they are read, with the margin that they brought', async () => {
    fixture.shop.sales = [[line()], [line()]];
    await read();
    pass(hours(1));
    await read();
    const [one, ...more] = await sales();
    expect(more).toEqual([]);
    expect(one).toEqual({ quantity: 2, revenue: '40.00', fees: '6.00', state: 'told', margin: '24.00' });
  });

  test('of an item that is no listing yet are recorded, with their money, once a listing of it is added', async () => {
    const { db } = fixture.engine;
    const late = (over = {}) => line({ sku: 'A-2', quantity: 1, revenue: cents(2_000), fees: null, ...over });
    fixture.shop.sales = [
      [
        late({ externalId: 'late-1', orderRef: 'late' }),
        late({ externalId: 'late-2', orderRef: 'canceled' }),
      ],
      [
        late({ externalId: 'late-3', sku: null, itemId: 'item-A-2' }),
        late({ externalId: 'other', sku: 'A-3' }),
      ],
    ];
    const at = { postedAt: fixture.engine.now, orderRef: 'late' };
    fixture.shop.money = [
      { events: [aBooking('p', 'principal', 1_900, at), aBooking('c', 'commission', -340, at)] },
    ];
    await read();
    fixture.shop.sales = [
      [late({ externalId: 'late-1', orderRef: 'late', quantity: 1, revenue: cents(1_900) })],
      [late({ externalId: 'late-2', orderRef: 'canceled', isCancelled: true })],
    ];
    fixture.shop.money = [];
    pass(hours(1));
    await read();
    expect(await sales()).toEqual([]);
    await addSku(db, 'A-2', { productCost: cents(500) });
    const id = await addListing(db, 'A-2', { marketplace: 'amazon' });
    await db.update(listings).set({ marketplaceItemId: 'item-A-2' }).where(eq(listings.id, id));
    while (await transact(db, (tx) => matchLateListings(tx, fixture.time)));
    const found = await sales();
    expect(found.map(({ revenue, state }) => [revenue, state]).sort()).toEqual([
      ['19.00', 'told'],
      ['20.00', 'estimated'],
    ]);
    expect(found.find(({ state }) => state === 'told')).toMatchObject({ fees: '3.40' });
    expect(await rows(sql`SELECT external_id AS id FROM unlisted_sales`)).toEqual([{ id: 'other' }]);
    // Read again, it stays one sale.
    fixture.shop.sales = [[late({ externalId: 'late-1', orderRef: 'late', revenue: cents(1_900) })]];
    pass(hours(1));
    await read();
    expect(await sales()).toHaveLength(2);
  });

  test('of a period that was read before are not counted again, also where the listing was deleted and added again', async () => {
    fixture.shop.sales = [[line(), line({ externalId: 'o-2' })]];
    await read();
    // A user deletes the listing; the next catalog sync adds it as a new one.
    await fixture.engine.db.execute(sql`UPDATE listings SET deleted_at = created_at + interval '1 minute'`);
    await addListing(fixture.engine.db, 'A-1', { marketplace: 'amazon' });
    fixture.shop.sales = [
      [line(), line({ externalId: 'o-2', sku: null, itemId: 'item-A-1' })],
      [line({ externalId: 'o-3' })],
    ];
    pass(hours(1));
    await read();
    expect(fixture.shop.salesSince).toBeLessThan(fixture.time - hours(48));
    expect(
      await rows(sql`SELECT external_id AS id, sum(quantity_sold)::int AS pieces, count(*)::int AS lines
        FROM sales_history GROUP BY 1 ORDER BY 1`),
    ).toEqual(['o-1', 'o-2', 'o-3'].map((id) => ({ id, pieces: 2, lines: 1 })));
  });

  test('fees that are reported later correct the line', async () => {
    fixture.shop.sales = [[line({ fees: null })]];
    await read();
    // Estimated with the shipped 15 %.
    expect(await sales()).toMatchObject([{ fees: '6.00', state: 'estimated', margin: '24.00' }]);
    fixture.shop.sales = [[line({ fees: cents(620) })]];
    pass(hours(1));
    await read();
    expect(await sales()).toMatchObject([{ fees: '6.20', state: 'told', margin: '23.80' }]);
  });

  test('goods that came back are those that the marketplace reported last, or a user entered since', async () => {
    const back = (units: number) => line({ restocked: { units, at: fixture.engine.now } });
    const restocked = async () =>
      (await rows(sql`SELECT restocked, restocked_at IS NULL AS never FROM sales_history`))[0];
    const readAgain = async (units: number) => {
      fixture.shop.sales = [[units === 0 ? line() : back(units)]];
      pass(hours(1));
      await read();
      return restocked();
    };
    expect(await readAgain(0)).toEqual({ restocked: 0, never: true });
    expect(await readAgain(2)).toEqual({ restocked: 2, never: false });
    // Two for 5.00 each.
    expect(await sales()).toMatchObject([{ margin: '34.00' }]);
    await fixture.engine.db.execute(sql`UPDATE sales_history SET restocked = 1`);
    expect(await readAgain(2)).toEqual({ restocked: 1, never: false });
    expect(await readAgain(0)).toEqual({ restocked: 0, never: true });
  });

  test('a cancelled line goes', async () => {
    fixture.shop.sales = [[line()]];
    await read();
    fixture.shop.sales = [[line({ isCancelled: true })]];
    pass(hours(1));
    await read();
    expect(await sales()).toEqual([]);
  });

  test('are read again from two days before the last reading that succeeded', async () => {
    await read();
    const first = fixture.time;
    // As far back as its money.
    expect(fixture.shop.salesSince).toBe(first - hours(60 * 24));
    fixture.shop.errors.set('sales', new ConnectorError('busy', 'Too much.'));
    pass(hours(1));
    await read();
    fixture.shop.errors.clear();
    pass(hours(1));
    await read();
    expect(fixture.shop.salesSince).toBe(first - hours(48));
  });
});
