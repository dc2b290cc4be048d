import type { Marketplace } from '#domain/marketplaces.ts';

interface FieldWords {
  readonly label: string;
  /** Where a seller finds it, or what it looks like. */
  readonly hint: string;
}

/** How each marketplace itself calls what it asks for. */
export const CREDENTIAL_WORDS: Readonly<Record<Marketplace, Readonly<Record<string, FieldWords>>>> = {
  walmart: {
    clientId: { label: 'Client ID', hint: 'In the Walmart developer portal, under API keys.' },
    clientSecret: { label: 'Client secret', hint: 'Stands beside the client ID.' },
  },
  amazon: {
    sellerId: {
      label: 'Seller ID',
      hint: 'Your merchant token, such as A1B2C3D4E5F6G7. Offers of this seller count as yours.',
    },
    lwaClientId: { label: 'LWA client ID', hint: 'Login with Amazon; begins with amzn1.' },
    lwaClientSecret: { label: 'LWA client secret', hint: 'Amazon asks to renew it every 180 days.' },
  },
  michaels: { apiKey: { label: 'API key', hint: 'Made in the Michaels developer portal.' } },
  ebay: {
    appId: { label: 'App ID', hint: 'The client ID of your production keyset.' },
    certId: { label: 'Cert ID', hint: 'The client secret of the same keyset.' },
  },
  etsy: {
    keystring: { label: 'Keystring', hint: 'The API key of your Etsy app.' },
    shopName: { label: 'Shop name', hint: 'As it stands in the address of your shop.' },
  },
  shopify: {
    storeUrl: { label: 'Store URL', hint: 'Such as my-shop.myshopify.com; the token goes nowhere else.' },
    apiKey: { label: 'Admin access token', hint: 'Begins with shpat_.' },
  },
};
