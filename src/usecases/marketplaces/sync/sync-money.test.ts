import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ConnectorError } from '#connectors/connector-error.ts';
import { readTaxedOrders } from '#db/queries/catalog/fee-terms.ts';
import type { MoneyRead } from '#db/queries/marketplaces/money/money.ts';
import { matchLateListings } from '#db/queries/marketplaces/sync/late-listings.ts';
import { listSyncs } from '#db/queries/marketplaces/sync/marketplace-syncs.ts';
import { readWatchedFigures } from '#db/queries/repricing/alert-figures.ts';
import { transact } from '#db/transact.ts';
import type { MoneyEvent } from '#domain/money/money-event.ts';
import { type Cents, cents, hours, type Instant } from '#domain/units.ts';
import { startConcurrent } from '#tests/support/concurrent-action.ts';
import { addListing } from '#tests/support/seed.ts';
import { aBooking } from '#tests/support/shop-connector.ts';
import { syncFixture } from '#tests/support/sync-fixture.ts';
import { currentAlerts } from '#usecases/repricing/alerts/current-alerts.ts';
import { ENGINE } from '#usecases/repricing/engine/engine-deps.ts';
import { bookMoneyPage } from './book-money-page.ts';
import { type MoneyWindow, moneyWindows } from './money-windows.ts';

const fixture = syncFixture('amazon');
const { read, pass, rows } = fixture;
const DAY = hours(24);
const ago = (days: number): Instant => (fixture.time - days * DAY) as Instant;
const booked = () =>
  rows(sql`SELECT external_id AS id, version, amount, superseded_by IS NULL AS counts, matched_by AS by
    FROM money_events ORDER BY external_id, version`);
const line = (over = {}) => ({
  externalId: 'line-1',
  orderRef: 'O-1',
  lineNumber: 1,
  sku: 'A-1',
  itemId: null,
  soldAt: ago(1),
  quantity: 1,
  unitPrice: cents(2_000),
  revenue: cents(2_000),
  shippingRevenue: cents(0),
  fees: null,
  isCancelled: false,
  ...over,
});
const soon = hours(2);
/** Records a sale of A-1 for each of these days. */
const sellOn = (days: readonly number[]) =>
  fixture.engine.db.execute(sql`
    INSERT INTO sales_history (listing_id, external_id, sale_date, quantity_sold, unit_price, total_revenue)
    SELECT l.id, 'sold-' || n, ${new Date(fixture.time).toISOString()}::timestamptz - n * interval '1 day', 1, 20, 20
    FROM listings l, unnest(${sql.param(days)}::int[]) n WHERE l.sku = 'A-1'`);

