import { MARKETPLACE_NAMES, type Marketplace } from '#domain/marketplaces.ts';
import type { PriceChannel } from './price-channel.ts';

interface CredentialMember {
  /** The marketplace's own name for it. */
  readonly label: string;
  /** Stored encrypted and never shown. */
  readonly isSecret?: true;
  /**
   * Secrets sent to the destination that this member sets. Changing it requires entering them again: else a stored
   * secret could be sent to another destination.
   */
  readonly leads?: readonly string[];
  /** Access tokens are fetched with it, so a change invalidates the cached ones. */
  readonly makesTokens?: true;
  /** It identifies the account: after a change, prices may go to another store. */
  readonly isWhose?: true;
  /** The default value. */
  readonly standard?: string;
}

type Members = Readonly<Record<string, CredentialMember>>;

/** The credentials stored as columns of the settings row, by their names in the API. */
export const CREDENTIALS = {
  walmart: {
    clientId: { label: 'Client ID', makesTokens: true, isWhose: true },
    clientSecret: { label: 'Client secret', isSecret: true, makesTokens: true },
  },
  amazon: {
    sellerId: { label: 'Seller ID', leads: ['lwaClientSecret', 'refreshToken'], isWhose: true },
    lwaClientId: { label: 'LWA client ID', makesTokens: true },
    lwaClientSecret: { label: 'LWA client secret', isSecret: true, makesTokens: true },
  },
  michaels: { apiKey: { label: 'API key', isSecret: true, isWhose: true } },
  ebay: {
    appId: { label: 'App ID', makesTokens: true },
    certId: { label: 'Cert ID', isSecret: true, makesTokens: true },
  },
  etsy: {
    keystring: { label: 'Keystring', isSecret: true, makesTokens: true },
    shopName: { label: 'Shop name', isWhose: true },
    greatestDiscount: { label: 'Maximum discount you give on Etsy (%)' },
  },
  shopify: {
    storeUrl: { label: 'Store URL', leads: ['apiKey', 'clientSecret'], makesTokens: true, isWhose: true },
    apiKey: { label: 'Admin access token', isSecret: true },
  },
} as const satisfies Record<Marketplace, Members>;

/** Further credentials, stored in a separate table. */
const FURTHER_CREDENTIALS = {
  walmart: { feedVersion: { label: 'Price feed version' } },
  amazon: {
    refreshToken: { label: 'Refresh token', isSecret: true, makesTokens: true },
    region: {
      label: 'Region',
      leads: ['lwaClientSecret', 'refreshToken'],
      makesTokens: true,
      isWhose: true,
      standard: 'na',
    },
    marketplaceId: {
      label: 'Marketplace ID',
      leads: ['refreshToken'],
      isWhose: true,
      standard: 'ATVPDKIKX0DER',
    },
    sqsQueueUrl: { label: 'SQS queue URL', leads: ['awsSecretAccessKey'] },
    sqsQueueArn: { label: 'SQS queue ARN' },
    awsRegion: { label: 'AWS region' },
    awsAccessKeyId: { label: 'AWS access key ID' },
    awsSecretAccessKey: { label: 'AWS secret access key', isSecret: true },
    credentialExpiresAt: { label: 'Client secret expires on' },
    quotesPrices: { label: 'Send prices as quoted text' },
    ignorePriceLimits: { label: 'Ignore the price limits set on Amazon' },
  },
  michaels: { allowWrites: { label: 'Let prices be sent (beta)' } },
  ebay: {
    ruName: { label: 'RuName' },
    refreshToken: { label: 'Refresh token', isSecret: true, makesTokens: true, isWhose: true },
    refreshTokenExpiresAt: { label: 'Refresh token expires on' },
    marketplaceId: { label: 'Marketplace ID', isWhose: true, standard: 'EBAY_US' },
    username: { label: 'Username' },
    ignorePriceLimits: { label: 'Ignore the price limits set on eBay' },
    raiseBestOffers: { label: 'Raise Best Offer limits that are too low' },
  },
  etsy: {
    sharedSecret: { label: 'Shared secret', isSecret: true },
    // Etsy rotates it, so a newly entered one replaces all tokens issued since.
    refreshToken: { label: 'Refresh token', isSecret: true, makesTokens: true, isWhose: true },
  },
  shopify: {
    clientId: { label: 'Client ID', makesTokens: true },
    clientSecret: { label: 'Client secret', isSecret: true, makesTokens: true },
    repriceOnSale: { label: 'Reprice items on sale' },
  },
} as const satisfies Record<Marketplace, Members>;

/** Marketplaces whose refresh token comes from OAuth authorization on their own page. */
export const CONSENTED = ['ebay', 'etsy'] as const satisfies readonly Marketplace[];
export type Consented = (typeof CONSENTED)[number];

/** Whether a marketplace requires OAuth authorization. */
export function isConsented(marketplace: Marketplace): marketplace is Consented {
  return CONSENTED.some((each) => each === marketplace);
}

/** A credential with all its properties. */
export interface Credential {
  readonly name: string;
  readonly label: string;
  readonly isSecret: boolean;
  /** Stored outside the settings row. */
  readonly isFurther: boolean;
  readonly leads: readonly string[];
  readonly makesTokens: boolean;
  readonly isWhose: boolean;
  /** "" without one. */
  readonly standard: string;
}

