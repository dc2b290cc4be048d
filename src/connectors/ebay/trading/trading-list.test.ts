import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { allOf, endOf, entriesOf } from '#tests/support/all-of.ts';
import { IS_ALL } from '#tests/support/breadth.ts';
import { type EbayShop, ebayOffer, startEbayShop, tradingItem } from '#tests/support/fake-ebay.ts';

let shop: EbayShop;
let active: string[];
beforeEach(async () => {
  shop = await startEbayShop();
  active = [];
  shop.service.on('GET', /\/inventory_item\?/, () => ({ body: { total: 0 } }));
  shop.trade('GetMyeBaySelling', (xml) => page(Number(/<PageNumber>(\d+)/.exec(xml)?.[1])));
});
afterEach(() => shop.service.close());

const never = new AbortController().signal;
const pages = () => shop.connector.readListings(shop.account, never);
const read = () => allOf(entriesOf(pages()));

function page(number: number, total = active.length): string {
  const items = active.slice((number - 1) * 200, number * 200).join('');
  const counts = `<TotalNumberOfPages>${Math.ceil(total / 200)}</TotalNumberOfPages><TotalNumberOfEntries>${total}</TotalNumberOfEntries>`;
  return `<Ack>Success</Ack><ActiveList><ItemArray>${items}</ItemArray><PaginationResult>${counts}</PaginationResult></ActiveList>`;
}

const VARIATIONS =
  '<Variations><Variation><SKU>TS-RED</SKU><StartPrice currencyID="USD">15.0</StartPrice><Quantity>10</Quantity><SellingStatus><QuantitySold>3</QuantitySold></SellingStatus></Variation><Variation><StartPrice currencyID="USD">17.5</StartPrice><Quantity>1</Quantity></Variation></Variations>';

