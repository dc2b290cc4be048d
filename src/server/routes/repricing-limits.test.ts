import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { competitorOffers } from '#db/schema/offers.ts';
import { sellerKey } from '#domain/competition/offer.ts';
import { cents, hours, minutes } from '#domain/units.ts';
import { auditOf, dueSkus, forgetDue } from '#tests/support/read-back.ts';
import { addListing, addRule } from '#tests/support/seed.ts';
import { aRegistration, createTestApp, type TestApp } from '#tests/support/test-app.ts';
import { approveUser } from '#usecases/identity/accounts/approve-by-operator.ts';

let shop: TestApp;
let cookie: string;
beforeEach(async () => {
  shop = await createTestApp();
  cookie = await shop.admin();
});
afterEach(() => shop.close());

const put = (url: string, payload: object, as = cookie) =>
  shop.post(url, payload, { method: 'PUT', headers: { cookie: as } });

const FRESH = {
  autoRepricing: true,
  checkIntervalMinutes: 15,
  maxOfferAgeHours: 24,
  maxStep: '15.00',
  maxDailyChange: '30.00',
  minStep: '0.01',
  cooldownMinutes: 0,
  priceWarThreshold: 6,
  priceWarPauseHours: 6,
  holdHours: 24,
  breakerDropShare: '20.00',
  breakerDropDepth: '10.00',
  breakerSameOutcomeShare: '20.00',
  version: 1,
};

async function aPlainUser(): Promise<string> {
  await shop.post('/api/register', aRegistration());
  await approveUser(shop.deps, 'ann@example.com', false);
  return shop.logIn('ann@example.com');
}

describe('repricing limits', () => {
  test('a new installation has the limits of the domain page; every logged-in user may read them', async () => {
    expect((await shop.get('/api/repricing-limits', await aPlainUser())).json()).toEqual(FRESH);
  });

  test('saving keeps every field, counts up the version and makes listings due', async () => {
    await addListing(shop.db, 'A-1');
    await forgetDue(shop.db);
    const wanted = {
      autoRepricing: false,
      checkIntervalMinutes: 60,
      maxOfferAgeHours: 1.5,
      maxStep: '7.50',
      maxDailyChange: '20.00',
      minStep: '0.10',
      cooldownMinutes: 30,
      priceWarThreshold: 3,
      priceWarPauseHours: 0,
      holdHours: 48,
      breakerDropShare: '12.50',
      breakerDropDepth: '5.00',
      breakerSameOutcomeShare: '50.00',
      version: 1,
    };
    const answer = await put('/api/repricing-limits', wanted);
    expect(answer.json()).toEqual({ ...wanted, version: 2 });
    expect((await shop.get('/api/repricing-limits', cookie)).json()).toEqual({ ...wanted, version: 2 });
    expect(await dueSkus(shop.db)).toEqual(['walmart A-1: settings']);
    expect(await auditOf(shop.db, 'guards.saved')).toMatchObject([
      { actor: 'boss@example.com', before: { maxStep: '15.00' }, after: { maxStep: '7.50' } },
    ]);
  });

  test("a page from before another user's save is refused and changes nothing", async () => {
    await put('/api/repricing-limits', { ...FRESH, priceWarThreshold: 9 });
    const stale = await put('/api/repricing-limits', { ...FRESH, priceWarThreshold: 4 });
    expect(stale.statusCode).toBe(409);
    expect(stale.json().message).toContain('after you opened this page (boss@example.com, just now)');
    expect((await shop.get('/api/repricing-limits', cookie)).json()).toMatchObject({
      priceWarThreshold: 9,
      version: 2,
    });
  });

  test('a limit out of range is refused with its range', async () => {
    for (const [field, value] of [
      ['maxStep', '0.99'],
      ['maxStep', '100.01'],
      ['breakerDropShare', '0.99'],
      ['breakerDropShare', '50.01'],
      ['breakerDropDepth', '25.01'],
      ['breakerSameOutcomeShare', '50.01'],
      ['maxDailyChange', '0.00'],
      ['minStep', '0.00'],
      ['minStep', '100.01'],
      ['checkIntervalMinutes', 0],
      ['checkIntervalMinutes', 1.5],
      ['maxOfferAgeHours', 0.5],
      ['maxOfferAgeHours', 721],
      ['priceWarThreshold', 1],
      ['priceWarPauseHours', 0.001],
      ['holdHours', -1],
      ['cooldownMinutes', 10_081],
    ] as const) {
      const answer = await put('/api/repricing-limits', { ...FRESH, [field]: value });
      expect(answer.statusCode, `${field} ${value}`).toBe(400);
      expect(answer.json().fields, `${field} ${value}`).toEqual({
        [field]: expect.stringMatching(/^Enter .* from \d/),
      });
    }
  });

  test('only an administrator changes them', async () => {
    expect((await put('/api/repricing-limits', FRESH, await aPlainUser())).statusCode).toBe(403);
  });
});

