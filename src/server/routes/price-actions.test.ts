import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { skus } from '#db/schema/catalog.ts';
import { priceHistory } from '#db/schema/prices.ts';
import { appSettings } from '#db/schema/settings.ts';
import { pct, usd } from '#tests/builders/facts.ts';
import { createPricedShop, type PricedShop } from '#tests/support/priced-shop.ts';

let shop: PricedShop;
beforeEach(async () => {
  shop = await createPricedShop();
});
afterEach(() => shop.app.close());

const type = (price: string, from: string, confirmed: object = {}) =>
  shop.send('PUT', `/api/listings/${shop.id}/price`, { price, from, ...confirmed });

describe('a manual price', () => {
  test('is applied, put on hold, marked for upload and logged', async () => {
    await shop.engineRuns();
    const answer = await type('27.50', '20.00');
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({
      currentPrice: '27.50',
      recommendedPrice: null,
      recommendedPriceReason: null,
      // 27.50 - 4.125 - 10.00 = 13.375 of 27.50
      margin: '48.63',
      awaitingUploadSince: '2026-01-15T12:00:00.000Z',
      hold: {
        until: '2026-01-16T12:00:00.000Z',
        by: 'boss@example.com',
        reason: 'Price set by boss@example.com',
      },
    });
    expect(await shop.lastMove()).toMatchObject({
      oldPrice: usd(20),
      newPrice: usd(27.5),
      source: 'person',
      actor: 'boss@example.com',
      reason: 'Set by boss@example.com.',
      marginFloor: usd(14.29),
      ruleId: null,
      // From 35.00 %.
      marginImpact: pct(13.63),
      facts: expect.objectContaining({ form: 5 }),
    });
    const listing = await shop.listing();
    expect(listing.anchorPrice).toBe(usd(27.5));
    expect(await shop.auditOf('price.typed')).toMatchObject([
      { actor: 'boss@example.com', before: { price: '20.00' }, after: { price: '27.50' } },
    ]);
  });

  test('may go beyond the step limit, and the price ceiling follows', async () => {
    expect((await type('30.00', '20.00')).statusCode).toBe(200);
    expect((await type('45.00', '30.00')).statusCode).toBe(200);
    expect((await type('14.29', '45.00')).statusCode).toBe(200);
  });

  test.each([
    [
      '14.28',
      /^\$14\.28 is below \$14\.29, the lowest price that keeps your 15% margin\. Use \$14\.29 or more\.$/,
    ],
    ['30.01', /above the price ceiling of \$30\.00/],
    ['20.00', /^A-1 is already priced at \$20\.00\.$/],
  ])('of %s is refused with the limit', async (price, message) => {
    const answer = await type(price, '20.00');
    expect(answer.statusCode).toBe(400);
    expect(answer.json().message).toMatch(message);
    expect(answer.json().fields.price).toMatch(message);
    expect((await shop.lastMove()).newPrice).toBe(usd(20));
  });

  test('is refused while a cost is unknown, with what to enter', async () => {
    await shop.app.db.update(skus).set({ productCost: null });
    const answer = await type('50.00', '20.00');
    expect(answer.statusCode).toBe(400);
    expect(answer.json().message).toContain('Enter the product cost of SKU A-1');
  });

  test('without any rule must not lose money', async () => {
    await shop.app.db.execute('UPDATE repricing_rules SET deleted_at = now()');
    expect((await type('11.76', '20.00')).json().message).toContain(
      '$11.77, the lowest price that loses no money',
    );
    expect((await type('11.77', '20.00')).statusCode).toBe(200);
  });

  test('is refused when the price has changed, with the new one', async () => {
    await type('25.00', '20.00');
    const answer = await type('24.00', '20.00');
    expect(answer.statusCode).toBe(409);
    expect(answer.json()).toMatchObject({
      message: 'The price of A-1 changed from $20.00 to $25.00 after you opened it.',
      fields: { price: '25.00' },
    });
  });

  test('of two users at the same time: one wins, the other gets the new price', async () => {
    const answers = await Promise.all([
      type('25.00', '20.00'),
      type('24.00', '20.00'),
      type('23.00', '20.00'),
    ]);
    const taken = answers.filter(({ statusCode }) => statusCode === 200);
    const refused = answers.filter(({ statusCode }) => statusCode === 409);
    expect([taken.length, refused.length]).toEqual([1, 2]);
    const price = taken[0]?.json().currentPrice;
    for (const answer of refused) expect(answer.json().fields.price).toBe(price);
    expect(await shop.app.db.select().from(priceHistory)).toHaveLength(2);
  });

  test('changes under a halt once that is confirmed, within the same limits', async () => {
    const earlier = await shop.halt();
    shop.app.advance(1_000);
    const confirmed = { whileHalted: await shop.halt() };
    for (const unconfirmed of [{}, { whileHalted: false }, { whileHalted: earlier }]) {
      const answer = await type('25.00', '20.00', unconfirmed);
      expect([answer.statusCode, answer.json().code]).toEqual([409, 'halted']);
      expect(answer.json().fields).toEqual(confirmed);
    }
    expect((await shop.get(`/api/listings/${shop.id}/price-check?price=25.00`)).json().isAllowed).toBe(true);
    expect((await type('11.00', '20.00', confirmed)).json().code).toBe('validation_failed');
    expect((await shop.listing()).currentPrice).toBe(usd(20));
    expect((await type('25.00', '20.00', confirmed)).json()).toMatchObject({ currentPrice: '25.00' });
    expect(await shop.auditOf('price.typed')).toMatchObject([
      { after: { price: '25.00', whileHalted: true } },
    ]);
    expect(await shop.auditOf('engine.resumed')).toEqual([]);
  });

  test('is on hold for as long as the settings say, and not at all at zero', async () => {
    await shop.app.db.update(appSettings).set({ holdMinutes: 90 });
    expect((await type('25.00', '20.00')).json().hold.until).toBe('2026-01-15T13:30:00.000Z');
    await shop.app.db.update(appSettings).set({ holdMinutes: 0 });
    await shop.send('POST', '/api/listings/resume', { selection: { ids: [String(shop.id)] } });
    expect((await type('26.00', '25.00')).json().hold).toBeNull();
  });

  test('never shortens a hold that a user set', async () => {
    const hold = { selection: { ids: [String(shop.id)] }, hours: null, reason: 'Sale until Sunday' };
    await shop.send('POST', '/api/listings/hold', hold);
    expect((await type('25.00', '20.00')).json().hold).toMatchObject({
      until: null,
      reason: 'Sale until Sunday',
    });
    await shop.send('POST', '/api/listings/hold', { ...hold, hours: 48 });
    expect((await type('26.00', '25.00')).json().hold.until).toBe('2026-01-17T12:00:00.000Z');
    await shop.send('POST', '/api/listings/hold', { ...hold, hours: 2 });
    expect((await type('27.00', '26.00')).json().hold).toMatchObject({
      until: '2026-01-16T12:00:00.000Z',
      reason: 'Price set by boss@example.com',
    });
  });

  test('of an unknown listing is not found', async () => {
    const answer = await shop.send('PUT', '/api/listings/999999/price', { price: '25.00', from: '20.00' });
    expect(answer.statusCode).toBe(404);
  });
});

