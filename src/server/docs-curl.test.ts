import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { aToken } from '#tests/support/api-tokens.ts';
import { createPricedShop, type PricedShop } from '#tests/support/priced-shop.ts';

const run = promisify(execFile);
const PAGE = new URL('../../docs/running.md', import.meta.url);
const WRITTEN = 'http://127.0.0.1:5000';

const commands = readFileSync(PAGE, 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('curl ') && line.includes('$PRICEWRIGHT_TOKEN'));

let shop: PricedShop;
let id: string;
let token: string;
let origin: string;
beforeEach(async () => {
  shop = await createPricedShop();
  id = String(await shop.addAnother('MUG-1', 18));
  token = await aToken(shop.app, 'boss@example.com');
  origin = await shop.app.app.listen({ port: 0, host: '127.0.0.1' });
});
afterEach(async () => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  await shop.app.close();
});

test('the examples with a token do what the page says', async () => {
  const answers: unknown[] = [];
  for (const command of commands) {
    const here = command.replace(WRITTEN, origin).replace('/listings/42/', `/listings/${id}/`);
    const { stdout } = await run('sh', ['-c', here], { env: { ...process.env, PRICEWRIGHT_TOKEN: token } });
    answers.push(JSON.parse(stdout));
  }
  expect(answers).toMatchObject([
    { rows: [{ id, sku: 'MUG-1', currentPrice: '20.00' }] },
    { id, currentPrice: '21.99' },
    { isHalted: true },
  ]);
});

test('the example in TypeScript does the same', async () => {
  vi.stubEnv('PRICEWRIGHT_URL', origin);
  vi.stubEnv('PRICEWRIGHT_TOKEN', token);
  const log = vi.spyOn(console, 'log').mockReturnValue();
  await import('#clients/typescript/example.ts');
  expect(log.mock.calls).toEqual([['MUG-1', '21.99']]);
  expect((await shop.get('/api/engine')).json()).toMatchObject({ isHalted: true });
});
