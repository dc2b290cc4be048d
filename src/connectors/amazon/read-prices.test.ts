import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { SentPrice } from '#connectors/connector.ts';
import { cents, instant } from '#domain/units.ts';
import {
  amazonAccount,
  amazonItem,
  amazonOffer,
  amazonRef,
  type FakeAmazon,
  OUR_SELLER,
  startFakeAmazon,
  US,
} from '#tests/support/fake-amazon.ts';
import { memoryFindings } from '#tests/support/memory-findings.ts';

let fake: FakeAmazon;
let item: Record<string, unknown>;
beforeEach(async () => {
  fake = await startFakeAmazon();
  item = amazonItem(1);
  fake.service.on('GET', /^\/listings/, () => ({ body: item }));
});
afterEach(() => fake.close());

const never = new AbortController().signal;

function sent(number = 1, price = 2_990, given: Partial<SentPrice> = {}): SentPrice {
  const order = { ref: amazonRef(number), price: cents(price), receipt: null };
  return { ...order, sentAt: fake.now(), isLastLook: false, ...given };
}
const read = (of: readonly SentPrice[] = [sent()], options = {}) =>
  fake.connector(options).readPrices(amazonAccount(), of, never);

const offer = (amount: unknown, given: Record<string, unknown> = {}) => ({
  marketplaceId: US,
  offerType: 'B2C',
  price: { currencyCode: 'USD', amount },
  ...given,
});
const complaint = (given: Record<string, unknown> = {}) => ({
  code: '90',
  message: 'Below your minimum.',
  severity: 'ERROR',
  categories: [],
  attributeNames: ['purchasable_offer'],
  ...given,
});

const refused = (message: string) => ({ kind: 'rejected', message, code: '90' });

test.each([
  ['as text', [offer('29.90')], 2_990],
  ['as a number', [offer(29.9)], 2_990],
  ['in addition to a business price', [offer('28.00', { offerType: 'B2B' }), offer('29.90')], 2_990],
  ['in addition to one of another store', [offer('28.00', { marketplaceId: 'A1' }), offer('29.90')], 2_990],
  ['told twice', [offer('29.90'), offer('29.90')], 2_990],
])('the price that buyers see, %s', async (_, offers, price) => {
  item = amazonItem(1, { offers });
  expect(await read()).toEqual([{ listingId: 1, kind: 'price', price, source: 'item', refusal: null }]);
});

const saleOf = (value_with_tax: number, our = '31.00') => ({
  purchasable_offer: [
    amazonOffer(our, { discounted_price: [{ schedule: [{ start_at: '2026-11-01', value_with_tax }] }] }),
  ],
});

test('while buyers see a sale price, the price behind it', async () => {
  item = amazonItem(1, { attributes: saleOf(27.5), offers: [offer('27.50')] });
  expect(await read()).toMatchObject([{ kind: 'price', price: 3_100 }]);
});

test('a price that is none of the sale: the one that buyers see', async () => {
  item = amazonItem(1, { attributes: saleOf(27.5), offers: [offer('29.90')] });
  expect(await read()).toMatchObject([{ kind: 'price', price: 2_990 }]);
});

test('while buyers see a sale price, and the one behind it cannot be read: none', async () => {
  item = amazonItem(1, { attributes: saleOf(27.5, 'NaN'), offers: [offer('27.50')] });
  expect(await read()).toMatchObject([{ kind: 'unreadable' }]);
});

const oddSale = (value_with_tax: unknown) => ({
  purchasable_offer: [
    amazonOffer('31.00', { discounted_price: [{ schedule: [{ start_at: '2026-11-01', value_with_tax }] }] }),
  ],
});

test.each(['27.505', null, undefined, 'N/A'])(
  'where the price of a sale is %o, that which buyers see counts only if it is the standard price',
  async (value) => {
    item = amazonItem(1, { attributes: oddSale(value), offers: [offer('27.50')] });
    expect(await read()).toMatchObject([{ kind: 'unreadable' }]);
    item = amazonItem(1, { attributes: oddSale(value), offers: [offer('31.00')] });
    expect(await read()).toMatchObject([{ kind: 'price', price: 3_100 }]);
  },
);

test.each([
  ['none', []],
  ['of nothing', [offer('0.00')]],
  ['another currency', [offer('29.90', { price: { currencyCode: 'CAD', amount: '29.90' } })]],
  ['a negative one', [offer('-29.90')]],
  ['a negative number', [offer(-29.9)]],
  ['"N/A"', [offer('N/A')]],
  ['"NaN"', [offer('NaN')]],
  ['half a cent', [offer('29.905')]],
  ['two different ones', [offer('29.90'), offer('31.00')]],
])('a price that is none: %s', async (_, offers) => {
  item = amazonItem(1, { offers });
  expect(await read()).toEqual([
    { listingId: 1, kind: 'unreadable', message: expect.stringMatching(/Amazon/) },
  ]);
});

test('the wrong listing is not a reading', async () => {
  item = amazonItem(2);
  expect(await read()).toMatchObject([{ listingId: 1, kind: 'unreadable' }]);
});

const notThere = (body: unknown) =>
  fake.service.on('GET', /^\/listings\/.*SKU-/, () => ({ status: 404, body }));

test.each(['NOT_FOUND', 'NotFound'])('a listing that was removed (%s) is missing', async (code) => {
  notThere({ errors: [{ code, message: "SKU 'SKU-1' not found in marketplace ATVPDKIKX0DER" }] });
  fake.lists(amazonItem(2));
  expect(await read()).toEqual([{ listingId: 1, kind: 'missing' }]);
});

