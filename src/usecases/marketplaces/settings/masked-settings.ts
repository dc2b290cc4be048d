import { SECRET_MASK, type Settings } from '#contract/settings.ts';
import { credentialsOf } from '#domain/connections/credentials.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import {
  keyIdOf,
  keyWith,
  OTHER_KEY,
  SecretError,
  type SecretKey,
} from '#usecases/identity/encryption/secret-box.ts';
import type { SecretKeys } from '#usecases/identity/encryption/secret-keys.ts';
import { plainText, type StoredSettings, storedSecrets, storedText } from './stored-credentials.ts';

const mask = (secret: string | null): string => (secret === null ? '' : SECRET_MASK);
const text = (plain: string | null): string => plain ?? '';

/**
 * The settings for a screen or the audit log, field by field; of a secret only whether it is set.
 * @param key decrypts stored values that are not secret, such as a region; null omits them
 */
export function maskedSettings(
  stored: StoredSettings,
  key: SecretKey | null,
): Omit<Settings, 'version' | 'secretProblem'> {
  const { row } = stored;
  return {
    autoRepricing: row.autoRepricing,
    checkInterval: row.checkInterval,
    notifications: row.notifications,
    ...(row.timeZone === null ? {} : { timeZone: row.timeZone }),
    veeqo: {
      enabled: row.veeqoEnabled,
      apiKey: mask(row.veeqoApiKey),
      lastSync: row.veeqoLastSync === null ? null : new Date(row.veeqoLastSync).toISOString(),
    },
    marketplaces: maskedMarketplaces(stored, key),
  };
}

function maskedMarketplaces(stored: StoredSettings, key: SecretKey | null): Settings['marketplaces'] {
  const { row } = stored;
  return {
    walmart: {
      enabled: row.walmartEnabled,
      clientId: text(row.walmartClientId),
      clientSecret: mask(row.walmartClientSecret),
      ...furtherMembers(stored, 'walmart', key),
    },
    amazon: {
      enabled: row.amazonEnabled,
      sellerId: text(row.amazonSellerId),
      lwaClientId: text(row.amazonLwaClientId),
      lwaClientSecret: mask(row.amazonLwaClientSecret),
      ...furtherMembers(stored, 'amazon', key),
    },
    michaels: {
      enabled: row.michaelsEnabled,
      apiKey: mask(row.michaelsApiKey),
      ...furtherMembers(stored, 'michaels', key),
    },
    ebay: {
      enabled: row.ebayEnabled,
      appId: text(row.ebayAppId),
      certId: mask(row.ebayCertId),
      ...furtherMembers(stored, 'ebay', key),
    },
    etsy: {
      enabled: row.etsyEnabled,
      keystring: mask(row.etsyKeystring),
      shopName: text(row.etsyShopName),
      ...(row.etsyGreatestDiscount === null ? {} : { greatestDiscount: row.etsyGreatestDiscount }),
      ...furtherMembers(stored, 'etsy', key),
    },
    shopify: {
      enabled: row.shopifyEnabled,
      storeUrl: text(row.shopifyStoreUrl),
      apiKey: mask(row.shopifyApiKey),
      ...furtherMembers(stored, 'shopify', key),
    },
  };
}

/** Those that are set and can be decrypted, so that saving what was loaded removes nothing. */
function furtherMembers<M extends Marketplace>(
  stored: StoredSettings,
  marketplace: M,
  key: SecretKey | null,
): Partial<Settings['marketplaces'][M]> {
  const members = credentialsOf(marketplace).flatMap((member) => {
    if (!member.isFurther || storedText(stored, marketplace, member) === null) return [];
    const shown = member.isSecret ? SECRET_MASK : plainText(stored, marketplace, member, key);
    return shown === null ? [] : [[member.name, shown] as const];
  });
  // Names and types are those of the contract, which checks every response.
  return Object.fromEntries(members) as Partial<Settings['marketplaces'][M]>;
}

/** Why stored secrets cannot be decrypted here, in one sentence; null when they can, or when there are none. */
export async function secretProblem(stored: StoredSettings, secrets: SecretKeys): Promise<string | null> {
  const records = storedSecrets(stored);
  if (records.length === 0) return null;
  try {
    const key = await secrets.current();
    const isReadable = (record: string): boolean => key !== null && keyWith(key, keyIdOf(record)) !== null;
    return records.every(isReadable) ? null : OTHER_KEY;
  } catch (error) {
    if (error instanceof SecretError) return error.message;
    throw error;
  }
}
