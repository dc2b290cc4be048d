import { michaelsKey } from './adapters/michaels/michaels-key.ts';
import type { ServiceName } from './faults/fault.ts';

/** Credentials by their names in Settings; valid for the sandbox only. */
export type SandboxCredentials = Readonly<Record<ServiceName, Readonly<Record<string, string>>>>;

/** When the Michaels API key expires, in Unix seconds: in 2036. Real keys expire after 90 days. */
const KEY_ENDS_AT = Date.UTC(2036, 0, 1) / 1_000;

/** The path of the queue on the sandbox's own address. */
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
