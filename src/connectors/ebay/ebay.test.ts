import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { instant } from '#domain/units.ts';
import { allOf, entriesOf } from '#tests/support/all-of.ts';
import { type EbayShop, ebayOrder, ebayRef, NOON, startEbayShop } from '#tests/support/fake-ebay.ts';
import { SERVICE_FAULTS } from '#tests/support/service-faults.ts';

let shop: EbayShop;
beforeEach(async () => {
  shop = await startEbayShop();
  shop.service.on('GET', /inventory_item/, () => ({ body: { total: 0 } }));
  shop.service.on('POST', /bulk_update/, () => ({
    body: { responses: [{ offerId: '901', statusCode: 200 }] },
  }));
});
afterEach(() => shop.service.close());

const never = new AbortController().signal;
const check = () => shop.connector.check(shop.account, never);
/** Without those that only ask what the seller agreed to. */
const tokenCalls = () =>
  shop.service.asked.filter(
    ({ path, text }) => path.includes('/oauth2/token') && !text.includes('sell.marketing'),
  );

describe('tokens', () => {
  test("the seller's is fetched once by the refresh token and used for its lifetime", async () => {
    await check();
    shop.clock.now = instant(NOON + 5_000_000);
    await check();
    expect(tokenCalls()).toHaveLength(1);
    shop.clock.now = instant(NOON + 6_000_000);
    await check();
    expect(tokenCalls()).toHaveLength(2);
    const [first] = tokenCalls();
    expect(first?.headers.authorization).toBe(`Basic ${Buffer.from('app-1:cert-1').toString('base64')}`);
    expect(Object.fromEntries(new URLSearchParams(first?.text))).toEqual({
      grant_type: 'refresh_token',
      refresh_token: 'v^1.1#refresh',
    });
    const used = shop.service.asked.filter(({ path }) => path.includes('inventory_item'));
    expect(used.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer seller-1',
      'Bearer seller-1',
      'Bearer seller-2',
    ]);
  });

  test('a search uses the token of the application, kept in addition to the other', async () => {
    shop.service.on('GET', /item_summary/, () => ({ body: { total: 0 } }));
    await check();
    await allOf(shop.connector.readOffers?.(shop.account, [ebayRef(1), ebayRef(2)], never));
    await check();
    expect(tokenCalls().map(({ text }) => new URLSearchParams(text).get('grant_type'))).toEqual([
      'refresh_token',
      'client_credentials',
    ]);
    const searches = shop.service.asked.filter(({ path }) => path.includes('item_summary'));
    expect(searches.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer application-2',
      'Bearer application-2',
    ]);
    expect(searches[0]?.headers['x-ebay-c-marketplace-id']).toBe('EBAY_US');
  });

  test('one that is refused is replaced once', async () => {
    await check();
    shop.service.faults.push({ status: 401, body: {} });
    await check();
    expect(tokenCalls()).toHaveLength(2);
  });

  test.each([400, 401])('a refresh token that is refused with %i is a credential error', async (status) => {
    shop.service.faults.push({
      status,
      body: { error: 'invalid_grant', error_description: 'it was revoked' },
    });
    const error = await check().catch((caught: unknown) => caught);
    expect(error).toMatchObject({
      fault: 'key',
      status,
      code: 'invalid_grant',
      message: `eBay does not accept your authorization (${status}). Choose "Connect eBay" in Settings. eBay says: it was revoked`,
    });
    expect(String(error)).not.toContain('v^1.1#refresh');
    expect(shop.asked()).toEqual([]);
  });

  test('an application that eBay does not know is not an error of the authorization', async () => {
    shop.service.faults.push({
      status: 401,
      body: { error: 'invalid_client', error_description: 'unknown' },
    });
    await expect(check()).rejects.toThrow(/^eBay does not accept the App ID and Cert ID \(401\)\./);
  });

  test.each([
    ['appId', 'App ID'],
    ['certId', 'Cert ID'],
    ['refreshToken', 'refresh token'],
  ])('without %s nothing is asked', async (member, words) => {
    const { [member]: _, ...credentials } = shop.account.credentials;
    const account = { ...shop.account, credentials };
    await expect(shop.connector.check(account, never)).rejects.toMatchObject({
      fault: 'key',
      message: expect.stringContaining(words),
    });
    expect(shop.service.asked).toEqual([]);
  });
});

