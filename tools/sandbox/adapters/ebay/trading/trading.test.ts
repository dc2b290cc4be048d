import { afterEach, expect, test } from 'vitest';
import { cents, instant } from '#domain/units.ts';
import { type Sandbox, startSandbox } from '#sandbox/server.ts';
import type { ItemPlan } from '#sandbox/world/catalog.ts';
import { createWorld } from '#sandbox/world/world.ts';
import { child, type Element, parseXml, textAt } from '#sandbox/xml.ts';
import { callerOf, pass } from '#tests/support/sandbox-shop.ts';

const START = instant(Date.parse('2026-11-20T10:00:00Z'));
const NAMESPACE = 'urn:ebay:apis:eBLBaseComponents';
const INVENTORY = '/sell/inventory/v1';

let sandbox: Sandbox;
afterEach(() => sandbox.close());

/** A plain listing, one without a label, two variations, an auction, and one of the Inventory API. */
async function open(keepsLimits = false): Promise<void> {
  const plan = {
    marketplace: 'ebay' as const,
    title: 'Mug',
    fulfillmentType: 'FBM' as const,
    price: cents(2_499),
    quantity: 4,
    competitors: [],
    viewsPerDay: 0,
    keys: { offerId: '' },
  };
  const by = { pricedBy: [513], quantityBy: [513], skuBy: [513] };
  const items: ItemPlan[] = [
    { ...plan, sku: 'E-PLAIN', itemId: '110000000001' },
    { ...plan, sku: 'E-2', itemId: '110000000002', price: cents(950), ebay: { hasLabel: false } },
    {
      ...plan,
      sku: 'TS-RED',
      itemId: '110000000003',
      price: cents(1_500),
      variation: { values: { 513: 'Red' }, ...by },
    },
    {
      ...plan,
      sku: 'TS-2',
      itemId: '110000000003',
      price: cents(1_750),
      ebay: { hasLabel: false },
      variation: { values: { 513: 'Blue' }, ...by },
    },
    { ...plan, sku: 'E-4', itemId: '110000000004', ebay: { type: 'Chinese', hasLabel: false } },
    { ...plan, sku: 'E-5', itemId: '110000000005', keys: { offerId: '501' }, ebay: { tracking: 'SKU' } },
  ];
  const world = createWorld({ seed: 'trading', startsAt: START, items, stock: [] });
  sandbox = await startSandbox({ world, port: 0, services: ['ebay'], keepsLimits });
}

async function tokenOf(): Promise<string> {
  const { appId, certId, refreshToken = '' } = sandbox.credentials.ebay;
  const basic = Buffer.from(`${appId}:${certId}`).toString('base64');
  const form = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: refreshToken });
  const sign = callerOf(sandbox.addresses.ebay, { authorization: `Basic ${basic}` });
  const { access_token } = (await sign('POST', '/identity/v1/oauth2/token', form)) as {
    access_token: string;
  };
  return access_token;
}

async function trade(call: string, inner: string, token?: string): Promise<Element> {
  const answer = await fetch(`${sandbox.addresses.ebay}/ws/api.dll`, {
    method: 'POST',
    headers: {
      'content-type': 'text/xml',
      'x-ebay-api-call-name': call,
      'x-ebay-api-iaf-token': token ?? (await tokenOf()),
    },
    body: `<?xml version="1.0"?><${call}Request xmlns="${NAMESPACE}">${inner}</${call}Request>`,
  });
  const element = parseXml(await answer.text());
  if (answer.status !== 200 || element === null) throw new Error(`${call}: ${answer.status}`);
  return element;
}

const status = (itemId: string, price: string, sku = '') =>
  `<InventoryStatus>${sku === '' ? '' : `<SKU>${sku}</SKU>`}<ItemID>${itemId}</ItemID><StartPrice currencyID="USD">${price}</StartPrice></InventoryStatus>`;
const errorsOf = (element: Element) =>
  element.children
    .filter(({ name }) => name === 'Errors')
    .map((error) => [textAt(error, 'ErrorCode'), textAt(error, 'ErrorParameters', 'Value') ?? '']);
const live = (sku: string) => sandbox.world.market('ebay').item(sku)?.price;

test('the list of active listings has every kind, amounts as doubles, variations on request', async () => {
  await open();
  const answer = await trade(
    'GetMyeBaySelling',
    '<ActiveList><Pagination><EntriesPerPage>3</EntriesPerPage><PageNumber>1</PageNumber></Pagination></ActiveList>',
  );
  const items = child(answer, 'ActiveList', 'ItemArray')?.children ?? [];
  expect(items.map((item) => [textAt(item, 'SKU'), textAt(item, 'SellingStatus', 'CurrentPrice')])).toEqual([
    ['E-PLAIN', '24.99'],
    [undefined, '9.5'],
    [undefined, '15.0'],
  ]);
  const variations = child(items[2], 'Variations')?.children ?? [];
  expect(variations.map((one) => [textAt(one, 'SKU'), textAt(one, 'StartPrice')])).toEqual([
    ['TS-RED', '15.0'],
    [undefined, '17.5'],
  ]);
  expect(child(answer, 'ActiveList', 'PaginationResult')?.children.map(({ text }) => text)).toEqual([
    '2',
    '5',
  ]);
  const hidden = await trade('GetMyeBaySelling', '<ActiveList/><HideVariations>true</HideVariations>');
  expect(JSON.stringify(hidden)).not.toContain('Variation"');
});

