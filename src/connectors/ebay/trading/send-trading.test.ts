import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { PriceOrder } from '#connectors/connector.ts';
import { cents, hours, instant, minutes } from '#domain/units.ts';
import {
  type EbayShop,
  ebayOffer,
  ebayOrder,
  NOON,
  startEbayShop,
  tradingFailure,
  tradingItem,
} from '#tests/support/fake-ebay.ts';
import { memoryFindings } from '#tests/support/memory-findings.ts';
import { AUCTION, SALE } from './trading-rows.ts';

let shop: EbayShop;
/** What GetItem shows, by item number. */
let items: Map<string, string>;
beforeEach(async () => {
  shop = await startEbayShop();
  items = new Map([1, 2, 3, 4, 5].map((number) => [itemId(number), tradingItem(itemId(number), '24.99')]));
  shop.trade('GetItem', (xml) => {
    const item = items.get(/<ItemID>(\d+)/.exec(xml)?.[1] ?? '');
    return item === undefined ? tradingFailure('17', 'Not found.') : `<Ack>Success</Ack>${item}`;
  });
  shop.trade('ReviseInventoryStatus', (xml) => `<Ack>Success</Ack>${entriesOf(xml).join('')}`);
});
afterEach(() => shop.service.close());

const never = new AbortController().signal;
const itemId = (number: number) => `11000000000${number}`;
const entriesOf = (xml: string) => xml.match(/<InventoryStatus>.*?<\/InventoryStatus>/g) ?? [];
const revisions = () =>
  shop.traded().flatMap(({ name, xml }) => (name === 'ReviseInventoryStatus' ? [entriesOf(xml)] : []));
const called = (name: string) => shop.traded().filter((call) => call.name === name).length;

/** An order of a listing outside of the Inventory model. */
function order(number: number, price = 1_999, keys: Record<string, string> = {}): PriceOrder {
  const whole = ebayOrder(number, price);
  const ref = { ...whole.ref, itemId: itemId(number), keys: { listingId: itemId(number), ...keys } };
  return { ...whole, ref };
}
const send = (...orders: PriceOrder[]) => shop.connector.sendPrices(shop.account, orders, never);
const entry = (number: number, price: string, sku = '') =>
  `<InventoryStatus>${sku === '' ? '' : `<SKU>${sku}</SKU>`}<ItemID>${itemId(number)}</ItemID><StartPrice currencyID="USD">${price}</StartPrice></InventoryStatus>`;

describe('the last calls of the day', () => {
  test('are for urgent prices: a change of thousands of prices does not use them up', async () => {
    const urgent = { ...order(5), isUrgent: true };
    let outcomes = await send(...[1, 2, 3, 4].map((n) => order(n)));
    for (let call = 1; outcomes[0]?.kind === 'live' && call < 400; call++) {
      outcomes = await send(...[1, 2, 3, 4].map((n) => order(n)));
    }
    const kept = { kind: 'not_sent', why: 'daily_limit', othersMayGo: true, urgentMayGo: true };
    const until = shop.clock.now + minutes(15);
    expect(outcomes).toMatchObject(Array(4).fill({ ...kept, until }));
    expect(called('ReviseInventoryStatus')).toBe(240);
    const [first, other] = await send(urgent, order(1));
    expect([first?.kind, other]).toMatchObject(['live', kept]);
    // What comes back with time is for all again.
    shop.clock.now = instant(shop.clock.now + hours(1));
    const limit = { notAfter: instant(shop.clock.now + minutes(1)) };
    expect(await send({ ...order(1), ...limit })).toMatchObject([{ kind: 'live' }]);
  });

  test('to look at single listings are for urgent prices, too', async () => {
    for (let number = 1; number <= 90; number++) {
      const ref = { ...order(1).ref, itemId: `2${number}`, keys: { listingId: `2${number}` } };
      await send({ ...order(1), ref });
    }
    expect(called('GetItem')).toBe(80);
    const [urgent, other] = await send({ ...order(5), isUrgent: true }, order(4));
    expect(urgent?.kind).toBe('live');
    expect(other).toMatchObject({ kind: 'not_sent', why: 'daily_limit', urgentMayGo: true });
  });
});