describe('own sellers', () => {
  const declare = (names: string[], marketplace = 'walmart') =>
    put('/api/own-sellers', { marketplaces: [{ marketplace, names }] });
  const namesOn = async (marketplace: string): Promise<string[]> =>
    (await shop.get('/api/own-sellers', cookie))
      .json()
      .marketplaces.find((each: { marketplace: string }) => each.marketplace === marketplace).names;

  test('two spellings are one seller, and other marketplaces keep theirs', async () => {
    await declare(['Etsy Me'], 'etsy');
    await declare(['My Shop', ' MY SHOP ', 'Outlet']);
    expect(await namesOn('walmart')).toEqual(['MY SHOP', 'Outlet']);
    expect(await namesOn('etsy')).toEqual(['Etsy Me']);
    expect(await auditOf(shop.db, 'own_sellers.saved')).toMatchObject([
      { before: { etsy: [] }, after: { etsy: ['Etsy Me'] } },
      { before: { walmart: [] }, after: { walmart: ['MY SHOP', 'Outlet'] } },
    ]);
  });

  test('an unchanged name makes nothing due, an added or removed one does', async () => {
    await declare(['My Shop']);
    await addListing(shop.db, 'A-1');
    await forgetDue(shop.db);
    await declare(['my shop']);
    expect(await dueSkus(shop.db)).toEqual([]);
    expect(await namesOn('walmart')).toEqual(['my shop']);
    await declare([]);
    expect(await dueSkus(shop.db)).toEqual(['walmart A-1: own sellers']);
    expect(await namesOn('walmart')).toEqual([]);
  });

  test.each(['', '   ', '\u00a0'])('a blank name (%j) is never ours', async (name) => {
    const answer = await declare([name]);
    expect(answer.statusCode).toBe(400);
    expect((await shop.db.execute(sql`select from own_sellers`)).rows).toEqual([]);
  });

  test('a marketplace named twice is refused', async () => {
    const twice = {
      marketplaces: [
        { marketplace: 'etsy', names: [] },
        { marketplace: 'etsy', names: ['A'] },
      ],
    };
    expect((await put('/api/own-sellers', twice)).statusCode).toBe(400);
  });

  test('suggests undeclared third-party sellers seen on most listings', async () => {
    const offer = (listingId: number, sellerName: string | null, over = {}) => ({
      listingId,
      sellerName,
      sellerKey: sellerKey(sellerName),
      price: cents(100),
      ...over,
    });
    const [one, two] = [await addListing(shop.db, 'A-1'), await addListing(shop.db, 'A-2')];
    await shop.db
      .insert(competitorOffers)
      .values([
        offer(one, 'Corner Store'),
        offer(one, 'My Shop'),
        offer(two, 'MY SHOP'),
        offer(two, 'Declared'),
        offer(two, 'Ours by its mark', { isOurs: true }),
        offer(two, 'Walmart', { isMarketplace: true }),
        offer(two, null),
      ]);
    await declare(['declared']);
    const { marketplaces } = (await shop.get('/api/own-sellers', cookie)).json();
    expect(marketplaces[0]).toEqual({
      marketplace: 'walmart',
      names: ['declared'],
      listings: 2,
      suggestions: [
        { name: expect.stringMatching(/^my shop$/i), listings: 2 },
        { name: 'Corner Store', listings: 1 },
      ],
    });
    expect(marketplaces[1]).toEqual({ marketplace: 'amazon', names: [], listings: 0, suggestions: [] });
  });
});