describe('check', () => {
  test('names the store and nothing else when all is well', async () => {
    expect(await check()).toEqual({ shopName: 'fine-mugs', notes: [], endsAt: null });
    expect(shop.asked()).toEqual([
      'GET /sell/inventory/v1/inventory_item?limit=1&offset=0',
      'GET /sell/finances/v1/transaction?limit=1',
    ]);
  });

  test('an authorization without payments is a note', async () => {
    const errors = [{ errorId: 1_100, message: 'Access denied' }];
    shop.service.on('GET', /finances/, () => ({ status: 403, body: { errors } }));
    expect((await check()).notes).toEqual([expect.stringContaining('sell.finances')]);
  });

  test("an authorization from before the listings of the seller's own sales were asked for is a note", async () => {
    shop.service.on('POST', /oauth2\/token/, ({ text }) =>
      text.includes('sell.marketing')
        ? { status: 400, body: { error: 'invalid_scope', error_description: 'Exceeds what was granted.' } }
        : { body: { access_token: 'seller-1', expires_in: 7_200 } },
    );
    expect((await check()).notes).toEqual([expect.stringContaining('(sell.marketing)')]);
  });

  test('reports the expiry of the authorization, once and not among the notes, and a missing user name', async () => {
    const credentials = { ...shop.account.credentials, refreshTokenExpiresAt: '2026-03-20' };
    delete (credentials as Record<string, string>).username;
    const report = await shop.connector.check({ ...shop.account, credentials }, never);
    expect(report.endsAt).toBe(Date.UTC(2026, 2, 20));
    expect(report.notes).toEqual([expect.stringContaining('user name')]);
  });

  test('reports an invalid expiry of the refresh token, and continues', async () => {
    const credentials = { ...shop.account.credentials, refreshTokenExpiresAt: 'next spring' };
    const report = await shop.connector.check({ ...shop.account, credentials }, never);
    expect(report).toMatchObject({ endsAt: null, notes: [expect.stringContaining('is not a day')] });
  });

  test('fails with a key without permission', async () => {
    await check();
    shop.service.faults.push({
      status: 403,
      body: { errors: [{ errorId: 1_100, message: 'Access denied' }] },
    });
    await expect(check()).rejects.toMatchObject({ fault: 'permission', code: '1100' });
  });
});

describe.each(SERVICE_FAULTS)('$name', ({ answer, read, sent, isSilent }) => {
  beforeEach(async () => {
    await shop.service.close();
    const held = { value: 'held', obtainedAt: NOON, expiresAt: null };
    shop = await startEbayShop({ access: held, application: held }, isSilent ? 80 : 10_000);
    shop.service.faults.push(answer, answer);
  });

  test(`fails the whole catalog sync: ${read}`, async () => {
    const pages = entriesOf(shop.connector.readListings(shop.account, never));
    await expect(allOf(pages)).rejects.toMatchObject({ fault: read });
  });

  test(`fails the whole order sync: ${read}`, async () => {
    const pages = shop.connector.readSales?.(shop.account, NOON, never);
    await expect(allOf(pages)).rejects.toMatchObject({ fault: read });
  });

  test(`of a price: ${sent}, and what may have been received is not sent again`, async () => {
    shop.service.faultsOnly(/bulk_update/);
    const outcomes = await shop.connector.sendPrices(shop.account, [ebayOrder(1)], never);
    expect(outcomes).toEqual([expect.objectContaining({ listingId: 1, kind: sent })]);
    const writes = shop.service.asked.filter(({ path }) => path.includes('bulk_update'));
    if (sent === 'unknown') expect(writes).toHaveLength(1);
  });

  test('of a read-back: never a price', async () => {
    const sentPrice = {
      ref: ebayRef(1),
      price: ebayOrder(1).price,
      receipt: null,
      sentAt: NOON,
      isLastLook: false,
    };
    const reading = shop.connector.readPrices(shop.account, [sentPrice], never);
    if (read === 'unreadable') await expect(reading).resolves.toMatchObject([{ kind: 'unreadable' }]);
    else await expect(reading).rejects.toMatchObject({ fault: read });
  });

  test('of offers: unavailable or a failure, never an empty market', async () => {
    const offers = allOf(shop.connector.readOffers?.(shop.account, [ebayRef(1)], never));
    if (read === 'unreadable')
      await expect(offers).resolves.toMatchObject([{ kind: 'unread', listingId: 1 }]);
    else await expect(offers).rejects.toMatchObject({ fault: read });
  });
});
