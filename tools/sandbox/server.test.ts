import { afterEach, describe, expect, test } from 'vitest';
import { cents, instant } from '#domain/units.ts';
import type { FaultPlan } from './faults/fault.ts';
import { type Sandbox, startSandbox } from './server.ts';
import type { ItemPlan } from './world/catalog.ts';
import { createWorld } from './world/world.ts';

const START = instant(Date.parse('2026-03-02T08:00:00Z'));
const HOUR = 3_600_000;
const ITEM: ItemPlan = {
  marketplace: 'amazon',
  sku: 'MUG 1/2',
  title: 'Mug',
  price: cents(1_999),
  fulfillmentType: 'FBM',
  competitors: [],
  viewsPerDay: 0,
};
const ITEMS_PATH = '/listings/2021-08-01/items/A1SANDBOXSELLER';
const ITEM_PATH = `${ITEMS_PATH}/${encodeURIComponent('MUG 1/2')}?marketplaceIds=ATVPDKIKX0DER&includedData=offers`;

let sandbox: Sandbox | null = null;
afterEach(() => sandbox?.close());

interface Options {
  readonly keepsLimits?: boolean;
  readonly limitFactor?: number;
  readonly items?: readonly ItemPlan[];
}

async function open({ items = [ITEM], ...options }: Options = {}): Promise<Sandbox> {
  const world = createWorld({ seed: 'server', startsAt: START, items, stock: [] });
  sandbox = await startSandbox({ world, port: 0, ...options });
  return sandbox;
}

async function tokenOf({ addresses }: Sandbox): Promise<string> {
  const form = {
    grant_type: 'refresh_token',
    refresh_token: 'Atzr|sandbox',
    client_id: 'amzn1.application-oa2-client.sandbox',
    client_secret: 'amzn1.oa2-cs.v1.sandbox',
  };
  const answer = await fetch(`${addresses.amazon}/auth/o2/token`, {
    method: 'POST',
    body: new URLSearchParams(form),
  });
  return ((await answer.json()) as { access_token: string }).access_token;
}

function ask(to: Sandbox, token: string, path = ITEM_PATH, init: RequestInit = {}): Promise<Response> {
  const headers = { 'x-amz-access-token': token, 'content-type': 'application/json' };
  return fetch(`${to.addresses.amazon}${path}`, { ...init, headers });
}

function patchOf(price: number | string, mode = ''): [path: string, init: RequestInit] {
  const value = [
    {
      marketplace_id: 'ATVPDKIKX0DER',
      audience: 'ALL',
      currency: 'USD',
      our_price: [{ schedule: [{ value_with_tax: price }] }],
    },
  ];
  const patches = [{ op: 'replace', path: '/attributes/purchasable_offer', value }];
  return [
    `${ITEM_PATH}${mode}`,
    { method: 'PATCH', body: JSON.stringify({ productType: 'PRODUCT', patches }) },
  ];
}

const OFFERS = { sku: 'MUG 1/2', offers: [{ price: { currencyCode: 'USD', amount: '19.99' } }] };