test('of a seller ID for which nothing is listed no SKU is missing', async () => {
  notThere({ errors: [{ code: 'NOT_FOUND', message: 'Not found.' }] });
  fake.lists();
  await expect(read()).rejects.toMatchObject({ fault: 'key', message: expect.stringContaining(OUR_SELLER) });
});

test('once a listing of the seller was found, one that is not found is missing without a search', async () => {
  const amazon = fake.connector();
  const readBack = () => amazon.readPrices(amazonAccount(), [sent()], never);
  expect(await readBack()).toMatchObject([{ kind: 'price' }]);
  notThere({ errors: [{ code: 'NOT_FOUND', message: 'Not found.' }] });
  expect(await readBack()).toEqual([{ listingId: 1, kind: 'missing' }]);
  expect(fake.calls(/items\/\w+\?/)).toEqual([]);
});

test('a listing that was found before the program started counts too', async () => {
  const findings = memoryFindings({});
  const account = amazonAccount({}, undefined, findings);
  expect(await fake.connector().readPrices(account, [sent()], never)).toMatchObject([{ kind: 'price' }]);
  notThere({ errors: [{ code: 'NOT_FOUND', message: 'Not found.' }] });
  fake.lists();
  const restarted = fake.connector();
  expect(await restarted.readPrices(account, [sent()], never)).toEqual([{ listingId: 1, kind: 'missing' }]);
  const other = amazonAccount({ sellerId: 'A1ANOTHER' }, undefined, findings);
  await expect(restarted.readPrices(other, [sent()], never)).rejects.toMatchObject({ fault: 'key' });
});

test.each([
  ['of a path that does not exist', { message: 'no such route' }],
  ['of something before Amazon', '<html>404</html>'],
  ['without an error', { errors: [] }],
  ['with another error', { errors: [{ code: 'InvalidInput', message: 'Invalid seller.' }] }],
])('a 404 %s does not say that the listing was removed', async (_, body) => {
  notThere(body);
  expect(await read()).toMatchObject([{ listingId: 1, kind: 'unreadable' }]);
});

test("Amazon's issue with the price is the refusal, while another price is shown", async () => {
  const other = complaint({ message: 'No picture.', attributeNames: ['main_image'] });
  item = amazonItem(1, { issues: [other, complaint(), complaint({ severity: 'WARNING', message: 'Hm.' })] });
  expect(await read()).toMatchObject([
    { kind: 'price', price: 3_100, refusal: refused('Below your minimum.') },
  ]);
  expect(await read([sent(1, 3_100)])).toMatchObject([{ price: 3_100, refusal: null }]);
});

describe('an issue from before the price was sent', () => {
  async function acceptedWith(issues: unknown[]): Promise<string | null> {
    item = amazonItem(1, { issues });
    fake.service.on('PATCH', /^\/listings/, () => ({
      body: { sku: 'SKU-1', status: 'ACCEPTED', issues: [] },
    }));
    const order = {
      ref: amazonRef(1),
      price: cents(2_990),
      currentPrice: cents(3_100),
      ownPrices: [],
      sequence: 1,
      isUrgent: false,
      idempotencyKey: 'key-1',
    };
    const [outcome] = await fake.amazon.sendPrices(
      amazonAccount(),
      [{ ...order, notAfter: instant(fake.now() + 20_000) }],
      never,
    );
    expect(outcome?.kind).toBe('accepted');
    return outcome?.kind === 'accepted' ? outcome.receipt : null;
  }
  const refusalWith = async (given: Partial<SentPrice>) => {
    const [reading] = await read([sent(1, 2_990, given)]);
    return reading?.kind === 'price' ? reading.refusal : reading?.kind;
  };

  test('is not a refusal of the new price, until that should have been confirmed', async () => {
    const receipt = await acceptedWith([complaint()]);
    expect(await refusalWith({ receipt })).toBeNull();
    expect(await refusalWith({ receipt, isLastLook: true })).toEqual(refused('Below your minimum.'));
  });

  test('does not hide issues found after that', async () => {
    const receipt = await acceptedWith([complaint()]);
    item = amazonItem(1, { issues: [complaint({ message: 'Above your maximum.' })] });
    expect(await refusalWith({ receipt })).toEqual(refused('Above your maximum.'));
    const clean = await acceptedWith([complaint({ attributeNames: ['main_image'] })]);
    expect(clean).toBeNull();
    item = amazonItem(1, { issues: [complaint()] });
    expect(await refusalWith({ receipt: clean })).toEqual(refused('Below your minimum.'));
  });
});

test('one unreadable listing among many affects only its own reading, in their order', async () => {
  fake.service.on('GET', /SKU-(\d)\?/, ({ path }) => {
    const number = Number(/SKU-(\d)/.exec(path)?.[1]);
    return number === 3 ? { body: '<html>' } : { body: amazonItem(number) };
  });
  const readings = await read([1, 2, 3, 4, 5, 6].map((number) => sent(number)));
  expect(readings.map(({ listingId, kind }) => `${listingId} ${kind}`)).toEqual([
    ...['1 price', '2 price', '3 unreadable', '4 price', '5 price', '6 price'],
  ]);
});

test.each([
  ['a refused account', { status: 403, body: { errors: [] } }, 'permission'],
  ['too many calls', { status: 429, headers: { 'retry-after': '900' }, body: { errors: [] } }, 'busy'],
])('%s fails the reading as a whole', async (_, answer, fault) => {
  fake.service.on('GET', /^\/listings/, () => answer);
  await expect(read(Array.from({ length: 50 }, (_, at) => sent(at + 1)))).rejects.toMatchObject({ fault });
  expect(fake.calls(/^\/listings/).length).toBeLessThan(10);
});
