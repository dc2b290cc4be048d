import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createAccountDeletions } from '#connectors/ebay/account-deletion.ts';
import { anAccount } from '#tests/support/connector-fixture.ts';
import { type FakeService, startFakeService } from '#tests/support/fake-service.ts';
import { documentsFolder } from './document-files.ts';

/* eBay's own test messages with their keys and signatures, which are not part of the project. */

interface KitMessage {
  readonly signature: string;
  readonly message: { readonly notification: { readonly data: { readonly username: string } } };
  readonly response: unknown;
}

const DOCUMENTS = documentsFolder();
const FILE = DOCUMENTS === null ? null : join(DOCUMENTS, 'conformance/ebay-account-deletion.json');
const KIT: Readonly<Record<string, KitMessage>> =
  FILE !== null && existsSync(FILE) ? JSON.parse(readFileSync(FILE, 'utf8')) : {};

let ebay: FakeService;
beforeEach(async () => {
  ebay = await startFakeService();
  ebay.on('POST', /oauth2\/token$/, () => ({ body: { access_token: 'app', expires_in: 7_200 } }));
});
afterEach(() => ebay.close());

async function read(name: string, change: (body: string) => string = (body) => body) {
  const { signature, message, response } = KIT[name] as KitMessage;
  ebay.on('GET', /public_key/, () => (response === null ? { status: 404, body: {} } : { body: response }));
  const body = Buffer.from(change(JSON.stringify(message)));
  const deletions = createAccountDeletions({ baseUrl: ebay.url, limits: { attempts: 1 } });
  const account = async () => anAccount({ appId: 'app', certId: 'cert' });
  const delivery = { headers: { 'x-ebay-signature': signature }, body };
  return deletions.messageOf(account, delivery, new AbortController().signal);
}

describe.skipIf(Object.keys(KIT).length === 0)("eBay's test messages", () => {
  test('a valid one names the user', async () => {
    expect(await read('VALID')).toEqual({ names: ['test_user', 'ma8vp1jySJC'] });
  });

  test('a valid one with spaces between its members is the same message', async () => {
    const spaced = await read('VALID', (body) => JSON.stringify(JSON.parse(body), null, 2));
    expect(spaced).toEqual({ names: ['test_user', 'ma8vp1jySJC'] });
  });

  test.each(['INVALID', 'SIGNATURE_MISMATCH', 'ERROR'])('%s is not one of eBay', async (name) => {
    expect(await read(name)).toBeNull();
  });

  test('a valid one with another user is not one of eBay', async () => {
    expect(await read('VALID', (body) => body.replace('test_user', 'test_userx'))).toBeNull();
  });
});
