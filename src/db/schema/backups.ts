import { sql } from 'drizzle-orm';
import { bigint, boolean, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { holds, isCount, isFilled, isOneOf } from '#db/checks.ts';
import { instant } from '#db/columns.ts';
import { BACKUP_DESTINATIONS } from '#domain/backups/bucket-address.ts';

/** The one row, id 'default', written by the migration: the schedule of backups, and how the last one went. */
export const backupSettings = pgTable(
  'backup_settings',
  {
    id: text('id').primaryKey().default('default'),
    /** Null until the process that makes backups has decided: on for the embedded database. */
    isOn: boolean('is_on'),
    /** Of the shop's day, in its time zone. */
    minuteOfDay: integer('minute_of_day').notNull().default(180),
    destination: text('destination', { enum: BACKUP_DESTINATIONS }).notNull().default('folder'),
    /** Null: the folder `backups` in the data folder. */
    folder: text('folder'),
    keepDaily: integer('keep_daily').notNull().default(7),
    keepWeekly: integer('keep_weekly').notNull().default(4),
    keepMonthly: integer('keep_monthly').notNull().default(6),
    /** Then a backup without a passphrase is an error. */
    encrypts: boolean('encrypts').notNull().default(false),
    /** Ciphertext; null: the one of the environment. */
    passphrase: text('passphrase'),
    /** When it was last turned on: the first backup is due after it. */
    since: instant('since').notNull().default(sql`now()`),
    /** A user requested a backup that is not made yet. */
    requestedAt: instant('requested_at'),
    /** The last backup that was read back: its path, its moment and its size. */
    lastFile: text('last_file'),
    lastTakenAt: instant('last_taken_at'),
    lastBytes: bigint('last_bytes', { mode: 'number' }),
    /** Whether it is on the disk of the data folder; null where that is not known. */
    isOnDataDisk: boolean('is_on_data_disk'),
    /** The last failure, and how many there were in a row; null and 0 after a success. */
    failedAt: instant('failed_at'),
    failures: integer('failures').notNull().default(0),
    problem: text('problem'),
    version: integer('version').notNull().default(1),
    /** The bucket, which is kept while backups go to a folder. Its origin: "https://s3.eu-central-1.amazonaws.com". */
    s3Endpoint: text('s3_endpoint'),
    s3Region: text('s3_region'),
    s3Bucket: text('s3_bucket'),
    /** Of the keys of objects: "" or "shop/". */
    s3Prefix: text('s3_prefix').notNull().default(''),
    /** Whether its name is in the path of an address; else it is the first part of the host name. */
    s3PathStyle: boolean('s3_path_style').notNull().default(true),
    s3AccessKeyId: text('s3_access_key_id'),
    /** Ciphertext. */
    s3SecretKey: text('s3_secret_key'),
  },
  (t) => [
    holds('one_row', sql`${t.id} = 'default'`),
    holds('minute_of_day_range', sql`${t.minuteOfDay} between 0 and 1439`),
    isFilled(t.folder, 500),
    holds('keep_daily_range', sql`${t.keepDaily} between 1 and 366`),
    holds('keep_weekly_range', sql`${t.keepWeekly} between 0 and 260`),
    holds('keep_monthly_range', sql`${t.keepMonthly} between 0 and 120`),
    isFilled(t.lastFile, 1000),
    holds('last_bytes_range', sql`${t.lastBytes} between 0 and 9007199254740991`),
    holds(
      'last_whole',
      sql`(${t.lastFile} is null) = (${t.lastTakenAt} is null) and (${t.lastFile} is null) = (${t.lastBytes} is null)`,
    ),
    isCount(t.failures),
    isFilled(t.problem, 2000),
    isOneOf(t.destination, BACKUP_DESTINATIONS),
    isFilled(t.s3Endpoint, 300),
    isFilled(t.s3Region, 40),
    isFilled(t.s3Bucket, 63),
    holds('s3_prefix_length', sql`char_length(${t.s3Prefix}) <= 500`),
    isFilled(t.s3AccessKeyId, 200),
    holds(
      's3_whole',
      sql`${t.destination} <> 's3' or (${t.s3Endpoint} is not null and ${t.s3Region} is not null and ${t.s3Bucket} is not null and ${t.s3AccessKeyId} is not null)`,
    ),
    holds(
      'failure_whole',
      sql`(${t.failedAt} is null) = (${t.problem} is null) and (${t.failedAt} is null) = (${t.failures} = 0)`,
    ),
  ],
);

/** The backups in the folder or the bucket of the schedule, as it last saw them. */
export const backupFiles = pgTable(
  'backup_files',
  {
    /** A path, or the address of a bucket with the prefix. */
    folder: text('folder').notNull(),
    name: text('name').notNull(),
    takenAt: instant('taken_at').notNull(),
    bytes: bigint('bytes', { mode: 'number' }).notNull(),
    isEncrypted: boolean('is_encrypted').notNull(),
    /** When the schedule read it back whole; null for files that it did not make. */
    checkedAt: instant('checked_at'),
  },
  (t) => [
    primaryKey({ columns: [t.folder, t.name] }),
    isFilled(t.folder, 1000),
    isFilled(t.name, 100),
    holds('bytes_range', sql`${t.bytes} between 0 and 9007199254740991`),
  ],
);
