import type { SettingsRecord } from '#db/queries/shop.ts';
import { type CREDENTIALS, credentialsOf } from '#domain/credentials.ts';
import { MARKETPLACES, type Marketplace } from '#domain/marketplaces.ts';

/** "walmartClientId": the column of a member of a marketplace's credentials. */
export type CredentialColumn = {
  [M in Marketplace]: `${M}${Capitalize<keyof (typeof CREDENTIALS)[M] & string>}`;
}[Marketplace];

/** Columns that hold ciphertext. */
export type SecretColumn = CredentialColumn | 'veeqoApiKey';

export function credentialColumn(marketplace: Marketplace, name: string): CredentialColumn {
  return `${marketplace}${name.charAt(0).toUpperCase()}${name.slice(1)}` as CredentialColumn;
}

/** Every column that holds ciphertext. */
const SECRET_COLUMNS: readonly SecretColumn[] = [
  'veeqoApiKey',
  ...MARKETPLACES.flatMap((marketplace) =>
    credentialsOf(marketplace)
      .filter(({ isSecret }) => isSecret)
      .map(({ name }) => credentialColumn(marketplace, name)),
  ),
];

/** Where a secret is stored: locked for this place, it opens nowhere else. */
export function secretPlace(column: SecretColumn): string {
  return `app_settings/default/${column}`;
}

/** The ciphertexts that are stored. */
export function storedSecrets(row: SettingsRecord): string[] {
  return SECRET_COLUMNS.flatMap((column) => row[column] ?? []);
}
