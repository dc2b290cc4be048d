import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, expect, inject, test } from 'vitest';

let program: ChildProcess | null = null;
afterEach(() => program?.kill('SIGKILL'));

/** Starts the command, and resolves with its output once that contains Walmart's secret. */
function start(...argv: readonly string[]): Promise<string> {
  // The command needs no server settings and ignores invalid ones.
  const env = { ...process.env, PORT: 'nonsense' };
  const args = [join(inject('testPrograms'), 'main.js'), 'sandbox', '--port', '0', ...argv];
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  program = child;
  return new Promise((tell, fail) => {
    let text = '';
    child.stdout.on('data', (piece) => {
      text += piece;
      if (/Walmart:[\s\S]*clientSecret .*\n/.test(text)) tell(text);
    });
    child.on('exit', () => fail(new Error(`it ended: ${text}`)));
  });
}

test('the command answers with the credentials it prints, and SIGTERM ends it', async () => {
  const text = await start('--seed', '7');
  const [, address] = /PRICEWRIGHT_WALMART_URL=(\S+)/.exec(text) ?? [];
  const [, clientId] = /Walmart:\n +clientId +(\S+)/.exec(text) ?? [];
  const [, clientSecret] = /Walmart:[\s\S]*?clientSecret +(\S+)/.exec(text) ?? [];
  const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
  const common = {
    accept: 'application/json',
    'wm_qos.correlation_id': '1',
    'wm_svc.name': 'Walmart Marketplace',
  };
  const signed = await fetch(`${address}/v3/token`, {
    method: 'POST',
    headers: { ...common, authorization: `Basic ${basic}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  const { access_token } = (await signed.json()) as { access_token: string };
  const headers = { ...common, 'wm_sec.access_token': access_token };
  const items = (await (await fetch(`${address}/v3/items`, { headers })).json()) as { totalItems: number };
  expect(items.totalItems).toBeGreaterThan(10);
  program?.kill('SIGTERM');
  const [code] = program === null ? [] : await once(program, 'exit');
  expect(code).toBe(0);
});
