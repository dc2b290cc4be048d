import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { instant } from '#domain/units.ts';
import { CALL_ERRORS, NO_PRICES } from '#tests/support/call-errors.ts';
import { anAccount, aRef, collect, never } from '#tests/support/connector-fixture.ts';
import { type FakeWalmart, startFakeWalmart, WALMART_PAIR } from '#tests/support/fake-walmart.ts';

let fake: FakeWalmart;
beforeEach(async () => {
  fake = await startFakeWalmart();
});
afterEach(() => fake.close());

function loggedIn() {
  const obtainedAt = fake.clock.time;
  const expiresAt = instant(obtainedAt + 9_000_000);
  return anAccount(WALMART_PAIR, { access: { value: 'token-0', obtainedAt, expiresAt } });
}

async function read(refs = [aRef(1)]) {
  const reading = fake.connect().readOffers?.(loggedIn(), refs, never);
  return collect(reading);
}

function insight(number: number, given: Record<string, unknown> = {}) {
  return {
    sku: `SKU-${number}`,
    currentPrice: 19.99,
    buyBoxBasePrice: 18.49,
    buyBoxTotalPrice: 20.99,
    ...given,
  };
}

describe('offers', () => {
  test('are the winner of the buy box, without a name, and ours', async () => {
    fake.insights.push(insight(1, { fulfillment: 'Seller fulfilled', competitorPrice: 12.0 }));
    const unknown = {
      sellerName: null,
      isMarketplace: false,
      rating: null,
      ratingCount: null,
      handlingDays: null,
    };
    expect(await read()).toEqual([
      {
        kind: 'offers',
        listingId: 1,
        seenAt: fake.clock.time,
        coverage: 'box',
        ourPrice: 1999,
        offers: [
          { ...unknown, isOurs: false, price: 1849, shipping: 250, fulfillmentType: null, isFeatured: true },
          { ...unknown, isOurs: true, price: 1999, shipping: 0, fulfillmentType: 'FBM', isFeatured: false },
        ],
      },
    ]);
  });

  test('a price outside of Walmart is not an offer on Walmart', async () => {
    fake.insights.push(insight(1, { competitorPrice: 12.34 }));
    expect(JSON.stringify(await read())).not.toContain('1234');
  });

  test('a buy box at our own price is ours, so that we never undercut ourselves', async () => {
    fake.insights.push(insight(1, { buyBoxBasePrice: 19.99, buyBoxTotalPrice: 19.99, fulfillment: 'WFS' }));
    expect(await read()).toMatchObject([
      { offers: [{ isOurs: true, isFeatured: true, price: 1999, shipping: 0, fulfillmentType: 'FBA/WFS' }] },
    ]);
  });

  test.each([
    ['without a buy box', { buyBoxBasePrice: null }, /no buy box/],
    ['without our own price', { currentPrice: null }, /whether the buy box/],
    ['with a total below the price', { buyBoxTotalPrice: 1 }, /contradict/],
    ["with another seller's box without its total", { buyBoxTotalPrice: null }, /with shipping/],
  ])('an item %s is unread, not empty', async (_, given, why) => {
    fake.insights.push(insight(1, given));
    expect(await read()).toEqual([{ kind: 'unread', listingId: 1, why: expect.stringMatching(why) }]);
  });

  test('of an unknown SKU are unavailable', async () => {
    expect(await read()).toMatchObject([{ kind: 'unread', listingId: 1 }]);
  });

  test('of a few are requested by SKU, of many page by page; each is returned once', async () => {
    for (let number = 1; number <= 30; number++) fake.insights.push(insight(number));
    await read([aRef(1), aRef(2)]);
    expect(fake.askedOf(/Insights/).map(({ json }) => json)).toEqual(
      ['SKU-1', 'SKU-2'].map((searchValue) => ({
        pageNumber: 0,
        searchCriteria: { searchType: 'SKU', searchValue },
      })),
    );
    const pages = [fake.insights.slice(0, 20), fake.insights.slice(15)];
    fake.on('POST', /getPricingInsights/, ({ json }) => {
      const page = (json as { pageNumber: number }).pageNumber;
      return { body: { pageContext: { totalPages: 2 }, pricingInsightsResponseList: pages[page] } };
    });
    const all = await read(Array.from({ length: 31 }, (_, at) => aRef(at + 1)));
    expect(all.map(({ listingId }) => listingId)).toEqual(Array.from({ length: 31 }, (_, at) => at + 1));
    expect(all.at(-1)?.kind).toBe('unread');
  });

  describe('of a catalog of 100 pages', () => {
    /** 25 items on each page, of which the last SKUs come last. */
    const catalog = Array.from({ length: 2_500 }, (_, at) => insight(at + 1));
    const requests = () => fake.askedOf(/Insights/).map(({ json }) => json as { searchCriteria?: object });
    const singles = () => requests().filter(({ searchCriteria }) => searchCriteria !== undefined);
    beforeEach(() => {
      fake.insights.push(...catalog);
      fake.on('POST', /getPricingInsights/, ({ json }) => {
        const { pageNumber, searchCriteria } = json as {
          pageNumber: number;
          searchCriteria?: { searchValue: string };
        };
        const rows =
          searchCriteria === undefined
            ? catalog.slice(pageNumber * 25, pageNumber * 25 + 25)
            : catalog.filter(({ sku }) => sku === searchCriteria.searchValue);
        return { body: { pageContext: { totalPages: 100 }, pricingInsightsResponseList: rows } };
      });
    });
    const refs = (from: number, count: number) => Array.from({ length: count }, (_, at) => aRef(from + at));

    test('all are read with one request for each page', async () => {
      expect(await read(refs(1, 2_500))).toHaveLength(2_500);
      expect(requests()).toHaveLength(100);
    });

    test('each is as old as its page', async () => {
      const wait = 1_000;
      fake.on('POST', /getPricingInsights/, ({ json }) => {
        const { pageNumber } = json as { pageNumber: number };
        fake.clock.time = instant(fake.clock.time + wait);
        const rows = catalog.slice(pageNumber * 25, pageNumber * 25 + 25);
        return { body: { pageContext: { totalPages: 100 }, pricingInsightsResponseList: rows } };
      });
      const all = await read(refs(1, 2_500));
      const seen = all.flatMap((one) => (one.kind === 'offers' ? [one.seenAt] : []));
      expect(seen).toEqual([...seen].sort((a, b) => a - b));
      expect((seen.at(-1) ?? 0) - (seen[0] ?? 0)).toBeGreaterThanOrEqual(99 * wait);
    });

    test('fewer than there are pages are requested by SKU after the first page', async () => {
      expect(await read(refs(2_440, 60))).toHaveLength(60);
      expect(singles()).toHaveLength(60);
      expect(requests()).toHaveLength(61);
    });

    test('what a scan leaves is requested by SKU once that takes fewer requests', async () => {
      expect(await read([...refs(1, 125), ...refs(2_461, 40)])).toHaveLength(165);
      // After three pages 90 SKUs are left, and 97 pages.
      expect(singles()).toHaveLength(90);
      expect(requests()).toHaveLength(93);
    });
  });

  test('two listings of one SKU both get them', async () => {
    fake.insights.push(insight(1));
    expect(await read([aRef(1), aRef(2, { sku: 'SKU-1' })])).toMatchObject([
      { listingId: 1 },
      { listingId: 2 },
    ]);
  });

  test('identical duplicates count once; two prices for one SKU are unread', async () => {
    fake.insights.push(insight(1), insight(1));
    expect(await read()).toHaveLength(1);
    fake.insights.push(insight(1, { buyBoxBasePrice: 5 }));
    expect(await read()).toMatchObject([{ kind: 'unread', row: { what: 'SKU-1' } }]);
  });

  test.each(CALL_ERRORS)('$name: $reading', async ({ fault, reading }) => {
    fake.insights.push(insight(1));
    fake.faults.push(fault());
    const result = read();
    if (reading === 'passes') expect(await result).toMatchObject([{ kind: 'offers' }]);
    else await expect(result).rejects.toMatchObject({ fault: reading });
  });

  test.each(NO_PRICES)('%j is not a price', async (buyBoxBasePrice) => {
    fake.insights.push(insight(1, { buyBoxBasePrice }));
    expect(await read()).toMatchObject([{ kind: 'unread', row: { member: 'buyBoxBasePrice' } }]);
  });
});

