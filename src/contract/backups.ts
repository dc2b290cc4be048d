import { z } from 'zod';
import { SECRET_MASK } from './settings.ts';
import { Moment } from './wire.ts';

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
  /** The folder on the server; "" is `defaultFolder`. */
  folder: z.string(),
  defaultFolder: z.string(),
  /** The mask where one is stored, else "". */
  passphrase: z.string(),
  /** Whether the environment of the server has one, which is used where none is stored. */
  hasEnvironmentPassphrase: z.boolean(),
  /** Null: UTC. */
  timeZone: z.string().nullable(),
  /** A backup is being made, or was asked for. */
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
  /** Backups in the folder, as the schedule last saw it: the newest first, at most 100. */
  files: z.array(BackupFile),
  /** Increases with every save. */
  version: z.int(),
});
export type Backups = z.output<typeof Backups>;

/** PUT /api/backups (admin, after the password). 409 when `version` is not current because another user saved. */
export const EditBackups = z.strictObject({
  ...Schedule,
  folder: Folder,
  /** The mask keeps it, "" removes it. */
  passphrase: Passphrase,
  version: z.int(),
});
export type EditBackups = z.output<typeof EditBackups>;