describe('a price check', () => {
  const check = async (price: string) =>
    (await shop.get(`/api/listings/${shop.id}/price-check?price=${price}`)).json();

  test('shows margin, profit and whether it is allowed, and changes nothing', async () => {
    expect(await check('25.00')).toEqual({
      margin: '45.00',
      profit: '11.25',
      isAllowed: true,
      message: null,
      lowestAllowedPrice: '14.29',
      highestAllowedPrice: '30.00',
      notes: [],
    });
    expect(await check('11.00')).toMatchObject({
      margin: '-5.91',
      profit: '-0.65',
      isAllowed: false,
      message: expect.stringContaining('$14.29'),
    });
    expect((await shop.lastMove()).newPrice).toBe(usd(20));
  });

  test('leaves unknown values null', async () => {
    await shop.app.db.update(skus).set({ productCost: null });
    expect(await check('25.00')).toMatchObject({
      margin: null,
      profit: null,
      isAllowed: false,
      lowestAllowedPrice: null,
    });
  });
});

describe('reverting to an older price', () => {
  const revert = async (from: string, row?: number, confirmed: object = {}) => {
    const path = `/api/history/${shop.id}/${row ?? (await shop.lastMove()).id}/revert`;
    return shop.send('POST', path, { from, ...confirmed });
  };

  test('is a new checked row, and the listing is on hold', async () => {
    await type('25.00', '20.00');
    shop.app.advance(60_000);
    const answer = await revert('25.00');
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({
      currentPrice: '20.00',
      hold: { until: '2026-01-16T12:01:00.000Z', reason: 'Price reverted by boss@example.com' },
    });
    expect(await shop.lastMove()).toMatchObject({
      source: 'undo',
      oldPrice: usd(25),
      newPrice: usd(20),
      reason: 'Reverted to the price before 2026-01-15 12:00 UTC by boss@example.com.',
      marginFloor: usd(14.29),
    });
    const listing = await shop.listing();
    expect(listing.anchorPrice).toBe(usd(25));
    expect(await shop.auditOf('price.reverted')).toHaveLength(1);
  });

  test('is a conflict when the price has changed after that', async () => {
    await type('25.00', '20.00');
    const row = (await shop.lastMove()).id;
    await type('26.00', '25.00');
    const answer = await revert('25.00', row);
    expect(answer.statusCode).toBe(409);
    expect(answer.json().fields).toEqual({ price: '26.00' });
    expect((await revert('26.00', row)).json().currentPrice).toBe('20.00');
  });

  test('is refused when the old price is not allowed today, with the limit', async () => {
    await type('25.00', '20.00');
    await shop.app.db.update(skus).set({ productCost: usd(15) });
    const answer = await revert('25.00');
    expect(answer.statusCode).toBe(400);
    expect(answer.json().message).toMatch(
      /^\$20\.00 is below \$21\.43, the lowest price that keeps your 15% margin/,
    );
  });

  test('is refused for the first price, for a row of another listing, and under a halt until confirmed', async () => {
    const first = (await shop.lastMove()).id;
    expect((await revert('20.00', first)).json().message).toBe(
      'This is the first price of A-1: there is no earlier price.',
    );
    expect((await revert('20.00', 999_999)).statusCode).toBe(404);
    await type('25.00', '20.00');
    await shop.halt();
    expect((await revert('25.00')).json().code).toBe('halted');
    expect((await revert('25.00', undefined, { whileHalted: true })).json()).toMatchObject({
      currentPrice: '20.00',
    });
  });
});
