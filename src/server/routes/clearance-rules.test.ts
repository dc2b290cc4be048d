import { sql } from 'drizzle-orm';
import type { LightMyRequestResponse } from 'fastify';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ImportDesk, importDesk } from '#tests/support/import-file.ts';
import { callAs } from '#tests/support/people.ts';
import { addListing } from '#tests/support/seed.ts';
import { createTestApp, PASSWORD, type TestApp } from '#tests/support/test-app.ts';
import { MAX_WITHOUT_STEP_UP } from '#usecases/catalog/bulk-actions/bulk-step-up.ts';

const ELEVEN_MINUTES = 11 * 60_000;

let shop: TestApp;
let cookie: string;
beforeEach(async () => {
  shop = await createTestApp();
  cookie = await shop.admin();
});
afterEach(() => shop.close());

const call = (method: 'PUT' | 'POST', url: string, payload?: object) =>
  callAs(shop, cookie, method, url, payload);
const prove = () => call('POST', '/api/step-up', { password: PASSWORD });
const requested = ({ statusCode, json }: LightMyRequestResponse): boolean =>
  statusCode === 403 && json().code === 'step_up_required';

describe('a rule with less margin than the current ones', () => {
  const form = { fulfillmentType: 'All', strategy: 'Beat Competitor' };
  const create = (name: string, minimumMargin: string, over: object = {}) =>
    call('POST', '/api/rules', { ...form, name, minimumMargin, ...over });
  const action = (what: 'delete' | 'undelete', ...ids: string[]) =>
    call('POST', `/api/rules/${what}`, { ids });
  const enable = (isActive: boolean, ...ids: string[]) =>
    call('POST', '/api/rules/active', { ids, isActive });
  let strict: string;
  let loose: string;
  beforeEach(async () => {
    strict = (await create('Strict', '15')).json().id;
    loose = (await create('Loose', '5')).json().id;
    shop.advance(ELEVEN_MINUTES);
  });

  test('is paused without the password and enabled again only with it, alone, with others or by a save', async () => {
    expect((await enable(false, loose)).statusCode).toBe(200);
    expect(requested(await enable(true, loose))).toBe(true);
    expect(requested(await enable(true, strict, loose))).toBe(true);
    expect(requested(await call('PUT', `/api/rules/${loose}/active`, { isActive: true }))).toBe(true);
    const saved = { ...form, name: 'Loose', minimumMargin: '5', version: 2, isActive: true };
    expect(requested(await call('PUT', `/api/rules/${loose}`, saved))).toBe(true);
    await prove();
    expect((await enable(true, loose)).json()).toEqual({ ids: [loose] });
  });

  test('is restored only with it; a paused one, or one with more margin, without it', async () => {
    await action('delete', loose, strict);
    expect(requested(await action('undelete', loose))).toBe(true);
    expect((await action('undelete', strict)).statusCode).toBe(200);
    expect(requested(await action('undelete', loose))).toBe(true);
    await prove();
    expect((await action('undelete', loose)).json()).toEqual({ ids: [loose] });
    await enable(false, loose);
    await action('delete', loose);
    shop.advance(ELEVEN_MINUTES);
    expect((await action('undelete', loose)).statusCode).toBe(200);
  });

  test('is not a first rule because the others were deleted: it is compared to them', async () => {
    await enable(false, strict, loose);
    expect(requested(await create('Looser', '4'))).toBe(true);
    await action('delete', strict, loose);
    expect(requested(await create('Looser', '4'))).toBe(true);
    expect((await create('As loose', '5')).statusCode).toBe(201);
  });

  test('is imported only with it, like every file of rules that changes something', async () => {
    const desk = importDesk(shop, cookie);
    const header = 'name,marketplace,fulfillmentType,strategy,minimumMargin,competitorOffset,isActive\n';
    const same = await desk.check('rules', `${header}Strict,,All,Beat Competitor,15,,true\n`);
    expect((await desk.run(same.id)).state).toBe('done');
    const { id, checkId } = await desk.check('rules', `${header}Strict,,All,Beat Competitor,1,,true\n`);
    const run = () => call('POST', `/api/imports/${id}/run`, { checkId, allOrNothing: false });
    expect(requested(await run())).toBe(true);
    await prove();
    expect((await run()).statusCode).toBe(200);
  });
});

describe('a file of listings', () => {
  const CODES = Array.from({ length: MAX_WITHOUT_STEP_UP + 1 }, (_, n) => `A-${n}`);
  const table = (codes: readonly string[], column: string, value: string): string =>
    [`sku,currentPrice,fulfillmentType,${column}`, ...codes.map((sku) => `${sku},20.00,FBM,${value}`)].join(
      '\n',
    );
  let desk: ImportDesk;
  beforeEach(async () => {
    for (const sku of CODES) await addListing(shop.db, sku);
    shop.advance(ELEVEN_MINUTES);
    desk = importDesk(shop, cookie);
  });
  const runOf = async (file: string) => {
    const checked = await desk.check('listings', file);
    expect(checked.counts).toMatchObject({ rejected: 0 });
    return call('POST', `/api/imports/${checked.id}/run`, {
      checkId: checked.checkId,
      allOrNothing: false,
    });
  };

  test('that changes prices or limits of many listings requires the password, before anything is started', async () => {
    expect(requested(await runOf(table(CODES, 'minPrice', '1.00')))).toBe(true);
    expect(requested(await runOf(table(CODES, 'maxPrice', '99.00')))).toBe(true);
    expect(requested(await runOf(table(CODES, 'title', 'x').replaceAll('20.00', '19.00')))).toBe(true);
    expect(shop.queue.sent).toEqual([]);
    const { rows } = await shop.db.execute(sql`SELECT FROM imports WHERE state <> 'checked'`);
    expect(rows).toHaveLength(0);
    await prove();
    expect((await runOf(table(CODES, 'minPrice', '1.00'))).statusCode).toBe(200);
  });

  test('that changes no more than allowed manually, or only adds listings, requires none', async () => {
    expect((await runOf(table(CODES.slice(1), 'minPrice', '1.00'))).statusCode).toBe(200);
    const fresh = CODES.map((sku) => `NEW-${sku}`);
    expect((await runOf(table(fresh, 'minPrice', '1.00'))).statusCode).toBe(200);
  });
});
