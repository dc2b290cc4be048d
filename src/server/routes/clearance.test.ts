import { sql } from 'drizzle-orm';
import type { LightMyRequestResponse } from 'fastify';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { aToken } from '#tests/support/api-tokens.ts';
import { importDesk } from '#tests/support/import-file.ts';
import { aReadyUser, callAs } from '#tests/support/people.ts';
import { auditOf } from '#tests/support/read-back.ts';
import { addListing } from '#tests/support/seed.ts';
import { type SettingsPage, settingsPage } from '#tests/support/settings-app.ts';
import { createTestApp, PASSWORD, type TestApp } from '#tests/support/test-app.ts';
import { MAX_WITHOUT_STEP_UP } from '#usecases/catalog/bulk-actions/bulk-step-up.ts';

const ELEVEN_MINUTES = 11 * 60_000;
const MASK = '********';

let shop: TestApp;
let cookie: string;
let page: SettingsPage;
beforeEach(async () => {
  shop = await createTestApp();
  cookie = await shop.admin();
  page = settingsPage(shop, cookie);
});
afterEach(() => shop.close());

const code = (answer: LightMyRequestResponse): unknown => answer.json().code ?? answer.statusCode;
const call = (method: 'PUT' | 'POST' | 'DELETE', url: string, payload?: object) =>
  callAs(shop, cookie, method, url, payload);
const prove = () => call('POST', '/api/step-up', { password: PASSWORD });

async function guards(over: object): Promise<LightMyRequestResponse> {
  const stored = (await shop.get('/api/repricing-limits', cookie)).json();
  return call('PUT', '/api/repricing-limits', { ...stored, ...over });
}

async function settings(over: object): Promise<LightMyRequestResponse> {
  return page.save({ ...(await page.read()), ...over });
}

const market = async (over: Record<string, object>) => page.save(await page.withMarkets(over));

describe('eleven minutes after the password', () => {
  beforeEach(async () => {
    await market({
      walmart: { clientSecret: 'one' },
      shopify: { storeUrl: 'a.myshopify.com', apiKey: 'two' },
      etsy: { enabled: false, keystring: 'three' },
    });
    shop.advance(ELEVEN_MINUTES);
  });

  test.each([
    ['a secret is replaced', () => market({ walmart: { clientSecret: 'new' } })],
    ['a secret is removed', () => market({ walmart: { clientSecret: '' } })],
    ['a destination is changed', () => market({ shopify: { storeUrl: 'b.myshopify.com', apiKey: 'two' } })],
    ['a destination is cleared', () => market({ shopify: { storeUrl: '' } })],
    ['the key of Veeqo is set', () => settings({ veeqo: { enabled: true, apiKey: 'vq' } })],
    ['a paused marketplace is switched on', () => market({ etsy: { enabled: true } })],
    ['a price guard gets looser', () => guards({ maxStep: '16.00' })],
    ['the engine is resumed', () => call('POST', '/api/engine/resume', {})],
    [
      'a marketplace goes live',
      () => call('POST', '/api/engine/go-live', { marketplaces: ['walmart'], token: 'x' }),
    ],
  ])('%s: the password first, and then it goes on', async (_, action) => {
    const before = await page.read();
    const refused = await action();
    expect(refused.statusCode).toBe(403);
    expect(refused.json()).toMatchObject({
      code: 'step_up_required',
      message: 'Enter your password again to continue.',
    });
    expect(await page.read()).toEqual(before);
    expect(await auditOf(shop.db, 'settings.saved')).toHaveLength(1);
    await prove();
    // The reviewed plan is an invented one.
    expect([200, 409]).toContain((await action()).statusCode);
  });

  test('Auto-Reprice is turned on only with it, and off without', async () => {
    expect((await settings({ autoRepricing: false })).statusCode).toBe(200);
    expect(code(await settings({ autoRepricing: true }))).toBe('step_up_required');
    expect(code(await guards({ autoRepricing: true }))).toBe('step_up_required');
  });

  test('what makes repricing do less, or changes no secret, requires none', async () => {
    const acts = [
      await settings({ checkInterval: 44 }),
      await market({ walmart: { clientId: 'c', clientSecret: MASK, enabled: false } }),
      await guards({ maxStep: '14.00', breakerDropShare: '10.00', holdHours: 48 }),
      await call('POST', '/api/engine/halt', {}),
      await call('POST', '/api/engine/recommend-only', { marketplaces: ['walmart'] }),
    ];
    expect(acts.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 200]);
  });
});

