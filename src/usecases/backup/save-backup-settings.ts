import { resolve } from 'node:path';
import type { EditBackups, EditBucket } from '#contract/backups.ts';
import { SECRET_MASK } from '#contract/settings.ts';
import type { Db } from '#db/client.ts';
import { notify } from '#db/listen.ts';
import {
  type BackupSettingsPatch,
  type BackupSettingsRow,
  lockBackupSettings,
  requestBackup,
  updateBackupSettings,
} from '#db/queries/background/backups.ts';
import { insertAudit } from '#db/queries/identity/audit.ts';
import { PASSPHRASE_PLACE, S3_SECRET_PLACE } from '#db/queries/identity/sealed-columns.ts';
import { transact } from '#db/transact.ts';
import { isReadableOnTheWay } from '#domain/backups/bucket-address.ts';
import type { Instant } from '#domain/units.ts';
import { AppError } from '#usecases/app-error.ts';
import { type Editor, madeBy } from '#usecases/editor.ts';
import { sealSecret } from '#usecases/identity/encryption/secret-box.ts';
import type { SecretKeys } from '#usecases/identity/encryption/secret-keys.ts';
import { plainHttp } from './backup-bucket.ts';

/** What this installation brings to the schedule of backups. */
export interface BackupSetup {
  /** Whether backups are scheduled where no user has decided: with the embedded database. */
  readonly isOnByDefault: boolean;
  /** The folder without a chosen one. */
  readonly defaultFolder: string;
  readonly hasEnvironmentPassphrase: boolean;
}

interface SaveDeps {
  readonly db: Db;
  readonly secrets: SecretKeys;
  readonly now: () => Instant;
  readonly backups: BackupSetup;
}

/**
 * Saves the schedule of backups. The passphrase is stored encrypted, for making backups only: the user who restores one has
 * to know it, since this copy is lost with the database.
 * @throws AppError conflict when another user saved since it was loaded; validation_failed for encryption without a
 * passphrase and for an incomplete bucket; SecretError when a secret cannot be encrypted
 */
export async function saveBackupSettings(
  { db, secrets, now, backups }: SaveDeps,
  edit: EditBackups,
  editor: Editor,
): Promise<void> {
  const { bucket } = edit;
  // Before the transaction, which must not wait for reading a file.
  const seal = async (place: string, text: string): Promise<string | null> =>
    isEntered(text) ? sealSecret(await secrets.forWriting(), place, text) : null;
  const sealed = await seal(PASSPHRASE_PLACE, edit.passphrase);
  const sealedKey = await seal(S3_SECRET_PLACE, bucket.secretAccessKey);
  await transact(db, async (tx) => {
    const row = await lockBackupSettings(tx);
    if (edit.version !== row.version) {
      throw new AppError(
        'conflict',
        'Backups were changed after you opened this page. Load the new values, then save again.',
      );
    }
    const passphrase = edit.passphrase === SECRET_MASK ? row.passphrase : sealed;
    if (edit.encrypts && passphrase === null && !backups.hasEnvironmentPassphrase) {
      const message = 'Enter the passphrase that encrypts backups.';
      throw new AppError('validation_failed', message, { fields: { passphrase: message } });
    }
    const s3SecretKey = bucket.secretAccessKey === SECRET_MASK ? row.s3SecretKey : sealedKey;
    if (edit.destination === 's3') requireBucket(bucket, s3SecretKey !== null, edit.encrypts);
    const at = now();
    const wasOn = row.isOn ?? backups.isOnByDefault;
    const patch: BackupSettingsPatch = {
      isOn: edit.isOn,
      minuteOfDay: minuteOf(edit.timeOfDay),
      destination: edit.destination,
      folder: edit.folder === '' ? null : resolve(edit.folder),
      s3Endpoint: bucket.endpoint || null,
      s3Region: bucket.region || null,
      s3Bucket: bucket.name || null,
      s3Prefix: bucket.prefix,
      s3PathStyle: bucket.isPathStyle,
      s3AccessKeyId: bucket.accessKeyId || null,
      s3SecretKey,
      keepDaily: edit.keepDaily,
      keepWeekly: edit.keepWeekly,
      keepMonthly: edit.keepMonthly,
      encrypts: edit.encrypts,
      passphrase,
      ...(edit.isOn && !wasOn ? { since: at } : {}),
    };
    await updateBackupSettings(tx, patch);
    await insertAudit(tx, {
      ...madeBy(editor, at),
      action: 'backups.saved',
      before: written(row),
      after: {
        ...written({ ...row, ...patch }),
        hasNewPassphrase: sealed !== null,
        hasNewSecretKey: sealedKey !== null,
      },
    });
    await notify(tx, 'pricewright_engine', []);
  });
}

