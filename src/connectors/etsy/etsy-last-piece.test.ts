import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { AccountFindings, PriceOrder } from '#connectors/connector.ts';
import { instant } from '#domain/units.ts';
import {
  type EtsyShop,
  type EtsyWritten,
  etsyInventory,
  etsyMoney,
  etsyOrder,
  etsyProduct,
  etsyStored,
  NOON,
  startEtsyShop,
} from '#tests/support/fake-etsy.ts';
import { memoryFindings } from '#tests/support/memory-findings.ts';

let shop: EtsyShop;
let held: ReturnType<typeof etsyInventory>;
beforeEach(async () => {
  shop = await startEtsyShop();
  held = etsyInventory([etsyProduct(1, 'MUG-1', 2_500), etsyProduct(2, 'MUG-2', 2_600, { quantity: 1 })]);
  shop.service.on('GET', /\/9001\/inventory/, () => ({ body: held }));
  shop.service.on('PUT', /\/9001\/inventory/, ({ json }) => ({ body: etsyStored(json) }));
});
afterEach(() => shop.service.close());

const never = new AbortController().signal;
const send = (...orders: PriceOrder[]) => shop.connector.sendPrices(shop.account, orders, never);
const written = () => shop.asked('/inventory', 'PUT').map(({ json }) => json as EtsyWritten);

