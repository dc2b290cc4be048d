import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  amazonAccount,
  amazonItem,
  type FakeAmazon,
  OUR_SELLER,
  startFakeAmazon,
  US,
} from '#tests/support/fake-amazon.ts';
import { memoryVault } from '#tests/support/memory-vault.ts';

let fake: FakeAmazon;
beforeEach(async () => {
  fake = await startFakeAmazon();
  fake.service.on('GET', /^\/sellers\/v1\/marketplaceParticipations$/, () => ({ body: participations() }));
  fake.lists(amazonItem(1));
});
afterEach(() => fake.close());

const never = new AbortController().signal;
const tokenCalls = () => fake.calls(/^\/auth/);

function participations(given: { marketplace?: object; participation?: object } = {}) {
  const marketplace = { id: US, name: 'Amazon.com', defaultCurrencyCode: 'USD', ...given.marketplace };
  const participation = { isParticipating: true, hasSuspendedListings: false, ...given.participation };
  return { payload: [{ marketplace, participation, storeName: 'Kettles & Co' }] };
}

describe('check', () => {
  test('names the store, and requests one listing to check the seller ID', async () => {
    expect(await fake.amazon.check(amazonAccount(), never)).toEqual({
      shopName: 'Kettles & Co',
      notes: [],
      endsAt: null,
    });
    const [listing] = fake.calls(/^\/listings/);
    expect(listing?.path).toContain(`/items/${OUR_SELLER}?`);
    expect(listing?.query.get('pageSize')).toBe('1');
    expect(listing?.query.get('marketplaceIds')).toBe(US);
  });

  test.each([
    [{ participation: { hasSuspendedListings: true } }, /inactive/],
    [{ marketplace: { defaultCurrencyCode: 'CAD' } }, /US dollars/],
  ])('%j is a note', async (given, note) => {
    fake.service.on('GET', /^\/sellers/, () => ({ body: participations(given) }));
    const { notes } = await fake.amazon.check(amazonAccount(), never);
    expect(notes).toEqual([expect.stringMatching(note)]);
  });

  test.each([
    [/^\/listings/, /Product Listing/],
    [/^\/finances/, /Finance and Accounting/],
  ])('a missing role for %s is a note', async (path, note) => {
    fake.service.on('GET', path, () => ({
      status: 403,
      body: { errors: [{ code: 'Unauthorized', message: 'Access is denied.' }] },
    }));
    const { notes } = await fake.amazon.check(amazonAccount(), never);
    expect(notes).toEqual([expect.stringMatching(note)]);
  });

  test('a seller ID for which nothing is listed is a note', async () => {
    fake.lists();
    const named = [expect.stringContaining(OUR_SELLER)];
    expect((await fake.amazon.check(amazonAccount(), never)).notes).toEqual(named);
    fake.service.on('GET', /^\/listings/, () => ({
      status: 404,
      body: { errors: [{ code: 'NOT_FOUND', message: 'Not found.' }] },
    }));
    expect((await fake.amazon.check(amazonAccount(), never)).notes).toEqual(named);
  });

  test.each([[{ participation: { isParticipating: false } }], [{ marketplace: { id: 'A2EUQ1WTGCTBG2' } }]])(
    '%j: the account does not sell there',
    async (given) => {
      fake.service.on('GET', /^\/sellers/, () => ({ body: participations(given) }));
      await expect(fake.amazon.check(amazonAccount(), never)).rejects.toMatchObject({
        fault: 'refused',
        message: expect.stringContaining(US),
      });
    },
  );
});

describe('credentials', () => {
  test.each([
    ['sellerId', /seller ID/],
    ['lwaClientId', /client ID/],
    ['lwaClientSecret', /client secret/],
    ['refreshToken', /refresh token/],
  ])('without %s nothing is asked, and it is said what is missing', async (name, words) => {
    await expect(fake.amazon.check(amazonAccount({ [name]: ' ' }), never)).rejects.toMatchObject({
      fault: 'key',
      message: expect.stringMatching(words),
    });
    expect(fake.service.asked).toEqual([]);
  });

  test('that are blank get their defaults', async () => {
    const { notes } = await fake.amazon.check(amazonAccount({ region: '', marketplaceId: '' }), never);
    expect(notes).toEqual([]);
  });

  test('an unknown region is named', async () => {
    await expect(fake.amazon.check(amazonAccount({ region: 'mars' }), never)).rejects.toMatchObject({
      fault: 'key',
      message: expect.stringMatching(/region/),
    });
  });
});

