import { AppError } from '#usecases/app-error.ts';
import type { Rotation } from '#usecases/identity/encryption/rotate-keys.ts';
import type { LostSecrets } from '#usecases/identity/users/lost-secrets.ts';
import { EXIT } from './exit-codes.ts';
import type { Io } from './users.ts';

/** What the command needs from the database; only called once the arguments make sense. */
export type KeysDeps = {
  readonly rotate: () => Promise<Rotation>;
  readonly findLost: () => Promise<LostSecrets>;
  readonly forgetLost: () => Promise<LostSecrets>;
};

export const KEYS_USAGE = `Usage: pricewright keys rotate
       pricewright keys forget [--yes]

rotate  encrypts every stored secret with a new key; servers may keep running
forget  removes the stored secrets whose key is lost; without --yes it only lists them

The key is PRICEWRIGHT_SECRET_KEY, or secret.key in the data folder. To replace the first, set it to the new key and
PRICEWRIGHT_OLD_SECRET_KEYS to the old one, restart the servers with both, run rotate, then drop the old one.`;

/**
 * `pricewright keys ...`.
 * @returns the exit code: 0 done, 1 something cannot be read and is still there, 2 wrong usage
 */
export async function keysCommand(argv: readonly string[], io: Io, deps: KeysDeps): Promise<number> {
  const [command, ...rest] = argv;
  if (command === '--help' || command === '-h' || command === 'help') {
    io.out(KEYS_USAGE);
    return EXIT.ok;
  }
  const isSure = rest.length === 1 && rest[0] === '--yes';
  try {
    if (command === 'rotate' && rest.length === 0) return reportRotation(io, await deps.rotate());
    if (command === 'forget' && rest.length === 0) return reportLost(io, await deps.findLost());
    if (command === 'forget' && isSure) return reportForgotten(io, await deps.forgetLost());
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    io.err(error.message);
    return EXIT.failed;
  }
  io.err(KEYS_USAGE);
  return EXIT.unusable;
}

function reportRotation(io: Io, { resealed, unreadable }: Rotation): number {
  io.out(`${count(resealed)} encrypted with a new key.`);
  if (unreadable === 0) return EXIT.ok;
  io.err(
    `${count(unreadable)} cannot be decrypted with the available keys (not changed). See "pricewright keys forget".`,
  );
  return EXIT.failed;
}

function reportLost(io: Io, lost: LostSecrets): number {
  const names = namesOf(lost);
  if (names.length === 0) {
    io.out('All stored secrets can be decrypted. Nothing to remove.');
    return EXIT.ok;
  }
  io.err(
    `${count(names.length)} cannot be decrypted with the available keys; missing: ${lost.missing.join(', ')}.`,
  );
  for (const name of names) io.out(name);
  io.err('Add --yes to remove them. Two-factor authentication of these users is then turned off.');
  return EXIT.failed;
}

function reportForgotten(io: Io, lost: LostSecrets): number {
  const names = namesOf(lost);
  io.out(
    names.length === 0
      ? 'All stored secrets can be decrypted. Nothing was removed.'
      : `${count(names.length)} removed.`,
  );
  for (const name of names) io.out(name);
  return EXIT.ok;
}

/** Where each is stored, never its value. */
function namesOf({ records, dataKeys }: LostSecrets): string[] {
  return [
    ...records.map(({ column, keys }) => column.placeOf(keys)),
    ...dataKeys.map((id) => `data_keys/${id}/wrapped`),
  ];
}

function count(secrets: number): string {
  return secrets === 1 ? '1 secret' : `${secrets} secrets`;
}