test('three entries of four: one refused by its number, the others revised without their quantity', async () => {
  await open();
  const answer = await trade(
    'ReviseInventoryStatus',
    status('110000000001', '23.99') +
      status('110000000003', '14.75', 'TS-RED') +
      status('110000000005', '20.00'),
  );
  expect(textAt(answer, 'Ack')).toBe('PartialFailure');
  expect(errorsOf(answer)).toEqual([['21919474', '110000000005']]);
  pass(sandbox, 60_000);
  expect([live('E-PLAIN'), live('TS-RED'), live('TS-2'), live('E-5')]).toEqual([2_399, 1_475, 1_750, 2_499]);
  sandbox.world.market('ebay').setQuirks({ told: { vagueErrors: true } });
  expect(errorsOf(await trade('ReviseInventoryStatus', status('110000000005', '20.00')))).toEqual([
    ['21919474', ''],
  ]);
});

test.each([
  ['a variation without its SKU', status('110000000003', '14.00'), '21916635'],
  ['an auction', status('110000000004', '14.00'), '21916750'],
  ['a listing of someone else', status('119999999999', '14.00'), '17'],
  ['five entries', status('110000000001', '14.00').repeat(5), '21916254'],
  ['another currency', status('110000000001', '14.00').replace('USD', 'EUR'), '73'],
  [
    'a SKU of a listing that is not tracked by it',
    '<InventoryStatus><SKU>E-PLAIN</SKU></InventoryStatus>',
    '21916635',
  ],
])('refuses %s', async (_, inner, code) => {
  await open();
  const answer = await trade('ReviseInventoryStatus', inner);
  expect([textAt(answer, 'Ack'), errorsOf(answer)[0]?.[0]]).toEqual(['Failure', code]);
});

test('an ended listing, a token that is over, revisions and calls that are used up', async () => {
  await open(true);
  const market = sandbox.world.market('ebay');
  const revise = (token?: string) => trade('ReviseInventoryStatus', status('110000000001', '23.99'), token);
  market.revisions.use('110000000001', 250);
  expect(errorsOf(await revise())[0]?.[0]).toBe('21919189');
  market.edit('E-PLAIN', { isActive: false });
  expect(errorsOf(await revise())[0]?.[0]).toBe('291');
  const token = await tokenOf();
  sandbox.countElsewhere('ebay', 'tradingCalls', 5_000);
  expect(errorsOf(await revise(token))[0]?.[0]).toBe('518');
  pass(sandbox, 7_200_000);
  expect(errorsOf(await revise(token))[0]?.[0]).toBe('21917053');
  expect(errorsOf(await revise('made up'))[0]?.[0]).toBe('21916984');
});

test('a single read reports sales, limits of offers and the advertised price; events report what changed', async () => {
  await open();
  const market = sandbox.world.market('ebay');
  pass(sandbox, 600_000);
  const sale = { price: cents(2_000), from: sandbox.world.now(), to: instant(START + 86_400_000) };
  const bestOffer = { autoAccept: cents(2_100), autoDecline: cents(1_800) };
  market.edit('E-PLAIN', { terms: { sale, bestOffer, mapPrice: cents(2_300) } });
  const item = child(await trade('GetItem', '<ItemID>110000000001</ItemID>'), 'Item');
  expect(textAt(item, 'ListingDetails', 'BestOfferAutoAcceptPrice')).toBe('21.0');
  expect(textAt(item, 'DiscountPriceInfo', 'MinimumAdvertisedPrice')).toBe('23.0');
  expect(textAt(item, 'SellingStatus', 'CurrentPrice')).toBe('20.0');
  expect(textAt(item, 'SellingStatus', 'PromotionalSaleDetails', 'OriginalPrice')).toBe('24.99');
  const time = (moment: number) => new Date(moment).toISOString();
  const window = `<ModTimeFrom>${time(START + 1)}</ModTimeFrom><ModTimeTo>${time(sandbox.world.now())}</ModTimeTo>`;
  const events = await trade('GetSellerEvents', window);
  expect(child(events, 'ItemArray')?.children.map((one) => textAt(one, 'ItemID'))).toEqual(['110000000001']);
  const list = await trade(
    'GetSellerList',
    `<StartTimeFrom>${time(START)}</StartTimeFrom><StartTimeTo>${time(START)}</StartTimeTo>`,
  );
  expect([textAt(list, 'ReturnedItemCountActual'), textAt(list, 'HasMoreItems')]).toEqual(['5', 'false']);
  const ends = `<EndTimeFrom>${time(sandbox.world.now())}</EndTimeFrom><EndTimeTo>${time(START + 119 * 86_400_000)}</EndTimeTo>`;
  const whole = await trade('GetSellerList', `<DetailLevel>ReturnAll</DetailLevel>${ends}`);
  const plain = child(whole, 'ItemArray')?.children.find((one) => textAt(one, 'ItemID') === '110000000001');
  expect(textAt(plain, 'ListingDetails', 'BestOfferAutoAcceptPrice')).toBe('21.0');
  const seller = callerOf(sandbox.addresses.ebay, { authorization: `Bearer ${await tokenOf()}` });
  const query = 'marketplace_id=EBAY_US&promotion_status=RUNNING&promotion_type=MARKDOWN_SALE';
  const { promotions } = (await seller('GET', `/sell/marketing/v1/promotion?${query}`)) as {
    promotions: readonly { promotionId: string }[];
  };
  const set = `/sell/marketing/v1/promotion/${promotions[0]?.promotionId}/get_listing_set`;
  expect(await seller('GET', set)).toMatchObject({ total: 1, listings: [{ listingId: '110000000001' }] });
});

