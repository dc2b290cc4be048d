import { requireKnownSchema, restoreRows } from '#db/backup/restore-rows.ts';
import type { BackupManifest, TableSum } from '#files/backup/backup-manifest.ts';
import { BackupReader, verifyBackup } from '#files/backup/backup-reader.ts';
import type { ByteSource } from '#files/byte-source.ts';
import { FileError } from '#files/file-error.ts';
import type { SecretKeys } from '#usecases/identity/encryption/secret-keys.ts';
import { openBackup } from './backup-file.ts';
import { missingMasterKeys } from './master-key-ids.ts';

export interface RestoreOrder {
  /** Its path, or its place in a bucket. */
  readonly file: string;
  /** Opens its bytes, where it is not the path of a file. */
  readonly bytes?: (() => Promise<ByteSource>) | undefined;
  /** For an encrypted file. */
  readonly passphrase: string | null;
  readonly master: SecretKeys;
  /** Restore even if stored secrets cannot be decrypted here. */
  readonly withoutKey: boolean;
}

/** A backup that is whole and can be restored here. */
export interface CheckedBackup {
  readonly manifest: BackupManifest;
  readonly tables: readonly TableSum[];
  /** Ids of master keys that are not available. */
  readonly missingKeys: readonly string[];
}

/**
 * Reads a whole backup and checks that it can be restored here. Nothing is changed.
 * @throws FileError, or SchemaError for the schema of a newer program
 */
export async function checkBackup({
  file,
  bytes,
  passphrase,
  master,
  withoutKey,
}: RestoreOrder): Promise<CheckedBackup> {
  const source = await openBackup(file, passphrase, bytes);
  let missingKeys: readonly string[] = [];
  try {
    const { manifest, sums } = await verifyBackup(source, file, async ({ schema, masterKeys }) => {
      await requireKnownSchema(schema);
      missingKeys = await missingMasterKeys(masterKeys, master);
      if (missingKeys.length > 0 && !withoutKey) throw new FileError(missingKey(file, missingKeys));
    });
    return { manifest, tables: sums, missingKeys };
  } finally {
    await source.close();
  }
}

function missingKey(file: string, ids: readonly string[]): string {
  return (
    `The secrets in ${file} are encrypted with a master key that is not available here (${ids.join(', ')}). ` +
    'Set PRICEWRIGHT_SECRET_KEY to it, or copy its secret.key into the data folder. ' +
    'If it is lost, add --without-key; then enter the credentials again.'
  );
}

/**
 * Restores a checked backup into an empty database, in one transaction.
 * @param ownerUrl address for the owner of the tables to come
 * @throws FileError when the file was changed since it was checked, SchemaError when the database is not empty
 */
export async function restoreBackup(
  ownerUrl: string,
  { file, bytes, passphrase }: Pick<RestoreOrder, 'file' | 'bytes' | 'passphrase'>,
): Promise<readonly TableSum[]> {
  const source = await openBackup(file, passphrase, bytes);
  try {
    const reader = await BackupReader.open(source, file);
    const { schema, tables, sequences, takenAt } = reader.manifest;
    let sums: readonly TableSum[] = [];
    await restoreRows(ownerUrl, {
      schema,
      tables,
      sequences,
      takenAt: new Date(takenAt),
      rows: (table) => reader.rows(table),
      finish: async () => {
        sums = await reader.finish();
      },
    });
    return sums;
  } finally {
    await source.close();
  }
}
