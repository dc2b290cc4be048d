import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ConnectionCheck, ConnectionList } from '#contract/connections.ts';
import type { Consented } from '#domain/connections/credentials.ts';
import { answerPage, type ConsentShop, consentCalls, openConsentShop } from '#tests/support/consent-shop.ts';
import { auditOf } from '#tests/support/read-back.ts';
import { setLive } from '#tests/support/seed.ts';
import { settingsPage } from '#tests/support/settings-app.ts';
import { PASSWORD } from '#tests/support/test-app.ts';
import { purgeExpired } from '#usecases/identity/accounts/purge-expired.ts';

let world: ConsentShop;
beforeEach(async () => {
  world = await openConsentShop();
});
afterEach(() => world.close());

const { begin, agree, bring, rows } = consentCalls(() => world);
const said = async (marketplace: Consented, address: string, cookie = world.boss): Promise<string> => {
  const answer = await bring(marketplace, address, cookie);
  expect(answer.statusCode, answer.body).toBe(409);
  return answer.json<{ message: string }>().message;
};
async function priceChannelOf(marketplace: Consented) {
  const list = (await world.shop.get('/api/connections', world.boss)).json<ConnectionList>();
  return list.marketplaces.find((each) => each.marketplace === marketplace)?.priceChannel;
}
async function check(marketplace: Consented): Promise<ConnectionCheck> {
  const headers = { cookie: world.boss };
  return (await world.shop.post(`/api/connections/${marketplace}/check`, undefined, { headers })).json();
}
describe('an authorization', () => {
  test('connects eBay, returns the expiry, and is logged', async () => {
    expect(await priceChannelOf('ebay')).toBe('paused');
    const answer = await bring('ebay', await agree('ebay'));
    expect(answer.statusCode, answer.body).toBe(200);
    // 47,304,000 seconds after noon of 15 January 2026.
    expect(answer.json()).toEqual({ endsAt: '2027-07-17T00:00:00.000Z' });
    expect(await priceChannelOf('ebay')).toBe('connected');
    expect(await check('ebay')).toMatchObject({ success: true, endsAt: '2027-07-17T00:00:00.000Z' });
    const { marketplaces } = await settingsPage(world.shop, world.boss).read();
    expect(marketplaces.ebay).toMatchObject({
      refreshToken: '********',
      refreshTokenExpiresAt: '2027-07-17',
    });
    expect(await auditOf(world.shop.db, 'marketplace.consent_begun')).toHaveLength(1);
    expect(await auditOf(world.shop.db, 'marketplace.consent_answered')).toHaveLength(1);
    expect(await auditOf(world.shop.db, 'marketplace.connected')).toMatchObject([
      {
        before: { refreshToken: '', refreshTokenExpiresAt: '' },
        after: { refreshToken: '********', refreshTokenExpiresAt: '2027-07-17' },
      },
    ]);
  });

  test('switches to recommend only: the account may be another one', async () => {
    await setLive(world.shop.db, 'ebay');
    await bring('ebay', await agree('ebay'));
    await setLive(world.shop.db, 'ebay');
    await bring('ebay', await agree('ebay'));
    expect(await auditOf(world.shop.db, 'engine.disarmed')).toMatchObject([
      { after: { reason: 'eBay was connected: it only recommends prices until you go live.' } },
      { after: { reason: 'eBay may be another account now: it only recommends prices until you go live.' } },
    ]);
  });

  test('connects Etsy, whose code needs the verifier of the same request', async () => {
    const page = new URL(await begin('etsy'));
    expect(page.searchParams.get('redirect_uri')).toBe('http://127.0.0.1:5000/connect/etsy');
    expect(page.searchParams.get('code_challenge_method')).toBe('S256');
    const address = await answerPage(page.href, 'Agree and continue');
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:5000\/connect\/etsy\?/);
    expect((await bring('etsy', address)).json()).toEqual({ endsAt: null });
    expect(await check('etsy')).toMatchObject({ success: true, shopName: 'SandboxShop' });
  });

  test("may be pasted: the address of eBay's final page where no redirect is configured", async () => {
    const address = await agree('ebay');
    expect(address).toContain('/ebay/oauth2/thanks?');
    expect((await bring('ebay', `  ${address}\n`)).statusCode).toBe(200);
  });

  test('redirects to this server where that is configured under the RuName', async () => {
    world.sandbox.world.market('ebay').consents.setReturnAddress('https://prices.example.com/connect/ebay');
    const address = await agree('ebay');
    expect(address).toMatch(/^https:\/\/prices\.example\.com\/connect\/ebay\?/);
    expect((await bring('ebay', address)).statusCode).toBe(200);
  });

  test('replaces the one before, and the tokens that were fetched with it', async () => {
    await bring('ebay', await agree('ebay'));
    await check('ebay');
    world.sandbox.world.market('ebay').tokens.revokeAll();
    expect(await check('ebay')).toMatchObject({ success: false });
    await bring('ebay', await agree('ebay'));
    expect(await check('ebay')).toMatchObject({ success: true });
  });

  test('makes an open settings page out of date, which would restore the old date', async () => {
    const page = settingsPage(world.shop, world.boss);
    const open = await page.read();
    await bring('ebay', await agree('ebay'));
    expect((await page.save(open)).statusCode).toBe(409);
  });
});

