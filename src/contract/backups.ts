import { z } from 'zod';
import {
  asEndpoint,
  asPrefix,
  BACKUP_DESTINATIONS,
  isBucketName,
  isRegion,
} from '#domain/backups/bucket-address.ts';
import { Moment } from './fields.ts';
import { SECRET_MASK } from './settings.ts';

/** Fewest characters of a passphrase: with the file one can guess as fast as a machine can. */
export const MIN_PASSPHRASE = 12;

const DAILY = 'Enter a whole number from 1 to 366';
const WEEKLY = 'Enter a whole number from 0 to 260';
const MONTHLY = 'Enter a whole number from 0 to 120';

/** "03:00", the shop's time. */
const TimeOfDay = z
  .string()
  .max(5, 'Enter a time such as 03:00')
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Enter a time such as 03:00');

const Schedule = {
  /** Whether a backup is made each day. */
  isOn: z.boolean(),
  timeOfDay: TimeOfDay,
  /** Backups that stay: the newest of each of so many days, weeks and months. */
  keepDaily: z.int(DAILY).min(1, DAILY).max(366, DAILY),
  keepWeekly: z.int(WEEKLY).min(0, WEEKLY).max(260, WEEKLY),
  keepMonthly: z.int(MONTHLY).min(0, MONTHLY).max(120, MONTHLY),
  /** Whether backups are encrypted with the passphrase; without one they fail then. */
  encrypts: z.boolean(),
};

/** Also a path of Windows. */
const ABSOLUTE = /^(\/|[A-Za-z]:[\\/]|\\\\)/;
const Folder = z
  .string()
  .trim()
  .max(500, 'Enter at most 500 characters')
  .refine((path) => path === '' || ABSOLUTE.test(path), 'Enter a whole path, such as /mnt/backups')
  .refine((path) => !path.includes('\u0000'), 'Enter a whole path, such as /mnt/backups');

/** Not trimmed: every character of it counts when a backup is opened. */
const Passphrase = z
  .string()
  .max(200, 'Enter at most 200 characters')
  .refine((text) => text === text.trim(), 'Enter a passphrase that begins and ends with no space')
  .refine(
    (text) => text === '' || text === SECRET_MASK || text.length >= MIN_PASSPHRASE,
    `Enter at least ${MIN_PASSPHRASE} characters`,
  );

const ENDPOINT = 'Enter an address without a path, such as https://s3.eu-central-1.amazonaws.com';
const Endpoint = z
  .string()
  .trim()
  .max(300, 'Enter at most 300 characters')
  .refine((text) => text === '' || asEndpoint(text) !== null, ENDPOINT)
  .transform((text) => asEndpoint(text) ?? '');
const REGION = 'Enter a region such as eu-central-1';
const Region = z
  .string()
  .trim()
  .max(40, REGION)
  .refine((text) => text === '' || isRegion(text), REGION);
const BUCKET = 'Enter the name of a bucket: 3 to 63 lowercase letters, digits, dots and hyphens';
const BucketName = z
  .string()
  .trim()
  .max(63, BUCKET)
  .refine((text) => text === '' || isBucketName(text), BUCKET);
const PREFIX = 'Enter letters, digits, dots, hyphens, underscores and single slashes';
const Prefix = z
  .string()
  .trim()
  .max(500, 'Enter at most 500 characters')
  .refine((text) => asPrefix(text) !== null, PREFIX)
  .transform((text) => asPrefix(text) ?? '');
const KEY = 'Enter the key as it was given: no spaces, no other than plain characters';
const KeyText = z
  .string()
  .trim()
  .max(200, 'Enter at most 200 characters')
  .refine((text) => text === SECRET_MASK || /^[\x21-\x7e]*$/.test(text), KEY);

/** A bucket as it is entered; "" where nothing is. */
const EditBucket = z.strictObject({
  endpoint: Endpoint,
  region: Region,
  name: BucketName,
  /** What the names of its objects begin with: "" or "shop/". A slash is added. */
  prefix: Prefix,
  /** Whether the bucket's name is in the path of an address; else it is the first part of the host name. */
  isPathStyle: z.boolean(),
  accessKeyId: KeyText,
  /** The mask keeps what is stored, "" removes it. */
  secretAccessKey: KeyText,
});
export type EditBucket = z.output<typeof EditBucket>;

const BackupFile = z.object({
  name: z.string(),
  takenAt: Moment,
  bytes: z.number(),
  isEncrypted: z.boolean(),
  /** Whether the schedule read it back and compared every checksum. Others were made by hand, or before an upgrade. */
  isChecked: z.boolean(),
});

/** GET /api/backups (admin), and the answer to PUT. */
export const Backups = z.object({
  ...Schedule,
  destination: z.enum(BACKUP_DESTINATIONS),
  /** The folder on the server; "" is `defaultFolder`. */
  folder: z.string(),
  defaultFolder: z.string(),
  /** The bucket of an S3-compatible service; "" where nothing was entered. Of its secret key only the mask, else "". */
  bucket: z.object({
    endpoint: z.string(),
    region: z.string(),
    name: z.string(),
    prefix: z.string(),
    isPathStyle: z.boolean(),
    accessKeyId: z.string(),
    secretAccessKey: z.string(),
  }),
  /** The mask where one is stored, else "". */
  passphrase: z.string(),
  /** Whether the environment of the server has one, which is used where none is stored. */
  hasEnvironmentPassphrase: z.boolean(),
  /** Null: UTC. */
  timeZone: z.string().nullable(),
  /** A backup is being made, or was requested. */
  isUnderWay: z.boolean(),
  last: z
    .object({
      file: z.string(),
      takenAt: Moment,
      bytes: z.number(),
      /** On the disk of the data itself: lost with it. Null where that is not known. */
      isOnDataDisk: z.boolean().nullable(),
    })
    .nullable(),
  /** Why the last attempt failed; null after a success. */
  failure: z.object({ problem: z.string(), at: Moment }).nullable(),
  isOverdue: z.boolean(),
  /**
   * When the database was restored or copied: until an administrator confirms that it replaces the original, no backups are
   * scheduled and no events of marketplaces are received. Null: nothing to confirm.
   */
  unconfirmedRestoreAt: Moment.nullable(),
  /** Backups in the folder or the bucket, as the schedule last saw it: the newest first, at most 100. */
  files: z.array(BackupFile),
  /** Increases with every save. */
  version: z.int(),
});
export type Backups = z.output<typeof Backups>;

/** PUT /api/backups (admin, after the password). 409 when `version` is not current because another user saved. */
export const EditBackups = z.strictObject({
  ...Schedule,
  destination: z.enum(BACKUP_DESTINATIONS),
  folder: Folder,
  bucket: EditBucket,
  /** The mask keeps it, "" removes it. */
  passphrase: Passphrase,
  version: z.int(),
});
export type EditBackups = z.output<typeof EditBackups>;

/** POST /api/backups/test (admin, after the password): a bucket as it is entered, saved or not. */
export const TestBackups = z.strictObject({ bucket: EditBucket });

/** What became of the test: writing, listing, reading and deleting a small object. */
export const BackupsTested = z.object({
  success: z.boolean(),
  /** What is wrong and how to fix it; null after a success. */
  error: z.string().nullable(),
});
export type BackupsTested = z.output<typeof BackupsTested>;
