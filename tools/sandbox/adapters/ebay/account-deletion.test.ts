import { createHash, createVerify } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { instant } from '#domain/units.ts';
import { type Sandbox, startSandbox } from '#sandbox/server.ts';
import { createWorld } from '#sandbox/world/world.ts';
import { signInToEbay } from '#tests/support/sandbox-ebay.ts';
import { callerOf } from '#tests/support/sandbox-shop.ts';

const TOKEN = 'a-verification-token-of-forty-characters';

let sandbox: Sandbox;
let receiver: Server;
let address: string;
let received: { readonly signature: string; readonly body: string }[];

beforeEach(async () => {
  const world = createWorld({ seed: 'deleted', startsAt: instant(0), items: [], stock: [] });
  sandbox = await startSandbox({ world, port: 0, services: ['ebay'] });
  received = [];
  receiver = createServer((request, response) => {
    const code = new URL(request.url ?? '', 'http://localhost').searchParams.get('challenge_code');
    let body = '';
    request.on('data', (part: Buffer) => {
      body += part.toString();
    });
    request.on('end', () => {
      if (code === null) received.push({ signature: String(request.headers['x-ebay-signature']), body });
      const challengeResponse = createHash('sha256').update(`${code}${TOKEN}${address}`).digest('hex');
      response.writeHead(code === null ? 204 : 200, { 'content-type': 'application/json' });
      response.end(code === null ? undefined : JSON.stringify({ challengeResponse }));
    });
  });
  await new Promise<void>((resolve) => {
    receiver.listen(0, '127.0.0.1', resolve);
  });
  address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/deleted`;
});
afterEach(async () => {
  await sandbox.close();
  await new Promise((resolve) => {
    receiver.close(resolve);
  });
});

async function isSigned({ signature, body }: { signature: string; body: string }): Promise<boolean> {
  const header = JSON.parse(Buffer.from(signature, 'base64').toString()) as {
    kid: string;
    signature: string;
  };
  const call = await signInToEbay(sandbox);
  const { key } = (await call('GET', `/commerce/notification/v1/public_key/${header.kid}`)) as {
    key: string;
  };
  const pem = key.replace('KEY-----', 'KEY-----\n').replace('-----END', '\n-----END');
  return createVerify('SHA1').update(body).verify(pem, header.signature, 'base64');
}

test('a receiver proves itself, then gets messages that the published key signed', async () => {
  const control = callerOf(sandbox.url);
  const ask = { address, verificationToken: TOKEN, username: 'corner_store' };
  expect(await control('POST', '/_sandbox/ebay-account-deletion', ask)).toEqual({
    isStepUpFresh: true,
    status: 204,
  });
  expect(await control('POST', '/_sandbox/ebay-account-deletion', { ...ask, isForged: true })).toEqual({
    isStepUpFresh: true,
    status: 204,
  });
  expect(await Promise.all(received.map(isSigned))).toEqual([true, false]);
  expect(JSON.parse(received[0]?.body ?? '')).toMatchObject({
    metadata: { topic: 'MARKETPLACE_ACCOUNT_DELETION' },
    notification: { publishAttemptCount: 1, data: { username: 'corner_store' } },
  });
});

test('a receiver with another token gets nothing, and other machines are never called', async () => {
  const ask = { address, verificationToken: TOKEN.toUpperCase(), username: 'corner_store' };
  const control = callerOf(sandbox.url);
  expect(await control('POST', '/_sandbox/ebay-account-deletion', ask)).toEqual({
    isStepUpFresh: false,
    status: null,
  });
  expect(received).toEqual([]);
  const elsewhere = { address: 'http://shop.example/deleted', verificationToken: TOKEN };
  await expect(sandbox.accountDeletion.challenge(elsewhere)).rejects.toThrow(RangeError);
});
