import { SchemaError } from '#db/migration-files.ts';
import {
  type BackupSettingsRow,
  readBackupSettings,
  recordBackupFailure,
  settleBackupSchedule,
} from '#db/queries/background/backups.ts';
import { shareLease } from '#db/queries/background/leases.ts';
import { transact } from '#db/transact.ts';
import { isBackupDue, isRetryDue, lastBackup } from '#domain/backups/backup-schedule.ts';
import type { Instant } from '#domain/units.ts';
import { FileError } from '#files/file-error.ts';
import { AppError } from '#usecases/app-error.ts';
import { HeldLease, type LeaseDeps } from '#usecases/background/lease.ts';
import { BACKUP_LEASE } from '#usecases/background/lease-names.ts';
import type { LoopHost, LoopTask } from '#usecases/background/supervised-loop.ts';
import { type Every, LeaseLostError, workUnderLease } from '#usecases/background/work-under-lease.ts';
import { runBackup, type ScheduledDeps } from './scheduled-backup.ts';

/** Milliseconds between two looks at the clock. */
const IDLE_WAIT = 20_000;

export type BackupLoopDeps = LeaseDeps &
  ScheduledDeps & {
    /** Whether backups are scheduled where no user has decided. */
    readonly isOnByDefault: boolean;
    readonly onError: (error: unknown) => void;
    /** Only for tests. */
    readonly every?: Every;
  };

/**
 * Makes the backup of each day, and those that users ask for, in one process at a time. A failure is recorded, which
 * starts an alert, and tried again.
 */
export function backupLoop(deps: BackupLoopDeps): LoopTask {
  const { db, now, onError } = deps;
  const held = new HeldLease(deps, BACKUP_LEASE);
  const turn = async ({ stopping }: Pick<LoopHost, 'stopping'>): Promise<'worked' | 'idle'> => {
    await settleBackupSchedule(db, deps.isOnByDefault);
    if (!isWanted(await readBackupSettings(db), now())) return 'idle';
    const outcome = await workUnderLease(
      held,
      stopping,
      async (lease, signal) => {
        // Another process may have made it a moment ago.
        const settings = await readBackupSettings(db);
        const begunAt = now();
        if (!isWanted(settings, begunAt)) return 'idle';
        try {
          await runBackup(deps, settings, begunAt, lease, signal);
        } catch (error) {
          // After a stop it is still due, and the process with the lease records its own.
          if (signal.aborted || error instanceof LeaseLostError) return 'idle';
          const problem = sentenceOf(error);
          if (problem === null) onError(error);
          await transact(db, async (tx) => {
            if (!(await shareLease(tx, lease))) return;
            await recordBackupFailure(tx, { problem: problem ?? UNEXPECTED, at: now(), begunAt });
          });
        }
        return 'worked';
      },
      deps.every,
    );
    return outcome ?? 'idle';
  };
  return { idleWait: IDLE_WAIT, turn, onError, release: () => held.release() };
}

function isWanted(settings: BackupSettingsRow, now: Instant): boolean {
  const { requestedAt, isOn, lastTakenAt, since, minuteOfDay, timeZone, failedAt, failures } = settings;
  if (requestedAt !== null) return true;
  // The folder or the bucket may be the original's.
  if (isOn !== true || settings.unconfirmedRestoreAt !== null) return false;
  if (failedAt !== null && !isRetryDue(failedAt, failures, now)) return false;
  return isBackupDue(lastBackup(lastTakenAt, since, now), now, minuteOfDay, timeZone);
}

const UNEXPECTED = 'The backup failed unexpectedly. The log of the server says why.';

/** The message of an error that is meant for users; null for any other. */
function sentenceOf(error: unknown): string | null {
  const isMeant = error instanceof FileError || error instanceof AppError || error instanceof SchemaError;
  return isMeant ? error.message : null;
}
