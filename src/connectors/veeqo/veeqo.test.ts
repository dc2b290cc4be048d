import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { HTTP_LIMITS } from '#connectors/http/http-client.ts';
import type { InventorySku, PassedOver } from '#connectors/inventory-source.ts';
import { type Instant, instant } from '#domain/units.ts';
import {
  aProduct,
  aSellable,
  type FakeVeeqo,
  reply,
  startFakeVeeqo,
  VEEQO_KEY,
} from '#tests/support/fake-veeqo.ts';
import { createVeeqo } from './veeqo.ts';

let fake: FakeVeeqo;
let waits: number[];
let time: Instant;
beforeEach(async () => {
  fake = await startFakeVeeqo();
  waits = [];
  time = instant(Date.now());
});
afterEach(() => fake.close());

const never = new AbortController().signal;

function veeqo(limits: Partial<typeof HTTP_LIMITS> = {}, baseUrl = fake.url) {
  return createVeeqo({
    baseUrl,
    limits: { ...HTTP_LIMITS, ...limits },
    now: () => time,
    wait: async (milliseconds) => {
      waits.push(milliseconds);
      time = instant(time + milliseconds);
    },
  });
}

async function readAll(source = veeqo(), key = VEEQO_KEY, signal = never) {
  const all: (InventorySku | PassedOver)[] = [];
  for await (const page of source.readSkus(key, signal)) all.push(...page);
  return all;
}

describe('products', () => {
  test('become SKUs with number, name, cost and weight', async () => {
    fake.products.push(aProduct(7));
    expect(await readAll()).toEqual([
      { kind: 'sku', id: '7', sku: 'MUG-7', name: 'Mug 7 Blue', productCost: 420, weight: 8 },
    ]);
  });

  test.each([
    ['no cost', { cost_price: null }, { productCost: null }],
    ['a cost of nothing', { cost_price: 0 }, { productCost: null }],
    ['a fraction of a cent', { cost_price: 4.201 }, { productCost: 421 }],
    ['a cost that no binary fraction holds', { cost_price: 1.1 }, { productCost: 110 }],
    ['a cost as text', { cost_price: '12.50' }, { productCost: 1250 }],
    ['no weight', { weight_grams: null }, { weight: null }],
    ['a weight of nothing', { weight_grams: 0.0 }, { weight: null }],
    ['a pound', { weight_grams: 453.59 }, { weight: 16 }],
    ['no long title', { full_title: null }, { name: 'Mug 7 Blue' }],
    ['no title at all', { full_title: '', product_title: null, title: ' ' }, { name: 'Mug 7' }],
    ['spaces around the code', { sku_code: ' MUG-7 ' }, { sku: 'MUG-7' }],
    ['no type', { type: undefined }, { sku: 'MUG-7' }],
  ])('with %s', async (_, given, expected) => {
    fake.products.push(aProduct(7, { sellables: [aSellable(7, given)] }));
    expect(await readAll()).toEqual([expect.objectContaining(expected)]);
  });

  test.each([
    [{ sku_code: null }, { what: 'Mug 7 Blue', why: 'no_code' }],
    [{ sku_code: '  ' }, { what: 'Mug 7 Blue', why: 'no_code' }],
    [{ sku_code: 'x'.repeat(201) }, { what: 'Mug 7 Blue', why: 'no_code' }],
    [{ type: 'Kit' }, { what: 'MUG-7', why: 'kit' }],
  ])('%j is passed over and named', async (given, expected) => {
    fake.products.push(aProduct(7, { sellables: [aSellable(7, given)] }));
    expect(await readAll()).toEqual([{ kind: 'passed_over', ...expected }]);
  });

  test('that are deleted are skipped', async () => {
    fake.products.push(aProduct(7, { deleted_at: '2026-01-01T00:00:00Z' }));
    expect(await readAll()).toEqual([]);
  });

  test.each([true, false])('are read to the last page; with totals: %s', async (areReported) => {
    if (!areReported) fake.hideTotals();
    for (let id = 1; id <= 230; id++) fake.products.push(aProduct(id));
    expect(await readAll()).toHaveLength(230);
    expect(fake.asked).toEqual([1, 2, 3].map((page) => `GET /products?page=${page}&page_size=100`));
  });

  test('without totals end at an empty page after a full last one', async () => {
    fake.hideTotals();
    for (let id = 1; id <= 100; id++) fake.products.push(aProduct(id));
    expect(await readAll()).toHaveLength(100);
    expect(fake.asked).toHaveLength(2);
  });
});