describe('offers of a very large catalog', () => {
  const REFS = Array.from({ length: 60_001 }, (_, at) => aRef(at + 1));
  const HEAD =
    'SKU,Item ID,Product Name,Seller Item Price,Seller Ship Price,isSellerBuyBoxWinner,BuyBox Item Price,BuyBox Ship Price';

  test('come from the report, which shows who has the buy box', async () => {
    const rows = [
      'SKU-1,5,Mug,19.99,0.00,Yes,19.99,0.00',
      '"SKU-2",6,"A ""big"", mug",19.99,1.50,No,19.99,2.00',
    ];
    fake.serveReport([HEAD, ...rows, 'SKU-3,7,Mug,9.99,,,,'].join('\r\n'));
    const all = await read(REFS);
    expect(all).toHaveLength(60_001);
    expect(all.slice(0, 3)).toMatchObject([
      { listingId: 1, offers: [{ isOurs: true, isFeatured: true, price: 1999 }] },
      {
        listingId: 2,
        offers: [
          { isOurs: false, isFeatured: true, price: 1999, shipping: 200 },
          { isOurs: true, isFeatured: false, price: 1999, shipping: 150 },
        ],
      },
      { listingId: 3, kind: 'unread' },
    ]);
    expect(fake.clock.waits).toEqual([60_000, 60_000, 60_000]);
  });

  test.each([
    ['another report', 'SKU,Something\nSKU-1,2\n'],
    ['a cell that does not end', `${HEAD}\nSKU-1,5,"Mug`],
  ])('%s fails the reading', async (_, csv) => {
    fake.serveReport(csv);
    await expect(read(REFS)).rejects.toMatchObject({ fault: 'unreadable' });
  });

  test('a row of another width leaves its listing unread', async () => {
    fake.serveReport(`${HEAD}\nSKU-1,5\nSKU-2,6,Mug,19.99,0,No,19.99,0\n`);
    expect((await read(REFS)).slice(0, 2)).toMatchObject([
      { kind: 'unread', row: { what: 'SKU-1', value: 'SKU-1,5' } },
      { kind: 'offers', listingId: 2 },
    ]);
  });

  test('a price that is none leaves its listing unread', async () => {
    fake.serveReport(`${HEAD}\nSKU-1,5,Mug,a lot,0,No,1,0\nSKU-2,6,Mug,19.99,0,No,19.99,0\n`);
    expect((await read(REFS)).slice(0, 2)).toMatchObject([
      { kind: 'unread', row: { what: 'SKU-1', value: 'a lot' } },
      { kind: 'offers', listingId: 2 },
    ]);
  });

  test('an invalid zip fails the sync; so does a report on a foreign host', async () => {
    fake.serveReport(HEAD);
    fake.on('GET', /^\/files/, () => ({ body: 'not a zip' }));
    await expect(read(REFS)).rejects.toMatchObject({ fault: 'unreadable' });
    fake.on('GET', /downloadReport/, () => ({ body: { downloadURL: 'https://elsewhere.test/r.zip' } }));
    await expect(read(REFS)).rejects.toMatchObject({
      fault: 'unreadable',
      message: expect.stringContaining('not its own'),
    });
  });

  test('a report that Walmart cannot create or never finishes times out', async () => {
    fake.serveReport(HEAD);
    fake.on('GET', /reportRequests\/R1/, () => ({ body: { requestId: 'R1', requestStatus: 'ERROR' } }));
    await expect(read(REFS)).rejects.toMatchObject({ fault: 'service' });
    fake.on('GET', /reportRequests\/R1/, () => ({ body: { requestId: 'R1', requestStatus: 'INPROGRESS' } }));
    await expect(read(REFS)).rejects.toMatchObject({ fault: 'time' });
  });
});