describe('the maximum offer age of a marketplace', () => {
  const url = '/api/connections/ebay/offer-age';

  test('is chosen there, makes its listings due and is automatic again', async () => {
    await addListing(shop.db, 'A-1');
    await addListing(shop.db, 'E-1', { marketplace: 'ebay' });
    await forgetDue(shop.db);
    const chosen = await put(url, { hours: 12 });
    expect(chosen.json()).toEqual({ hours: 12, chosen: 12, automatic: 24 });
    expect(await dueSkus(shop.db)).toEqual(['ebay E-1: settings']);
    expect((await put(url, { hours: null })).json()).toEqual({ hours: 24, chosen: null, automatic: 24 });
    expect(await auditOf(shop.db, 'offer_age.set')).toMatchObject([
      { before: { hours: null }, after: { hours: 12 } },
      { before: { hours: 12 }, after: { hours: null } },
    ]);
  });

  test('makes listings of the same SKU due where a rule looks at other channels', async () => {
    await addRule(shop.db, { otherChannels: true });
    for (const sku of ['A-1', 'A-2']) await addListing(shop.db, sku);
    await addListing(shop.db, 'A-1', { marketplace: 'ebay' });
    await forgetDue(shop.db);
    await put(url, { hours: 12 });
    expect(await dueSkus(shop.db)).toEqual(['ebay A-1: settings', 'walmart A-1: settings']);
  });

  test('makes nothing due while the same age counts', async () => {
    await addListing(shop.db, 'E-1', { marketplace: 'ebay' });
    await forgetDue(shop.db);
    const reach = (age: number) =>
      shop.db.execute(
        sql`UPDATE marketplace_modes SET reachable_offer_age_minutes = ${age} WHERE marketplace = 'ebay'`,
      );
    await reach(360);
    await reach(720);
    await put(url, { hours: 24 });
    await reach(4320);
    expect(await dueSkus(shop.db)).toEqual([]);
    await put(url, { hours: null });
    expect(await dueSkus(shop.db)).toEqual(['ebay E-1: settings']);
  });

  test('is automatically what the calls of the marketplace reach, never less than the limits say', async () => {
    await shop.db.execute(sql`UPDATE marketplace_modes
      SET reachable_offer_age_minutes = CASE marketplace WHEN 'ebay' THEN 4320 ELSE 60 END`);
    expect((await put(url, { hours: null })).json()).toMatchObject({ hours: 72, automatic: 72 });
    expect((await put('/api/connections/amazon/offer-age', { hours: null })).json()).toMatchObject({
      hours: 24,
    });
  });

  test('is longer only after a recent step-up', async () => {
    shop.advance(minutes(11));
    expect((await put(url, { hours: 25 })).json()).toMatchObject({ code: 'step_up_required' });
    expect((await put(url, { hours: 24 })).statusCode).toBe(200);
  });

  test.each([0, 73, 1.5, '12'])('is not %s hours', async (value) => {
    expect((await put(url, { hours: value })).statusCode).toBe(400);
  });

  test('is set by administrators only', async () => {
    expect((await put(url, { hours: 12 }, await aPlainUser())).statusCode).toBe(403);
  });
});

describe('how often competitors are read', () => {
  const refresh = async (marketplace: string) =>
    (await shop.get(`/api/connections/${marketplace}/refresh`, cookie)).json();
  const readAgo = async (sku: string, ago: number | null) => {
    const id = await addListing(shop.db, sku, { marketplace: 'ebay' });
    const at = ago === null ? null : new Date(shop.deps.now() - ago).toISOString();
    await shop.db.execute(sql`
      INSERT INTO marketplace_listings (listing_id, keys, is_active, seen_at, offers_read_at)
      VALUES (${id}, '{}', true, ${new Date(shop.deps.now()).toISOString()}, ${at})`);
    if (at !== null)
      await shop.db.execute(sql`INSERT INTO competition_readings (listing_id, read_at, coverage, source)
        VALUES (${id}, ${at}, 'all', 'sync')`);
  };

  test('is measured by the last readings, and so is how many count', async () => {
    await readAgo('E-1', hours(5));
    await readAgo('E-2', hours(25));
    expect((await refresh('ebay')).readings).toMatchObject({
      listings: 2,
      unread: 0,
      fresh: 1,
      contested: 0,
      contestedInterval: null,
      interval: { minutes: 25 * 60, basis: 'measured' },
    });
  });

  test('is estimated while a listing was never read', async () => {
    await readAgo('E-1', hours(5));
    await readAgo('E-2', null);
    expect((await refresh('ebay')).readings).toMatchObject({
      unread: 1,
      fresh: 1,
      callsPerDay: 5_000,
      usedPerDay: 3_600,
      interval: { minutes: 15, basis: 'estimated' },
    });
  });

  test('is looked up once a minute, and at once where another age counts', async () => {
    await readAgo('E-1', hours(5));
    const counts = async () => {
      const { listings, fresh } = (await refresh('ebay')).readings;
      return { listings, fresh };
    };
    const before = await Promise.all([counts(), counts()]);
    await readAgo('E-2', hours(25));
    const within = await counts();
    shop.advance(minutes(1));
    expect([...before, within, await counts()]).toEqual([
      ...Array.from({ length: 3 }, () => ({ listings: 1, fresh: 1 })),
      { listings: 2, fresh: 1 },
    ]);
    await put('/api/connections/ebay/offer-age', { hours: 4 });
    expect(await counts()).toEqual({ listings: 2, fresh: 0 });
  });

  test('is not said without listings, nor where none can be read', async () => {
    expect((await refresh('ebay')).readings).toMatchObject({ listings: 0, interval: null });
    expect(await refresh('etsy')).toEqual({
      offerAge: { hours: 24, chosen: null, automatic: 24 },
      readings: null,
    });
  });
});
