import { michaelsKey } from './adapters/michaels/michaels-key.ts';
import type { FaceName } from './faults/fault.ts';

/** Credentials by the names they have in the settings. They open the sandbox and nothing else. */
export type SandboxCredentials = Readonly<Record<FaceName, Readonly<Record<string, string>>>>;

/** When the key of Michaels ends, in seconds since 1970: in 2036. Real ones live for about ninety days. */
const KEY_ENDS_AT = Date.UTC(2036, 0, 1) / 1_000;

/** Where the queue lies on the sandbox's own address. */
export const QUEUE_PATH = '/000000000000/offers';

export const CREDENTIALS = {
  amazon: {
    sellerId: 'A1SANDBOXSELLER',
    lwaClientId: 'amzn1.application-oa2-client.sandbox',
    lwaClientSecret: 'amzn1.oa2-cs.v1.sandbox',
    refreshToken: 'Atzr|sandbox',
    region: 'na',
    marketplaceId: 'ATVPDKIKX0DER',
    sqsQueueArn: 'arn:aws:sqs:us-east-1:000000000000:offers',
    awsRegion: 'us-east-1',
    awsAccessKeyId: 'AKIASANDBOX',
    awsSecretAccessKey: 'sandbox-aws-secret',
  },
  walmart: { clientId: 'sandbox-walmart-client', clientSecret: 'sandbox-walmart-secret' },
  ebay: {
    appId: 'Sandbox-App-PRD-0001',
    certId: 'PRD-sandbox-cert',
    ruName: 'Sandbox-App-RuName',
    refreshToken: 'v^1.1#i^1#sandbox-refresh',
    username: 'sandbox-seller',
  },
  etsy: {
    keystring: 'sandboxkeystring0000000',
    sharedSecret: 'sandboxshared',
    shopName: 'SandboxShop',
    refreshToken: '12345678.sandbox-refresh',
  },
  shopify: {
    storeUrl: 'sandbox-shop.myshopify.com',
    apiKey: 'shpat_sandbox0000000000000000000000000',
    clientId: 'sandbox-shopify-client',
    clientSecret: 'shpss_sandbox000000000000000000000000',
  },
  michaels: { apiKey: michaelsKey({ exp: KEY_ENDS_AT, access: 'all' }) },
  veeqo: { apiKey: 'Vqt/sandbox-veeqo-key' },
} as const satisfies SandboxCredentials;