/** Whether a secret was typed, rather than left as it is or removed. */
function isEntered(text: string): boolean {
  return text !== '' && text !== SECRET_MASK;
}

/** @throws AppError validation_failed for what is missing, and for a backup that could be read on the way */
function requireBucket(bucket: EditBucket, hasSecret: boolean, encrypts: boolean): void {
  const missing = {
    endpoint: bucket.endpoint === '' && 'Enter the address of the service.',
    region: bucket.region === '' && 'Enter the region. Services without regions take us-east-1.',
    name: bucket.name === '' && 'Enter the name of the bucket.',
    accessKeyId: bucket.accessKeyId === '' && 'Enter the access key.',
    secretAccessKey: !hasSecret && 'Enter the secret key.',
  };
  const fields: Record<string, string> = {};
  for (const [name, message] of Object.entries(missing)) {
    if (message !== false) fields[`bucket.${name}`] = message;
  }
  if (bucket.endpoint !== '' && !encrypts && isReadableOnTheWay(bucket.endpoint)) {
    fields['bucket.endpoint'] = plainHttp(bucket.endpoint);
  }
  const [message] = Object.values(fields);
  if (message !== undefined) throw new AppError('validation_failed', message, { fields });
}

/**
 * Asks for a backup, which the background work begins at once.
 * @throws AppError conflict when one is waited for already
 */
export async function requestBackupNow(
  { db, now }: Pick<SaveDeps, 'db' | 'now'>,
  editor: Editor,
): Promise<void> {
  await transact(db, async (tx) => {
    const at = now();
    if (!(await requestBackup(tx, at))) {
      throw new AppError('conflict', 'A backup was already requested. Wait until it is done.');
    }
    await insertAudit(tx, { ...madeBy(editor, at), action: 'backup.requested' });
    await notify(tx, 'pricewright_engine', []);
  });
}

/** "03:00" */
export function timeOfDayText(minuteOfDay: number): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${two(Math.floor(minuteOfDay / 60))}:${two(minuteOfDay % 60)}`;
}

function minuteOf(time: string): number {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  return hour * 60 + minute;
}

/** For the audit log: without passphrase and secret key. */
function written(row: Omit<BackupSettingsRow, 'timeZone' | 'unconfirmedRestoreAt'>): Record<string, unknown> {
  const { isOn, minuteOfDay, destination, folder, keepDaily, keepWeekly, keepMonthly, encrypts } = row;
  const { s3Endpoint, s3Region, s3Bucket, s3Prefix, s3PathStyle, s3AccessKeyId } = row;
  return {
    isOn,
    timeOfDay: timeOfDayText(minuteOfDay),
    destination,
    folder,
    s3Endpoint,
    s3Region,
    s3Bucket,
    s3Prefix,
    s3PathStyle,
    s3AccessKeyId,
    hasSecretKey: row.s3SecretKey !== null,
    keepDaily,
    keepWeekly,
    keepMonthly,
    encrypts,
    hasPassphrase: row.passphrase !== null,
  };
}
