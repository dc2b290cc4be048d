import type { CheckedBackup } from '#usecases/backup/restore-backup.ts';
import { isHelp, reportFailure, rowsOf } from './backup.ts';
import { EXIT } from './exit-codes.ts';
import type { Io } from './users.ts';

export interface RestoreRequest {
  readonly file: string;
  /** File with the passphrase; null: the one of the environment, if there is one. */
  readonly passphraseFile: string | null;
  /** Whether a data folder that has a database may get another one; the former is kept. */
  readonly replaces: boolean;
  /** Restore even if stored secrets cannot be decrypted here. */
  readonly withoutKey: boolean;
}

export interface RestoreDeps {
  /** Reads the whole file and checks that it can be restored here. Changes nothing. */
  readonly check: (request: RestoreRequest) => Promise<CheckedBackup>;
  /** @returns where the former data is; null when there was none */
  readonly restore: (request: RestoreRequest) => Promise<{ readonly former: string | null }>;
}

const RESTORE_USAGE = `Usage: pricewright restore FILE|s3://BUCKET/NAME [--check] [--replace] [--passphrase-file FILE] [--without-key]

Fills the data folder, or the empty database of DATABASE_URL, from a backup. Stop Pricewright first. Afterwards every
marketplace is set to recommend only, nothing that was queued is sent, and all users have to log in again.

A bucket needs the variables that "pricewright backup --help" lists. With the name of a folder there, the answer is the
name of its newest backup.

--check            only read the file and check that it can be restored here
--replace          restore into a data folder that has a database; the former one
                   is kept in the folder before-restore-... of the data folder
--passphrase-file  the passphrase of an encrypted file; without it the one of
                   PRICEWRIGHT_BACKUP_PASSPHRASE is used
--without-key      restore although the master key of the stored secrets is lost`;

/**
 * `pricewright restore ...`.
 * @returns the exit code: 0 done, 1 nothing was restored, 2 wrong usage
 */
export async function restoreCommand(argv: readonly string[], io: Io, deps: RestoreDeps): Promise<number> {
  if (isHelp(argv)) {
    io.out(RESTORE_USAGE);
    return EXIT.ok;
  }
  const parsed = restoreRequestOf(argv);
  if (parsed === null) {
    io.err(RESTORE_USAGE);
    return EXIT.unusable;
  }
  const { request, isCheck } = parsed;
  try {
    const backup = await deps.check(request);
    if (isCheck) {
      io.out(`${request.file} is whole and can be restored here: ${summaryOf(backup)}.`);
      return EXIT.ok;
    }
    const { former } = await deps.restore(request);
    report(io, backup, former);
    return EXIT.ok;
  } catch (error) {
    return reportFailure(error, io, 'Nothing was restored.');
  }
}

function restoreRequestOf(
  argv: readonly string[],
): { readonly request: RestoreRequest; readonly isCheck: boolean } | null {
  const flags = new Set<string>();
  const files: string[] = [];
  let passphraseFile: string | null = null;
  for (let at = 0; at < argv.length; at += 1) {
    const word = argv[at] ?? '';
    if (word === '--passphrase-file') {
      at += 1;
      passphraseFile = argv[at] ?? '';
    } else if (/^--(check|replace|without-key)$/.test(word)) flags.add(word);
    else if (word.startsWith('-')) return null;
    else files.push(word);
  }
  const [file] = files;
  if (file === undefined || files.length > 1 || passphraseFile === '') return null;
  const request = {
    file,
    passphraseFile,
    replaces: flags.has('--replace'),
    withoutKey: flags.has('--without-key'),
  };
  return { request, isCheck: flags.has('--check') };
}

function summaryOf({ manifest, tables }: CheckedBackup): string {
  return `${rowsOf(tables)} of ${manifest.takenAt}, made by Pricewright ${manifest.program}`;
}

function report(io: Io, backup: CheckedBackup, former: string | null): void {
  io.out(`Restored ${summaryOf(backup)}.`);
  if (former !== null) io.out(`The former data is in ${former}. Delete it once you no longer need it.`);
  io.out('Every marketplace is set to recommend only, and all users have to log in again.');
  if (backup.missingKeys.length > 0) {
    io.err(
      `Stored secrets cannot be decrypted (${backup.missingKeys.join(', ')}). Before you start Pricewright, run "pricewright keys forget --yes"; then enter the credentials again.`,
    );
  }
}
