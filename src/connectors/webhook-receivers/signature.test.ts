import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { instant } from '#domain/units.ts';
import { newWebhookSecret, signatureHeaders } from './signature.ts';

// The example in the tests of Standard Webhooks (standard-webhooks/standard-webhooks, test_webhooks.py).
test('a webhook is signed as the example of Standard Webhooks is', () => {
  const example = {
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    at: instant(1_614_265_330_999),
    body: '{"test": 2432232314}',
  };
  expect(signatureHeaders(['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'], example)).toEqual({
    'webhook-id': example.id,
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
});

test('a secret is 32 random bytes', () => {
  const secret = newWebhookSecret();
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(newWebhookSecret()).not.toBe(secret);
});

test('the example of the documentation accepts what is sent, also while a secret is replaced, and nothing else', async () => {
  const page = await readFile('docs/running.md', 'utf8');
  const code = /```js\n([\s\S]+?)```/.exec(page)?.[1] ?? '';
  const at = instant(Date.UTC(2026, 10, 28));
  const [secret, next] = [newWebhookSecret(), newWebhookSecret()];
  const body = '{"productTitle":"Tasse \\u2615 ☕"}';
  const headers = signatureHeaders([next, secret], { id: 'one', at, body });
  const alone = signatureHeaders([next], { id: 'one', at, body });
  const calls = [
    [headers, body, secret, at],
    [headers, body, next, at],
    [alone, body, secret, at],
    [headers, `${body} `, secret, at],
    [{ ...headers, 'webhook-id': 'two' }, body, secret, at],
    [headers, body, secret, at + 301_000],
    [{}, body, secret, at],
  ];
  const script = `${code}\nconsole.log(JSON.stringify(${JSON.stringify(calls)}.map((call) => isFromPricewright(...call))));`;
  const run = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  expect(JSON.parse(run.stdout)).toEqual([true, true, false, false, false, false, false]);
});