describe('the margin of a rule, eleven minutes after the password', () => {
  const form = { name: 'One', fulfillmentType: 'All', strategy: 'Beat Competitor', minimumMargin: '15' };
  const rule = (over: object, id?: string) =>
    call(id === undefined ? 'POST' : 'PUT', `/api/rules${id === undefined ? '' : `/${id}`}`, {
      ...form,
      ...over,
    });

  test('is lowered only with it, in an existing rule and in a new one', async () => {
    const { id, version } = (await rule({})).json();
    shop.advance(ELEVEN_MINUTES);
    expect(code(await rule({ version, minimumMargin: '14.99' }, id))).toBe('step_up_required');
    expect(code(await rule({ version, marketplaceMargins: { ebay: '10' } }, id))).toBe('step_up_required');
    expect(code(await rule({ name: 'Two', minimumMargin: '14' }))).toBe('step_up_required');
    expect((await rule({ name: 'Three' })).statusCode).toBe(201);
    expect((await rule({ version, minimumMargin: '16' }, id)).statusCode).toBe(200);
    await prove();
    expect((await rule({ version: version + 1, minimumMargin: '5' }, id)).statusCode).toBe(200);
    expect((await rule({ name: 'Two', minimumMargin: '4' })).statusCode).toBe(201);
  });

  test('is free in the first rule of an installation', async () => {
    shop.advance(ELEVEN_MINUTES);
    expect((await rule({ minimumMargin: '0' })).statusCode).toBe(201);
  });
});

describe('many prices in one action', () => {
  const fields = { minPrice: '9.00' };
  let ids: string[];
  beforeEach(async () => {
    const added = [];
    for (let n = 0; n <= MAX_WITHOUT_STEP_UP; n += 1) added.push(await addListing(shop.db, `A-${n}`));
    ids = added.map(String);
    shop.advance(ELEVEN_MINUTES);
  });

  test('require the password above the limit, and not at it', async () => {
    const edit = (chosen: readonly string[], more: object = fields) =>
      call('POST', '/api/listings/edit', { selection: { ids: chosen }, fields: more });
    const apply = (chosen: readonly string[]) =>
      call('POST', '/api/listings/apply', { selection: { ids: chosen } });
    expect(code(await edit(ids))).toBe('step_up_required');
    expect(code(await edit(ids, { maxPrice: null }))).toBe('step_up_required');
    // The inputs of the lowest allowed prices: a job cannot ask for the password each time.
    for (const more of [
      { shippingCost: '0' },
      { shippingCharge: '1' },
      { feeCategory: null },
      { ruleId: null },
    ]) {
      expect(code(await edit(ids, more))).toBe('step_up_required');
    }
    expect(code(await apply(ids))).toBe('step_up_required');
    expect(shop.queue.sent).toEqual([]);
    expect((await edit(ids.slice(1))).statusCode).toBe(200);
    expect((await apply(ids.slice(1))).statusCode).toBe(200);
    // None of this changes a price.
    expect((await edit(ids, { autoRepricingEnabled: false })).statusCode).toBe(200);
    await prove();
    expect((await edit(ids)).json().jobId).not.toBeNull();
    expect((await apply(ids)).statusCode).toBe(200);
  });

  test('so do calculated limits, when they are applied', async () => {
    const request = (chosen: readonly string[]) => ({
      selection: { ids: chosen },
      limits: { minPrice: { from: 'price', percent: '-40' } },
    });
    const set = async (chosen: readonly string[]) => {
      const { token } = (await call('POST', '/api/listings/limits-preview', request(chosen))).json();
      return call('POST', '/api/listings/limits', { ...request(chosen), token });
    };
    expect(code(await set(ids))).toBe('step_up_required');
    expect(shop.queue.sent).toEqual([]);
    expect((await set(ids.slice(1))).json()).toMatchObject({ done: MAX_WITHOUT_STEP_UP });
    await shop.db.execute(sql`UPDATE listings SET min_price = NULL`);
    await prove();
    expect((await set(ids)).json().jobId).not.toBeNull();
  });

  test('are undone only with it', async () => {
    const { rows } = await shop.db.execute<{ id: string }>(sql`
      INSERT INTO repricing_runs (trigger, state, started_at, ended_at, evaluated, changed)
      VALUES ('manual', 'done', now(), now(), 201, 201) RETURNING id`);
    const run = rows[0]?.id;
    await shop.db.execute(sql`
      INSERT INTO price_history (listing_id, old_price, new_price, source, run_id, reason, margin_floor)
      SELECT id, current_price, current_price - 1, 'rule', ${run}, 'x', 1 FROM listings`);
    const undo = () => call('POST', `/api/runs/${run}/undo`);
    expect(code(await undo())).toBe('step_up_required');
    await prove();
    expect((await undo()).statusCode).toBe(200);
  });
});

