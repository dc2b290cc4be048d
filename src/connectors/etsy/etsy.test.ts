import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { instant } from '#domain/units.ts';
import { allOf, entriesOf } from '#tests/support/all-of.ts';
import { type EtsyShop, etsyOrder, etsyRef, NOON, startEtsyShop } from '#tests/support/fake-etsy.ts';
import { SERVICE_FAULTS } from '#tests/support/service-faults.ts';

let shop: EtsyShop;
beforeEach(async () => {
  shop = await startEtsyShop();
});
afterEach(() => shop.service.close());

const never = new AbortController().signal;
const check = () => shop.connector.check(shop.account, never);
const spent = () =>
  shop.asked('/oauth/token').map(({ text }) => Object.fromEntries(new URLSearchParams(text)));

describe('tokens', () => {
  test('each refresh token is used once, and the next one comes with the access token', async () => {
    await check();
    await check();
    expect(spent()).toEqual([{ grant_type: 'refresh_token', client_id: 'key-1', refresh_token: '77.r0' }]);
    shop.clock.now = instant(NOON + 3_000_000);
    await check();
    expect(spent().map(({ refresh_token }) => refresh_token)).toEqual(['77.r0', '77.r1']);
    expect(await shop.account.tokens.read()).toMatchObject({
      access: { value: '77.a2', expiresAt: NOON + 3_000_000 + 3_600_000 },
      refresh: { value: '77.r2', expiresAt: NOON + 3_000_000 + 90 * 86_400_000 },
    });
  });

  test('the new refresh token is stored before the access token is used', async () => {
    let held: unknown = null;
    const { tokens } = shop.account;
    shop.service.on('GET', /users\/me$/, () => (response) => {
      void tokens.read().then((all) => {
        held = all.refresh?.value;
        response.destroy();
      });
    });
    await expect(check()).rejects.toMatchObject({ fault: 'network' });
    expect(held).toBe('77.r1');
    expect(shop.asked('/oauth/token')).toHaveLength(1);
  });

  test('is used by one of many concurrent callers', async () => {
    await Promise.all([check(), check(), check()]);
    expect(spent()).toHaveLength(1);
  });

  test('every call has keystring and shared secret', async () => {
    await check();
    const [me] = shop.asked('/users/me');
    expect(me?.headers['x-api-key']).toBe('key-1:secret-1');
    expect(me?.headers.authorization).toBe('Bearer 77.a1');
  });

  test('one that is refused is replaced once', async () => {
    await check();
    shop.service.faults.push({ status: 401, body: { error: 'invalid_token' } });
    await check();
    expect(spent().map(({ refresh_token }) => refresh_token)).toEqual(['77.r0', '77.r1']);
  });

  test.each([400, 401])('a refresh token that is refused with %i is a credential error', async (status) => {
    shop.service.faults.push({ status, body: { error: 'invalid_grant', error_description: 'it was spent' } });
    const error = await check().catch((caught: unknown) => caught);
    expect(error).toMatchObject({
      fault: 'key',
      status,
      code: 'invalid_grant',
      message: `Etsy does not accept your authorization (${status}). Choose "Connect Etsy" in Settings. Etsy says: it was spent`,
    });
    expect(String(error)).not.toContain('77.r0');
  });

  test('an application that Etsy does not know is not an error of the authorization', async () => {
    shop.service.faults.push({
      status: 400,
      body: { error: 'invalid_client', error_description: 'unknown' },
    });
    await expect(check()).rejects.toThrow(/^Etsy does not accept the keystring \(400\)\./);
  });

  test.each([
    ['keystring', 'keystring'],
    ['sharedSecret', 'shared secret'],
    ['refreshToken', 'refresh token'],
  ])('without %s nothing is asked', async (member, words) => {
    const { [member]: _, ...credentials } = shop.account.credentials;
    await expect(shop.connector.check({ ...shop.account, credentials }, never)).rejects.toMatchObject({
      fault: 'key',
      message: `The ${words} of Etsy is missing. Enter it in Settings.`,
    });
    expect(shop.service.asked).toEqual([]);
  });
});

describe('check', () => {
  test('names the store', async () => {
    expect(await check()).toEqual({ shopName: 'FineMugs', notes: [], endsAt: null });
  });

  test('reports that it is another store, and another currency', async () => {
    shop.service.on('GET', /\/shops\/5501$/, () => ({
      body: { shop_id: 5_501, shop_name: 'OldMugs', currency_code: 'EUR' },
    }));
    expect(await check()).toMatchObject({
      shopName: 'OldMugs',
      notes: [expect.stringContaining('not for FineMugs'), expect.stringContaining('EUR')],
    });
  });

  test('finds the store by its name where the user has none', async () => {
    shop.service.on('GET', /\/users\/me$/, () => ({ body: { user_id: 77 } }));
    const results = [
      { shop_id: 1, shop_name: 'FineMugsToo' },
      { shop_id: 5_501, shop_name: 'finemugs' },
    ];
    shop.service.on('GET', /\/shops\?/, () => ({ body: { count: 2, results } }));
    expect(await check()).toMatchObject({ shopName: 'FineMugs' });
    shop.service.on('GET', /\/shops\?/, () => ({ body: { count: 0, results: [] } }));
    await expect(check()).rejects.toMatchObject({ fault: 'refused' });
  });

  test("reports with Etsy's message that a key lacks the shared secret", async () => {
    await check();
    const error = 'Shared secret is required in x-api-key header';
    shop.service.faults.push({ status: 403, body: { error } });
    await expect(check()).rejects.toMatchObject({
      fault: 'permission',
      message: expect.stringContaining(error),
    });
  });
});

