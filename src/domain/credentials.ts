import type { Marketplace } from './marketplaces.ts';

/** One member of a marketplace's credentials. */
interface CredentialMember {
  /** Stored encrypted, and never shown again. */
  readonly isSecret: boolean;
  /**
   * Says where the secret goes. Whoever changes it has to enter the secret again: else a stored key could be sent
   * somewhere else.
   */
  readonly isDestination: boolean;
}

const PLAIN: CredentialMember = { isSecret: false, isDestination: false };
const SECRET: CredentialMember = { isSecret: true, isDestination: false };
const DESTINATION: CredentialMember = { isSecret: false, isDestination: true };

/** What each marketplace asks for, by the names of the settings. Each has exactly one secret. */
export const CREDENTIALS = {
  walmart: { clientId: PLAIN, clientSecret: SECRET },
  amazon: { sellerId: DESTINATION, lwaClientId: PLAIN, lwaClientSecret: SECRET },
  michaels: { apiKey: SECRET },
  ebay: { appId: PLAIN, certId: SECRET },
  etsy: { keystring: SECRET, shopName: PLAIN },
  shopify: { storeUrl: DESTINATION, apiKey: SECRET },
} as const satisfies Record<Marketplace, Record<string, CredentialMember>>;

/** The members of a marketplace in the order of the screen. */
export function credentialsOf(
  marketplace: Marketplace,
): readonly (CredentialMember & { readonly name: string })[] {
  return Object.entries<CredentialMember>(CREDENTIALS[marketplace]).map(([name, member]) => ({
    name,
    ...member,
  }));
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