describe('the access token', () => {
  test('is fetched with the refresh token and sent with every call', async () => {
    await fake.amazon.check(amazonAccount(), never);
    const [token] = tokenCalls();
    expect(Object.fromEntries(new URLSearchParams(token?.text))).toEqual({
      grant_type: 'refresh_token',
      refresh_token: 'refresh-1',
      client_id: 'client-1',
      client_secret: 'secret-1',
    });
    const [call] = fake.calls(/^\/sellers/);
    expect(call?.headers).toMatchObject({
      'x-amz-access-token': 'token-1',
      'x-amz-date': '20261120T120000Z',
      'user-agent': expect.stringMatching(/^Pricewright\/.+Language=TypeScript/),
    });
  });

  test('is reused until four fifths of its hour have passed', async () => {
    const account = amazonAccount();
    await fake.amazon.check(account, never);
    fake.pass(47 * 60_000);
    await fake.amazon.check(account, never);
    expect(tokenCalls()).toHaveLength(1);
    fake.pass(60_000);
    await fake.amazon.check(account, never);
    expect(tokenCalls()).toHaveLength(2);
  });

  test.each([
    [401, { code: 'Unauthorized', message: 'Access denied.' }],
    [
      403,
      { code: 'Unauthorized', message: 'Denied.', details: 'The access token you provided has expired.' },
    ],
  ])('refused with %i is replaced once', async (status, error) => {
    const vault = memoryVault();
    await fake.amazon.check(amazonAccount({}, vault), never);
    fake.service.faults.push({ status, body: { errors: [error] } });
    await fake.amazon.check(amazonAccount({}, vault), never);
    expect(tokenCalls()).toHaveLength(2);
    expect((await vault.read()).access?.value).toBe('token-2');
  });

  test('a missing permission is no reason for a new token', async () => {
    fake.service.on('GET', /^\/sellers/, () => ({
      status: 403,
      body: { errors: [{ code: 'Unauthorized', message: 'Access is denied.' }] },
    }));
    await expect(fake.amazon.check(amazonAccount(), never)).rejects.toMatchObject({ fault: 'permission' });
    expect(tokenCalls()).toHaveLength(1);
  });

  test.each([
    [400, 'invalid_grant', /refresh token/],
    [401, 'invalid_client', /180 days/],
    [400, 'unauthorized_client', /another application/],
    [400, 'invalid_request', /LWA credentials/],
  ])(
    'that is not given (%i %s) says which credential it is, without its text',
    async (status, error, words) => {
      const description = 'refresh-1 secret-1';
      fake.service.faults.push({ status, body: { error, error_description: description } });
      const failure = await fake.amazon.check(amazonAccount(), never).catch((caught: unknown) => caught);
      expect(failure).toMatchObject({ fault: 'key', code: error, message: expect.stringMatching(words) });
      expect(JSON.stringify([String(failure), failure])).not.toMatch(/refresh-1|secret-1/);
      expect(fake.calls(/^\/sellers/)).toEqual([]);
    },
  );

  test.each([
    ['without a token', { expires_in: 3600 }],
    ['with a token that no header takes', { access_token: 'a\nb', expires_in: 3600 }],
    ['without an end', { access_token: 'a' }],
    ['as a page for people', '<html>'],
  ])('answered %s is none', async (_, body) => {
    fake.service.faults.push({ body });
    await expect(fake.amazon.check(amazonAccount(), never)).rejects.toMatchObject({ fault: 'unreadable' });
  });
});

test("the rate limit is learned from Amazon's responses", async () => {
  fake.service.on('POST', /listingOffers$/, () => ({
    headers: { 'x-amzn-ratelimit-limit': '5.0' },
    body: { responses: [] },
  }));
  const read = async () => {
    for await (const _ of fake.amazon.readOffers?.(amazonAccount(), refs, never) ?? []);
  };
  const refs = Array.from({ length: 60 }, (_, at) => ({
    listingId: at,
    sku: `S${at}`,
    fulfillmentType: 'FBM' as const,
    itemId: null,
    keys: {},
  }));
  await read();
  // A fifth is left to other programs: four per second instead of the usual two in five seconds.
  expect(fake.waits).toEqual([250, 250]);
});