describe('listings outside of the Inventory model', () => {
  test('have the price that calls name them by, and the item number in place of a missing label', async () => {
    active = [
      tradingItem('110', '24.99', '<SKU> E &amp; 1 </SKU>'),
      tradingItem('111', '9.5', '<QuantityAvailable>2</QuantityAvailable>'),
      tradingItem('112', '15.0', VARIATIONS),
    ];
    const rows = await read();
    expect(rows).toEqual([
      {
        kind: 'listing',
        sku: 'E & 1',
        itemId: '110',
        title: 'Item 110',
        imageUrl: null,
        channel: 'trading',
        price: 2_499,
        fulfillmentType: 'FBM',
        quantity: 5,
        isActive: true,
        notRepriceableReason: null,
        keys: { listingId: '110' },
      },
      expect.objectContaining({ sku: 'ebay-111', price: 950, quantity: 2 }),
      expect.objectContaining({
        sku: 'TS-RED',
        itemId: '112',
        price: 1_500,
        quantity: 7,
        keys: { listingId: '112', variation: 'TS-RED' },
      }),
      { kind: 'passed_over', what: '112 Item 112', why: 'no_label' },
    ]);
    expect(await endOf(pages())).toEqual({ total: { told: 3, came: 3 }, unavailable: [] });
  });

  test('that nothing can price are read only, without a price that bids or rates move', async () => {
    active = [
      tradingItem('110', '2.89').replace('FixedPriceItem', 'Chinese'),
      tradingItem('111', '9.50').replace('"USD"', '"CAD"'),
    ];
    expect(await read()).toMatchObject([
      { sku: 'ebay-110', channel: 'read_only', readOnly: 'auction', price: null, isActive: false },
      { sku: 'ebay-111', channel: 'read_only', readOnly: 'other_currency', price: null, isActive: false },
    ]);
  });

  const sale = (starts: string, ends: string) =>
    `<SellingStatus><CurrentPrice currencyID="USD">20.0</CurrentPrice><PromotionalSaleDetails><OriginalPrice currencyID="USD">25.0</OriginalPrice><StartTime>${starts}</StartTime><EndTime>${ends}</EndTime></PromotionalSaleDetails></SellingStatus>`;
  test.each([
    ['runs', sale('2026-02-20T00:00:00.000Z', '2026-03-05T00:00:00.000Z'), 2_500, expect.any(String)],
    ['is to come', sale('2026-03-20T00:00:00.000Z', '2026-03-25T00:00:00.000Z'), 2_000, null],
    ['is over', sale('2026-02-20T00:00:00.000Z', '2026-02-25T00:00:00.000Z'), 2_000, null],
  ])('in a sale that %s have their own price', async (_, status, price, notRepriceableReason) => {
    active = [tradingItem('110', '20.0').replace(/<SellingStatus>.*<\/SellingStatus>/, status)];
    expect(await read()).toMatchObject([{ price, notRepriceableReason }]);
  });

  test('leave out what is in that model, and what could not be read of it and is named already', async () => {
    const items = [1, 2].map((number) => ({ sku: `MUG-${number}`, product: { title: 'Mug' } }));
    shop.service.on('GET', /\/inventory_item\?/, () => ({ body: { total: 2, inventoryItems: items } }));
    shop.service.on('GET', /\/offer\?sku=MUG-1$/, () => ({ body: { offers: [ebayOffer(1)] } }));
    shop.service.on('GET', /\/offer\?sku=MUG-2$/, () => ({ status: 500, body: {} }));
    active = [
      tradingItem('110001', '24.50', '<SKU>MUG-1</SKU>'),
      tradingItem('110002', '24.50', '<SKU>MUG-2</SKU>'),
      tradingItem('110003', '24.50', '<SKU>MUG-3</SKU>'),
    ];
    expect(await read()).toMatchObject([
      { sku: 'MUG-1', channel: 'inventory', keys: { offerId: '901' } },
      { what: 'MUG-2', why: 'unreadable' },
      { sku: 'MUG-3', channel: 'trading' },
    ]);
  });

  test.each([
    ['no number', tradingItem('', '1.00'), { member: 'ItemID' }],
    [
      'a price of nothing known',
      tradingItem('110', 'N/A'),
      { member: 'SellingStatus.CurrentPrice', value: 'N/A' },
    ],
    ['a negative price', tradingItem('110', '-1.0'), { value: '-1.0' }],
    ['half a unit', tradingItem('110', '1.0').replace('>5<', '>0.5<'), { member: 'Quantity', value: '0.5' }],
  ])('with %s are passed over, and the others taken', async (_, odd, expected) => {
    active = [odd, tradingItem('119', '1.00')];
    expect(await read()).toMatchObject([
      { kind: 'passed_over', why: 'unreadable', ...expected },
      { sku: 'ebay-119', price: 100 },
    ]);
  });

  test('finer than a cent are taken without a price', async () => {
    active = [tradingItem('110', '19.990000000000002'), tradingItem('111', '19.995')];
    expect(await read()).toMatchObject([{ price: 1_999 }, { price: null, priceNotInCents: '19.995' }]);
  });

  test('are read page by page; Best Offer, product numbers and category come once a day', async () => {
    for (let number = 1; number <= 401; number++) active.push(tradingItem(String(1_000 + number), '5.0'));
    const terms =
      '<ListingDetails><BestOfferAutoAcceptPrice currencyID="USD">4.0</BestOfferAutoAcceptPrice></ListingDetails><BestOfferDetails><BestOfferEnabled>true</BestOfferEnabled></BestOfferDetails><ProductListingDetails><UPC>012345678905</UPC></ProductListingDetails>';
    shop.trade('GetSellerList', () => {
      const items = tradingItem('1001', '5.0', terms);
      return `<Ack>Success</Ack><HasMoreItems>false</HasMoreItems><ItemArray>${items}</ItemArray>`;
    });
    expect(await read()).toHaveLength(401);
    const [first, second] = await read();
    expect(first).toMatchObject({
      priceLimits: { min: 401, max: null, map: null },
      autoAcceptPrice: 400,
      keys: { gtin: '012345678905' },
    });
    // Of this one only the list reported anything: former limits stay.
    expect(second).not.toHaveProperty('priceLimits');
    expect(second).not.toHaveProperty('autoAcceptPrice');
    const names = shop.traded().map(({ name }) => name);
    expect(names).toEqual([
      ...Array(3).fill('GetMyeBaySelling'),
      'GetSellerList',
      ...Array(3).fill('GetMyeBaySelling'),
    ]);
  });

  test.each([
    ['no document', 'down for maintenance'],
    ['a document that breaks off', '<Ack>Success</Ack><ActiveList>'],
    ['a list without its pages', '<Ack>Success</Ack><ActiveList><ItemArray></ItemArray></ActiveList>'],
    ['a refusal', '<Ack>Failure</Ack><Errors><ErrorCode>5</ErrorCode></Errors>'],
  ])('may still exist after %s', async (_, content) => {
    shop.trade('GetMyeBaySelling', () => content);
    expect(await endOf(pages())).toMatchObject({
      isPart: true,
      unavailable: [{ what: 'the list of active listings' }],
    });
  });

  test('need a token that eBay takes: one that is refused is replaced once', async () => {
    const refused = (code: string) =>
      `<Ack>Failure</Ack><Errors><ErrorCode>${code}</ErrorCode><SeverityCode>Error</SeverityCode></Errors>`;
    let answers = [refused('21917053'), '<Ack>Success</Ack>'];
    shop.trade('GetMyeBaySelling', () => answers.shift() ?? '');
    expect(await read()).toEqual([]);
    const tokens = shop.traded().map(({ token }) => token);
    expect(new Set(tokens).size).toBe(2);
    answers = [refused('931'), refused('931')];
    await expect(read()).rejects.toMatchObject({ fault: 'key' });
  });

  test('are not asked for again before the calls of a new day', async () => {
    const usedUp =
      '<Ack>Failure</Ack><Errors><ErrorCode>518</ErrorCode><SeverityCode>Error</SeverityCode></Errors>';
    shop.trade('GetMyeBaySelling', () => usedUp);
    const reset = '2026-03-01T13:00:00.000Z';
    const rates = [{ remaining: 0, reset }];
    shop.service.on('GET', /\/rate_limit\/\?api_context=tradingapi$/, () => ({
      body: { rateLimits: [{ apiContext: 'tradingapi', resources: [{ rates }] }] },
    }));
    expect(await endOf(pages())).toMatchObject({ isPart: true });
    await read();
    expect(shop.traded()).toHaveLength(1);
    shop.clock.now = Date.parse(reset) as typeof shop.clock.now;
    await read();
    expect(shop.traded()).toHaveLength(2);
  });
});