describe('an authorization that fails', () => {
  test('was declined', async () => {
    const address = await answerPage(await begin('ebay'), 'No thanks');
    expect(await said('ebay', address)).toBe('The authorization was declined at eBay. Nothing was changed.');
    expect(await priceChannelOf('ebay')).toBe('paused');
  });

  test.each([
    [
      '?error=server_error&state=x',
      'eBay did not authorize the connection (server_error). Nothing was changed. Connect again.',
    ],
    ['?error=Call%20us%20now', 'eBay did not authorize the connection. Nothing was changed. Connect again.'],
    [
      '?isAuthSuccessful=false',
      'This address from eBay holds no authorization: it was declined, or the address is incomplete.',
    ],
  ])('%s: %s', async (query, message) => {
    expect(await said('ebay', `https://prices.example.com/connect/ebay${query}`)).toBe(message);
  });

  test('is requested again where something else was pasted', async () => {
    const answer = await bring('ebay', 'v^1.1#i^1');
    expect(answer.json()).toMatchObject({
      code: 'validation_failed',
      fields: { address: 'Paste the full address of the page where eBay sent you. It starts with https://.' },
    });
  });

  test('lacks the RuName, and no redirect happens', async () => {
    await world.save({ ebay: { ruName: '' } });
    const headers = { cookie: world.boss };
    const answer = await world.shop.post('/api/connections/ebay/consent', undefined, { headers });
    expect(answer.json()).toMatchObject({
      code: 'conflict',
      message: 'The RuName of eBay is missing. Enter it in Settings.',
    });
    expect(await rows()).toEqual([]);
  });

  test('is refused by the marketplace, with its message; the code is used up', async () => {
    const address = await agree('ebay');
    await world.save({ ebay: { ruName: 'Another-RuName' } });
    expect(await said('ebay', address)).toMatch(
      /^eBay does not accept the answer: it is too old, .* \(400\)\. Choose "Connect eBay" in Settings\. eBay says: /,
    );
    expect(await said('ebay', address)).toMatch(/already used/);
    expect(await priceChannelOf('ebay')).toBe('paused');
  });
});

test('can be repeated when the marketplace fails during the exchange', async () => {
  const address = await agree('etsy');
  world.sandbox.faults.add({ service: 'etsy', operation: 'etsyToken', kind: 'server_error', count: 9 });
  expect(await said('etsy', address)).toMatch(/ Choose "Connect Etsy" again\.$/);
});

describe('the answer', () => {
  test('is valid once, even of two concurrent ones', async () => {
    const address = await agree('etsy');
    const both = await Promise.all([bring('etsy', address), bring('etsy', address)]);
    expect(both.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
    expect(await said('etsy', address)).toMatch(/^This authorization was already used/);
    const codes = world.sandbox.exchanges
      .list()
      .filter(({ requestBody }) => requestBody.includes('authorization_code'));
    expect(codes).toHaveLength(1);
  });

  test.each([
    ['without a request', (address: string) => address.replace(/state=[^&]+/, 'state=made-up')],
    ['names no state', (address: string) => address.replace(/state=[^&]+/, '')],
  ])('that %s is refused, and no code is spent on it', async (_, change) => {
    const address = await agree('ebay');
    expect(await said('ebay', change(address))).toMatch(/was started in another session/);
    expect((await bring('ebay', address)).statusCode).toBe(200);
  });

  test('is for the session that requested it: another one of the same user cannot use it', async () => {
    const address = await agree('ebay');
    const other = await world.shop.logIn('boss@example.com');
    expect(await said('ebay', address, other)).toMatch(/was started in another session/);
  });

  test('is for the marketplace that was requested', async () => {
    const address = await agree('ebay');
    expect(await said('etsy', address)).toMatch(/was started in another session/);
  });

  test('counts only for the latest request', async () => {
    const first = await agree('ebay');
    await begin('ebay');
    expect(await said('ebay', first)).toMatch(/was started in another session/);
    expect(await rows()).toHaveLength(1);
  });

  test('is refused after ten minutes; unused requests are deleted', async () => {
    const address = await agree('etsy');
    await begin('ebay');
    world.shop.advance(600_000);
    await world.shop.post('/api/step-up', { password: PASSWORD }, { headers: { cookie: world.boss } });
    expect(await said('etsy', address)).toBe(
      'The authorization at Etsy took more than 10 minutes. Choose "Connect Etsy" again.',
    );
    world.shop.advance(1_000);
    expect(await purgeExpired(world.shop.db, world.shop.deps.now())).toMatchObject({ consents: 1 });
    expect(await rows()).toEqual([]);
  });

  test('is deleted with its session', async () => {
    await begin('ebay');
    await world.shop.post('/api/logout', undefined, { headers: { cookie: world.boss } });
    expect(await rows()).toEqual([]);
  });

  test('is not stored when the credentials changed during the exchange', async () => {
    const address = await agree('ebay');
    const { connections } = world.shop.deps;
    const consentOf = connections.consentOf.bind(connections);
    Object.assign(connections, {
      consentOf: async (marketplace: Consented) => {
        const consenting = await consentOf(marketplace);
        await world.save({ ebay: { certId: 'PRD-another' } });
        return consenting;
      },
    });
    expect(await said('ebay', address)).toBe(
      'The credentials of eBay were changed during the authorization. Choose "Connect eBay" again.',
    );
    expect(await priceChannelOf('ebay')).toBe('paused');
  });
});