/** The members of a marketplace in the order of the screen. */
export function credentialsOf(marketplace: Marketplace): readonly Credential[] {
  return [
    ...membersOf(CREDENTIALS[marketplace], false),
    ...membersOf(FURTHER_CREDENTIALS[marketplace], true),
  ];
}

function membersOf(members: Members, isFurther: boolean): Credential[] {
  return Object.entries(members).map(
    ([name, { label, isSecret, leads, makesTokens, isWhose, standard }]) => ({
      name,
      label,
      isFurther,
      leads: leads ?? [],
      standard: standard ?? '',
      isSecret: isSecret === true,
      makesTokens: makesTokens === true,
      isWhose: isWhose === true,
    }),
  );
}

/** The credentials needed for a connection; one of the sets is enough. */
const REQUIRED_CREDENTIALS: Readonly<Record<Marketplace, readonly (readonly string[])[]>> = {
  walmart: [['clientId', 'clientSecret']],
  amazon: [['sellerId', 'lwaClientId', 'lwaClientSecret', 'refreshToken']],
  michaels: [['apiKey']],
  ebay: [['appId', 'certId', 'refreshToken']],
  etsy: [['keystring', 'sharedSecret', 'refreshToken']],
  shopify: [
    ['storeUrl', 'apiKey'],
    ['storeUrl', 'clientId', 'clientSecret'],
  ],
};

/** Whether a member is set. */
export type IsSet = (name: string) => boolean;

/** Labels of the missing credentials of the set that is closest to complete; empty if none are missing. */
export function missingCredentials(marketplace: Marketplace, isSet: IsSet): readonly string[] {
  const ways = REQUIRED_CREDENTIALS[marketplace].map((names) => ({
    missing: names.filter((name) => !isSet(name)),
    there: names.filter(isSet).length,
  }));
  const [nearest] = ways.toSorted((a, b) => a.missing.length - b.missing.length || b.there - a.there);
  return labelsOf(marketplace, nearest?.missing ?? []);
}

/** The credentials needed before OAuth authorization can start. */
const REQUIRED_FOR_CONSENT: Readonly<Record<Consented, readonly string[]>> = {
  ebay: ['appId', 'certId', 'ruName'],
  etsy: ['keystring', 'sharedSecret'],
};

/** Labels of the credentials missing before authorization; empty if none are missing. */
export function missingForConsent(marketplace: Consented, isSet: IsSet): readonly string[] {
  return labelsOf(
    marketplace,
    REQUIRED_FOR_CONSENT[marketplace].filter((name) => !isSet(name)),
  );
}

/** The labels of credentials; a refresh token that comes from authorization is named as that. */
function labelsOf(marketplace: Marketplace, names: readonly string[]): readonly string[] {
  const labels = new Map(credentialsOf(marketplace).map(({ name, label }) => [name, label]));
  const ofConsent = isConsented(marketplace) ? 'your authorization' : undefined;
  return names.map((name) => (name === 'refreshToken' ? ofConsent : undefined) ?? labels.get(name) ?? name);
}

/** Marketplaces that are read-only by default, and the setting that allows sending prices. */
const SENDING_SWITCHES: Readonly<Partial<Record<Marketplace, string>>> = { michaels: 'allowWrites' };

/** How prices are sent, depending on which credentials are set. */
export function priceChannelOf(marketplace: Marketplace, isEnabled: boolean, isSet: IsSet): PriceChannel {
  if (!credentialsOf(marketplace).some(({ name, isSecret }) => isSecret && isSet(name))) return 'file';
  if (!isEnabled || missingCredentials(marketplace, isSet).length > 0) return 'paused';
  const leave = SENDING_SWITCHES[marketplace];
  return leave === undefined || isSet(leave) ? 'connected' : 'read_only';
}

/** Why no prices are sent to a read-only marketplace, and how to change that. */
export function readOnlySentence(marketplace: Marketplace): string {
  const name = MARKETPLACE_NAMES[marketplace];
  const leave = credentialsOf(marketplace).find((member) => member.name === SENDING_SWITCHES[marketplace]);
  return `Sending prices to ${name} is turned off. Turn on "${leave?.label}" in the settings of ${name}.`;
}

/** "Amazon still needs: Seller ID and Refresh token." @param missing one label or more */
export function missingSentence(marketplace: Marketplace, missing: readonly string[]): string {
  const last = missing.at(-1) ?? '';
  const first = missing.slice(0, -1).join(', ');
  return `${MARKETPLACE_NAMES[marketplace]} still needs: ${first === '' ? last : `${first} and ${last}`}.`;
}

const SHOP_HOST = /^[a-z0-9][a-z0-9-]*\.myshopify\.com$/;

/**
 * The host of a Shopify store, "my-shop.myshopify.com", without scheme and path, in lower case.
 * @returns null for any other host, since the access token is sent there
 */
export function shopHost(text: string): string | null {
  const [host = ''] = text
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .split('/', 1);
  return SHOP_HOST.test(host) ? host : null;
}

const QUEUE_ADDRESS = /^https:\/\/sqs\.[a-z]{2}(-[a-z]+){1,3}-\d\.amazonaws\.com\/\d{12}\/[\w-]{1,80}$/;

/** Whether a text is the address of an Amazon SQS queue. Signed requests must go nowhere else. */
export function isQueueAddress(text: string): boolean {
  return QUEUE_ADDRESS.test(text);
}
