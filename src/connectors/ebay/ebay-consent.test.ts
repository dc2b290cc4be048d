import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { GivenConsent, OAuthConsent } from '#connectors/oauth-consent.ts';
import { type EbayShop, NOON, startEbayShop } from '#tests/support/fake-ebay.ts';
import { SERVICE_FAULTS } from '#tests/support/service-faults.ts';
import { createEbay } from './ebay.ts';

let shop: EbayShop;
beforeEach(async () => {
  shop = await startEbayShop();
  shop.service.on('POST', /oauth2\/token$/, () => ({
    body: {
      access_token: 'access-1',
      expires_in: 7_200,
      token_type: 'User Access Token',
      refresh_token: 'v^1.1#given',
      refresh_token_expires_in: 86_400,
    },
  }));
});
afterEach(() => shop.service.close());

const APPLICATION = { appId: 'app-1', certId: 'cert-1', ruName: 'Ann-Shop-abc' };
const REQUEST = { state: 's+t/a', returnTo: 'https://prices.example.com/connect/ebay', challenge: 'c' };
const never = new AbortController().signal;

function wayOf(connector = shop.connector): OAuthConsent {
  if (connector.consent === undefined) throw new Error('eBay asks for no consent');
  return connector.consent;
}
const exchange = (credentials: Record<string, string> = APPLICATION): Promise<GivenConsent> =>
  wayOf().exchange(credentials, { code: 'v^1.1#i^1', returnTo: REQUEST.returnTo, verifier: 'v' }, never);

describe('the authorization page', () => {
  test.each([
    ['https://api.ebay.com', 'https://auth.ebay.com'],
    ['https://api.sandbox.ebay.com', 'https://auth.sandbox.ebay.com'],
    ['http://127.0.0.1:5050/ebay', 'http://127.0.0.1:5050/ebay'],
    ['https://api.ebay.com.example', 'https://api.ebay.com.example'],
  ])('of %s is under %s, and requests access to listings, sales and payments', (baseUrl, pages) => {
    const page = new URL(wayOf(createEbay({ baseUrl })).pageFor(APPLICATION, REQUEST));
    expect(`${page.origin}${page.pathname}`).toBe(`${pages}/oauth2/authorize`);
    expect(Object.fromEntries(page.searchParams)).toEqual({
      client_id: 'app-1',
      redirect_uri: 'Ann-Shop-abc',
      response_type: 'code',
      state: 's+t/a',
      scope:
        'https://api.ebay.com/oauth/api_scope https://api.ebay.com/oauth/api_scope/sell.inventory https://api.ebay.com/oauth/api_scope/sell.fulfillment.readonly https://api.ebay.com/oauth/api_scope/sell.finances https://api.ebay.com/oauth/api_scope/sell.marketing',
    });
    expect(page.search).not.toContain('+');
  });

  test.each([
    ['appId', 'App ID'],
    ['certId', 'Cert ID'],
    ['ruName', 'RuName'],
  ])('needs %s', (member, words) => {
    const { [member]: _, ...credentials } = APPLICATION as Record<string, string>;
    expect(() => wayOf().pageFor(credentials, REQUEST)).toThrow(
      `The ${words} of eBay is missing. Enter it in Settings.`,
    );
  });
});

describe('the exchange', () => {
  test('is made by the application, with the RuName, and returns the authorization with its expiry', async () => {
    expect(await exchange()).toEqual({ refreshToken: 'v^1.1#given', endsAt: NOON + 86_400_000 });
    const [requested] = shop.service.asked;
    expect(requested?.headers.authorization).toBe(`Basic ${Buffer.from('app-1:cert-1').toString('base64')}`);
    expect(Object.fromEntries(new URLSearchParams(requested?.text))).toEqual({
      grant_type: 'authorization_code',
      code: 'v^1.1#i^1',
      redirect_uri: 'Ann-Shop-abc',
    });
  });

  test('accepts an authorization without an expiry', async () => {
    shop.service.faults.push({ body: { access_token: 'a', expires_in: 1, refresh_token: 'r' } });
    expect(await exchange()).toEqual({ refreshToken: 'r', endsAt: null });
  });

  test.each([400, 401])(
    'that is refused with %i is a credential error with eBay’s message',
    async (status) => {
      const body = { error: 'invalid_grant', error_description: 'the code is too old' };
      shop.service.faults.push({ status, body });
      await expect(exchange()).rejects.toMatchObject({
        fault: 'key',
        code: 'invalid_grant',
        message: `eBay does not accept the answer: it is too old, was used, or belongs to another RuName (${status}). Choose "Connect eBay" in Settings. eBay says: the code is too old`,
      });
    },
  );

  test.each([
    ['no refresh token', { access_token: 'a', expires_in: 7_200 }],
    ['a refresh token that is no text', { access_token: 'a', expires_in: 7_200, refresh_token: 7 }],
    ['a life of no seconds', { refresh_token: 'r', refresh_token_expires_in: 0 }],
  ])('that brings %s is no consent', async (_, body) => {
    shop.service.faults.push({ body });
    await expect(exchange()).rejects.toMatchObject({ fault: 'unreadable' });
  });

  // A code is valid once: after an unknown outcome it must not be sent again.
  test.each(SERVICE_FAULTS.filter(({ sent }) => sent === 'unknown'))(
    '$name: asked once, and not again',
    async ({ answer, read, isSilent }) => {
      if (isSilent) shop = await startEbayShop({}, 300);
      shop.service.faults.push(answer);
      await expect(exchange()).rejects.toMatchObject({ fault: read, mayHaveActed: true });
      expect(shop.service.asked).toHaveLength(1);
    },
  );
});
