import type { OpenObjectStore } from '#connectors/object-store.ts';
import type { EditBucket } from '#contract/backups.ts';
import { SECRET_MASK } from '#contract/settings.ts';
import type { Db } from '#db/client.ts';
import { readBackupSettings } from '#db/queries/background/backups.ts';
import { S3_SECRET_PLACE } from '#db/queries/identity/sealed-columns.ts';
import { FileError } from '#files/file-error.ts';
import { openSecret, SecretError } from '#usecases/identity/encryption/secret-box.ts';
import type { SecretKeys } from '#usecases/identity/encryption/secret-keys.ts';
import { openBackupBucket } from './backup-bucket.ts';

export interface TestBucketDeps {
  readonly db: Db;
  readonly secrets: SecretKeys;
  readonly openStore: OpenObjectStore;
}

/**
 * Writes, lists, reads and deletes a small object in a bucket, saved or not. With the mask the stored secret key is used,
 * which only makes signatures: no service gets to know it.
 * @returns what is wrong, with the way out; null when all of it worked
 */
export async function testBackupBucket(
  { db, secrets, openStore }: TestBucketDeps,
  edit: EditBucket,
  signal: AbortSignal,
): Promise<string | null> {
  const { endpoint, region, name, prefix, isPathStyle, accessKeyId } = edit;
  try {
    const secretAccessKey = await secretOf(db, secrets, edit.secretAccessKey);
    if ([endpoint, region, name, accessKeyId, secretAccessKey].includes('')) {
      return 'Enter endpoint, region, bucket, access key and secret key first.';
    }
    const bucket = { endpoint, region, name, isPathStyle, accessKeyId, secretAccessKey, sessionToken: null };
    const open: OpenObjectStore = (one) => openStore(one, { attempts: 2 });
    await openBackupBucket(open, bucket, prefix).test(signal);
    return null;
  } catch (error) {
    if (signal.aborted) return `${endpoint} took too long to answer. Check the endpoint and the connection.`;
    if (error instanceof FileError || error instanceof SecretError) return error.message;
    throw error;
  }
}

async function secretOf(db: Db, secrets: SecretKeys, entered: string): Promise<string> {
  if (entered !== SECRET_MASK) return entered;
  const { s3SecretKey } = await readBackupSettings(db);
  if (s3SecretKey === null) return '';
  const key = await secrets.current();
  if (key !== null) return openSecret(key, S3_SECRET_PLACE, s3SecretKey);
  throw new SecretError('The stored secret key cannot be decrypted. Enter it again.');
}
