import { describe, expect, test } from 'vitest';
import { credentialsOf, shopHost } from './credentials.ts';
import { MARKETPLACES } from './marketplaces.ts';

describe('credentials', () => {
  test.each(MARKETPLACES)('%s has exactly one secret, which proves who asks', (marketplace) => {
    expect(credentialsOf(marketplace).filter(({ isSecret }) => isSecret)).toHaveLength(1);
  });

  test('a destination is no secret itself', () => {
    const both = MARKETPLACES.flatMap(credentialsOf).filter((each) => each.isSecret && each.isDestination);
    expect(both).toEqual([]);
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
