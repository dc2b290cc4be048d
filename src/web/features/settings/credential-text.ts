import type { Marketplace } from '#domain/marketplaces.ts';

/** Where a seller finds each member of the credentials, or what it looks like. */
export const CREDENTIAL_HINTS: Readonly<Record<Marketplace, Readonly<Record<string, string>>>> = {
  walmart: {
    clientId: 'In the Walmart developer portal, under API keys.',
    clientSecret: 'Stands beside the client ID.',
    feedVersion:
      'Blank is the version that Pricewright knows. Enter the one that Walmart names when it says that ours is out of use.',
  },
  amazon: {
    sellerId: 'Your merchant token, such as A1B2C3D4E5F6G7. Offers of this seller count as yours.',
    lwaClientId: 'Login with Amazon; begins with amzn1.',
    lwaClientSecret: 'Amazon asks to renew it every 180 days.',
    refreshToken:
      'Shown once when you authorize your own application in the Solution Provider Portal; begins with Atzr.',
    region: 'Where your Seller Central account is.',
    marketplaceId: 'ATVPDKIKX0DER is amazon.com, and taken when this is blank.',
    sqsQueueUrl:
      'Where Amazon puts its messages, such as https://sqs.us-east-1.amazonaws.com/123456789012/offers.',
    sqsQueueArn: 'The same queue, such as arn:aws:sqs:us-east-1:123456789012:offers.',
    awsRegion: 'Such as us-east-1.',
    awsAccessKeyId: 'Of a user who may read that queue and delete from it, and nothing else.',
    awsSecretAccessKey: 'Shown once when the access key is made.',
    quotesPrices:
      'Some accounts are said to take no plain numbers. Try it only when Amazon refuses every price as malformed.',
  },
  michaels: {
    apiKey: 'Made in the Michaels developer portal.',
    allowWrites: 'Their interface for prices is young. Off, prices are read and computed, and none is sent.',
  },
  ebay: {
    appId: 'The client ID of your production keyset.',
    certId: 'The client secret of the same keyset.',
    ruName: 'The redirect name of your keyset, under User Tokens.',
    refreshToken:
      'Stored when you connect. You may also enter one from eBay’s own pages; it begins with v^1.1.',
    refreshTokenExpiresAt:
      'Known when you connect; else about 18 months after the consent. You are reminded before that day.',
    marketplaceId: 'EBAY_US is taken when this is blank.',
    username: 'How eBay calls you. Offers of this seller count as yours once you name it under Your sellers.',
  },
  etsy: {
    keystring: 'The API key of your Etsy app.',
    shopName: 'As it stands in the address of your shop.',
    sharedSecret: 'Stands beside the keystring.',
    refreshToken:
      'Stored when you connect. It is replaced with every use, and ends after 90 days without one.',
  },
  shopify: {
    storeUrl: 'Such as my-shop.myshopify.com; keys go nowhere else.',
    apiKey: 'Begins with shpat_. Where there is none, use the client ID and secret below.',
    clientId: 'Of an app in your Dev Dashboard: stores give out no new tokens since 2026.',
    clientSecret: 'Stands beside the client ID.',
  },
};

/** Members that most sellers do without, under a name. */
interface Fold {
  /** Stays folded while something in it is stored: it is told elsewhere. */
  readonly isQuiet?: true;
  readonly title: string;
  readonly names: readonly string[];
}

/** What is folded away. */
export const FOLDED: Readonly<Partial<Record<Marketplace, readonly Fold[]>>> = {
  walmart: [{ title: 'If Walmart refuses files of prices', names: ['feedVersion'] }],
  amazon: [
    {
      title: 'Messages about offers through Amazon SQS (optional)',
      names: ['sqsQueueUrl', 'sqsQueueArn', 'awsRegion', 'awsAccessKeyId', 'awsSecretAccessKey'],
    },
    { title: 'If Amazon refuses every price', names: ['quotesPrices'] },
  ],
  ebay: [{ isQuiet: true, title: 'Refresh token by hand', names: ['refreshToken', 'refreshTokenExpiresAt'] }],
  etsy: [{ isQuiet: true, title: 'Refresh token by hand', names: ['refreshToken'] }],
  shopify: [{ title: 'Client ID and secret, in place of a token', names: ['clientId', 'clientSecret'] }],
};

/** What a seller chooses among, where a member is no free text. */
export const REGIONS = [
  { value: '', label: 'North America (not chosen)' },
  { value: 'na', label: 'North America' },
  { value: 'eu', label: 'Europe' },
  { value: 'fe', label: 'Far East' },
] as const;
