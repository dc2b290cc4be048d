import type { CREDENTIALS } from '#domain/connections/credentials.ts';
import type { Marketplace } from '#domain/marketplaces.ts';

/** "walmartClientId": the column of a marketplace's credential. */
export type CredentialColumn = {
  [M in Marketplace]: `${M}${Capitalize<keyof (typeof CREDENTIALS)[M] & string>}`;
}[Marketplace];

/** Columns that hold ciphertext. */
export type SecretColumn = CredentialColumn | 'veeqoApiKey';

/** "amazonRefreshToken": name of a credential in the audit log. */
export function credentialKey(marketplace: Marketplace, name: string): string {
  return `${marketplace}${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

/** @param name of a credential that has a column */
export function credentialColumn(marketplace: Marketplace, name: string): CredentialColumn {
  return credentialKey(marketplace, name) as CredentialColumn;
}

/** Additional authenticated data of a secret: encrypted for this place, it cannot be decrypted for another. */
export function secretPlace(column: SecretColumn): string {
  return `app_settings/default/${column}`;
}