describe('the rate', () => {
  test('left for this second is respected', async () => {
    shop.service.on('GET', /\/users\/me$/, () => ({
      body: { user_id: 77, shop_id: 5_501 },
      headers: { 'x-remaining-this-second': '0' },
    }));
    await check();
    expect(shop.waits).toEqual([2_000]);
  });

  test('of the day leaves a fifth to others', async () => {
    const headers = { 'x-limit-per-day': '10000', 'x-remaining-today': '2000' };
    shop.service.on('GET', /\/users\/me$/, () => ({ body: { user_id: 77, shop_id: 5_501 }, headers }));
    await expect(check()).rejects.toMatchObject({ fault: 'busy', retryAfter: 900_000 });
    expect(shop.asked('/shops/')).toEqual([]);
  });

  test('of the day is used for prices before reviews', async () => {
    const headers = { 'x-limit-per-day': '10000', 'x-remaining-today': '6000' };
    shop.service.on('GET', /\/reviews/, () => ({ body: { count: 0, results: [] }, headers }));
    shop.service.on('GET', /\/users\/me$/, () => ({ body: { user_id: 77, shop_id: 5_501 }, headers }));
    const refs = [etsyRef(1), etsyRef(2, 'B', '9002')];
    const reviews = allOf(shop.connector.readFigures?.(shop.account, refs, never));
    await expect(reviews).rejects.toMatchObject({ fault: 'busy' });
    expect(shop.asked('/reviews')).toHaveLength(1);
    expect(await check()).toMatchObject({ shopName: 'FineMugs' });
  });
});

describe.each(SERVICE_FAULTS)('$name', ({ answer, read, sent, isSilent }) => {
  beforeEach(async () => {
    await shop.service.close();
    const held = { value: 'held', obtainedAt: NOON, expiresAt: null };
    shop = await startEtsyShop({ access: held, refresh: held }, isSilent ? 80 : 10_000);
    const fails = () => answer;
    for (const path of [/\/listings/, /\/receipts/, /\/reviews/]) shop.service.on('GET', path, fails);
  });

  test(`fails the whole catalog sync: ${read}`, async () => {
    const pages = entriesOf(shop.connector.readListings(shop.account, never));
    await expect(allOf(pages)).rejects.toMatchObject({ fault: read });
  });

  test(`fails the whole receipt sync: ${read}`, async () => {
    const pages = shop.connector.readSales?.(shop.account, NOON, never);
    await expect(allOf(pages)).rejects.toMatchObject({ fault: read });
  });

  test(`fails the whole price read: ${read}`, async () => {
    const one = {
      ref: etsyRef(1),
      price: etsyOrder(1).price,
      receipt: null,
      sentAt: NOON,
      isLastLook: false,
    };
    const reading = shop.connector.readPrices(shop.account, [one], never);
    // What cannot be read of one listing says nothing about others.
    if (read === 'unreadable') await expect(reading).resolves.toMatchObject([{ kind: 'unreadable' }]);
    else await expect(reading).rejects.toMatchObject({ fault: read });
  });

  test('before a price is written: not sent', async () => {
    const outcomes = await shop.connector.sendPrices(shop.account, [etsyOrder(1)], never);
    expect(outcomes).toEqual([expect.objectContaining({ listingId: 1, kind: 'not_sent' })]);
    expect(shop.asked('/inventory', 'PUT')).toEqual([]);
  });

  test(`when a price is written: ${sent}, and what may have been received is not sent again`, async () => {
    const inventory = {
      products: [
        {
          product_id: 1,
          sku: 'MUG-1',
          property_values: [],
          offerings: [
            { price: { amount: 2_500, divisor: 100, currency_code: 'USD' }, quantity: 4, is_enabled: true },
          ],
        },
      ],
    };
    shop.service.on('GET', /\/inventory/, () => ({ body: inventory }));
    shop.service.on('PUT', /\/inventory/, () => answer);
    const outcomes = await shop.connector.sendPrices(shop.account, [etsyOrder(1)], never);
    expect(outcomes).toEqual([expect.objectContaining({ listingId: 1, kind: sent })]);
    if (sent === 'unknown') expect(shop.asked('/inventory', 'PUT')).toHaveLength(1);
  });
});
