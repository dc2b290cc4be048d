import type { CREDENTIALS } from '#domain/credentials.ts';
import type { Marketplace } from '#domain/marketplaces.ts';

/** "walmartClientId": the column of a member of a marketplace's credentials. */
export type CredentialColumn = {
  [M in Marketplace]: `${M}${Capitalize<keyof (typeof CREDENTIALS)[M] & string>}`;
}[Marketplace];

/** Columns that hold ciphertext. */
export type SecretColumn = CredentialColumn | 'veeqoApiKey';

/** "amazonRefreshToken": how the audit log calls a member. */
export function credentialKey(marketplace: Marketplace, name: string): string {
  return `${marketplace}${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

/** @param name of a member that has a column */
export function credentialColumn(marketplace: Marketplace, name: string): CredentialColumn {
  return credentialKey(marketplace, name) as CredentialColumn;
}

/** Where a secret is stored: locked for this place, it opens nowhere else. */
export function secretPlace(column: SecretColumn): string {
  return `app_settings/default/${column}`;
}
