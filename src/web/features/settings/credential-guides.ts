import type { Marketplace } from '#domain/marketplaces.ts';

/** How a seller gets the credentials of a marketplace. Names of pages, buttons and rights are the marketplace's own. */
export interface CredentialGuide {
  /** The page where it begins; null where the marketplace gives its address to approved sellers only. */
  readonly startsAt: { readonly label: string; readonly href: string } | null;
  readonly cost: string;
  readonly takes: string;
  readonly steps: readonly string[];
  /** The rights that are needed, and what for. */
  readonly rights: readonly { readonly name: string; readonly use: string }[];
  /** When credentials end, and what to do then; null if they do not. */
  readonly ends: string | null;
}

/** From the marketplaces' documents; not tried with real accounts. */
export const CREDENTIAL_GUIDES: Readonly<Record<Marketplace, CredentialGuide>> = {
  walmart: {
    startsAt: { label: 'developer.walmart.com', href: 'https://developer.walmart.com' },
    cost: 'Free.',
    takes: 'Minutes, with a live seller account.',
    steps: [
      'Log in with your seller account and open My Account, then API Keys.',
      'Create a key for Production. A sandbox key does not reach your listings.',
      'Copy the client ID and the client secret.',
    ],
    rights: [
      { name: 'Items, reports', use: 'to read your listings' },
      { name: 'Price, feeds', use: 'to send prices' },
      { name: 'Insights', use: 'to read the buy box and before each price is sent; needs published items' },
      { name: 'Orders', use: 'to count sales and what they leave you' },
      { name: 'Webhooks', use: 'to receive buy box changes; needs an https address of this server' },
    ],
    ends: null,
  },
  amazon: {
    startsAt: {
      label: 'Solution Provider Portal',
      href: 'https://solutionproviderportal.amazon.com',
    },
    cost: 'API calls are free. You need a Professional selling plan, $39.99 a month in the US; individual plans are not accepted.',
    takes:
      'About 20 minutes for the identity check. The review of your developer profile takes days; some sellers report weeks.',
    steps: [
      'Log in as the primary user of your seller account and pass the identity check.',
      'Fill in the developer profile as a private developer: you sell yourself and build for no one else.',
      'Once it is approved, choose Develop Apps, then Add new app client, with the roles below. None of them is restricted.',
      'Copy the LWA client ID and secret.',
      'Choose Authorize app and copy the refresh token: Amazon shows it once.',
      'Copy the merchant token in Seller Central, under Account Info. It is the seller ID.',
      'With more than 5,000 listings, add an Amazon SQS queue in an AWS account, below, so that Amazon reports changed offers. AWS charges for it: some cents a day at 100,000 messages.',
    ],
    rights: [
      { name: 'Product Listing', use: 'to read listings and send prices' },
      { name: 'Pricing', use: 'to read competitors and featured offer prices' },
      { name: 'Inventory and Order Tracking', use: 'to count sales' },
      { name: 'Selling Partner Insights or Brand Analytics', use: 'for your share of the buy box' },
      {
        name: 'Finance and Accounting',
        use: 'to read what Amazon booked; without it, profits are estimated',
      },
    ],
    ends: "Amazon's client secret expires after 180 days, and Amazon does not report the date. Enter it here to get a reminder. Create a new secret in the app before that day, and replace it here.",
  },
  michaels: {
    startsAt: null,
    cost: 'Free for approved sellers.',
    takes: 'Minutes, once Michaels approved you as a seller.',
    steps: [
      'Open the marketplace developer portal of Michaels from your seller account and create an API key.',
      'Copy the key. Prices are only recommended until you let them be sent: first send one price, and check it on michaels.com.',
    ],
    rights: [],
    ends: 'Most keys end after about 90 days. Pricewright reads the day from the key and reminds you.',
  },
  ebay: {
    startsAt: { label: 'eBay Developers Program', href: 'https://developer.ebay.com/my/keys' },
    cost: 'Free.',
    takes: 'Usually one working day for the developer account.',
    steps: [
      'Join the program and open Application Keys. Create a Production keyset.',
      'eBay keeps it disabled until you act under Alerts and Notifications, Marketplace Account Deletion: enter the address and token below, or ask for the exemption if this server has no public https address.',
      'Open User Tokens of the keyset, create a redirect name (RuName) and enter the address below as accepted URL.',
      'Copy the App ID, Cert ID and RuName, save, then choose Connect eBay and agree.',
    ],
    rights: [
      { name: 'api_scope', use: 'to find competitors, and to price listings made in eBay’s own forms' },
      { name: 'sell.inventory', use: 'to read listings and send prices' },
      { name: 'sell.fulfillment.readonly', use: 'to count sales' },
      { name: 'sell.finances', use: 'to read what eBay booked' },
      { name: 'sell.marketing', use: 'to skip items in your markdown sales; none is changed' },
    ],
    ends: 'Your authorization ends after 18 months, and at once when you change your eBay password or user name. Pricewright reminds you; choose Connect eBay again.',
  },
  etsy: {
    startsAt: { label: 'etsy.com/developers', href: 'https://www.etsy.com/developers/register' },
    cost: 'Free.',
    takes: 'Days to weeks until Etsy approves the app. Some are rejected, also for one’s own shop.',
    steps: [
      'Turn on two-factor authentication of your Etsy account.',
      'Choose Register a new application, for personal access to your own shop. You are its developer: say what it does in your own words.',
      'Enter the address below as callback URL, exactly as it is shown.',
      'Copy the keystring and the shared secret, save, then choose Connect Etsy and agree.',
    ],
    rights: [
      { name: 'listings_r, listings_w', use: 'to read listings and send prices' },
      { name: 'shops_r', use: 'to read your shop' },
      { name: 'transactions_r', use: 'to count sales' },
    ],
    ends: 'The authorization ends after 90 days without use; Etsy disables apps that were not used for six months. Pricewright uses both while it is connected and runs.',
  },
  shopify: {
    startsAt: { label: 'Dev Dashboard', href: 'https://dev.shopify.com/dashboard' },
    cost: 'Free.',
    takes: 'Minutes.',
    steps: [
      'Choose Create app in the organization of your store.',
      'Under Versions, enter the scopes below, then choose Release.',
      'Choose Install app and your store.',
      'Copy the client ID and secret under Settings. A token that starts with shpat_, of an earlier app, still works.',
    ],
    rights: [
      { name: 'read_products, write_products', use: 'to read products and send prices' },
      { name: 'read_inventory', use: 'to read stock' },
      { name: 'read_orders', use: 'to count sales' },
      { name: 'read_shopify_payments_payouts', use: 'to read what Shopify booked; optional' },
    ],
    ends: null,
  },
};
