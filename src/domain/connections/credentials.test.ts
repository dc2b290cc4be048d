import { describe, expect, test } from 'vitest';
import { MARKETPLACES } from '#domain/marketplaces.ts';
import {
  credentialsOf,
  isQueueAddress,
  missingCredentials,
  missingSentence,
  priceChannelOf,
  readOnlySentence,
  shopHost,
} from './credentials.ts';

const set =
  (...names: string[]) =>
  (name: string) =>
    names.includes(name);

describe('credentials', () => {
  test.each(MARKETPLACES)(
    '%s has a secret in the settings row, which authenticates its calls',
    (marketplace) => {
      const first = credentialsOf(marketplace).filter(({ isFurther }) => !isFurther);
      expect(first.filter(({ isSecret }) => isSecret)).toHaveLength(1);
    },
  );

  test.each(MARKETPLACES)(
    'names of %s are unique, and a destination names existing secrets of its marketplace',
    (marketplace) => {
      const all = credentialsOf(marketplace);
      expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
      const secrets = all.filter(({ isSecret }) => isSecret).map(({ name }) => name);
      for (const { isSecret, leads } of all) {
        if (isSecret) expect(leads).toEqual([]);
        expect(secrets).toEqual(expect.arrayContaining([...leads]));
      }
    },
  );

  test.each([
    ['walmart', ['clientId', 'clientSecret']],
    ['amazon', ['sellerId', 'lwaClientId', 'lwaClientSecret', 'refreshToken']],
    ['michaels', ['apiKey', 'allowWrites']],
    ['ebay', ['appId', 'certId', 'refreshToken']],
    ['etsy', ['keystring', 'sharedSecret', 'refreshToken']],
    ['shopify', ['storeUrl', 'apiKey']],
    ['shopify', ['storeUrl', 'clientId', 'clientSecret']],
  ] as const)('%s is connected with %s, and needs each of them', (marketplace, names) => {
    expect(priceChannelOf(marketplace, true, set(...names))).toBe('connected');
    expect(priceChannelOf(marketplace, false, set(...names))).toBe('paused');
    for (const left of names) {
      const rest = names.filter((name) => name !== left);
      expect(missingCredentials(marketplace, set(...rest))).toHaveLength(left === 'allowWrites' ? 0 : 1);
      expect(priceChannelOf(marketplace, true, set(...rest))).not.toBe('connected');
    }
  });

  test('Michaels with only its API key is read-only', () => {
    expect(priceChannelOf('michaels', true, set('apiKey'))).toBe('read_only');
    expect(priceChannelOf('michaels', false, set('apiKey'))).toBe('paused');
    expect(readOnlySentence('michaels')).toBe(
      'Sending prices to Michaels is turned off. Turn on "Let prices be sent (beta)" in the settings of Michaels.',
    );
  });

  test('without a secret prices go by file, turned on or off', () => {
    for (const marketplace of MARKETPLACES) {
      const plain = credentialsOf(marketplace).filter(({ isSecret }) => !isSecret);
      for (const isOn of [true, false]) {
        expect(priceChannelOf(marketplace, isOn, set(...plain.map(({ name }) => name)))).toBe('file');
      }
    }
  });

  test('the missing credentials are those of the most complete set', () => {
    expect(missingCredentials('shopify', set('storeUrl', 'clientId'))).toEqual(['Client secret']);
    expect(missingCredentials('shopify', set('storeUrl'))).toEqual(['Admin access token']);
    expect(missingSentence('amazon', missingCredentials('amazon', set('lwaClientSecret')))).toBe(
      'Amazon still needs: Seller ID, LWA client ID and Refresh token.',
    );
    expect(missingSentence('michaels', ['API key'])).toBe('Michaels still needs: API key.');
  });
});

describe('the address of a queue', () => {
  test.each([
    ['https://sqs.us-east-1.amazonaws.com/123456789012/offers', true],
    ['http://sqs.us-east-1.amazonaws.com/123456789012/offers', false],
    ['https://sqs.us-east-1.amazonaws.com.evil.example/123456789012/offers', false],
    ['https://sqs.us-east-1.amazonaws.com@evil.example/123456789012/offers', false],
    ['https://evil.example/123456789012/offers', false],
    ['https://sqs.us-east-1.amazonaws.com/123456789012/offers?x=1', false],
  ])('%s: %s', (text, isOne) => {
    expect(isQueueAddress(text)).toBe(isOne);
  });
});

describe('the address of a Shopify shop', () => {
  test.each([
    ['my-shop.myshopify.com', 'my-shop.myshopify.com'],
    ['https://My-Shop.myshopify.com/admin', 'my-shop.myshopify.com'],
    [' http://a1.myshopify.com ', 'a1.myshopify.com'],
  ])('%j is %s', (text, host) => {
    expect(shopHost(text)).toBe(host);
  });

  test.each([
    'my-shop.com',
    'my-shop.myshopify.com.evil.example',
    'evil.example/my-shop.myshopify.com',
    'my-shop.myshopify.com:8080',
    'user@my-shop.myshopify.com',
    '-shop.myshopify.com',
    'a.b.myshopify.com',
    '.myshopify.com',
    '',
  ])('%j is refused', (text) => {
    expect(shopHost(text)).toBeNull();
  });
});
