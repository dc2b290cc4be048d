import { SECRET_MASK, type Settings } from '#contract/settings.ts';
import type { SettingsRecord } from '#db/queries/shop.ts';
import { keyIdOf, keyWith, OTHER_KEY, SecretError } from '#usecases/secrets/secret-box.ts';
import type { SecretKeys } from '#usecases/secrets/secret-keys.ts';
import { storedSecrets } from './settings-columns.ts';

const mask = (secret: string | null): string => (secret === null ? '' : SECRET_MASK);
const text = (plain: string | null): string => plain ?? '';

/** The settings for a screen or the audit log, field by field: of a secret only whether it is set. */
export function maskedSettings(row: SettingsRecord): Omit<Settings, 'version' | 'secretProblem'> {
  return {
    autoRepricing: row.autoRepricing,
    checkInterval: row.checkInterval,
    notifications: row.notifications,
    veeqo: {
      enabled: row.veeqoEnabled,
      apiKey: mask(row.veeqoApiKey),
      lastSync: row.veeqoLastSync === null ? null : new Date(row.veeqoLastSync).toISOString(),
    },
    marketplaces: maskedMarketplaces(row),
  };
}

function maskedMarketplaces(row: SettingsRecord): Settings['marketplaces'] {
  return {
    walmart: {
      enabled: row.walmartEnabled,
      clientId: text(row.walmartClientId),
      clientSecret: mask(row.walmartClientSecret),
    },
    amazon: {
      enabled: row.amazonEnabled,
      sellerId: text(row.amazonSellerId),
      lwaClientId: text(row.amazonLwaClientId),
      lwaClientSecret: mask(row.amazonLwaClientSecret),
    },
    michaels: { enabled: row.michaelsEnabled, apiKey: mask(row.michaelsApiKey) },
    ebay: { enabled: row.ebayEnabled, appId: text(row.ebayAppId), certId: mask(row.ebayCertId) },
    etsy: {
      enabled: row.etsyEnabled,
      keystring: mask(row.etsyKeystring),
      shopName: text(row.etsyShopName),
    },
    shopify: {
      enabled: row.shopifyEnabled,
      storeUrl: text(row.shopifyStoreUrl),
      apiKey: mask(row.shopifyApiKey),
    },
  };
}

/** Why stored secrets cannot be read here, in one sentence; null when they can, or when there are none. */
export async function secretProblem(row: SettingsRecord, secrets: SecretKeys): Promise<string | null> {
  const stored = storedSecrets(row);
  if (stored.length === 0) return null;
  try {
    const key = await secrets.current();
    const isReadable = (record: string): boolean => key !== null && keyWith(key, keyIdOf(record)) !== null;
    return stored.every(isReadable) ? null : OTHER_KEY;
  } catch (error) {
    if (error instanceof SecretError) return error.message;
    throw error;
  }
}