describe('what a marketplace booked', () => {
  test('is booked once however often it is read, and as a new version when it is restated', async () => {
    const fee = (over = {}) =>
      aBooking('fee', 'commission', -300, { postedAt: ago(1), orderRef: 'O-1', ...over });
    fixture.shop.money = [{ events: [fee(), aBooking('pay', 'transfer', -5_000, { postedAt: ago(1) })] }];
    await read();
    pass(soon);
    await read();
    expect(await booked()).toEqual([
      { id: 'fee', version: 1, amount: '-3.00', counts: true, by: 'marketplace' },
      { id: 'pay', version: 1, amount: '-50.00', counts: true, by: 'marketplace' },
    ]);
    // Its first page of now is an old one, which knows less, and takes nothing back.
    fixture.shop.money = [
      { events: [fee({ amount: cents(-320) })] },
      { events: [fee({ amount: cents(-320), orderRef: null })] },
    ];
    pass(soon);
    await read();
    const [first, second] = await booked();
    expect([first, second]).toMatchObject([
      { version: 1, counts: false },
      { version: 2, amount: '-3.20', counts: true },
    ]);
    expect(await rows(sql`SELECT order_ref FROM money_events WHERE version = 2`)).toEqual([
      { order_ref: 'O-1' },
    ]);
  });

  test('reports the sales tax of 30 orders of 90 days, by what was booked or what a fee was taken on', async () => {
    const order = (number: number, days: number) => {
      const at = { postedAt: ago(days), orderRef: `O-${number}` };
      const booked = (id: string, kind: MoneyEvent['kind'], amount: number, over = {}) =>
        aBooking(`${id}-${number}`, kind, amount, { ...at, ...over });
      const fee = { base: cents(1_091), saved: null, category: null };
      const ofLine = { lineRef: 'L-1', fee };
      switch (number % 4) {
        case 0:
          return [booked('p', 'principal', 1_000), booked('t', 'tax', 60), booked('w', 'tax', -60)];
        case 1:
          // The total is that of its line, in both of its fees.
          return [
            booked('p', 'principal', 1_000),
            booked('c', 'commission', -100, ofLine),
            booked('d', 'commission', -10, ofLine),
          ];
        case 2:
          return [booked('p', 'principal', 1_060), booked('t', 'tax', -60)];
        default:
          return [booked('p', 'principal', 1_000), booked('t', 'transfer', 60, { rawType: 'SALE > tax' })];
      }
    };
    const orders = Array.from({ length: 29 }, (_, at) => order(at, 2));
    // Neither one that reports no tax, nor one of before.
    const unreported = aBooking('unreported', 'principal', 5_000, { postedAt: ago(2), orderRef: 'O-98' });
    const old = order(99, 91);
    const due = async () => (await rows(sql`SELECT listing_id FROM due_listings`)).length;
    const learned = async () => {
      const [terms] = await rows(
        sql`SELECT learned_sales_tax AS share FROM fee_terms WHERE marketplace = 'amazon'`,
      );
      return terms?.share;
    };
    await addListing(fixture.engine.db, 'A-1', { marketplace: 'amazon' });
    fixture.shop.money = [{ events: [...orders.flat(), ...old, unreported] }];
    await read();
    expect(await learned()).toBeNull();
    await fixture.engine.db.execute(sql`DELETE FROM due_listings`);
    fixture.shop.money = [{ events: order(29, 1) }];
    pass(soon);
    await read();
    // 22 of 0.60 and 8 of 0.91 over 300.00 are 6.83%.
    expect([await learned(), await due()]).toEqual(['6.90', 1]);
    expect(
      await rows(sql`SELECT learned_from_orders AS orders FROM fee_terms WHERE marketplace = 'amazon'`),
    ).toEqual([{ orders: 30 }]);
    await fixture.engine.db.execute(sql`DELETE FROM due_listings`);
    pass(soon);
    await read();
    expect([await learned(), await due()]).toEqual(['6.90', 0]);
    const { db } = fixture.engine;
    await sellOn([100, 30, 10]);
    const another = async (number: number, tax: number) => {
      await db.execute(sql`DELETE FROM due_listings`);
      await db.execute(sql`DELETE FROM sales_due`);
      const at = { postedAt: ago(1), orderRef: `O-${number}` };
      const events = [
        aBooking(`p-${number}`, 'principal', 10_000, at),
        aBooking(`t-${number}`, 'tax', tax, at),
      ];
      fixture.shop.money = [{ events }];
      pass(soon);
      await read();
      const [sales] = await rows(
        sql`SELECT (extract(epoch FROM since) * 1000)::float8 AS since FROM sales_due`,
      );
      return [await learned(), await due(), sales?.since];
    };
    // 7.27%, 8.02%, and 9.18% after the books were closed.
    expect(await another(100, 860)).toEqual(['6.90', 0, undefined]);
    expect(await another(101, 1_100)).toEqual(['8.10', 1, ago(90)]);
    await db.execute(
      sql`UPDATE app_settings SET books_closed_until = ${new Date(ago(20)).toISOString()}::date`,
    );
    const open = Date.parse(new Date(ago(19)).toISOString().slice(0, 10));
    expect(await another(102, 1_500)).toEqual(['9.20', 1, open]);
    // Where a user entered one, no sale has the learned one.
    await db.execute(sql`UPDATE fee_terms SET sales_tax = 7 WHERE marketplace = 'amazon'`);
    expect(await another(103, 3_000)).toEqual(['12.20', 1, undefined]);
  });

  test.each(['etsy', 'shopify'] as const)(
    'counts orders without tax on %s once they are complete',
    async (marketplace) => {
      const { db } = fixture.engine;
      const isEtsy = marketplace === 'etsy';
      const order = (orderRef: string, principal: number, tax: number, isComplete = true): MoneyEvent[] => {
        const at = { postedAt: ago(2), orderRef };
        const passed = { ...at, rawType: 'SALE > tax' };
        return [
          aBooking(
            `${orderRef}-p`,
            isEtsy || isComplete ? 'principal' : 'transfer',
            isEtsy ? principal + tax : principal,
            at,
          ),
          ...(tax === 0
            ? []
            : [aBooking(`${orderRef}-t`, isEtsy ? 'tax' : 'transfer', isEtsy ? -tax : tax, passed)]),
          ...(isEtsy && isComplete ? [aBooking(`${orderRef}-f`, 'payment', -50, at)] : []),
        ];
      };
      const reported = async (events: MoneyEvent[]) => {
        await transact(db, (tx) =>
          bookMoneyPage(tx, marketplace, { events, settlements: [], refused: [] }, fixture.time),
        );
        return readTaxedOrders(db, marketplace, ago(90));
      };
      const orders = [
        ...order('O-1', 1_000, 60),
        ...order('O-2', 1_000, 0),
        ...order('O-3', 5_000, 0, false),
      ];
      expect(await reported(orders)).toEqual({ orders: 2, revenue: 2_000, tax: 60 });
      // Tax of an unknown order.
      if (!isEtsy) return;
      const lost = aBooking('lost', 'tax', -10, { postedAt: ago(2) });
      expect(await reported([lost])).toEqual({ orders: 1, revenue: 1_000, tax: 60 });
    },
  );

  test('27: a deferred transaction and its release are one amount, whichever is read first', async () => {
    const deferred = aBooking('t-1', 'principal', 1_234, { postedAt: ago(3), releasedAt: null });
    const release = aBooking('t-1', 'principal', 1_234, { postedAt: ago(1), settlementRef: 'S-1' });
    fixture.shop.money = [{ events: [deferred] }];
    await read();
    expect(await rows(sql`SELECT released_at FROM money_events`)).toEqual([{ released_at: null }]);
    for (const events of [[release], [deferred, release], [release, deferred], [deferred]]) {
      fixture.shop.money = [{ events }];
      pass(soon);
      await read();
    }
    expect(
      await rows(sql`SELECT sum(amount) AS total, count(*)::int AS events, min(settlement_ref) AS settlement,
        bool_and(released_at IS NOT NULL) AS released FROM money_events WHERE superseded_by IS NULL`),
    ).toEqual([{ total: '12.34', events: 1, settlement: 'S-1', released: true }]);
    expect(await booked()).toHaveLength(2);
  });

  test('is withdrawn when its transaction is reported again in full without it', async () => {
    const at = { postedAt: ago(1), orderRef: 'O-1' };
    const sale = aBooking('SALE:1', 'principal', 2_000, at);
    const other = aBooking('SALE:12:rest', 'other', -5, at);
    fixture.shop.money = [{ events: [sale, aBooking('SALE:1:rest', 'other', -272, at), other] }];
    await read();
    const fees = [
      aBooking('SALE:1:L-1:fee', 'commission', -232, at),
      aBooking('SALE:1:L-1:fixed', 'per_order', -40, at),
    ];
    const again = { events: [sale, ...fees], whole: [{ id: 'SALE:1', orderRef: 'O-1' }] };
    const lost = { ...aBooking('SALE:1:L-2:fee', 'commission', 1, at), amount: 1.5 as Cents };
    for (const page of [
      { ...again, events: [...again.events, lost] },
      { ...again, whole: [] },
    ]) {
      fixture.shop.money = [page];
      pass(soon);
      await read();
    }
    const counted = async () =>
      Object.fromEntries(
        (await booked()).flatMap(({ counts, id, amount }) => (counts ? [[id, amount]] : [])),
      );
    const kept = {
      'SALE:1': '20.00',
      'SALE:12:rest': '-0.05',
      'SALE:1:L-1:fee': '-2.32',
      'SALE:1:L-1:fixed': '-0.40',
    };
    expect(await counted()).toEqual({ ...kept, 'SALE:1:rest': '-2.72' });
    fixture.shop.money = [again];
    for (const wait of [soon, soon]) {
      pass(wait);
      await read();
    }
    expect(await counted()).toEqual({ ...kept, 'SALE:1:rest': '0.00' });
    expect(await booked()).toHaveLength(6);
  });

  test('is withdrawn of no order as well, but of a deferred transaction not once it was released', async () => {
    const at = { postedAt: ago(1) };
    const pending = { ...at, releasedAt: null };
    const counted = async () =>
      (await booked()).flatMap(({ counts, id, amount }) => (counts && amount !== '0.00' ? [id] : []));
    const reported = async (page: (typeof fixture.shop.money)[number]) => {
      fixture.shop.money = [page];
      pass(soon);
      await read();
      return counted();
    };
    const both = [aBooking('T1:a', 'ad', -1, pending), aBooking('T1:b', 'ad', -2, pending)];
    await reported({ events: [...both, aBooking('T12:a', 'ad', -3, at)] });
    const whole = [{ id: 'T1', orderRef: null, isPending: true }] as const;
    const onlyA = [aBooking('T1:a', 'ad', -1, pending)];
    expect(await reported({ events: onlyA, whole })).toEqual(['T12:a', 'T1:a']);
    const released = [aBooking('T1:b', 'ad', -2, at), aBooking('T1:c', 'ad', -4, at)];
    expect(await reported({ events: released, whole: [{ id: 'T1', orderRef: null }] })).toEqual([
      'T12:a',
      'T1:b',
      'T1:c',
    ]);
    // A page from before the release.
    expect(await reported({ events: [], whole })).toEqual(['T12:a', 'T1:b', 'T1:c']);
  });

  test('belongs to the line, else to order and SKU, else to the order, else to the listing', async () => {
    const id = await addListing(fixture.engine.db, 'A-1', { marketplace: 'amazon' });
    const at = { postedAt: ago(1) };
    const order = { ...at, orderRef: 'O-1' };
    const events = [
      aBooking('1', 'commission', -1, { ...at, lineRef: 'line-1' }),
      aBooking('2', 'commission', -1, { ...order, sku: 'A-1' }),
      aBooking('3', 'commission', -1, order),
      aBooking('4', 'storage', -1, { ...at, sku: 'A-1' }),
      aBooking('5', 'other', -1, at),
      aBooking('6', 'transfer', -1, order),
      // Of a line that is no listing.
      aBooking('7', 'commission', -1, { ...order, sku: 'OTHER' }),
      aBooking('8', 'commission', -1, { ...order, lineRef: 'line-2' }),
    ];
    const matches = async () => (await booked()).map(({ by }) => by);
    fixture.shop.money = [{ events }];
    await read();
    expect(await matches()).toEqual([
      'marketplace',
      'sku',
      'marketplace',
      'sku',
      'marketplace',
      'marketplace',
      'marketplace',
      'marketplace',
    ]);
    // The order is read after its money.
    fixture.shop.sales = [[line()]];
    pass(soon);
    await read();
    const nothing = ['marketplace', 'marketplace', 'marketplace', 'marketplace'];
    expect(await matches()).toEqual(['line', 'order_sku', 'order', 'sku', ...nothing]);
    expect(await rows(sql`SELECT listing_id::int AS id FROM money_events WHERE matched_by = 'sku'`)).toEqual([
      { id },
    ]);
    // A canceled line leaves the sums; what was booked for it stays.
    fixture.shop.sales = [[line({ isCancelled: true })]];
    pass(soon);
    await read();
    expect(await matches()).toEqual([
      'marketplace',
      'sku',
      'marketplace',
      'sku',
      'marketplace',
      'marketplace',
      'marketplace',
      'marketplace',
    ]);
  });

  test('meets a sale that is recorded at the same time', async () => {
    const { db } = fixture.engine;
    await addListing(db, 'A-1', { marketplace: 'amazon' });
    fixture.shop.sales = [[line()]];
    const page = {
      events: [aBooking('1', 'commission', -300, { postedAt: ago(1), orderRef: 'O-1' })],
      settlements: [],
      refused: [],
    };
    const sales = await transact(db, async (tx) => {
      await bookMoneyPage(tx, 'amazon', page, fixture.time);
      return startConcurrent(db, read);
    });
    await sales.end;
    expect(await booked()).toMatchObject([{ by: 'order' }]);
  });

  test('keeps the sale of a refunded line: what was paid for it and paid back is reported', async () => {
    const at = { postedAt: ago(1) };
    fixture.shop.sales = [[line(), line({ externalId: 'line-2', orderRef: 'O-2' })]];
    fixture.shop.money = [{ events: [aBooking('1', 'principal', 2_000, { ...at, orderRef: 'O-1' })] }];
    await addListing(fixture.engine.db, 'A-1', { marketplace: 'amazon' });
    await read();
    const off = { isCancelled: true, isRefunded: true };
    fixture.shop.sales = [[line(off), line({ externalId: 'line-2', orderRef: 'O-2', ...off })]];
    pass(soon);
    await read();
    const kept = () => rows(sql`SELECT external_id AS id FROM sales_history`);
    expect(await kept()).toEqual([{ id: 'line-1' }]);
    // Its payment was reported late: it was a sale, whose goods were sent.
    fixture.shop.sales = [];
    fixture.shop.money = [{ events: [aBooking('2', 'principal', 2_000, { ...at, orderRef: 'O-2' })] }];
    pass(soon);
    await read();
    while (await transact(fixture.engine.db, (tx) => matchLateListings(tx, fixture.time)));
    expect(await kept()).toEqual([{ id: 'line-1' }, { id: 'line-2' }]);
    fixture.shop.sales = [[line({ isCancelled: true })]];
    pass(soon);
    await read();
    expect(await kept()).toEqual([{ id: 'line-2' }]);
  });

  test('records a line that was paid back before the first reading, whether it or its money is read first', async () => {
    const off = { isCancelled: true, isRefunded: true };
    const at = { postedAt: ago(1) };
    const money = (order: string) => [
      aBooking(`${order}-p`, 'principal', 2_000, { ...at, orderRef: order }),
      aBooking(`${order}-r`, 'refund_principal', -2_000, { ...at, orderRef: order }),
    ];
    const { db } = fixture.engine;
    await addListing(db, 'A-1', { marketplace: 'amazon' });
    fixture.shop.sales = [[line(off)]];
    await read();
    const found = async () => {
      while (await transact(db, (tx) => matchLateListings(tx, fixture.time)));
      return rows(sql`SELECT h.order_ref AS order, h.total_revenue AS revenue,
        (SELECT count(*)::int FROM money_events e WHERE e.order_ref = h.order_ref AND e.matched_by = 'order') AS booked
        FROM sales_history h ORDER BY 1`);
    };
    expect(await found()).toEqual([]);
    fixture.shop.money = [{ events: [...money('O-1'), ...money('O-2')] }];
    fixture.shop.sales = [];
    pass(soon);
    await read();
    expect(await found()).toEqual([{ order: 'O-1', revenue: '20.00', booked: 2 }]);
    fixture.shop.sales = [[line({ externalId: 'line-2', orderRef: 'O-2', ...off })]];
    pass(soon);
    await read();
    expect(await found()).toMatchObject([{ order: 'O-1' }, { order: 'O-2', booked: 2 }]);
    expect(await rows(sql`SELECT external_id FROM unlisted_sales`)).toEqual([]);
  });

  test('that cannot be taken is kept with the reason, and stops nothing', async () => {
    const bad = (id: string, over: object) => ({
      ...aBooking(id, 'other', 1, { postedAt: ago(1) }),
      ...over,
    });
    const events = [
      bad('', {}),
      bad('fraction', { amount: 1.5 as Cents }),
      bad('nan', { amount: Number.NaN as Cents }),
      bad('large', { amount: 10_000_000_000 as Cents }),
      bad('year 0', { postedAt: Date.parse('0000-06-01T00:00:00Z') }),
      bad('many', { quantity: 2_147_483_648 }),
      bad('odd', { quantity: 0, sku: ' \0', rawType: 'x'.repeat(900) }),
    ];
    const dates = { from: Date.parse('0000-06-01T00:00:00Z') as Instant, to: 8e15 as Instant, paidAt: null };
    const settlements = [{ ref: 'S-1', ...dates, total: cents(1), isClosed: true }];
    const late = { where: 'row 7', why: 'currency' } as const;
    fixture.shop.money = [{ events, settlements, refused: [late, late] }];
    await read();
    pass(soon);
    await read();
    expect(await rows(sql`SELECT why FROM refused_money ORDER BY why COLLATE "C"`)).toEqual(
      ['currency', 'fraction', 'no_id', 'out_of_range', 'unreadable', 'unreadable'].map((why) => ({ why })),
    );
    expect(
      await rows(sql`SELECT external_id AS id, quantity, sku FROM money_events ORDER BY external_id`),
    ).toEqual([
      { id: 'many', quantity: null, sku: null },
      { id: 'odd', quantity: null, sku: null },
    ]);
    expect(await rows(sql`SELECT from_at, to_at, paid_at FROM settlements`)).toEqual([
      { from_at: null, to_at: null, paid_at: null },
    ]);
  });
});