describe('prices of listings outside of the Inventory model', () => {
  test('go four in a call, by item number and the label of a variation, without a quantity', async () => {
    const variations =
      '<Variations><Variation><SKU>MUG-2</SKU><StartPrice currencyID="USD">24.99</StartPrice><Quantity>1</Quantity></Variation></Variations>';
    items.set(itemId(2), tradingItem(itemId(2), '24.99', variations));
    const outcomes = await send(
      order(1, 1_990),
      order(2, 2_001, { variation: 'MUG-2' }),
      ...[3, 4, 5].map((n) => order(n)),
    );
    expect(revisions()).toEqual([
      [entry(1, '19.90'), entry(2, '20.01', 'MUG-2'), entry(3, '19.99'), entry(4, '19.99')],
      [entry(5, '19.99')],
    ]);
    expect(outcomes.map((outcome) => [outcome.kind, outcome.listingId])).toEqual(
      [1, 2, 3, 4, 5].map((n) => ['live', n]),
    );
    expect(outcomes[1]).toEqual({ listingId: 2, kind: 'live', price: 2_001 });
  });

  test('three of four in one call: what is neither back nor named is read first (C19)', async () => {
    shop.trade('ReviseInventoryStatus', () => {
      const refused = tradingFailure('21916293', 'No such price here.', itemId(3), 'PartialFailure');
      return `${refused}${entry(1, '19.99')}${entry(2, '18.99')}`;
    });
    expect(await send(order(1), order(2, 1_899), order(3), order(4))).toMatchObject([
      { kind: 'live', price: 1_999 },
      { kind: 'live', price: 1_899 },
      { kind: 'rejected', code: '21916293' },
      { kind: 'unknown' },
    ]);
    expect(revisions()).toHaveLength(1);
  });

  test('a call that fails as a whole carried out nothing: each price goes alone', async () => {
    shop.trade('ReviseInventoryStatus', (xml) => {
      const entries = entriesOf(xml);
      const isFine = entries.length === 1 && !xml.includes(itemId(2));
      return isFine
        ? `<Ack>Success</Ack>${entries.join('')}`
        : tradingFailure('37', 'Input data is invalid.');
    });
    const outcomes = await send(order(1), order(2));
    expect(outcomes).toMatchObject([{ kind: 'live' }, { kind: 'rejected', code: '37' }]);
    expect(revisions()).toHaveLength(3);
  });

  test.each([
    [
      'a warning',
      (xml: string) =>
        `<Ack>Warning</Ack><Errors><ErrorCode>1</ErrorCode><SeverityCode>Warning</SeverityCode></Errors>${entriesOf(xml).join('')}`,
      { kind: 'live' },
    ],
    ['another price', () => `<Ack>Success</Ack>${entry(1, '24.99')}`, { kind: 'live', price: 2_499 }],
    ['nothing about it', () => '<Ack>Success</Ack>', { kind: 'unknown' }],
    [
      'another currency',
      () => `<Ack>Success</Ack>${entry(1, '19.99').replace('USD', 'CAD')}`,
      { kind: 'unknown' },
    ],
    ['no document', () => '<', { kind: 'unknown' }],
    [
      "an error of eBay's own",
      () => tradingFailure('10007', 'Internal error.').replace('RequestError', 'SystemError'),
      { kind: 'unknown' },
    ],
    [
      'too many revisions',
      () => tradingFailure('21919189', 'The listing exceeded its number of revisions for today.'),
      { kind: 'not_sent', why: 'revision_limit' },
    ],
    [
      'too many calls within seconds',
      () => tradingFailure('21919144', 'You have exceeded your call limit.'),
      { kind: 'not_sent', retryAfter: 60_000 },
    ],
  ])('answered with %s', async (_, answer, expected) => {
    shop.trade('ReviseInventoryStatus', answer);
    expect(await send(order(1))).toMatchObject([expected]);
    expect(revisions()).toHaveLength(1);
  });

  test('of listings that ended are final once the listing itself says so (C18)', async () => {
    shop.trade('ReviseInventoryStatus', () => {
      items.set(
        itemId(1),
        tradingItem(itemId(1), '24.99').replace(
          '<SellingStatus>',
          '<SellingStatus><ListingStatus>Completed</ListingStatus>',
        ),
      );
      return tradingFailure('291', 'You are not allowed to revise ended listings.');
    });
    expect(await send(order(1))).toMatchObject([{ kind: 'rejected', code: null }]);
    expect(await send(order(2))).toMatchObject([{ kind: 'rejected', code: '291' }]);
  });

  test('of a listing that eBay does not find before are looked for again, and nothing is revised', async () => {
    items.delete(itemId(1));
    expect(await send(order(1), order(2))).toMatchObject([
      { kind: 'not_sent', why: 'not_found', othersMayGo: true },
      { kind: 'live' },
    ]);
    expect(revisions()).toEqual([[entry(2, '19.99')]]);
  });

  test('a listing that eBay tracks by its SKU is named by that alone, once', async () => {
    items.set(
      itemId(1),
      tradingItem(itemId(1), '24.99', '<InventoryTrackingMethod>SKU</InventoryTrackingMethod>'),
    );
    shop.trade('ReviseInventoryStatus', (xml) =>
      xml.includes('<ItemID>')
        ? tradingFailure('21916635', 'Invalid.')
        : `<Ack>Success</Ack>${entry(1, '19.99', 'MUG-1')}`,
    );
    expect(await send(order(1))).toMatchObject([{ kind: 'live', price: 1_999 }]);
    expect(await send(order(2))).toMatchObject([{ kind: 'rejected', code: '21916635' }]);
    expect(revisions()).toHaveLength(3);
  });

  test('used up calls keep these from being sent until the reset, and no others (C28)', async () => {
    const until = instant(NOON + hours(2));
    const rates = [{ remaining: 0, reset: new Date(until).toISOString() }];
    shop.trade('ReviseInventoryStatus', () => tradingFailure('518', 'Call usage limit has been reached.'));
    shop.service.on('GET', /rate_limit/, () => ({
      body: { rateLimits: [{ apiContext: 'tradingapi', resources: [{ rates }] }] },
    }));
    shop.service.on('GET', /\/offer\/901$/, () => ({
      body: ebayOffer(1, { pricingSummary: { price: { value: '24.99', currency: 'USD' } } }),
    }));
    shop.service.on('POST', /bulk_update/, () => ({
      body: { responses: [{ offerId: '901', statusCode: 200 }] },
    }));
    const waits = { kind: 'not_sent', why: 'daily_limit', until, othersMayGo: true };
    expect(await send(order(2))).toMatchObject([waits]);
    await shop.connector.prepareToSend?.(shop.account, 1, never);
    const requested = shop.traded().length;
    expect(await send(ebayOrder(1), order(3))).toMatchObject([{ kind: 'accepted' }, waits]);
    expect(shop.traded()).toHaveLength(requested);
  });

  test('a listing that was migrated since is sent through its offer in the same pass (C20)', async () => {
    const refused = 'Inventory-based listing management is not currently supported by this tool.';
    shop.trade('ReviseInventoryStatus', () =>
      tradingFailure('21919474', refused, itemId(1), 'PartialFailure'),
    );
    shop.service.on('GET', /\/offer\?sku=MUG-1$/, () => ({ body: { offers: [ebayOffer(1)] } }));
    shop.service.on('GET', /\/offer\/901$/, () => ({
      body: ebayOffer(1, { pricingSummary: { price: { value: '24.99', currency: 'USD' } } }),
    }));
    shop.service.on('POST', /bulk_update/, () => ({
      body: { responses: [{ offerId: '901', statusCode: 200 }] },
    }));
    expect(await send(order(1))).toEqual([
      {
        listingId: 1,
        kind: 'accepted',
        receipt: null,
        moved: { channel: 'inventory', keys: { listingId: itemId(1), offerId: '901' } },
      },
    ]);
    expect(await send(order(2))).toMatchObject([{ kind: 'rejected', code: 'no_offer' }]);
    // Found by its SKU, and not by its number: one of both is late.
    const removed = { errors: [{ errorId: 25_713, message: 'This Offer is not available.' }] };
    shop.service.on('GET', /\/offer\/901$/, () => ({ status: 404, body: removed }));
    expect(await send(order(1))).toMatchObject([{ kind: 'not_sent', why: 'not_found', othersMayGo: true }]);
  });

  test('a listing whose offer was removed while eBay shows it is sent by its item number', async () => {
    const withoutOffer = {
      ...order(1),
      ref: { ...order(1).ref, keys: { listingId: itemId(1), offerId: '901' } },
    };
    expect(await send(withoutOffer)).toEqual([
      {
        listingId: 1,
        kind: 'live',
        price: 1_999,
        moved: { channel: 'trading', keys: { listingId: itemId(1) } },
      },
    ]);
  });

  test('are not sent after their deadline', async () => {
    expect(await send({ ...order(1), notAfter: instant(NOON - 1) })).toMatchObject([{ kind: 'not_sent' }]);
    expect(revisions()).toEqual([]);
  });

  test('end with a refused key, instead of failing one by one', async () => {
    shop.trade('ReviseInventoryStatus', () => tradingFailure('21917053', 'Expired.'));
    const outcomes = await send(...[1, 2, 3, 4, 5].map((number) => order(number)));
    expect(outcomes.map(({ kind }) => kind)).toEqual(Array(5).fill('not_sent'));
    expect(revisions()).toHaveLength(2);
  });
});