describe('the server', () => {
  test('an accepted price is live after its delay, and is in the ledger once', async () => {
    const to = await open();
    const token = await tokenOf(to);
    const answer = await ask(to, token, ...patchOf(17.49));
    expect(await answer.json()).toMatchObject({ sku: 'MUG 1/2', status: 'ACCEPTED', issues: [] });
    expect(await (await ask(to, token)).json()).toMatchObject(OFFERS);
    await fetch(`${to.url}/_sandbox/advance`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ seconds: 600 }),
    });
    expect(await (await ask(to, token)).json()).toMatchObject({ offers: [{ price: { amount: '17.49' } }] });
    const received = await (await fetch(`${to.url}/_sandbox/received-prices`)).json();
    expect(received).toMatchObject([{ sku: 'MUG 1/2', price: 1_749, outcome: 'applied' }]);
  });

  test('a price preview is validated and not recorded', async () => {
    const to = await open();
    const token = await tokenOf(to);
    const modes = ['&mode=VALIDATION_PREVIEW'];
    expect(await (await ask(to, token, ...patchOf(17.49, modes[0]))).json()).toMatchObject({
      status: 'VALID',
    });
    expect(await (await ask(to, token, ...patchOf('N/A', modes[0]))).json()).toMatchObject({
      status: 'INVALID',
    });
    expect(to.world.receivedPrices()).toEqual([]);
  });

  test('tokens expire after an hour, and calls need a token', async () => {
    const to = await open();
    const token = await tokenOf(to);
    expect((await ask(to, token)).status).toBe(200);
    to.world.advance(instant(START + HOUR));
    const answer = await ask(to, token);
    expect(answer.status).toBe(403);
    expect(await answer.json()).toMatchObject({ errors: [{ code: 'Unauthorized' }] });
    expect((await ask(to, 'Atza|made-up')).status).toBe(403);
  });

  test('limits are always reported, and enforced on request', async () => {
    const to = await open({ keepsLimits: true });
    const token = await tokenOf(to);
    const answers = await Promise.all(Array.from({ length: 11 }, () => ask(to, token)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 429)).toHaveLength(1);
    expect(answers[0]?.headers.get('x-amzn-ratelimit-limit')).toBe('5');
    to.world.advance(instant(START + 1_000));
    expect((await ask(to, token)).status).toBe(200);
  });

  test('a limit factor raises the reported limit', async () => {
    const to = await open({ limitFactor: 4 });
    const answer = await ask(to, await tokenOf(to));
    expect(answer.headers.get('x-amzn-ratelimit-limit')).toBe('20');
  });

  test('exchanges are kept without secrets', async () => {
    const to = await open();
    await ask(to, await tokenOf(to));
    const text = JSON.stringify(to.exchanges.list());
    expect(to.exchanges.list()).toMatchObject([
      { service: 'amazon', operation: 'amazonLwaToken', method: 'POST', status: 200 },
      { operation: 'getListingsItem', path: ITEM_PATH, status: 200 },
    ]);
    expect(text).not.toMatch(/Atz[ar]\||oa2-cs/);
  });

  test('other host names of this machine are rejected, and so are unknown calls', async () => {
    const to = await open();
    const { request } = await import('node:http');
    const status = await new Promise((resolve) => {
      const headers = { host: 'evil.example.com' };
      request(`${to.url}/_sandbox/state`, { headers }, (answer) => resolve(answer.resume().statusCode)).end();
    });
    expect(status).toBe(403);
    const unknown = await fetch(`${to.addresses.amazon}/no/such/call`);
    expect([unknown.status, await unknown.json()]).toMatchObject([404, { errors: [{ code: 'NotFound' }] }]);
  });
});

