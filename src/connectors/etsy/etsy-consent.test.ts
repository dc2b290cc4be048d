import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { GivenConsent, OAuthConsent } from '#connectors/oauth-consent.ts';
import { type EtsyShop, startEtsyShop } from '#tests/support/fake-etsy.ts';
import { SERVICE_FAULTS } from '#tests/support/service-faults.ts';
import { createEtsy } from './etsy.ts';

let shop: EtsyShop;
beforeEach(async () => {
  shop = await startEtsyShop();
});
afterEach(() => shop.service.close());

const APPLICATION = { keystring: 'key-1' };
const REQUEST = { state: 'state-1', returnTo: 'https://prices.example.com/connect/etsy', challenge: 'ch-1' };
const never = new AbortController().signal;

function wayOf(connector = shop.connector): OAuthConsent {
  if (connector.consent === undefined) throw new Error('Etsy asks for no consent');
  return connector.consent;
}
const exchange = (): Promise<GivenConsent> =>
  wayOf().exchange(APPLICATION, { code: 'code-1', returnTo: REQUEST.returnTo, verifier: 'ver-1' }, never);

describe('the authorization page', () => {
  test.each([
    ['https://api.etsy.com', 'https://www.etsy.com'],
    ['https://openapi.etsy.com', 'https://www.etsy.com'],
    ['http://127.0.0.1:5050/etsy', 'http://127.0.0.1:5050/etsy'],
  ])('of %s is under %s, with the challenge', (baseUrl, pages) => {
    const page = new URL(wayOf(createEtsy({ baseUrl })).pageFor(APPLICATION, REQUEST));
    expect(`${page.origin}${page.pathname}`).toBe(`${pages}/oauth/connect`);
    expect(Object.fromEntries(page.searchParams)).toEqual({
      response_type: 'code',
      client_id: 'key-1',
      redirect_uri: REQUEST.returnTo,
      state: 'state-1',
      code_challenge: 'ch-1',
      code_challenge_method: 'S256',
      scope: 'listings_r listings_w shops_r transactions_r',
    });
  });

  test('needs the keystring', () => {
    expect(() => wayOf().pageFor({}, REQUEST)).toThrow(
      'The keystring of Etsy is missing. Enter it in Settings.',
    );
  });
});

describe('the exchange', () => {
  test('sends the verifier and the same address, and returns an authorization without an expiry', async () => {
    expect(await exchange()).toEqual({ refreshToken: '77.r1', endsAt: null });
    expect(Object.fromEntries(new URLSearchParams(shop.service.asked[0]?.text))).toEqual({
      grant_type: 'authorization_code',
      client_id: 'key-1',
      redirect_uri: REQUEST.returnTo,
      code: 'code-1',
      code_verifier: 'ver-1',
    });
  });

  test.each([400, 401])(
    'that is refused with %i is a credential error with Etsy’s message',
    async (status) => {
      shop.service.faults.push({
        status,
        body: { error: 'invalid_grant', error_description: 'code was used' },
      });
      await expect(exchange()).rejects.toMatchObject({
        fault: 'key',
        message: `Etsy does not accept the answer: it is too old or was used (${status}). Choose "Connect Etsy" in Settings. Etsy says: code was used`,
      });
    },
  );

  // A code is valid once: after an unknown outcome it must not be sent again.
  test.each(SERVICE_FAULTS.filter(({ sent }) => sent === 'unknown'))(
    '$name: asked once, and not again',
    async ({ answer, read, isSilent }) => {
      if (isSilent) shop = await startEtsyShop({}, 300);
      shop.service.faults.push(answer);
      await expect(exchange()).rejects.toMatchObject({ fault: read, mayHaveActed: true });
      expect(shop.service.asked).toHaveLength(1);
    },
  );
});
