import { FileError } from '#files/file-error.ts';
import { AppError } from '#usecases/app-error.ts';
import type { MadeBackup } from '#usecases/backup/make-backup.ts';
import { EXIT } from './exit-codes.ts';
import type { Io } from './users.ts';

export interface BackupRequest {
  /** Folder, new file or place in a bucket; null: the folder `backups` of the data folder. */
  readonly to: string | null;
  /** How many of the newest backups stay in the folder; null: all of them. */
  readonly keep: number | null;
  /** Whether it is an error to have no passphrase. */
  readonly isEncrypted: boolean;
  /** File with the passphrase; null: the one of the environment, if there is one. */
  readonly passphraseFile: string | null;
}

const BACKUP_USAGE = `Usage: pricewright backup [--to FOLDER|FILE|s3://BUCKET/PREFIX] [--keep N] [--encrypt] [--passphrase-file FILE]

Writes all data into one file and reads it back. Servers may go on running.

--to               a folder that exists, a new file in one, or a bucket of an
                   S3-compatible service; by default the folder backups in the
                   data folder, where a backup for a bucket is written first
--keep             afterwards delete the oldest backups of that folder or bucket,
                   except for the newest N, from 1 to 10000
--encrypt          fail rather than write a file that is not encrypted
--passphrase-file  encrypt with the passphrase in this file; without it the one of
                   PRICEWRIGHT_BACKUP_PASSPHRASE is used, if it is set

A bucket needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, AWS_REGION, and for other services than Amazon's
AWS_ENDPOINT_URL. PRICEWRIGHT_S3_ADDRESSING is path or virtual.

The file does not contain the master key. Keep a copy of that, and of the passphrase, in another place.`;

/**
 * `pricewright backup ...`.
 * @param make only called once the arguments make sense
 * @returns the exit code: 0 done, 1 no backup was made, 2 wrong usage
 */
export async function backupCommand(
  argv: readonly string[],
  io: Io,
  make: (request: BackupRequest) => Promise<MadeBackup>,
): Promise<number> {
  if (isHelp(argv)) {
    io.out(BACKUP_USAGE);
    return EXIT.ok;
  }
  const request = backupRequestOf(argv);
  if (request === null) {
    io.err(BACKUP_USAGE);
    return EXIT.unusable;
  }
  try {
    const { file, bytes, tables, manifest, deleted, notDeleted } = await make(request);
    io.out(`Backup written and read back: ${file} (${megabytes(bytes)}, ${rowsOf(tables)}).`);
    if (deleted.length > 0) io.out(`Deleted ${counted(deleted.length, 'old backup')}.`);
    if (notDeleted !== undefined) io.err(`Old backups were not deleted. ${notDeleted}`);
    if (manifest.masterKeys.length > 0) {
      io.err(
        `Its secrets need the master key ${manifest.masterKeys.join(', ')}, which is not in it. Keep a copy of that key in another place.`,
      );
    }
    return EXIT.ok;
  } catch (error) {
    return reportFailure(error, io, 'No backup was made.');
  }
}

function backupRequestOf(argv: readonly string[]): BackupRequest | null {
  let request: BackupRequest = { to: null, keep: null, isEncrypted: false, passphraseFile: null };
  for (let at = 0; at < argv.length; at += 1) {
    const flag = argv[at];
    if (flag === '--encrypt') {
      request = { ...request, isEncrypted: true };
      continue;
    }
    at += 1;
    const value = argv[at];
    if (value === undefined || value === '' || value.startsWith('--')) return null;
    if (flag === '--to') request = { ...request, to: value };
    else if (flag === '--keep' && /^[1-9]\d{0,3}$|^10000$/.test(value))
      request = { ...request, keep: Number(value) };
    else if (flag === '--passphrase-file') request = { ...request, passphraseFile: value };
    else return null;
  }
  return request;
}

/** An error that the operator can fix is one line, with what became of the work. Every other one is thrown. */
export function reportFailure(error: unknown, io: Io, outcome: string): 1 {
  if (!(error instanceof FileError || error instanceof AppError)) throw error;
  io.err(`${error.message} ${outcome}`);
  return EXIT.failed;
}

export function isHelp(argv: readonly string[]): boolean {
  return argv.some((word) => word === '--help' || word === '-h' || word === 'help');
}

/** "214,032 rows of 110 tables" */
export function rowsOf(tables: readonly { readonly rows: number }[]): string {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  return `${counted(rows, 'row')} of ${counted(tables.length, 'table')}`;
}

function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toLocaleString('en-US', { minimumFractionDigits: 1, maximumFractionDigits: 1 })} MB`;
}