describe('reading money', () => {
  test('starts with the newest, and after an interruption continues where it was', async () => {
    fixture.shop.money = [{ events: [] }];
    const all = fixture.shop.moneyTimes;
    const start = fixture.time;
    let left = 3;
    const push = all.push.bind(all);
    all.push = (...times) => {
      if (left-- === 0) throw new ConnectorError('busy', 'No budget is left.');
      return push(...times);
    };
    await read();
    expect(all.map(({ since, until }) => [(start - since) / DAY, (start - until) / DAY])).toEqual([
      [7, 0],
      [14, 7],
      [21, 14],
    ]);
    left = 100;
    all.length = 0;
    pass(soon);
    await read();
    expect(all[0]).toEqual({ since: start - 2 * DAY, until: fixture.time });
    expect(all[1]?.until).toBe(start - 21 * DAY);
    expect(all.at(-1)?.since).toBe(start - 60 * DAY);
    all.length = 0;
    pass(8 * DAY);
    await read();
    expect(all[0]?.since).toBe(fixture.time - 35 * DAY);
    expect(all.at(-1)?.until).toBe(fixture.time);
  });

  test('leaves no time out, whenever it runs and wherever it stops', () => {
    const minutes = fc.integer({ min: 1, max: 80_000 });
    fc.assert(
      fc.property(fc.array(fc.tuple(minutes, fc.nat(6)), { minLength: 1, maxLength: 12 }), (turns) => {
        let now = 1_700_000_000_000;
        let known: MoneyRead | null = null;
        let first = Number.POSITIVE_INFINITY;
        const done: MoneyWindow[] = [];
        for (const [wait, finished] of [...turns, [1, 1_000] as const]) {
          now += wait * 60_000;
          const times = { startedAt: now as Instant, requestedAt: null };
          for (const window of moneyWindows('ebay', known, times).slice(0, finished)) {
            done.push(window);
            known = window.after;
            first = Math.min(first, now - 30 * DAY);
          }
        }
        let reached = now;
        for (const { since, until } of done.toSorted((a, b) => b.until - a.until)) {
          if (until >= reached) reached = Math.min(reached, since);
        }
        expect(reached).toBeLessThanOrEqual(first);
      }),
    );
  });

  test('without the right to it is one alert, and everything else goes on', async () => {
    fixture.shop.money = [{ events: [] }];
    const said = 'Grant the role "Finance and Accounting".';
    fixture.shop.errors.set('money', new ConnectorError('permission', said));
    fixture.shop.sales = [[]];
    await read();
    pass(soon);
    await read();
    const { db } = fixture.engine;
    const problems = (await listSyncs(db)).filter(({ problem }) => problem !== null);
    expect(problems).toMatchObject([{ kind: 'money', problem: said }]);
    const alerts = currentAlerts(await readWatchedFigures(db, ENGINE.name, fixture.time), fixture.time);
    expect(alerts.filter(({ kind }) => kind === 'connection')).toMatchObject([
      { subject: 'amazon money', message: expect.stringContaining(said) },
    ]);
    fixture.shop.errors.clear();
    pass(soon);
    await read();
    const later = currentAlerts(await readWatchedFigures(db, ENGINE.name, fixture.time), fixture.time);
    expect(later.filter(({ kind }) => kind === 'connection')).toEqual([]);
  });
});
