import { MARKETPLACE_NAMES, type Marketplace } from './marketplaces.ts';
import type { PriceChannel } from './price-channel.ts';

/** One member of a marketplace's credentials. */
interface CredentialMember {
  /** How the marketplace itself calls it. */
  readonly label: string;
  /** Stored encrypted, and never shown again. */
  readonly isSecret?: true;
  /**
   * Secrets that go where this one says. Whoever changes it has to enter them again: else a stored key could be sent
   * somewhere else.
   */
  readonly leads?: readonly string[];
  /** Access tokens are fetched with it: those that are held are worth nothing once it changes. */
  readonly makesTokens?: true;
  /** It says whose account it is, or nothing else would: with another one prices may go to another shop. */
  readonly isWhose?: true;
  /** What it is while nobody entered it. */
  readonly standard?: string;
}

type Members = Readonly<Record<string, CredentialMember>>;

/** What each marketplace asks for first, by the names of the settings: columns of the settings' row. */
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
  },
  shopify: {
    storeUrl: { label: 'Store URL', leads: ['apiKey', 'clientSecret'], makesTokens: true, isWhose: true },
    apiKey: { label: 'Admin access token', isSecret: true },
  },
} as const satisfies Record<Marketplace, Members>;

/** What their programs need beyond that, stored apart. */
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
    quotesPrices: { label: 'Send prices as quoted text' },
  },
  michaels: { allowWrites: { label: 'Let prices be sent (beta)' } },
  ebay: {
    ruName: { label: 'RuName' },
    refreshToken: { label: 'Refresh token', isSecret: true, makesTokens: true, isWhose: true },
    refreshTokenExpiresAt: { label: 'Refresh token ends on' },
    marketplaceId: { label: 'Marketplace ID', isWhose: true, standard: 'EBAY_US' },
    username: { label: 'Username' },
  },
  etsy: {
    sharedSecret: { label: 'Shared secret', isSecret: true },
    // The account goes on with the tokens that followed it: whoever enters another one begins anew.
    refreshToken: { label: 'Refresh token', isSecret: true, makesTokens: true, isWhose: true },
  },
  shopify: {
    clientId: { label: 'Client ID', makesTokens: true },
    clientSecret: { label: 'Client secret', isSecret: true, makesTokens: true },
  },
} as const satisfies Record<Marketplace, Members>;

/** Marketplaces whose refresh token comes of a consent that a person gives on a page of theirs. */
export const CONSENTED = ['ebay', 'etsy'] as const satisfies readonly Marketplace[];
export type Consented = (typeof CONSENTED)[number];

/** Whether a marketplace asks for a consent. */
export function isConsented(marketplace: Marketplace): marketplace is Consented {
  return CONSENTED.some((each) => each === marketplace);
}

/** A member with its name, and everything said about it. */
export interface Credential {
  readonly name: string;
  readonly label: string;
  readonly isSecret: boolean;
  /** Stored beside the settings' row. */
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

/** What it takes to be connected; where there are two ways, either. */
const WAYS_IN: Readonly<Record<Marketplace, readonly (readonly string[])[]>> = {
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

/** Labels of what is missing for the way in that is nearest; empty when nothing is. */
export function missingCredentials(marketplace: Marketplace, isSet: IsSet): readonly string[] {
  const ways = WAYS_IN[marketplace].map((names) => ({
    missing: names.filter((name) => !isSet(name)),
    there: names.filter(isSet).length,
  }));
  const [nearest] = ways.toSorted((a, b) => a.missing.length - b.missing.length || b.there - a.there);
  return labelsOf(marketplace, nearest?.missing ?? []);
}

/** What has to be stored before somebody can be led to a consent page. */
const BEFORE_CONSENT: Readonly<Record<Consented, readonly string[]>> = {
  ebay: ['appId', 'certId', 'ruName'],
  etsy: ['keystring', 'sharedSecret'],
};

/** Labels of what is missing before somebody can give consent; empty when nothing is. */
export function missingForConsent(marketplace: Consented, isSet: IsSet): readonly string[] {
  return labelsOf(
    marketplace,
    BEFORE_CONSENT[marketplace].filter((name) => !isSet(name)),
  );
}

/** What is missing as people call it: nobody looks for a refresh token where a consent is asked for. */
function labelsOf(marketplace: Marketplace, names: readonly string[]): readonly string[] {
  const labels = new Map(credentialsOf(marketplace).map(({ name, label }) => [name, label]));
  const ofConsent = isConsented(marketplace) ? 'your consent' : undefined;
  return names.map((name) => (name === 'refreshToken' ? ofConsent : undefined) ?? labels.get(name) ?? name);
}

/** Marketplaces that are only read until somebody lets prices be sent there, and the member that does. */
const LEAVE_TO_SEND: Readonly<Partial<Record<Marketplace, string>>> = { michaels: 'allowWrites' };

/** How prices go out, by which of a marketplace's members are set. */
export function priceChannelOf(marketplace: Marketplace, isEnabled: boolean, isSet: IsSet): PriceChannel {
  if (!credentialsOf(marketplace).some(({ name, isSecret }) => isSecret && isSet(name))) return 'file';
  if (!isEnabled || missingCredentials(marketplace, isSet).length > 0) return 'paused';
  const leave = LEAVE_TO_SEND[marketplace];
  return leave === undefined || isSet(leave) ? 'connected' : 'read_only';
}

/** Why nothing is sent to a marketplace that is only read, and what to do about it. */
export function readOnlySentence(marketplace: Marketplace): string {
  const name = MARKETPLACE_NAMES[marketplace];
  const leave = credentialsOf(marketplace).find((member) => member.name === LEAVE_TO_SEND[marketplace]);
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
 * The address of a Shopify shop as its host, "my-shop.myshopify.com"; a scheme, a path and capitals are taken off.
 * @returns null for any other host: the access token would be sent there
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

/** Whether a text is the address of a queue at Amazon, and nowhere else: requests signed with a key go there. */
export function isQueueAddress(text: string): boolean {
  return QUEUE_ADDRESS.test(text);
}
