import type { BackupSettingsRow } from '#db/queries/background/backups.ts';
import type { ServerFigures, WorkFigures } from '#db/queries/background/doctor.ts';
import { isBackupOverdue, lastBackup } from '#domain/backups/backup-schedule.ts';
import { MARKETPLACE_NAMES } from '#domain/marketplaces.ts';
import type { Instant } from '#domain/units.ts';
import { ageOf, type Finding, failure, lengthOf, ok, warning } from './finding.ts';

const DAY = 24 * 60 * 60_000;
const OLDEST_SERVER = 150_000;
/** Codes of authenticator apps and signatures of marketplaces are wrong beyond a few of them. */
const MAX_CLOCK_DIFFERENCE = 5_000;
/** Heartbeats come once a minute. */
const MAX_BEAT_AGE = 5 * 60_000;
/** After so long a start sets every marketplace to recommend only. */
const MAX_DOWNTIME = DAY;
const SOON = 30 * DAY;

export function checkServer({ version, versionNumber, isReadOnly }: ServerFigures): Finding {
  if (versionNumber < OLDEST_SERVER) {
    return failure(
      'database',
      `PostgreSQL ${version} is too old.`,
      'Let DATABASE_URL name a PostgreSQL 15 or newer.',
    );
  }
  if (!isReadOnly) return ok('database', `PostgreSQL ${version} answers and accepts writes.`);
  return failure(
    'database',
    `PostgreSQL ${version} answers and is read-only.`,
    'Let DATABASE_URL name the primary server, and check its disk.',
  );
}

/**
 * @param version the newest migration of the database; null when it has none
 * @param known the newest one of this program
 */
export function checkSchema(version: number | null, known: number): Finding {
  if (version === known) return ok('schema', `The schema is this release's (${known}).`);
  if (version === null) {
    return warning('schema', 'The database is empty.', 'Start Pricewright, or restore a backup.');
  }
  if (version > known) {
    return failure(
      'schema',
      `The database has schema ${version}, but this program only knows up to ${known}.`,
      'Start the newer version of Pricewright that wrote it.',
    );
  }
  return warning(
    'schema',
    `The database has schema ${version}, and the next start migrates it to ${known}.`,
    'Stop all processes, make a backup, then start Pricewright.',
  );
}

/** @param difference milliseconds by which this machine's clock is ahead of the database's */
export function checkClock(difference: number): Finding {
  const seconds = (Math.abs(difference) / 1_000).toFixed(1);
  if (Math.abs(difference) <= MAX_CLOCK_DIFFERENCE) {
    return ok('clock', `The clocks of this machine and the database differ by ${seconds} s.`);
  }
  return failure(
    'clock',
    `This machine's clock is ${seconds} s ${difference > 0 ? 'ahead of' : 'behind'} the database's.`,
    'Turn on time synchronization on both machines.',
  );
}

/** @param now the database's clock */
export function checkEngine({ engineSince, beatAt }: WorkFigures, now: number): Finding {
  const age = beatAt === null ? null : now - beatAt;
  if (engineSince === null) {
    if (age !== null && age > MAX_DOWNTIME) {
      return warning(
        'engine',
        `Repricing does not run, and last ran ${lengthOf(age)} ago: the next start sets every marketplace to recommend only.`,
        'Start Pricewright, review the preview, then go live again.',
      );
    }
    return warning('engine', 'Repricing does not run: no process is the engine.', 'Start Pricewright.');
  }
  const since = `One process has been the engine for ${lengthOf(now - engineSince)}`;
  if (now - engineSince > MAX_BEAT_AGE && (age === null || age > MAX_BEAT_AGE)) {
    return failure(
      'engine',
      `${since}, without a heartbeat ${age === null ? 'so far' : `for ${lengthOf(age)}`}.`,
      'Read its log, then restart that process.',
    );
  }
  return ok('engine', `${since}.`);
}

export function checkLeases({ leases }: WorkFigures): Finding {
  if (leases.length === 0) return ok('leases', 'No process syncs or sends at the moment.');
  const each = leases.map(
    ({ name, owner, heldFor }) =>
      `${name} by ${owner}, renewed ${Math.max(0, Math.round(heldFor / 1_000))} s ago`,
  );
  return ok('leases', `Leases held: ${each.join('; ')}.`);
}

/**
 * @param missing ids of the keys that stored secrets need and that are not available
 * @param problem why the master key cannot be read, as a sentence; null when it can
 */
export function checkMasterKey(missing: readonly string[], problem: string | null): Finding {
  if (problem === null && missing.length === 0) {
    return ok('master_key', 'Every stored secret can be decrypted.');
  }
  return failure(
    'master_key',
    problem ?? `Stored secrets need a master key that is not available (${missing.join(', ')}).`,
    'Set PRICEWRIGHT_SECRET_KEY to it, or restore secret.key in the data folder. If it is lost, run "pricewright keys forget".',
  );
}

/** @param now the database's clock */
export function checkCredentials({ ending }: WorkFigures, now: number): Finding {
  const near = ending.filter(({ endsAt }) => endsAt - now < SOON);
  if (near.length === 0) return ok('credentials', 'No credential is known to expire within 30 days.');
  const over = near.filter(({ endsAt }) => endsAt <= now);
  const each = near.map(({ marketplace, endsAt }) =>
    endsAt <= now
      ? `those of ${MARKETPLACE_NAMES[marketplace]} have expired`
      : `those of ${MARKETPLACE_NAMES[marketplace]} expire in ${lengthOf(endsAt - now)}`,
  );
  const message = `Credentials: ${each.join('; ')}.`;
  const fix = 'Renew them in Settings.';
  return over.length > 0 ? failure('credentials', message, fix) : warning('credentials', message, fix);
}

/** The schedule of backups. @param now the database's clock */
export function checkBackupSchedule(
  {
    isOn,
    lastTakenAt,
    since,
    problem,
    isOnDataDisk,
    unconfirmedRestoreAt,
  }: Pick<
    BackupSettingsRow,
    'isOn' | 'lastTakenAt' | 'since' | 'problem' | 'isOnDataDisk' | 'unconfirmedRestoreAt'
  >,
  now: Instant,
): Finding {
  const check = 'backup_schedule';
  if (unconfirmedRestoreAt !== null) {
    return warning(
      check,
      'This database was restored or copied, and until that is confirmed no backups are scheduled.',
      'Choose "Confirm restore" under Settings, Backups, once it has replaced the original.',
    );
  }
  if (isOn !== true) return ok(check, 'No backups are scheduled.');
  const last =
    lastTakenAt === null
      ? 'no scheduled backup was made yet'
      : `the last scheduled backup is ${ageOf(lastTakenAt, now)}`;
  const fix = 'Fix that, then choose "Back up now" under Settings, Backups.';
  if (problem !== null) return failure(check, `The scheduled backup failed, and ${last}. ${problem}`, fix);
  if (isBackupOverdue(lastBackup(lastTakenAt, since, now), now)) {
    return failure(
      check,
      `Backups are scheduled, but ${last}.`,
      'Keep Pricewright running at the time of day set under Settings, Backups, or choose another time.',
    );
  }
  const message = `Backups are scheduled, and ${last}.`;
  if (isOnDataDisk !== true) return ok(check, message);
  return warning(
    check,
    `${message} They are on the disk of the data, and are lost with it.`,
    'Choose a folder on another disk or machine under Settings, Backups, or copy the files there.',
  );
}