test('the conditions of Best Offer are revised alone, below the price, and above what is declined', async () => {
  await open();
  const market = sandbox.world.market('ebay');
  market.edit('E-PLAIN', { terms: { bestOffer: { autoAccept: cents(2_100), autoDecline: cents(1_800) } } });
  const revise = (inner: string, itemId = '110000000001') =>
    trade('ReviseFixedPriceItem', `<Item><ItemID>${itemId}</ItemID>${inner}</Item>`);
  const limits = (accept: string, least = '') =>
    `<ListingDetails>${least === '' ? '' : `<MinimumBestOfferPrice currencyID="USD">${least}</MinimumBestOfferPrice>`}<BestOfferAutoAcceptPrice currencyID="USD">${accept}</BestOfferAutoAcceptPrice></ListingDetails>`;
  const codeOf = async (answer: ReturnType<typeof revise>) => errorsOf(await answer)[0]?.[0];
  expect(await codeOf(revise(limits('24.99')))).toBe('23004');
  expect(await codeOf(revise(limits('18.00')))).toBe('23005');
  expect(await codeOf(revise(limits('23.00', '24.99')))).toBe('22003');
  expect(await codeOf(revise(limits('20.00'), '110000000005'))).toBe('21919474');
  expect(await codeOf(revise(limits('20.00'), '119999999999'))).toBe('17');
  expect(textAt(await revise(limits('22.40')), 'Ack')).toBe('Success');
  const shown = child(await trade('GetItem', '<ItemID>110000000001</ItemID>'), 'Item');
  expect(textAt(shown, 'ListingDetails', 'BestOfferAutoAcceptPrice')).toBe('22.4');
  expect(textAt(shown, 'ListingDetails', 'MinimumBestOfferPrice')).toBe('18.0');
  // A price must stay above both.
  expect(await codeOf(trade('ReviseInventoryStatus', status('110000000001', '22.40')))).toBe('23004');
});

test('a migrated listing changes its door', async () => {
  await open();
  const seller = callerOf(sandbox.addresses.ebay, {
    authorization: `Bearer ${await tokenOf()}`,
    'content-language': 'en-US',
  });
  const migrate = (...ids: readonly string[]) =>
    seller('POST', `${INVENTORY}/bulk_migrate_listing`, {
      requests: ids.map((listingId) => ({ listingId })),
    });
  const answer = (await migrate('110000000001', '110000000003', '110000000004')) as {
    responses: readonly {
      statusCode: number;
      inventoryItems?: readonly { sku: string; offerId: string }[];
    }[];
  };
  expect(answer).toMatchObject({
    responses: [
      { statusCode: 200, inventoryItems: [{ sku: 'E-PLAIN' }] },
      { statusCode: 400, errors: [{ errorId: 25_718 }] },
      { statusCode: 400 },
    ],
  });
  expect(errorsOf(await trade('ReviseInventoryStatus', status('110000000001', '20.00')))).toEqual([
    ['21919474', '110000000001'],
  ]);
  const offerId = answer.responses[0]?.inventoryItems?.[0]?.offerId ?? '';
  const offers = [{ offerId, price: { value: '20.00', currency: 'USD' } }];
  expect(
    await seller('POST', `${INVENTORY}/bulk_update_price_quantity`, { requests: [{ offers }] }),
  ).toMatchObject({ responses: [{ statusCode: 200, sku: 'E-PLAIN' }] });
});
