import { readFile } from 'node:fs/promises';
import { MIN_PASSPHRASE } from '#contract/backups.ts';
import { FileError } from '#files/file-error.ts';

/**
 * The passphrase in a file, without the end of its line.
 * @throws FileError when the file cannot be read or its passphrase is too short
 */
export async function readPassphrase(path: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    const code = error instanceof Error && 'code' in error ? ` (${error.code})` : '';
    throw new FileError(`The passphrase file ${path} cannot be read${code}. Check its name and permissions.`);
  });
  const passphrase = text.replace(/\r?\n$/, '');
  if (passphrase.length >= MIN_PASSPHRASE) return passphrase;
  throw new FileError(`The passphrase in ${path} is too short. Use at least ${MIN_PASSPHRASE} characters.`);
}
