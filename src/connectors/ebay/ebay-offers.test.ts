import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Account, ListingRef, OfferReading } from '#connectors/connector.ts';
import { allOf } from '#tests/support/all-of.ts';
import { type EbayShop, ebayRef, NOON, startEbayShop } from '#tests/support/fake-ebay.ts';

let shop: EbayShop;
beforeEach(async () => {
  shop = await startEbayShop();
});
afterEach(() => shop.service.close());

const never = new AbortController().signal;
const read = (refs: ListingRef[] = [ebayRef(1)], account: Account = shop.account) =>
  allOf(shop.connector.readOffers?.(account, refs, never));
const searches = () => shop.service.asked.filter(({ path }) => path.includes('item_summary'));

function found(...summaries: unknown[]): void {
  shop.service.on('GET', /item_summary\/search/, () => ({
    body: { total: summaries.length, ...(summaries.length > 0 && { itemSummaries: summaries }) },
  }));
}

let items = 0;
function summary(value: string, seller: string, changes: Record<string, unknown> = {}) {
  items += 1;
  return {
    itemId: `v1|${5_000 + items}|0`,
    legacyItemId: String(5_000 + items),
    title: 'Mug',
    price: { value, currency: 'USD' },
    shippingOptions: [{ shippingCostType: 'FIXED', shippingCost: { value: '4.00', currency: 'USD' } }],
    seller: { username: seller, feedbackPercentage: '99.5', feedbackScore: 812 },
    ...changes,
  };
}

async function offers(...summaries: unknown[]) {
  found(...summaries);
  const [reading] = await read();
  if (reading?.kind !== 'offers') throw new Error(`no offers: ${JSON.stringify(reading)}`);
  return (reading as OfferReading).offers;
}