describe('a large store', () => {
  const HOUR = 3_600_000;
  const MINUTE = 60_000;
  const later = (milliseconds: number) => {
    shop.clock.now = (shop.clock.now + milliseconds) as typeof shop.clock.now;
  };
  const fill = (count: number) => {
    active = Array.from({ length: count }, (_, at) => tradingItem(String(100_000 + at), '5.0'));
    shop.trade('GetSellerList', (xml) => {
      const number = Number(/<PageNumber>(\d+)/.exec(xml)?.[1]);
      return `<Ack>Success</Ack><HasMoreItems>${number * 100 < count}</HasMoreItems>`;
    });
  };
  /** One sync: the item numbers that came, and whether they are all. */
  const sync = async () => {
    const reading = pages();
    const came = new Set<string>();
    let step = await reading.next();
    for (; step.done !== true; step = await reading.next()) {
      for (const one of step.value.entries) if ('itemId' in one) came.add(String(one.itemId));
    }
    return { came, isWhole: step.value.isPart !== true, end: step.value };
  };
  const calledFor = (name: string) => shop.traded().filter((one) => one.name === name).length;

  /** Listings, hours between two whole readings at most, and hours of the test. */
  const STORES: readonly (readonly [number, number, number])[] = [
    [10_000, 2, 12],
    ...(IS_ALL ? [[20_000, 3, 24] as const] : []),
  ];
  test.each(STORES)(
    'of %i listings is read whole every %i hours, within the calls of a day',
    async (count, longest, hours) => {
      fill(count);
      let wholeAt = 0;
      for (let hour = 0; hour < hours; hour++) {
        const { came, isWhole, end } = await sync();
        if (isWhole) {
          expect(came.size).toBe(count);
          wholeAt = hour;
        }
        expect(end.unavailable).toEqual([]);
        expect(hour - wholeAt).toBeLessThan(longest);
        for (let turn = 0; turn < 6; turn++) {
          later(10 * MINUTE + 1);
          await shop.connector.prepareToSend?.(shop.account, 1, never);
        }
      }
      // A day of each: 1,000, 150 and 200, and what was left of the day before.
      const days = hours / 24;
      expect(calledFor('GetMyeBaySelling')).toBeLessThanOrEqual(1_000 * days + 110);
      expect(calledFor('GetSellerEvents')).toBe(hours * 6);
      // All of them, once a day.
      expect(calledFor('GetSellerList')).toBe(count / 100);
    },
    300_000,
  );

  test('whose list is broken off is read on where it stopped, without a gap', async () => {
    fill(1_000);
    let broken = true;
    shop.trade('GetMyeBaySelling', (xml) => {
      const number = Number(/<PageNumber>(\d+)/.exec(xml)?.[1]);
      return number === 4 && broken ? 'down for maintenance' : page(number);
    });
    expect(await sync()).toMatchObject({ isWhole: false });
    // Three of the first pages end after that: what was first on the fourth page is now on the third.
    active.splice(10, 3);
    broken = false;
    later(HOUR);
    const { came, isWhole } = await sync();
    expect(isWhole).toBe(true);
    for (const item of active) expect(came).toContain(/<ItemID>(\d+)/.exec(item)?.[1]);
    const numbers = shop
      .traded()
      .filter(({ name }) => name === 'GetMyeBaySelling')
      .map(({ xml }) => Number(/<PageNumber>(\d+)/.exec(xml)?.[1]));
    expect(numbers).toEqual([1, 2, 3, 4, 3, 4, 5]);
  });

  test('whose list moved on by more than a page is read from its start, and so is one that was broken off hours ago', async () => {
    fill(1_000);
    let broken = true;
    shop.trade('GetMyeBaySelling', (xml) => {
      const number = Number(/<PageNumber>(\d+)/.exec(xml)?.[1]);
      return number === 4 && broken ? 'down for maintenance' : page(number);
    });
    await sync();
    active.splice(0, 601);
    broken = false;
    later(HOUR);
    expect((await sync()).came.size).toBe(399);
    fill(1_000);
    broken = true;
    later(HOUR);
    await sync();
    broken = false;
    later(5 * HOUR);
    const before = calledFor('GetMyeBaySelling');
    expect((await sync()).isWhole).toBe(true);
    expect(calledFor('GetMyeBaySelling') - before).toBe(5);
  });
});
