import { and, desc, eq, notInArray, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { backupFiles, backupSettings } from '#db/schema/backups.ts';
import { repricingState } from '#db/schema/repricing-state.ts';
import { appSettings } from '#db/schema/settings.ts';
import { timestamptz } from '#db/sql-values.ts';
import type { Instant } from '#domain/units.ts';

/**
 * The schedule of backups, how the last one went, the time zone of the shop (null: UTC), and since when nothing is scheduled
 * because a restore is not confirmed (null: it is).
 */
export type BackupSettingsRow = typeof backupSettings.$inferSelect & {
  readonly timeZone: string | null;
  readonly unconfirmedRestoreAt: Instant | null;
};
export type BackupFileRow = typeof backupFiles.$inferSelect;
/** What a user changes. */
export type BackupSettingsPatch = Partial<
  Pick<
    BackupSettingsRow,
    | 'isOn'
    | 'minuteOfDay'
    | 'destination'
    | 'folder'
    | 's3Endpoint'
    | 's3Region'
    | 's3Bucket'
    | 's3Prefix'
    | 's3PathStyle'
    | 's3AccessKeyId'
    | 's3SecretKey'
    | 'keepDaily'
    | 'keepWeekly'
    | 'keepMonthly'
    | 'encrypts'
    | 'passphrase'
    | 'since'
  >
>;

export async function readBackupSettings(db: Db): Promise<BackupSettingsRow> {
  const rows = await db
    .select({
      row: backupSettings,
      timeZone: appSettings.timeZone,
      unconfirmedRestoreAt: repricingState.unconfirmedRestoreAt,
    })
    .from(backupSettings)
    .innerJoin(appSettings, eq(appSettings.id, backupSettings.id))
    .innerJoin(repricingState, eq(repricingState.id, backupSettings.id));
  const { row, ...rest } = one(rows);
  return { ...row, ...rest };
}

/** Locks the row until the end of the transaction. */
export async function lockBackupSettings(tx: Db): Promise<typeof backupSettings.$inferSelect> {
  return one(await tx.select().from(backupSettings).for('update'));
}

function one<Row>([row]: readonly Row[]): Row {
  if (row === undefined) throw new Error('The row of backups is missing; the migrations write it.');
  return row;
}

export async function updateBackupSettings(tx: Db, patch: BackupSettingsPatch): Promise<void> {
  await tx.update(backupSettings).set({ ...patch, version: sql`${backupSettings.version} + 1` });
}

/** Sets whether backups are scheduled, unless a user or an earlier start has. */
export async function settleBackupSchedule(db: Db, isOn: boolean): Promise<void> {
  await db.update(backupSettings).set({ isOn }).where(sql`${backupSettings.isOn} is null`);
}

/** Asks for a backup. @returns false when one is waited for already */
export async function requestBackup(tx: Db, at: Instant): Promise<boolean> {
  const { rowCount } = await tx
    .update(backupSettings)
    .set({ requestedAt: at })
    .where(sql`${backupSettings.requestedAt} is null`);
  return rowCount === 1;
}

/** Records a backup that was made. What was requested before it began is done. */
export async function recordBackup(
  tx: Db,
  made: {
    readonly file: string;
    readonly bytes: number;
    readonly isOnDataDisk: boolean | null;
    /** By the clock of the process that makes it, like the times it is compared with. */
    readonly begunAt: Instant;
    /** When it was made. */
    readonly at: Instant;
  },
): Promise<void> {
  const { file, bytes, isOnDataDisk, begunAt, at } = made;
  await tx.update(backupSettings).set({
    lastFile: file,
    lastTakenAt: begunAt,
    lastBytes: bytes,
    isOnDataDisk,
    failedAt: null,
    failures: 0,
    problem: null,
    requestedAt: stillRequested(begunAt, at),
  });
}

export async function recordBackupFailure(
  tx: Db,
  { problem, at, begunAt }: { readonly problem: string; readonly at: Instant; readonly begunAt: Instant },
): Promise<void> {
  await tx.update(backupSettings).set({
    problem: problem.slice(0, 2_000),
    failedAt: at,
    failures: sql`${backupSettings.failures} + 1`,
    requestedAt: stillRequested(begunAt, at),
  });
}

/** A request in the future, by a clock that was ahead, is done too: else one backup would follow the other. */
function stillRequested(begunAt: Instant, now: Instant) {
  return sql`CASE WHEN ${backupSettings.requestedAt} > ${timestamptz(begunAt)} AND ${backupSettings.requestedAt} <= ${timestamptz(now)}
    THEN ${backupSettings.requestedAt} END`;
}

/** The backups of a place, the newest first. @param folder a path, or the id of a bucket. @param limit the most */
export async function listBackupFiles(db: Db, folder: string, limit: number): Promise<BackupFileRow[]> {
  return db
    .select()
    .from(backupFiles)
    .where(eq(backupFiles.folder, folder))
    .orderBy(desc(backupFiles.takenAt), desc(backupFiles.name))
    .limit(limit);
}

/** Forgets the files of a place but for these. @param names those that it has now */
export async function forgetOtherBackupFiles(
  tx: Db,
  folder: string,
  names: readonly string[],
): Promise<void> {
  await tx
    .delete(backupFiles)
    .where(
      and(
        eq(backupFiles.folder, folder),
        names.length === 0 ? undefined : notInArray(backupFiles.name, [...names]),
      ),
    );
}

/**
 * Forgets all files of every place, what was requested and what failed: after a restore they may be those of the original. No
 * retention deletes a file that is not recorded as checked.
 */
export async function forgetBackups(tx: Db): Promise<void> {
  await tx.delete(backupFiles);
  await tx.update(backupSettings).set({ requestedAt: null, failedAt: null, failures: 0, problem: null });
}

/** Writes down files of a place. One that was checked stays so while its size does. */
export async function recordBackupFiles(
  tx: Db,
  folder: string,
  files: readonly Omit<BackupFileRow, 'folder'>[],
): Promise<void> {
  if (files.length === 0) return;
  await tx
    .insert(backupFiles)
    .values(files.map((file) => ({ ...file, folder })))
    .onConflictDoUpdate({
      target: [backupFiles.folder, backupFiles.name],
      set: {
        bytes: sql`excluded.bytes`,
        checkedAt: sql`CASE WHEN ${backupFiles.bytes} = excluded.bytes
          THEN coalesce(excluded.checked_at, ${backupFiles.checkedAt}) ELSE excluded.checked_at END`,
      },
    });
}
