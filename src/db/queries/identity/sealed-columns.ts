import { getTableColumns, getTableName, type SQL, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { identityProvider, users } from '#db/schema/accounts.ts';
import { backupSettings } from '#db/schema/backups.ts';
import { connectorCredentials, consents, integrationTokens } from '#db/schema/connections.ts';
import { appSettings } from '#db/schema/settings.ts';
import { webhookReceivers } from '#db/schema/webhook-receivers.ts';
import { credentialsOf } from '#domain/connections/credentials.ts';
import { MARKETPLACES } from '#domain/marketplaces.ts';

/** A column with encrypted values: text of format, key ID, nonce and ciphertext. */
export interface SealedColumn {
  readonly table: string;
  readonly column: string;
  /** Columns that identify a row. */
  readonly keys: readonly string[];
  /** Additional data bound to a value, from the keys of its row: it decrypts nowhere else. */
  readonly placeOf: (keys: readonly string[]) => string;
  /** What happens to a row whose value can no longer be decrypted. */
  readonly whenLost: 'empty' | 'delete' | 'switch_off_second_factor';
}

const settingsColumns = getTableColumns(appSettings);

function ofSettings(name: string): SealedColumn {
  const column = Object.entries(settingsColumns).find(([property]) => property === name)?.[1];
  if (column === undefined) throw new Error(`The settings have no column ${name}.`);
  return {
    table: getTableName(appSettings),
    column: column.name,
    keys: ['id'],
    placeOf: ([id]) => `app_settings/${id}/${name}`,
    whenLost: 'empty',
  };
}

/** Additional data of a further credential. */
export function furtherPlace(holder: string, name: string): string {
  return `connector_credentials/${holder}/${name}`;
}

/** Additional data of a token. */
export function tokenPlace(marketplace: string, kind: string): string {
  return `integration_tokens/${marketplace}/${kind}`;
}

/** Additional data of the verifier of an authorization. */
export function consentPlace(stateHash: string): string {
  return `consents/${stateHash}`;
}

/** Additional data of the passphrase of backups. */
export const PASSPHRASE_PLACE = 'backup_settings/default/passphrase';

/** Additional data of the client secret at the identity provider. */
export const PROVIDER_SECRET_PLACE = 'identity_provider/default/client_secret';
/** Additional data of a secret that signs webhooks. */
export function webhookSecretPlace(receiverId: string, which: 'secret' | 'former_secret'): string {
  return `webhook_receivers/${receiverId}/${which}`;
}

function ofReceivers(which: 'secret' | 'former_secret'): SealedColumn {
  const { secretEncrypted, formerSecretEncrypted } = webhookReceivers;
  return {
    table: getTableName(webhookReceivers),
    column: (which === 'secret' ? secretEncrypted : formerSecretEncrypted).name,
    keys: ['id'],
    placeOf: ([id = '']) => webhookSecretPlace(id, which),
    whenLost: 'empty',
  };
}
/** Additional data of the secret key of the bucket of backups. */
export const S3_SECRET_PLACE = 'backup_settings/default/s3_secret_key';

/** Every column with ciphertext. A change of keys uses only this list: a column that is missing here is lost. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  ofSettings('veeqoApiKey'),
  ...MARKETPLACES.flatMap((marketplace) =>
    credentialsOf(marketplace)
      .filter(({ isSecret, isFurther }) => isSecret && !isFurther)
      .map(({ name }) => ofSettings(`${marketplace}${name.charAt(0).toUpperCase()}${name.slice(1)}`)),
  ),
  {
    table: getTableName(users),
    column: users.twoFactorSecret.name,
    keys: ['id'],
    placeOf: ([id]) => `users/${id}/two_factor_secret`,
    whenLost: 'switch_off_second_factor',
  },
  {
    table: getTableName(connectorCredentials),
    column: connectorCredentials.value.name,
    keys: ['holder', 'name'],
    placeOf: ([holder = '', name = '']) => furtherPlace(holder, name),
    whenLost: 'delete',
  },
  {
    table: getTableName(integrationTokens),
    column: integrationTokens.valueEncrypted.name,
    keys: ['marketplace', 'kind'],
    placeOf: ([marketplace = '', kind = '']) => tokenPlace(marketplace, kind),
    // A new one is requested with the credentials.
    whenLost: 'delete',
  },
  {
    table: getTableName(consents),
    column: consents.verifierEncrypted.name,
    keys: ['state_hash'],
    placeOf: ([stateHash = '']) => consentPlace(stateHash),
    whenLost: 'delete',
  },
  {
    table: getTableName(backupSettings),
    column: backupSettings.passphrase.name,
    keys: ['id'],
    placeOf: () => PASSPHRASE_PLACE,
    // Backups fail then, rather than being written without encryption.
    whenLost: 'empty',
  },
  {
    table: getTableName(identityProvider),
    column: identityProvider.clientSecret.name,
    keys: ['id'],
    placeOf: () => PROVIDER_SECRET_PLACE,
    whenLost: 'empty',
  },
  ofReceivers('secret'),
  ofReceivers('former_secret'),
  {
    table: getTableName(backupSettings),
    column: backupSettings.s3SecretKey.name,
    keys: ['id'],
    placeOf: () => S3_SECRET_PLACE,
    whenLost: 'empty',
  },
];

/** An encrypted value and its location. */
export interface SealedRecord {
  readonly column: SealedColumn;
  readonly keys: readonly string[];
  readonly record: string;
}

/** All encrypted values of these columns. */
export async function readSealed(
  db: Db,
  columns: readonly SealedColumn[] = SEALED_COLUMNS,
): Promise<SealedRecord[]> {
  const found: SealedRecord[] = [];
  for (const column of columns) {
    const { rows } = await db.execute<{ keys: string[]; record: string }>(sql`
      SELECT ARRAY[${namesOf(column.keys)}]::text[] AS keys, ${sql.identifier(column.column)} AS record
      FROM ${sql.identifier(column.table)} WHERE ${sql.identifier(column.column)} IS NOT NULL ORDER BY 1`);
    for (const { keys, record } of rows) found.push({ column, keys, record });
  }
  return found;
}

/** Replaces an encrypted value, unless it was changed in between. @returns whether it was replaced */
export async function replaceSealed(db: Db, sealed: SealedRecord, record: string): Promise<boolean> {
  const { table, column } = sealed.column;
  const { rowCount } = await db.execute(sql`
    UPDATE ${sql.identifier(table)} SET ${sql.identifier(column)} = ${record} WHERE ${isRowOf(sealed)}`);
  return rowCount === 1;
}

/** Removes a value that can no longer be decrypted: empties its column, or deletes its row if it has nothing else. */
export async function dropSealed(tx: Db, sealed: SealedRecord): Promise<void> {
  const { table, column, whenLost } = sealed.column;
  if (whenLost === 'delete') {
    await tx.execute(sql`DELETE FROM ${sql.identifier(table)} WHERE ${isRowOf(sealed)}`);
    return;
  }
  await tx.execute(sql`
    UPDATE ${sql.identifier(table)} SET ${sql.identifier(column)} = NULL WHERE ${isRowOf(sealed)}`);
}

function namesOf(columns: readonly string[]): SQL {
  return sql.join(
    columns.map((column) => sql.identifier(column)),
    sql`, `,
  );
}

/** The row of a value, as long as it has that value. */
function isRowOf({ column: { column, keys: names }, keys, record }: SealedRecord): SQL {
  const named = names.map((name, at) => sql`${sql.identifier(name)} = ${keys[at]}`);
  return sql.join([...named, sql`${sql.identifier(column)} = ${record}`], sql` AND `);
}