describe('right before a price is sent', () => {
  const now = (one: PriceOrder): PriceOrder => ({ ...one, notAfter: instant(shop.clock.now + 20_000) });
  const onSale = (number: number) =>
    tradingItem(itemId(number), '20.0').replace(/<SellingStatus>.*<\/SellingStatus>/, inSale);
  const terms = (autoAccept: string) =>
    `<ListingDetails><BestOfferAutoAcceptPrice currencyID="USD">${autoAccept}</BestOfferAutoAcceptPrice></ListingDetails><BestOfferDetails><BestOfferEnabled>true</BestOfferEnabled></BestOfferDetails>`;
  const inSale =
    '<SellingStatus><CurrentPrice currencyID="USD">20.0</CurrentPrice><PromotionalSaleDetails><OriginalPrice currencyID="USD">24.99</OriginalPrice></PromotionalSaleDetails></SellingStatus>';
  test.each([
    [
      'a running sale',
      tradingItem(itemId(1), '20.0').replace(/<SellingStatus>.*<\/SellingStatus>/, inSale),
      { kind: 'not_repriceable' },
    ],
    [
      'an auction',
      tradingItem(itemId(1), '24.99').replace('FixedPriceItem', 'Chinese'),
      { kind: 'not_repriceable' },
    ],
    [
      'Best Offers accepted at that price',
      tradingItem(itemId(1), '24.99', terms('19.99')),
      { kind: 'outside_limits', limits: { min: 2_000, max: null, map: null } },
    ],
    [
      'Best Offers declined at that price',
      tradingItem(itemId(1), '24.99', terms('19.99').replaceAll('BestOfferAutoAccept', 'MinimumBestOffer')),
      { kind: 'outside_limits', limits: { min: 2_000, max: null, map: null } },
    ],
    [
      'a MAP price above it',
      tradingItem(
        itemId(1),
        '24.99',
        '<DiscountPriceInfo><MinimumAdvertisedPrice currencyID="USD">22.0</MinimumAdvertisedPrice></DiscountPriceInfo>',
      ),
      { kind: 'outside_limits' },
    ],
    ['a price that is not ours', tradingItem(itemId(1), '13.37'), { kind: 'other_price', price: 1_337 }],
  ])('%s stops it', async (_, item, found) => {
    items.set(itemId(1), item);
    expect(await send(order(1))).toMatchObject([{ kind: 'stopped', found }]);
    expect(revisions()).toEqual([]);
  });

  test.each([
    ['a user who was told of the sale', SALE, 1],
    ['a user who was told of something else', AUCTION, 0],
  ])('%s', async (_, pastReason, calls) => {
    items.set(
      itemId(1),
      tradingItem(itemId(1), '20.0').replace(/<SellingStatus>.*<\/SellingStatus>/, inSale),
    );
    await send({ ...order(1), pastReason });
    expect(revisions()).toHaveLength(calls);
  });

  test.each([
    ['a code that is not known', () => tradingFailure('10007', 'Cannot be shown now.')],
    ['a code that would refuse a price for good', () => tradingFailure('2004', 'Invalid request.')],
  ])(
    'a listing that eBay refuses to show, with %s: its price is tried again, and others go',
    async (_, answer) => {
      shop.trade('GetItem', (xml) => {
        const number = /<ItemID>(\d+)/.exec(xml)?.[1] ?? '';
        return number === itemId(1) ? answer() : `<Ack>Success</Ack>${items.get(number)}`;
      });
      expect(await send(order(1), order(2))).toMatchObject([
        {
          kind: 'not_sent',
          why: 'not_told',
          othersMayGo: true,
          message: expect.stringContaining('eBay says:'),
        },
        { kind: 'live' },
      ]);
      expect(revisions()).toEqual([[entry(2, '19.99')]]);
    },
  );

  test('what lists and events reported within an hour takes no call, until it is older (C20)', async () => {
    const all = () => [...items.values()].join('');
    shop.service.on('GET', /\/inventory_item\?/, () => ({ body: { total: 0 } }));
    shop.trade(
      'GetMyeBaySelling',
      () =>
        `<Ack>Success</Ack><ActiveList><ItemArray>${all()}</ItemArray><PaginationResult><TotalNumberOfPages>1</TotalNumberOfPages></PaginationResult></ActiveList>`,
    );
    shop.trade(
      'GetSellerList',
      () => `<Ack>Success</Ack><HasMoreItems>false</HasMoreItems><ItemArray>${all()}</ItemArray>`,
    );
    const pages = shop.connector.readListings(shop.account, never);
    while ((await pages.next()).done !== true);
    const known = order(1, 2_499);
    await send(known);
    expect(called('GetItem')).toBe(0);
    shop.clock.now = instant(NOON + minutes(61));
    await send({ ...known, notAfter: shop.clock.now });
    expect(called('GetItem')).toBe(1);
    // Asked for changes in between, it needs no call of its own.
    shop.clock.now = instant(NOON + hours(1) + minutes(50));
    await shop.connector.prepareToSend?.(shop.account, 1, never);
    shop.clock.now = instant(NOON + hours(2) + minutes(20));
    await send({ ...known, notAfter: shop.clock.now });
    expect([called('GetSellerEvents'), called('GetItem')]).toEqual([1, 1]);
  });

  describe('a listing that changed in a form that cannot be read', () => {
    const odd = () => tradingItem(itemId(1), 'N/A');
    const answer = (content: string) => `<Ack>Success</Ack><ItemArray>${content}</ItemArray>`;
    const changes = (content: string) => shop.trade('GetSellerEvents', () => answer(content));
    const revised = () => revisions().flat().length;
    const later = async (at: number) => {
      shop.clock.now = instant(NOON + minutes(at));
      await shop.connector.prepareToSend?.(shop.account, 1, never);
    };
    beforeEach(async () => {
      shop.service.on('GET', /\/inventory_item\?/, () => ({ body: { total: 0 } }));
      const all = [...items.values()].join('');
      const counts = '<PaginationResult><TotalNumberOfPages>1</TotalNumberOfPages></PaginationResult>';
      shop.trade(
        'GetMyeBaySelling',
        () => `<Ack>Success</Ack><ActiveList><ItemArray>${all}</ItemArray>${counts}</ActiveList>`,
      );
      shop.trade('GetSellerList', () => `${answer(all)}<HasMoreItems>false</HasMoreItems>`);
      const pages = shop.connector.readListings(shop.account, never);
      while ((await pages.next()).done !== true);
    });

    test('is not known: its price waits until it is read, and no other', async () => {
      changes(odd());
      items.set(itemId(1), odd());
      await later(11);
      const [first, second] = await send(now(order(1)), now(order(2)));
      expect(first).toMatchObject({ kind: 'not_sent', why: 'not_told', othersMayGo: true });
      expect(first).toMatchObject({ message: expect.stringContaining('SellingStatus.CurrentPrice') });
      expect(second).toMatchObject({ kind: 'live' });
      const raise = { ...order(1, 2_999), isUrgent: true };
      expect(await send(now(raise))).toMatchObject([{ kind: 'not_sent' }]);
      changes('');
      await later(26);
      expect(await send(now(raise))).toMatchObject([{ kind: 'not_sent' }]);
      items.set(itemId(1), tradingItem(itemId(1), '24.99'));
      expect(await send(now(order(1)))).toMatchObject([{ kind: 'live' }]);
      expect([revised(), called('GetItem')]).toEqual([2, 4]);
    });

    test('may be any, where its number is what cannot be read: nothing was read of that time', async () => {
      changes(tradingItem('', '24.99'));
      await later(50);
      await later(61);
      await send(now(order(2)));
      expect(called('GetItem')).toBe(1);
    });

    test('is in no sale, in the Inventory model, only once it is read', async () => {
      shop.service.on('GET', /\/promotion\?/, () => ({ status: 403, body: {} }));
      shop.service.on('GET', /\/offer\/901$/, () => ({
        body: ebayOffer(1, { pricingSummary: { price: { value: '24.99', currency: 'USD' } } }),
      }));
      changes(odd());
      items.set(itemId(1), odd());
      await later(20);
      const offered = {
        ...order(1),
        ref: { ...order(1).ref, keys: { listingId: itemId(1), offerId: '901' } },
      };
      expect(await send(now(offered))).toMatchObject([{ kind: 'not_sent', why: 'not_told' }]);
    });
  });

  test('markdown sales stop listings of both models; where their listings may not be read, each is asked', async () => {
    const offers = { ...order(2), ref: { ...order(2).ref, keys: { listingId: itemId(2), offerId: '902' } } };
    shop.service.on('GET', /\/offer\/902$/, () => ({
      body: ebayOffer(2, { pricingSummary: { price: { value: '24.99', currency: 'USD' } } }),
    }));
    shop.service.on('POST', /bulk_update/, () => ({
      body: { responses: [{ offerId: '902', statusCode: 200 }] },
    }));
    shop.service.on('GET', /\/promotion\?/, () => ({
      body: { total: 1, promotions: [{ promotionId: '7' }] },
    }));
    shop.service.on('GET', /\/promotion\/7%40EBAY_US\/get_listing_set/, () => ({
      body: { total: 1, listings: [{ listingId: itemId(2) }] },
    }));
    await shop.connector.prepareToSend?.(shop.account, 1, never);
    const found = { kind: 'not_repriceable' };
    expect(await send(order(1), offers)).toMatchObject([{ kind: 'live' }, { kind: 'stopped', found }]);
    shop.service.on('GET', /\/get_listing_set/, () => ({ status: 403, body: {} }));
    shop.clock.now = instant(NOON + minutes(16));
    await shop.connector.prepareToSend?.(shop.account, 1, never);
    expect(await send(now(offers))).toMatchObject([{ kind: 'accepted' }]);
    expect(await send(now(offers))).toMatchObject([{ kind: 'accepted' }]);
    expect(called('GetItem')).toBe(2);
    items.set(itemId(2), onSale(2));
    shop.clock.now = instant(NOON + minutes(80));
    expect(await send(now(offers))).toMatchObject([{ kind: 'stopped', found }]);
  });

  describe('where the sales are not read', () => {
    const inventory = {
      ...order(2),
      ref: { ...order(2).ref, keys: { listingId: itemId(2), offerId: '902' } },
    };
    const prepare = () => shop.connector.prepareToSend?.(shop.account, 1, never);
    const writes = () => shop.service.asked.filter(({ path }) => path.includes('bulk_update')).length;
    beforeEach(() => {
      shop.service.on('GET', /\/offer\/902$/, () => ({
        body: ebayOffer(2, { pricingSummary: { price: { value: '24.99', currency: 'USD' } } }),
      }));
      shop.service.on('POST', /bulk_update/, () => ({
        body: { responses: [{ offerId: '902', statusCode: 200 }] },
      }));
      items.set(itemId(2), onSale(2));
    });
    const refuse = () => shop.service.on('GET', /\/promotion\?/, () => ({ status: 403, body: {} }));

    test.each([
      ['since nothing was asked', () => Promise.resolve()],
      [
        'since the consent does not allow it',
        () => {
          refuse();
          return prepare();
        },
      ],
      [
        'a while later',
        async () => {
          await prepare();
          refuse();
          for (const at of [16, 32, 48]) {
            shop.clock.now = instant(NOON + minutes(at));
            await prepare();
          }
        },
      ],
    ])('%s, the listing is asked, and its sale stops it', async (_, before) => {
      await before();
      expect(await send(now(inventory))).toMatchObject([
        { kind: 'stopped', found: { kind: 'not_repriceable' } },
      ]);
      expect(writes()).toBe(0);
    });

    test('one failed reading does not outdate the one before', async () => {
      await prepare();
      refuse();
      shop.clock.now = instant(NOON + minutes(16));
      await prepare();
      expect(await send(now(inventory))).toMatchObject([{ kind: 'accepted' }]);
      expect(called('GetItem')).toBe(0);
    });

    test('the list of the last hour reports, without a call for each', async () => {
      shop.service.on('GET', /\/inventory_item\?/, () => ({ body: { total: 0 } }));
      shop.trade(
        'GetMyeBaySelling',
        () =>
          `<Ack>Success</Ack><ActiveList><ItemArray>${[...items.values()].join('')}</ItemArray><PaginationResult><TotalNumberOfPages>1</TotalNumberOfPages></PaginationResult></ActiveList>`,
      );
      const pages = shop.connector.readListings(shop.account, never);
      while ((await pages.next()).done !== true);
      expect(await send(inventory)).toMatchObject([{ kind: 'stopped' }]);
      expect(called('GetItem')).toBe(0);
    });

    describe('and eBay does not name the listing either', () => {
      const fails = () => shop.trade('GetItem', () => tradingFailure('10007', 'Internal error.'));
      const unreported = { kind: 'not_sent', why: 'not_told', othersMayGo: true };

      test('nor ever did: only a raise that ends a loss goes', async () => {
        fails();
        const raise = { ...inventory, price: cents(2_999), isUrgent: true };
        expect(await send(inventory)).toMatchObject([unreported]);
        expect(await send({ ...inventory, isUrgent: true })).toMatchObject([unreported]);
        expect(await send(raise)).toMatchObject([{ kind: 'accepted' }]);
        shop.clock.now = instant(NOON + hours(5));
        expect(await send(now(inventory))).toMatchObject([unreported]);
      });

      test('a listing that was in no sale waits for 15 minutes, an urgent price does not', async () => {
        items.set(itemId(2), tradingItem(itemId(2), '24.99'));
        expect(await send(inventory)).toMatchObject([{ kind: 'accepted' }]);
        fails();
        const later = NOON + hours(2);
        shop.clock.now = instant(later);
        const [first] = await send(now(inventory));
        expect(first).toMatchObject({ kind: 'not_sent', retryAfter: 60_000, othersMayGo: true });
        expect(first).not.toHaveProperty('why');
        expect(await send(now({ ...inventory, isUrgent: true }))).toMatchObject([{ kind: 'accepted' }]);
        shop.clock.now = instant(later + minutes(14));
        expect(await send(now(inventory))).toMatchObject([{ kind: 'not_sent' }]);
        shop.clock.now = instant(later + minutes(16));
        expect(await send(now(inventory))).toMatchObject([{ kind: 'accepted' }]);
        expect(await send(now(inventory))).toMatchObject([{ kind: 'not_sent' }]);
      });

      test('not even a raise goes after a restart, where a sale ran when eBay last said so', async () => {
        const raise = { ...inventory, price: cents(2_999), isUrgent: true };
        const findings = memoryFindings();
        const sales = (ids: string[]) => {
          shop.service.on('GET', /\/promotion\?/, () => ({
            body: { total: 1, promotions: [{ promotionId: '7' }] },
          }));
          shop.service.on('GET', /get_listing_set/, () => ({
            body: { total: ids.length, listings: ids.map((listingId) => ({ listingId })) },
          }));
        };
        const started = () => {
          const connector = shop.restart();
          const account = { ...shop.account, findings };
          return {
            prepare: () => connector.prepareToSend?.(account, 1, never),
            send: (one: PriceOrder) => connector.sendPrices(account, [now(one)], never),
          };
        };
        sales([itemId(2)]);
        await started().prepare();
        fails();
        refuse();
        const second = started();
        await second.prepare();
        expect(await second.send(raise)).toMatchObject([unreported]);
        // What was read of another listing since refutes nothing.
        items.set(itemId(3), tradingItem(itemId(3), '24.99'));
        shop.trade('GetItem', (xml) =>
          xml.includes(itemId(3)) ? `<Ack>Success</Ack>${onSale(3)}` : tradingFailure('10007', 'Error.'),
        );
        await second.send(order(3));
        expect(await started().send(raise)).toMatchObject([unreported]);
        // Sales that are read again do.
        sales([]);
        shop.clock.now = instant(NOON + minutes(20));
        await started().prepare();
        fails();
        refuse();
        expect(await started().send(raise)).toMatchObject([{ kind: 'accepted' }]);
      });

      test('a listing whose sale ran when eBay last said so gets no price, until its reported end', async () => {
        const until = new Date(NOON + hours(6)).toISOString();
        const sale = `<SellingStatus><CurrentPrice currencyID="USD">20.0</CurrentPrice><PromotionalSaleDetails><OriginalPrice currencyID="USD">24.99</OriginalPrice><EndTime>${until}</EndTime></PromotionalSaleDetails></SellingStatus>`;
        items.set(
          itemId(2),
          tradingItem(itemId(2), '20.0').replace(/<SellingStatus>.*<\/SellingStatus>/, sale),
        );
        expect(await send(inventory)).toMatchObject([{ kind: 'stopped' }]);
        fails();
        shop.clock.now = instant(NOON + hours(5));
        expect(await send(now({ ...inventory, price: cents(2_999), isUrgent: true }))).toMatchObject([
          unreported,
        ]);
        shop.clock.now = instant(NOON + hours(7));
        expect(await send(now({ ...inventory, price: cents(2_999), isUrgent: true }))).toMatchObject([
          { kind: 'accepted' },
        ]);
      });
    });
  });
});

describe('prices in force', () => {
  const sent = (number: number, keys: Record<string, string> = {}) => {
    const { ref } = order(number, 1_999, keys);
    return { ref, price: cents(1_999), receipt: null, sentAt: NOON, isLastLook: false };
  };
  test('are read from the items, variations of one together', async () => {
    const variation = (sku: string, price: string) =>
      `<Variation><SKU>${sku}</SKU><StartPrice currencyID="USD">${price}</StartPrice><Quantity>1</Quantity></Variation>`;
    const both = `<Variations>${variation('MUG-1', '15.0')}${variation('MUG-2', '17.5')}</Variations>`;
    items.set(itemId(1), tradingItem(itemId(1), '15.0', both));
    const second = sent(2, { listingId: itemId(1), variation: 'MUG-2' });
    items.delete(itemId(3));
    expect(await shop.connector.readPrices(shop.account, [sent(1), second, sent(3)], never)).toMatchObject([
      { listingId: 1, kind: 'price', price: 1_500, source: 'item' },
      { listingId: 2, kind: 'price', price: 1_750 },
      { listingId: 3, kind: 'missing' },
    ]);
    expect(called('GetItem')).toBe(2);
  });
});