describe('a server that requires a second factor of administrators', () => {
  beforeEach(async () => {
    await shop.close();
    shop = await createTestApp({ requiresTwoFactor: true });
    cookie = await shop.admin();
    page = settingsPage(shop, cookie);
  });

  const acts = (user: string): (readonly [string, () => Promise<LightMyRequestResponse>])[] => [
    ['going live', () => call('POST', '/api/engine/go-live', { marketplaces: ['walmart'], token: 'x' })],
    ['a key', () => market({ walmart: { clientSecret: 'new' } })],
    ['an account', () => call('PUT', `/api/users/${user}/withdraw-approval`)],
  ];

  test('refuses going live, credentials and accounts without one, and shows where to set it up', async () => {
    const ann = await aReadyUser(shop, 'ann@example.com');
    for (const [, action] of acts(ann)) {
      const refused = await action();
      expect(refused.statusCode).toBe(403);
      expect(refused.json()).toMatchObject({
        code: 'two_factor_missing',
        message: expect.stringMatching(/two-factor authentication.*account page/),
      });
    }
  });

  test('reports that before it requires the password, which alone would not help', async () => {
    const ann = await aReadyUser(shop, 'ann@example.com');
    shop.advance(ELEVEN_MINUTES);
    for (const [, action] of acts(ann)) expect(code(await action())).toBe('two_factor_missing');
  });

  test('allows all of it with one', async () => {
    const ann = await aReadyUser(shop, 'ann@example.com');
    await shop.db.execute(sql`UPDATE users SET two_factor_enabled = true`);
    const done = [];
    for (const [, action] of acts(ann)) done.push((await action()).statusCode);
    expect(done).toEqual([409, 200, 200]);
  });

  test('refuses every route that only administrators may call', async () => {
    const routes = shop.app.declaredRoutes.filter(
      ({ access, method }) => access === 'admin' && !['GET', 'HEAD'].includes(method),
    );
    expect(routes.length).toBeGreaterThan(25);
    for (const { method, path } of routes) {
      const answer = await call(method as 'PUT', path.replaceAll(/:\w+/g, '1'));
      expect(code(answer), `${method} ${path}`).toBe('two_factor_missing');
    }
    const headers = { cookie, 'content-type': 'text/csv' };
    const fees = await shop.post('/api/imports?kind=fees&name=fees.csv', undefined, {
      headers,
      payload: 'a,b',
    });
    expect(code(fees)).toBe('two_factor_missing');
    const shared = { list: 'listings', name: 'Losses', query: {}, isShared: true };
    const layout = { order: [], hidden: [], density: 'compact', widths: {} };
    expect(code(await call('POST', '/api/views', { ...shared, layout }))).toBe('two_factor_missing');
  });

  test('refuses what changes the imports and tokens of others, on routes of all users too', async () => {
    const ann = await aReadyUser(shop, 'ann@example.com');
    const anns = await shop.logIn('ann@example.com');
    const file = await importDesk(shop, anns).check('skus', 'sku,productCost\nA-1,50.00\n');
    await prove();
    for (const email of ['boss@example.com', 'ann@example.com']) await aToken(shop, email, { name: email });
    const { rows } = await shop.db.execute<{ id: string }>(sql`SELECT id FROM api_tokens ORDER BY name DESC`);
    const [own, other] = rows.map(({ id }) => id);
    const job = (await shop.get('/api/jobs', anns)).json()[0].id;
    const refused = [
      await call('DELETE', `/api/imports/${file.id}`),
      await call('POST', `/api/jobs/${job}/cancel`),
      await call('DELETE', `/api/tokens/${other}`),
    ];
    expect(refused.map(code)).toEqual(refused.map(() => 'two_factor_missing'));
    expect((await call('DELETE', `/api/tokens/${own}`)).statusCode).toBe(200);
    await shop.db.execute(sql`UPDATE users SET two_factor_enabled = true WHERE id <> ${ann}`);
    expect((await call('DELETE', `/api/tokens/${other}`)).statusCode).toBe(200);
  });

  test('locks no user out: what every user may do works, above all setting one up', async () => {
    const open = [
      await call('POST', '/api/engine/halt', {}),
      await shop.get('/api/users', cookie),
      await call('POST', '/api/account/two-factor/begin', { password: PASSWORD }),
    ];
    expect(open.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
  });

  test('requires nothing of other users, and shows on each account what it requires', async () => {
    await aReadyUser(shop, 'ann@example.com');
    const ann = await shop.logIn('ann@example.com');
    const requested = async (as: string) => (await shop.get('/api/account', as)).json().twoFactorRequired;
    expect([await requested(cookie), await requested(ann)]).toEqual([true, false]);
    expect((await callAs(shop, ann, 'POST', '/api/engine/halt', {})).statusCode).toBe(200);
  });
});