describe('offers', () => {
  test('are found by the product ID, new, at a fixed price, in the United States', async () => {
    expect(await offers(summary('20.00', 'mug-world'))).toEqual([
      {
        sellerName: 'mug-world',
        isMarketplace: false,
        isOurs: false,
        price: 2_000,
        shipping: 400,
        fulfillmentType: 'FBM',
        isFeatured: false,
        rating: 9_950,
        ratingCount: 812,
        handlingDays: null,
      },
    ]);
    expect(Object.fromEntries(searches()[0]?.query ?? [])).toEqual({
      gtin: '012345678905',
      filter: 'conditions:{NEW},buyingOptions:{FIXED_PRICE},itemLocationCountry:US,deliveryCountry:US',
      sort: 'price',
      limit: '100',
    });
    expect(searches()[0]?.headers['x-ebay-c-enduserctx']).toContain('contextualLocation=country%3DUS');
  });

  test('are found by the ePID where there is no other ID, never by text', async () => {
    found();
    const { gtin: _, ...keys } = ebayRef(1).keys;
    const epid = { ...ebayRef(1), keys: { ...keys, epid: '7788' } };
    const nothing = { ...ebayRef(2), keys };
    const odd = { ...ebayRef(3), keys: { ...keys, gtin: 'Does not apply' } };
    expect(await read([epid, nothing, odd])).toEqual([
      { kind: 'offers', listingId: 1, seenAt: NOON, offers: [], coverage: 'all' },
      { kind: 'unread', listingId: 2, why: expect.stringContaining('No UPC or ePID') },
      { kind: 'unread', listingId: 3, why: expect.stringContaining('No UPC or ePID') },
    ]);
    expect(searches().map(({ query }) => [query.get('epid'), query.get('q')])).toEqual([['7788', null]]);
  });

  test('of ours are recognized by seller name, in any spelling, and by the listing ID', async () => {
    const own = summary('18.00', 'Fine-Mugs');
    const alias = summary('19.00', 'other-seller', { legacyItemId: '110001' });
    const [first, second, third] = await offers(own, alias, summary('20.00', 'mug-world'));
    expect([first?.isOurs, second?.isOurs, third?.isOurs]).toEqual([true, true, false]);
  });

  test('without a stated shipping charge are excluded: unknown is not free', async () => {
    const calculated = summary('10.00', 'a', { shippingOptions: [{ shippingCostType: 'CALCULATED' }] });
    const silent = summary('10.00', 'b', { shippingOptions: undefined });
    const auction = summary('10.00', 'c', { price: undefined });
    const free = summary('24.00', 'd', {
      shippingOptions: [{ shippingCost: { value: '0.0', currency: 'USD' } }],
    });
    expect((await offers(calculated, silent, auction, free)).map(({ sellerName }) => sellerName)).toEqual([
      'd',
    ]);
  });

  test('far from the median, shipping included, are treated as another item; ours are not', async () => {
    const market = [
      summary('3.99', 'part'),
      summary('4.00', 'just-in'),
      summary('16.00', 'a'),
      summary('16.00', 'b'),
      summary('46.00', 'still-in'),
      summary('46.01', 'a-dozen'),
      summary('1.00', 'fine-mugs'),
    ];
    expect((await offers(...market)).map(({ sellerName }) => sellerName)).toEqual([
      'just-in',
      'a',
      'b',
      'still-in',
      'fine-mugs',
    ]);
  });

  test('of ours do not count for the median', async () => {
    const market = [summary('16.00', 'a'), summary('16.00', 'b'), summary('46.01', 'a-dozen')];
    expect(await offers(...market, summary('56.00', 'fine-mugs'))).toMatchObject([
      { sellerName: 'a' },
      { sellerName: 'b' },
      { sellerName: 'fine-mugs', isOurs: true },
    ]);
  });

  test('of two competitors both stay: it is unknown which one is wrong', async () => {
    expect(await offers(summary('5.00', 'a'), summary('90.00', 'b'))).toHaveLength(2);
  });

  test('that are identical duplicates count once; with two prices it is passed over', async () => {
    const one = summary('20.00', 'a');
    expect(await offers(one, one)).toHaveLength(1);
    const twice = [one, { ...one, price: { value: '21.00', currency: 'USD' } }];
    found(...twice);
    expect(await read()).toMatchObject([{ kind: 'unread', listingId: 1 }]);
    found(...twice, summary('22.00', 'b'));
    expect(await read()).toMatchObject([{ offers: [{ sellerName: 'b' }], coverage: 'top' }]);
  });

  test.each([
    ['-1.00', 'USD'],
    ['0.00', 'USD'],
    ['N/A', 'USD'],
    ['NaN', 'USD'],
    ['1e3', 'USD'],
    ['20.00', 'EUR'],
  ])('with a price of %s %s is passed over; alone it leaves its listing unread', async (value, currency) => {
    const odd = summary('21.00', 'b', { price: { value, currency } });
    found(summary('20.00', 'a'), odd);
    shop.service.on('GET', /gtin=99999999/, () => ({ body: { total: 1, itemSummaries: [odd] } }));
    expect(await read([ebayRef(1), ebayRef(2, { gtin: '99999999' })])).toMatchObject([
      { kind: 'offers', listingId: 1, offers: [{ sellerName: 'a' }], coverage: 'top', row: {} },
      { kind: 'unread', listingId: 2, row: { what: ebayRef(2).sku } },
    ]);
  });

  test('without our name are unavailable, unless our own listing is among them', async () => {
    const { username: _, ...credentials } = shop.account.credentials;
    const account = { ...shop.account, credentials };
    found(summary('20.00', 'a'));
    expect(await read([ebayRef(1)], account)).toMatchObject([
      { kind: 'unread', why: expect.stringContaining('user name') },
    ]);
    found(summary('20.00', 'our-name', { legacyItemId: '110001' }), summary('18.00', 'our-name'));
    expect(await read([ebayRef(1)], account)).toMatchObject([
      { offers: [{ isOurs: true }, { isOurs: true }] },
    ]);
  });

  test('are looked up as far as the daily limit allows, and the rest later', async () => {
    found();
    const refs = Array.from({ length: 50 }, (_, index) => ebayRef(index));
    const seen: number[] = [];
    const reading = async () => {
      for await (const page of shop.connector.readOffers?.(shop.account, refs, never) ?? []) {
        seen.push(...page.map(({ listingId }) => listingId));
      }
    };
    await expect(reading()).rejects.toMatchObject({ fault: 'busy', retryAfter: 24_000 });
    expect(seen).toHaveLength(40);
    expect(shop.waits).toEqual([]);
  });

  test('without permission to search are unavailable, not an error, and requested once', async () => {
    shop.service.on('GET', /item_summary/, () => ({ status: 403, body: { errors: [{ errorId: 1_100 }] } }));
    const readings = await read([1, 2, 3].map((number) => ebayRef(number)));
    expect(readings).toEqual(
      [1, 2, 3].map((listingId) => ({
        kind: 'unread',
        listingId,
        why: expect.stringMatching(/^Competitor data unavailable/),
      })),
    );
    expect(searches()).toHaveLength(1);
  });
});

describe('figures', () => {
  const figures = (ref = ebayRef(1)) => allOf(shop.connector.readFigures?.(shop.account, [ref], never));
  const says = (body: unknown) => shop.service.on('GET', /get_item_by_legacy_id/, () => ({ body }));

  test.each([
    [
      { primaryProductReviewRating: { averageRating: '4.6', reviewCount: 31 } },
      { averageRating: 460, reviewCount: 31 },
    ],
    [{}, { averageRating: null, reviewCount: null }],
  ])('of %j', async (body, expected) => {
    says(body);
    expect(await figures()).toEqual([
      expect.objectContaining({ kind: 'figures', listingId: 1, salesRank: null, ...expected }),
    ]);
  });

  test('that are invalid are ignored', async () => {
    says({ primaryProductReviewRating: { averageRating: '5.6', reviewCount: 31 } });
    expect(await figures()).toMatchObject([{ kind: 'unread' }]);
  });
});
