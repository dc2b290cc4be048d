import type { Db } from '#db/client.ts';
import { furtherPlace } from '#db/queries/identity/sealed-columns.ts';
import {
  type FurtherCredentialRow,
  listFurtherCredentials,
} from '#db/queries/marketplaces/connections/connector-credentials.ts';
import { readSettings, type SettingsRecord } from '#db/queries/repricing/pricing-context.ts';
import { type Credential, credentialsOf } from '#domain/connections/credentials.ts';
import { MARKETPLACES, type Marketplace } from '#domain/marketplaces.ts';
import {
  OTHER_KEY,
  openSecret,
  SecretError,
  type SecretKey,
} from '#usecases/identity/encryption/secret-box.ts';
import type { SecretKeys } from '#usecases/identity/encryption/secret-keys.ts';
import { credentialColumn, secretPlace } from './settings-columns.ts';

/** The settings row, and credentials stored outside it. */
export interface StoredSettings {
  readonly row: SettingsRecord;
  readonly further: readonly FurtherCredentialRow[];
}

export async function readStoredSettings(db: Db): Promise<StoredSettings> {
  return { row: await readSettings(db), further: await listFurtherCredentials(db) };
}

/** Stored form of a credential: plain text where it has a column and is not secret, else ciphertext. Null: not set. */
export function storedText(
  { row, further }: StoredSettings,
  marketplace: Marketplace,
  { name, isFurther }: Pick<Credential, 'name' | 'isFurther'>,
): string | null {
  if (!isFurther) return row[credentialColumn(marketplace, name)];
  return further.find((each) => each.holder === marketplace && each.name === name)?.value ?? null;
}

/** @returns whether a credential of the marketplace is set, by its name */
export function isSetIn(stored: StoredSettings, marketplace: Marketplace): (name: string) => boolean {
  const members = credentialsOf(marketplace);
  const set = new Set(
    members.flatMap((member) => (storedText(stored, marketplace, member) === null ? [] : [member.name])),
  );
  return (name) => set.has(name);
}

/**
 * A credential as entered; null when it is not set.
 * @throws SecretError when it is encrypted and the key does not decrypt it
 */
export function openedText(
  stored: StoredSettings,
  marketplace: Marketplace,
  member: Credential,
  key: SecretKey | null,
): string | null {
  const text = storedText(stored, marketplace, member);
  if (text === null || !(member.isFurther || member.isSecret)) return text;
  if (key === null) throw new SecretError(OTHER_KEY);
  return openSecret(key, placeOf(marketplace, member), text);
}

/** A credential that is not secret; null when it is not set, and when it cannot be decrypted here. */
export function plainText(
  stored: StoredSettings,
  marketplace: Marketplace,
  member: Credential,
  key: SecretKey | null,
): string | null {
  try {
    return openedText(stored, marketplace, member, key);
  } catch (error) {
    if (error instanceof SecretError) return null;
    throw error;
  }
}

/** Additional authenticated data of a credential. */
export function placeOf(marketplace: Marketplace, { name, isFurther }: Credential): string {
  return isFurther ? furtherPlace(marketplace, name) : secretPlace(credentialColumn(marketplace, name));
}

/** Every ciphertext of the settings. */
export function storedSecrets(stored: StoredSettings): string[] {
  const locked = MARKETPLACES.flatMap((marketplace) =>
    credentialsOf(marketplace)
      .filter(({ isSecret, isFurther }) => isSecret || isFurther)
      .flatMap((member) => storedText(stored, marketplace, member) ?? []),
  );
  return stored.row.veeqoApiKey === null ? locked : [stored.row.veeqoApiKey, ...locked];
}

/** The current key; null when there is none, or it cannot be used: what it encrypted is not shown then. */
export async function keyForReading(secrets: SecretKeys): Promise<SecretKey | null> {
  try {
    return await secrets.current();
  } catch (error) {
    if (error instanceof SecretError) return null;
    throw error;
  }
}