describe('an error', () => {
  beforeEach(() => {
    fake.products.push(aProduct(7));
  });

  test('a refused key is reported at once, and not retried', async () => {
    await expect(readAll(veeqo(), 'vq-wrong')).rejects.toMatchObject({
      fault: 'key',
      status: 401,
      message: expect.stringMatching(/^Veeqo does not accept the API key \(401\)/),
    });
    expect(fake.asked).toHaveLength(1);
  });

  test.each(['two words', 'line\nbreak', 'ключ'])('%j cannot be a key: nothing is sent', async (key) => {
    await expect(readAll(veeqo(), key)).rejects.toMatchObject({ fault: 'key' });
    expect(fake.asked).toEqual([]);
  });

  test('too many calls: waits as long as Veeqo requests, then continues', async () => {
    fake.faults.push(reply(429, '', { 'retry-after': '3' }), reply(429, '', { 'retry-after': '1' }));
    expect(await readAll()).toHaveLength(1);
    expect(waits).toEqual([3_000, 1_000]);
  });

  test('a wait longer than allowed is not started', async () => {
    fake.faults.push(reply(429, '', { 'retry-after': '3600' }));
    await expect(readAll()).rejects.toMatchObject({ fault: 'busy', status: 429 });
    expect(waits).toEqual([]);
  });

  test.each([
    ['500', () => reply(500, { error: 'oops' })],
    [
      '502 with a page for people',
      () => reply(502, '<html>Bad gateway</html>', { 'content-type': 'text/html' }),
    ],
    ['a connection that breaks', () => (_: unknown, response: { destroy: () => void }) => response.destroy()],
  ])('%s passes: tried again', async (_, problem) => {
    fake.faults.push(problem());
    expect(await readAll()).toHaveLength(1);
    expect(waits).toHaveLength(1);
  });

  test('that persists is reported after four attempts, with the response', async () => {
    fake.faults.push(...Array.from({ length: 9 }, () => reply(503, 'down')));
    await expect(readAll()).rejects.toMatchObject({ fault: 'service', status: 503 });
    expect(fake.asked).toHaveLength(4);
  });

  test.each([
    ['truncated JSON', '[{"id": 7, "sella'],
    ['a page for people', '<html>Sign in</html>'],
    ['nothing', ''],
    ['another form', { products: [] }],
  ])('%s fails the reading as a whole', async (_, body) => {
    fake.faults.push(reply(200, body));
    await expect(readAll()).rejects.toMatchObject({ fault: 'unreadable' });
    expect(fake.asked).toHaveLength(1);
  });

  test.each([
    ['a sellable without a number', { sellables: [aSellable(1, { id: null })] }, 'id'],
    ['a number where a text belongs', { sellables: [aSellable(1, { sku_code: 5 })] }, 'sku_code'],
    ['a negative cost', { sellables: [aSellable(1, { cost_price: -1 })] }, 'cost_price'],
    ['a cost that is no number', { sellables: [aSellable(1, { cost_price: 'a lot' })] }, 'cost_price'],
    ['a product without sellables', { sellables: undefined }, 'sellables'],
  ])('%s is passed over and named, and the others are read', async (_, given, member) => {
    fake.faults.push(reply(200, [aProduct(1, given), aProduct(7)]));
    expect(await readAll()).toMatchObject([
      { kind: 'passed_over', why: 'unreadable', member },
      { kind: 'sku', sku: 'MUG-7' },
    ]);
  });

  test('a redirect is not followed: the key is not sent elsewhere', async () => {
    fake.faults.push(reply(302, '', { location: `${fake.url}/elsewhere` }));
    await expect(readAll()).rejects.toMatchObject({ fault: 'service', status: 302 });
    expect(fake.asked).toEqual(['GET /products?page=1&page_size=100']);
  });

  test('a response that is too large is aborted', async () => {
    fake.faults.push(reply(200, JSON.stringify([aProduct(1, { notes: 'x'.repeat(5_000) })])));
    await expect(readAll(veeqo({ bytes: 1_000 }))).rejects.toMatchObject({ fault: 'too_large' });
  });

  test('a response that never comes times out', async () => {
    fake.faults.push(() => undefined);
    await expect(readAll(veeqo({ whole: 50, attempts: 1 }))).rejects.toMatchObject({ fault: 'network' });
  });

  test('a response that never ends times out', async () => {
    fake.faults.push((_, response) => void response.write('['));
    await expect(readAll(veeqo({ whole: 50, attempts: 1 }))).rejects.toMatchObject({ fault: 'network' });
  });

  test('the caller can abort it, even while it waits for a response', async () => {
    const stop = new AbortController();
    fake.faults.push(() => stop.abort());
    await expect(readAll(veeqo(), VEEQO_KEY, stop.signal)).rejects.toMatchObject({ fault: 'time' });
  });

  test('no server at the address is reported in a sentence', async () => {
    const { url } = fake;
    await fake.close();
    await expect(readAll(veeqo({ attempts: 1 }, url))).rejects.toMatchObject({
      fault: 'network',
      message: expect.stringMatching(/^Veeqo cannot be reached/),
    });
    fake = await startFakeVeeqo();
  });

  test('no message holds the key', async () => {
    for (const problem of [reply(401, VEEQO_KEY), reply(500, VEEQO_KEY), reply(200, VEEQO_KEY)]) {
      fake.faults.push(problem);
      const error = await readAll(veeqo({ attempts: 1 })).catch((caught: unknown) => caught);
      expect(JSON.stringify([String(error), error])).not.toContain(VEEQO_KEY);
    }
  });
});

describe('check', () => {
  test('requests one product', async () => {
    await veeqo().check(VEEQO_KEY, never);
    expect(fake.asked).toEqual(['GET /products?page=1&page_size=1']);
  });

  test('fails with a refused key', async () => {
    await expect(veeqo().check('vq-wrong', never)).rejects.toMatchObject({ fault: 'key' });
  });
});