describe('a sale between reading and writing (C35)', () => {
  let findings: AccountFindings;
  const second = NOON / 1_000;
  beforeEach(() => {
    held = etsyInventory([etsyProduct(1, 'MUG-1', 2_500, { quantity: 2 }), etsyProduct(2, 'MUG-2', 2_600)]);
    findings = memoryFindings();
  });

  function soldAt(created_timestamp: number, product_id: number | null = 1, listing_id = 9_001): void {
    const line = {
      transaction_id: 5,
      listing_id,
      product_id,
      sku: 'MUG-1',
      quantity: 1,
      price: etsyMoney(1),
    };
    const receipt = { receipt_id: 4, status: 'paid', is_paid: true, created_timestamp };
    shop.service.on('GET', /\/receipts/, () => ({
      body: { count: 1, results: [{ ...receipt, transactions: [line] }] },
    }));
  }
  const sendKept = () =>
    shop.connector.sendPrices({ ...shop.account, findings }, [etsyOrder(1, 1_990)], never);
  const quantities = () =>
    written().map(({ products }) => products.map(({ offerings }) => offerings[0]?.quantity));
  const callsMade = () =>
    shop.service.asked
      .filter(({ path }) => /inventory|receipts/.test(path))
      .map(({ method, path }) => `${method} ${path.includes('receipts') ? 'receipts' : 'inventory'}`);

  test.each([1, null])('is taken out of the stock again, product %s', async (product) => {
    soldAt(second, product);
    expect(await sendKept()).toMatchObject([{ kind: 'live', price: 1_990 }]);
    expect(callsMade()).toEqual([
      'GET inventory',
      'PUT inventory',
      'GET receipts',
      'GET inventory',
      'PUT inventory',
    ]);
    expect(quantities()).toEqual([
      [2, 4],
      [1, 4],
    ]);
    expect(await findings.read('etsy_stock')).toBeNull();
  });

  test('is taken out of the one quantity that all variations share', async () => {
    held = { ...held, quantity_on_property: [] };
    soldAt(second);
    await sendKept();
    expect(quantities().at(-1)).toEqual([1, 3]);
  });

  test.each([
    ['before it', second - 1, 9_001],
    ['after it', second + 1, 9_001],
    ['of another listing', second, 9_002],
  ])('%s is none', async (_, at, listing) => {
    soldAt(at, 1, listing);
    await sendKept();
    expect(written()).toHaveLength(1);
  });

  test('is taken out even where the answer to the write cannot be read', async () => {
    soldAt(second);
    let writes = 0;
    shop.service.on('PUT', /\/9001\/inventory/, ({ json }) => ({
      body: ++writes === 1 ? { products: 'odd' } : etsyStored(json),
    }));
    expect(await sendKept()).toMatchObject([{ kind: 'unknown' }]);
    expect(quantities().at(-1)).toEqual([1, 4]);
  });

  describe('during a write whose answer is lost', () => {
    /** Whether Etsy carried the lost write out, and what it lowered the quantity of MUG-1 by afterwards. */
    function losesAnswer(acts: boolean, soldAfter = 0): void {
      let writes = 0;
      shop.service.on('PUT', /\/9001\/inventory/, ({ json }) => {
        if (++writes > 1) return { body: etsyStored(json) };
        if (!acts) return { status: 502 };
        const stored = etsyStored(json) as typeof held;
        const [first] = stored.products as { offerings: { quantity: number }[] }[];
        const offering = first?.offerings[0];
        if (offering !== undefined) offering.quantity -= soldAfter;
        held = stored;
        return { status: 502 };
      });
    }

    test('is taken out of the stock that is read back, and the price is live', async () => {
      soldAt(second, null);
      losesAnswer(true);
      expect(await sendKept()).toEqual([{ listingId: 1, kind: 'live', price: 1_990 }]);
      expect(callsMade()).toEqual([
        'GET inventory',
        'PUT inventory',
        'GET inventory',
        'GET receipts',
        'PUT inventory',
      ]);
      expect(quantities().at(-1)).toEqual([1, 4]);
      expect(await findings.read('etsy_stock')).toBeNull();
    });

    test('is not taken out twice where Etsy counted it after the write', async () => {
      soldAt(second);
      losesAnswer(true, 1);
      expect(await sendKept()).toMatchObject([{ kind: 'live' }]);
      expect(written()).toHaveLength(1);
      expect(await findings.read('etsy_stock')).toBeNull();
    });

    test('is reported where the seller has set a higher quantity since', async () => {
      soldAt(second);
      losesAnswer(true, -3);
      expect(await sendKept()).toMatchObject([{ kind: 'live' }]);
      expect(written()).toHaveLength(1);
      expect(await findings.read('etsy_stock')).toEqual({ listing: '9001', sku: null, sold: null });
    });

    test('is reported where the write is not shown: Etsy may still carry it out', async () => {
      soldAt(second);
      losesAnswer(false);
      expect(await sendKept()).toMatchObject([{ kind: 'unknown' }]);
      expect(await findings.read('etsy_stock')).toEqual({ listing: '9001', sku: null, sold: null });
    });

    test('is unknown where the inventory cannot be read back: that is reported', async () => {
      losesAnswer(true);
      const read = [{ body: held }, { status: 400, body: { error: 'No.' } }];
      shop.service.on('GET', /\/9001\/inventory/, () => read.shift() ?? { body: held });
      expect(await sendKept()).toMatchObject([{ kind: 'unknown' }]);
      expect(await findings.read('etsy_stock')).toEqual({ listing: '9001', sku: null, sold: null });
    });

    test('is none: nothing is written again, and nothing reported', async () => {
      losesAnswer(true);
      expect(await sendKept()).toMatchObject([{ kind: 'live', price: 1_990 }]);
      expect(written()).toHaveLength(1);
      expect(await findings.read('etsy_stock')).toBeNull();
    });
  });

  describe('during a write after which the process was killed', () => {
    const restart = () => shop.connector.finishWrites?.({ ...shop.account, findings }, never);
    const stock = async () => [await findings.read('etsy_stock'), await findings.read('unfinished_writes')];

    /** What is left of a process that was killed right after Etsy had carried its write out, or right before. */
    async function killed(acts: boolean): Promise<void> {
      const before = held;
      let left: unknown = null;
      shop.service.on('PUT', /\/9001\/inventory/, ({ json }) => {
        void findings.read('unfinished_writes').then((writes) => {
          left = writes;
        });
        held = acts ? (etsyStored(json) as typeof held) : before;
        return { body: held };
      });
      await sendKept();
      expect(await findings.read('unfinished_writes')).toEqual([]);
      findings = memoryFindings({ unfinished_writes: left });
      shop.service.asked.length = 0;
      shop.service.on('PUT', /\/9001\/inventory/, ({ json }) => ({ body: etsyStored(json) }));
      shop.clock.now = instant(NOON + 60_000);
    }

    test('is taken out of the stock by the next one', async () => {
      await killed(true);
      soldAt(second);
      await restart();
      expect(callsMade()).toEqual(['GET inventory', 'GET receipts', 'PUT inventory']);
      expect(quantities()).toEqual([[1, 4]]);
      expect(await stock()).toEqual([null, []]);
      await restart();
      expect(written()).toHaveLength(1);
    });

    test('is left to the seller after a day: the stock may have been filled up since', async () => {
      await killed(true);
      soldAt(second);
      shop.clock.now = instant(NOON + 24 * 3_600_000);
      await restart();
      expect(callsMade()).toEqual([]);
      expect(await stock()).toEqual([{ listing: '9001', sku: null, sold: null }, []]);
    });

    test('is not, within the minute in which that process may be alive', async () => {
      await killed(true);
      soldAt(second);
      shop.clock.now = instant(NOON + 59_999);
      await restart();
      expect(callsMade()).toEqual([]);
      const order = { ...etsyOrder(2, 2_100), notAfter: instant(NOON + 90_000) };
      const [outcome] = await shop.connector.sendPrices({ ...shop.account, findings }, [order], never);
      expect(outcome).toMatchObject({ kind: 'not_sent' });
      expect(callsMade()).toEqual([]);
    });

    test('is not, where it was taken out already, or came after the write', async () => {
      await killed(true);
      soldAt(second);
      held = etsyInventory([etsyProduct(1, 'MUG-1', 1_990, { quantity: 1 }), etsyProduct(2, 'MUG-2', 2_600)]);
      await restart();
      expect(written()).toEqual([]);
      expect(await stock()).toEqual([null, []]);
    });

    test('is counted by Etsy where the write did not arrive; another quantity is reported', async () => {
      await killed(false);
      soldAt(second);
      await restart();
      expect(written()).toEqual([]);
      expect(await stock()).toEqual([{ listing: '9001', sku: 'MUG-1', sold: 1 }, []]);
    });

    test('is looked for again where Etsy does not answer, and reported after a day', async () => {
      await killed(true);
      shop.service.on('GET', /\/receipts/, () => ({ status: 400, body: { error: 'No.' } }));
      await restart();
      expect((await stock())[1]).toHaveLength(1);
      shop.clock.now = instant(NOON + 86_400_000);
      await restart();
      expect(await stock()).toEqual([{ listing: '9001', sku: null, sold: null }, []]);
    });

    test('or stopped, is left for the next one', async () => {
      const stop = new AbortController();
      shop.service.on('PUT', /\/9001\/inventory/, ({ json }) => {
        held = etsyStored(json) as typeof held;
        stop.abort();
        return { body: held };
      });
      await shop.connector.sendPrices({ ...shop.account, findings }, [etsyOrder(1, 1_990)], stop.signal);
      expect((await stock())[0]).toBeNull();
      expect((await stock())[1]).toHaveLength(1);
    });
  });

  test('that cannot be taken out is reported, with SKU and number', async () => {
    soldAt(second);
    let writes = 0;
    shop.service.on('PUT', /\/9001\/inventory/, ({ json }) =>
      ++writes === 1 ? { body: etsyStored(json) } : { status: 409, body: { error: 'Changed.' } },
    );
    expect(await sendKept()).toMatchObject([{ kind: 'live' }]);
    expect(await findings.read('etsy_stock')).toEqual({ listing: '9001', sku: 'MUG-1', sold: 1 });
  });

  test('is unknown where receipts cannot be read: that is reported too', async () => {
    shop.service.on('GET', /\/receipts/, () => ({ status: 400, body: { error: 'No.' } }));
    expect(await sendKept()).toMatchObject([{ kind: 'live' }]);
    expect(await findings.read('etsy_stock')).toEqual({ listing: '9001', sku: null, sold: null });
  });
});