describe('faults', () => {
  async function askWith(plan: Omit<FaultPlan, 'service'>, to: Sandbox, token: string): Promise<Response> {
    to.faults.add({ service: 'amazon', ...plan });
    return ask(to, token);
  }

  test.each([
    ['too_busy', 429, 'QuotaExceeded'],
    ['server_error', 500, 'InternalFailure'],
    ['bad_gateway', 502, '<html>'],
    ['redirect', 302, ''],
    ['errors_in_200', 200, 'errors'],
    ['empty', 200, ''],
    ['garbage', 200, 'not, JSON'],
    ['negative_price', 200, '"-19.99"'],
    ['na_price', 200, '"amount":"N/A"'],
    ['nan_price', 200, '"amount":"NaN"'],
    ['other_currency', 200, '"currencyCode":"EUR"'],
  ] as const)('%s returns %i with %s', async (kind, status, text) => {
    const to = await open();
    const token = await tokenOf(to);
    to.faults.add({ service: 'amazon', kind, operation: 'getListingsItem' });
    const init: RequestInit = { redirect: 'manual' };
    const answer = await ask(to, token, ITEM_PATH, init);
    expect(answer.status).toBe(status);
    expect(await answer.text()).toContain(text);
    expect(await (await ask(to, token)).json()).toMatchObject(OFFERS);
  });

  test('Retry-After has the planned value, even an absurd one', async () => {
    const to = await open();
    const token = await tokenOf(to);
    const answer = await askWith({ kind: 'too_busy', retryAfter: '99999999999' }, to, token);
    expect(answer.headers.get('retry-after')).toBe('99999999999');
    expect((await askWith({ kind: 'too_busy' }, to, token)).headers.has('retry-after')).toBe(false);
  });

  test('duplicates repeat every element of every list', async () => {
    const to = await open();
    const answer = await askWith({ kind: 'duplicates' }, to, await tokenOf(to));
    expect(((await answer.json()) as { offers: unknown[] }).offers).toHaveLength(2);
  });

  test('contradictions repeat an element with another price', async () => {
    const to = await open();
    const answer = await askWith({ kind: 'contradictions' }, to, await tokenOf(to));
    const { offers } = (await answer.json()) as { offers: { price: { amount: string } }[] };
    expect(offers.map(({ price }) => price.amount)).toEqual(['19.99', '20.99']);
  });

  test.each(['reset', 'answer_lost', 'truncated'] as const)('%s ends the connection', async (kind) => {
    const to = await open();
    const token = await tokenOf(to);
    to.faults.add({ service: 'amazon', kind, operation: 'patchListingsItem' });
    await expect(ask(to, token, ...patchOf(15)).then((answer) => answer.text())).rejects.toThrow();
    expect(to.world.receivedPrices()).toHaveLength(kind === 'reset' ? 0 : 1);
  });

  test.each([
    ['timeout', 0],
    ['late_answer', 1],
  ] as const)(
    '%s responds after the release, and has received %i prices before',
    async (kind, receivedBefore) => {
      const to = await open();
      const token = await tokenOf(to);
      to.faults.add({ service: 'amazon', kind });
      const answer = ask(to, token, ...patchOf(15));
      await expect.poll(() => to.faults.held).toBe(1);
      expect(to.world.receivedPrices()).toHaveLength(receivedBefore);
      to.faults.release();
      expect((await answer).status).toBe(200);
      expect(to.world.receivedPrices()).toHaveLength(1);
    },
  );

  test('half_open starts to respond and does not end', async () => {
    const to = await open();
    const answer = await askWith({ kind: 'half_open' }, to, await tokenOf(to));
    const reader = answer.body?.getReader();
    expect((await reader?.read())?.value?.length).toBeGreaterThan(0);
    await expect.poll(() => to.faults.held).toBe(1);
    await reader?.cancel();
  });

  test('huge_body is 50 MB plus the response, one_byte_a_second arrives byte by byte', async () => {
    const to = await open();
    const token = await tokenOf(to);
    const huge = await (await askWith({ kind: 'huge_body' }, to, token)).text();
    expect(huge.length).toBeGreaterThan(50 * 1_048_576);
    expect(JSON.parse(huge)).toMatchObject(OFFERS);
    const slow = await askWith({ kind: 'one_byte_a_second' }, to, token);
    const reader = slow.body?.getReader();
    expect((await reader?.read())?.value).toHaveLength(1);
    await reader?.cancel();
  });

  test('never_applied accepts a price that never becomes live', async () => {
    const to = await open();
    const token = await tokenOf(to);
    to.faults.add({ service: 'amazon', kind: 'never_applied', operation: 'patchListingsItem' });
    expect(await (await ask(to, token, ...patchOf(15))).json()).toMatchObject({ status: 'ACCEPTED' });
    to.world.advance(instant(START + HOUR / 2));
    expect(await (await ask(to, token)).json()).toMatchObject(OFFERS);
    expect(to.world.receivedPrices()).toMatchObject([{ outcome: 'dropped' }]);
  });

  test('a fault applies to the planned number of calls of its operation only', async () => {
    const to = await open();
    const token = await tokenOf(to);
    const plan = { service: 'amazon', kind: 'server_error', operation: 'getListingsItem', count: 2 };
    await fetch(`${to.url}/_sandbox/faults`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(plan),
    });
    const statuses: number[] = [];
    for (const path of [`${ITEMS_PATH}?marketplaceIds=ATVPDKIKX0DER`, ITEM_PATH, ITEM_PATH, ITEM_PATH]) {
      statuses.push((await ask(to, token, path)).status);
    }
    expect(statuses).toEqual([200, 500, 500, 200]);
  });

  test('an error with "acts" is returned after the call was carried out', async () => {
    const to = await open();
    const token = await tokenOf(to);
    to.faults.add({ service: 'amazon', kind: 'server_error', acts: true });
    expect((await ask(to, token, ...patchOf(15))).status).toBe(500);
    expect(to.world.receivedPrices()).toMatchObject([{ price: 1_500, outcome: 'pending' }]);
  });
});
