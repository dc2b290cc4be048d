import { resolve } from 'node:path';
import type { EditBackups } from '#contract/backups.ts';
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
import { PASSPHRASE_PLACE } from '#db/queries/identity/sealed-columns.ts';
import { transact } from '#db/transact.ts';
import type { Instant } from '#domain/units.ts';
import { AppError } from '#usecases/app-error.ts';
import { type Editor, madeBy } from '#usecases/editor.ts';
import { sealSecret } from '#usecases/identity/encryption/secret-box.ts';
import type { SecretKeys } from '#usecases/identity/encryption/secret-keys.ts';

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
 * passphrase; SecretError when the passphrase cannot be encrypted
 */
export async function saveBackupSettings(
  { db, secrets, now, backups }: SaveDeps,
  edit: EditBackups,
  editor: Editor,
): Promise<void> {
  const isNew = edit.passphrase !== '' && edit.passphrase !== SECRET_MASK;
  // Before the transaction, which must not wait for reading a file.
  const sealed = isNew ? sealSecret(await secrets.forWriting(), PASSPHRASE_PLACE, edit.passphrase) : null;
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
    const at = now();
    const wasOn = row.isOn ?? backups.isOnByDefault;
    const patch: BackupSettingsPatch = {
      isOn: edit.isOn,
      minuteOfDay: minuteOf(edit.timeOfDay),
      folder: edit.folder === '' ? null : resolve(edit.folder),
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
      after: { ...written({ ...row, ...patch }), hasNewPassphrase: isNew },
    });
    await notify(tx, 'pricewright_engine', []);
  });
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
      throw new AppError('conflict', 'A backup was asked for already. Wait until it is made.');
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

/** For the audit log: without the passphrase. */
function written(row: Omit<BackupSettingsRow, 'timeZone'>): Record<string, unknown> {
  const { isOn, minuteOfDay, folder, keepDaily, keepWeekly, keepMonthly, encrypts } = row;
  const timeOfDay = timeOfDayText(minuteOfDay);
  const hasPassphrase = row.passphrase !== null;
  return { isOn, timeOfDay, folder, keepDaily, keepWeekly, keepMonthly, encrypts, hasPassphrase };
}