test('all calls of a write are available before the first', async () => {
  const orders = [1, 2, 3, 4].map((id) => etsyOrder(id, 1_990, 'MUG-1', `900${id}`));
  shop.service.on('GET', /\/inventory/, () => ({ body: held }));
  shop.service.on('PUT', /\/inventory/, ({ json }) => ({ body: etsyStored(json) }));
  held = etsyInventory([etsyProduct(1, 'MUG-1', 2_500)]);
  expect((await send(...orders)).map(({ kind }) => kind)).toEqual(['live', 'live', 'live', 'live']);
  expect(shop.waits.every((wait) => wait === 500)).toBe(true);
  expect(shop.waits.length).toBeGreaterThan(0);
});

describe('the last unit', () => {
  function sold(listing_id: number, count = 1): void {
    const line = {
      transaction_id: 5,
      listing_id,
      product_id: 2,
      sku: 'MUG-2',
      quantity: 1,
      price: etsyMoney(1),
    };
    const receipt = { receipt_id: 4, status: 'paid', is_paid: true, created_timestamp: 1_772_366_399 };
    const results = [{ ...receipt, transactions: [line] }];
    shop.service.on('GET', /\/receipts/, () => ({ body: { count, results } }));
  }

  test('that was just sold is not restored: the price is not sent (C36)', async () => {
    sold(9_001);
    expect(await send(etsyOrder(1))).toMatchObject([{ kind: 'not_sent', retryAfter: 60_000 }]);
    expect(written()).toEqual([]);
    expect(shop.asked('/receipts')[0]?.query.get('min_created')).toBe(String(NOON / 1_000 - 60));
  });

  test('of another listing does not matter', async () => {
    sold(9_002);
    expect(await send(etsyOrder(1))).toMatchObject([{ kind: 'live' }]);
    expect(written()[0]?.products.map(({ offerings }) => offerings[0]?.quantity)).toEqual([4, 1]);
  });

  test('among more sales than one response has counts as sold', async () => {
    sold(9_002, 101);
    expect(await send(etsyOrder(1))).toMatchObject([{ kind: 'not_sent' }]);
  });

  test('is not checked before the write where there are more', async () => {
    held = etsyInventory([etsyProduct(1, 'MUG-1', 2_500, { quantity: 2 })]);
    expect(await send(etsyOrder(1))).toMatchObject([{ kind: 'live' }]);
    expect(shop.asked('/receipts')).toHaveLength(1);
  });
});
