import type { Marketplace } from '#domain/marketplaces.ts';

/** Where to find each credential, or what it looks like. */
export const CREDENTIAL_HINTS: Readonly<Record<Marketplace, Readonly<Record<string, string>>>> = {
  walmart: {
    clientId: 'In the Walmart developer portal, under API keys.',
    clientSecret: 'Shown next to the client ID.',
    feedVersion:
      'Leave blank for the version Pricewright supports. Enter another version only when Walmart reports that ours is no longer supported.',
  },
  amazon: {
    sellerId: 'Your merchant token, such as A1B2C3D4E5F6G7. Offers of this seller count as yours.',
    lwaClientId: 'From Login with Amazon; starts with amzn1.',
    lwaClientSecret: 'Amazon requires a new one every 180 days.',
    refreshToken:
      'Shown once when you authorize your own application in the Solution Provider Portal; starts with Atzr.',
    region: 'The region of your Seller Central account.',
    marketplaceId: 'Leave blank for amazon.com (ATVPDKIKX0DER).',
    sqsQueueUrl:
      'The queue for Amazon notifications, such as https://sqs.us-east-1.amazonaws.com/123456789012/offers.',
    sqsQueueArn: 'The ARN of the same queue, such as arn:aws:sqs:us-east-1:123456789012:offers.',
    awsRegion: 'Such as us-east-1.',
    awsAccessKeyId: 'Of a user who can only read from and delete from this queue.',
    awsSecretAccessKey: 'Shown once when you create the access key.',
    credentialExpiresAt:
      'Amazon ends a client secret 180 days after it was created. Test the connection after saving: you get a reminder before that day.',
    quotesPrices:
      'Some accounts do not accept plain numbers. Use this only if Amazon rejects every price as malformed.',
    ignorePriceLimits:
      'Prices stay within the minimum, maximum and MAP price that you set in Seller Central, unless you turn this on. Amazon rejects prices outside of them.',
  },
  michaels: {
    apiKey: 'Created in the Michaels developer portal.',
    allowWrites: 'The Michaels pricing API is in beta. When off, prices are calculated but not sent.',
  },
  ebay: {
    appId: 'The client ID of your production keyset.',
    certId: 'The client secret of the same keyset.',
    ruName: 'The redirect name of your keyset, under User Tokens.',
    refreshToken:
      'Saved when you connect. You can also enter one from eBay’s own pages; it starts with v^1.1.',
    refreshTokenExpiresAt:
      'Filled in when you connect; otherwise up to 18 months after you authorize. You get a reminder before that day.',
    marketplaceId: 'Leave blank for EBAY_US.',
    ignorePriceLimits:
      'Prices stay at or above the MAP price and above the prices at which eBay accepts or declines Best Offers, unless you turn this on.',
    raiseBestOffers:
      'eBay may accept Best Offers below your lowest allowed price. When on, Pricewright raises the price from which eBay accepts them, and never lowers it, while eBay is live. Listings in eBay’s Inventory model are only reported.',
    username: 'Your eBay user name. Offers of this seller count as yours once you add it under Your sellers.',
  },
  etsy: {
    keystring: 'The API key of your Etsy app.',
    shopName: 'As shown in the address of your Etsy shop.',
    greatestDiscount:
      'Etsy does not report shop sales and coupons to programs. Enter the highest percentage that buyers may get off; lowest allowed prices keep your minimum margin after it. Blank means 0.',
    sharedSecret: 'Shown next to the keystring.',
    refreshToken:
      'Saved when you connect. It is replaced with every use and expires after 90 days without use.',
  },
  shopify: {
    storeUrl: 'Such as my-shop.myshopify.com. Credentials are sent only there.',
    apiKey: 'Starts with shpat_. If you have none, use the client ID and secret below.',
    clientId: 'Of an app in your Dev Dashboard. Stores issue no new tokens since 2026.',
    clientSecret: 'Shown next to the client ID.',
  },
};

/** Fields that most sellers do not need, folded under a title. */
interface Fold {
  /** Stays folded even with a stored value, which is shown elsewhere. */
  readonly isQuiet?: true;
  readonly title: string;
  readonly names: readonly string[];
}

/** The folded fields. */
export const FOLDED: Readonly<Partial<Record<Marketplace, readonly Fold[]>>> = {
  walmart: [{ title: 'If Walmart rejects price files', names: ['feedVersion'] }],
  amazon: [
    {
      title: 'Offer notifications through Amazon SQS (optional)',
      names: ['sqsQueueUrl', 'sqsQueueArn', 'awsRegion', 'awsAccessKeyId', 'awsSecretAccessKey'],
    },
    { title: 'If Amazon rejects every price', names: ['quotesPrices'] },
    { title: 'Price limits in Seller Central', names: ['ignorePriceLimits'] },
  ],
  ebay: [
    {
      isQuiet: true,
      title: 'Enter a refresh token manually',
      names: ['refreshToken', 'refreshTokenExpiresAt'],
    },
    { title: 'Price limits on eBay', names: ['ignorePriceLimits'] },
    { title: 'Best Offers', names: ['raiseBestOffers'] },
  ],
  etsy: [{ isQuiet: true, title: 'Enter a refresh token manually', names: ['refreshToken'] }],
  shopify: [
    { title: 'Client ID and secret, instead of a token', names: ['clientId', 'clientSecret'] },
    { title: 'Items on sale', names: ['repriceOnSale'] },
  ],
};

/** The options of fields that are not free text. */
export const REGIONS = [
  { value: '', label: 'North America (not chosen)' },
  { value: 'na', label: 'North America' },
  { value: 'eu', label: 'Europe' },
  { value: 'fe', label: 'Far East' },
] as const;
