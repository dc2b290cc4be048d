import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { aToken } from '#tests/support/api-tokens.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';

const run = promisify(execFile);
const PAGE = new URL('../../docs/running.md', import.meta.url);
const WRITTEN = 'http://127.0.0.1:5000';

const commands = readFileSync(PAGE, 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('curl ') && line.includes('$PRICEWRIGHT_TOKEN'));

let shop: TestApp;
let env: NodeJS.ProcessEnv;
let origin: string;
beforeEach(async () => {
  shop = await createTestApp();
  await shop.admin();
  env = { ...process.env, PRICEWRIGHT_TOKEN: await aToken(shop, 'boss@example.com') };
  origin = await shop.app.listen({ port: 0, host: '127.0.0.1' });
});
afterEach(() => shop.close());

test('the examples with a token do what the page says', async () => {
  const answers: unknown[] = [];
  for (const command of commands) {
    const { stdout } = await run('sh', ['-c', command.replace(WRITTEN, origin)], { env });
    answers.push(JSON.parse(stdout));
  }
  expect(answers).toMatchObject([{ rows: [] }, { isHalted: true }]);
});
