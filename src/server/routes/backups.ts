import { dirname } from 'node:path';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { Backups, BackupsTested, EditBackups, TestBackups } from '#contract/backups.ts';
import { SECRET_MASK } from '#contract/settings.ts';
import { Done } from '#contract/users.ts';
import {
  type BackupSettingsRow,
  listBackupFiles,
  readBackupSettings,
} from '#db/queries/background/backups.ts';
import { listHeldLeases } from '#db/queries/background/leases.ts';
import { isBackupOverdue, lastBackup } from '#domain/backups/backup-schedule.ts';
import { isBucketText } from '#domain/backups/bucket-address.ts';
import type { AppDeps } from '#server/app-deps.ts';
import { editorOf } from '#server/editor-of.ts';
import { outsideCalls } from '#server/outside-calls.ts';
import { BACKUP_LEASE } from '#usecases/background/lease-names.ts';
import { bucketIdOf } from '#usecases/backup/backup-place.ts';
import {
  requestBackupNow,
  saveBackupSettings,
  timeOfDayText,
} from '#usecases/backup/save-backup-settings.ts';
import { testBackupBucket } from '#usecases/backup/test-bucket.ts';
import { confirmRestore } from '#usecases/repricing/engine/confirm-restore.ts';

const config = { access: 'admin' } as const;
const MAX_FILES = 100;
/** Milliseconds that a test may take: a user waits for it. */
const TEST_LIMIT = 25_000;

const iso = (moment: number): string => new Date(moment).toISOString();

async function backupsView({ db, now, backups }: AppDeps): Promise<Backups> {
  const row = await readBackupSettings(db);
  const { lastFile, lastTakenAt, lastBytes, failedAt, problem } = row;
  const isOn = row.isOn ?? backups.isOnByDefault;
  const files = await listBackupFiles(db, placeOf(row, backups.defaultFolder), MAX_FILES);
  return {
    isOn,
    timeOfDay: timeOfDayText(row.minuteOfDay),
    keepDaily: row.keepDaily,
    keepWeekly: row.keepWeekly,
    keepMonthly: row.keepMonthly,
    encrypts: row.encrypts,
    destination: row.destination,
    folder: row.folder ?? '',
    defaultFolder: backups.defaultFolder,
    bucket: {
      endpoint: row.s3Endpoint ?? '',
      region: row.s3Region ?? '',
      name: row.s3Bucket ?? '',
      prefix: row.s3Prefix,
      isPathStyle: row.s3PathStyle,
      accessKeyId: row.s3AccessKeyId ?? '',
      secretAccessKey: row.s3SecretKey === null ? '' : SECRET_MASK,
    },
    passphrase: row.passphrase === null ? '' : SECRET_MASK,
    hasEnvironmentPassphrase: backups.hasEnvironmentPassphrase,
    timeZone: row.timeZone,
    isUnderWay: row.requestedAt !== null || (await listHeldLeases(db)).has(BACKUP_LEASE),
    last:
      lastFile === null || lastTakenAt === null || lastBytes === null
        ? null
        : { file: lastFile, takenAt: iso(lastTakenAt), bytes: lastBytes, isOnDataDisk: row.isOnDataDisk },
    failure: failedAt === null || problem === null ? null : { problem, at: iso(failedAt) },
    isOverdue:
      isOn &&
      row.unconfirmedRestoreAt === null &&
      isBackupOverdue(lastBackup(lastTakenAt, row.since, now()), now()),
    unconfirmedRestoreAt: row.unconfirmedRestoreAt === null ? null : iso(row.unconfirmedRestoreAt),
    files: files.map(({ name, takenAt, bytes, isEncrypted, checkedAt }) => ({
      name,
      takenAt: iso(takenAt),
      bytes,
      isEncrypted,
      isChecked: checkedAt !== null,
    })),
    version: row.version,
  };
}

/** The id of the place whose files are shown. */
function placeOf(row: BackupSettingsRow, defaultFolder: string): string {
  const { destination, folder, lastFile } = row;
  if (destination === 's3') return bucketIdOf(row) ?? '';
  // Without a chosen folder it is in the data folder of the process that makes backups, which may be on another machine.
  return folder ?? (lastFile === null || isBucketText(lastFile) ? defaultFolder : dirname(lastFile));
}

/** The schedule of backups, and what the last one gave. */
export const backupRoutes: FastifyPluginAsyncZod<{ deps: AppDeps }> = async (app, { deps }) => {
  const calls = outsideCalls(app);
  app.get('/api/backups', { config, schema: { response: { 200: Backups } } }, async () => backupsView(deps));

  app.put(
    '/api/backups',
    { config: { ...config, stepUp: true }, schema: { body: EditBackups, response: { 200: Backups } } },
    async (request) => {
      await saveBackupSettings(deps, request.body, editorOf(request));
      return backupsView(deps);
    },
  );

  app.post('/api/backups/run', { config, schema: { response: { 202: Done } } }, async (request, reply) => {
    await requestBackupNow(deps, editorOf(request));
    return reply.code(202).send({ message: 'The backup begins now.' });
  });

  app.post(
    '/api/backups/confirm-restore',
    { config: { ...config, stepUp: true }, schema: { response: { 200: Backups } } },
    async (request) => {
      await confirmRestore(deps, editorOf(request));
      return backupsView(deps);
    },
  );

  app.post(
    '/api/backups/test',
    { config: { ...config, stepUp: true }, schema: { body: TestBackups, response: { 200: BackupsTested } } },
    async (request) => {
      const error = await calls.within('the bucket of backups', TEST_LIMIT, (signal) =>
        testBackupBucket(deps, request.body.bucket, signal),
      );
      if (error !== null) request.log.warn({ reason: error }, 'test of the bucket of backups failed');
      return { success: error === null, error };
    },
  );
};
