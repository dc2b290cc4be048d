import { randomBytes } from 'node:crypto';
import { link, mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fsyncDirectory } from '#usecases/fsync-directory.ts';
import { KEY_BYTES, SecretError, type SecretKey, secretKeyOf } from './secret-box.ts';
import { type MasterKeys, parseKey } from './secret-keys.ts';

const FILE_NAME = 'secret.key';
/** A key while it is written; left behind when the process is killed during that. */
const TEMPORARY_NAME = /^secret\.key(\.next)?\.[0-9a-f]{12}$/;

/**
 * The key in a file of the data folder, readable by its owner alone and created when it is first needed. Read every
 * time: it is needed rarely, and a restored file is used at once. During a rotation there are two: `secret.key.next`
 * until it is in force, then `secret.key.old` until nothing is encrypted with it.
 */
export function keyInFolder(folder: string): MasterKeys {
  const file = join(folder, FILE_NAME);
  const [coming, before] = [`${file}.next`, `${file}.old`];
  const current = async (): Promise<SecretKey | null> => {
    const key = await readKey(file);
    if (key === null) return null;
    const others = await Promise.all([coming, before].map(readKey));
    return { ...key, older: others.filter((other) => other !== null) };
  };
  const forWriting = async (): Promise<SecretKey> => {
    const known = await current();
    if (known !== null) return known;
    await makeKeyFile(folder, file);
    return required(await current(), file);
  };
  return {
    current,
    forWriting,
    next: async () => {
      const known = await readKey(coming);
      if (known !== null) return known;
      // The last rotation was interrupted after this step: only its cleanup is left.
      if ((await readKey(before)) !== null) return forWriting();
      await makeKeyFile(folder, coming);
      return required(await readKey(coming), coming);
    },
    putNextInForce: async () => {
      if ((await readKey(coming)) === null) return;
      await link(file, before).catch(unlessThere);
      await rename(coming, file);
      await fsyncDirectory(folder);
    },
    forgetOlder: async () => {
      const copies = (await readdir(folder)).filter((name) => TEMPORARY_NAME.test(name));
      for (const path of [before, ...copies.map((name) => join(folder, name))])
        await rm(path, { force: true });
    },
  };
}

async function readKey(file: string): Promise<SecretKey | null> {
  const text = await readKeyFile(file);
  if (text === null) return null;
  const bytes = parseKey(text);
  if (bytes !== null) return secretKeyOf(bytes);
  throw new SecretError(
    `${file} does not contain a key of 32 bytes. Restore the original file, or move it away and enter the stored credentials again.`,
  );
}

async function readKeyFile(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw cannot('read', file, error);
  }
}

/**
 * Atomic, and never over another process's file: written under another name, then linked to its name. Flushed to disk
 * before anything is encrypted with it.
 */
async function makeKeyFile(folder: string, file: string): Promise<void> {
  const aside = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const handle = await open(aside, 'wx', 0o600);
    try {
      await handle.writeFile(`${randomBytes(KEY_BYTES).toString('hex')}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await link(aside, file).catch(unlessThere);
    await fsyncDirectory(folder);
  } catch (error) {
    throw cannot('write', file, error);
  } finally {
    await rm(aside, { force: true });
  }
}

function unlessThere(error: unknown): void {
  if (codeOf(error) !== 'EEXIST') throw error;
}

function required(key: SecretKey | null, file: string): SecretKey {
  if (key === null) throw cannot('write', file);
  return key;
}

function cannot(action: 'read' | 'write', file: string, error?: unknown): SecretError {
  const code = codeOf(error);
  const why = error === undefined ? '' : ` (${code})`;
  const wayOut = /^(ENOSPC|EDQUOT)$/.test(code) ? 'Free some space on its disk' : 'Grant it that permission';
  return new SecretError(
    `Pricewright cannot ${action} ${file}${why}, the key for stored secrets. ${wayOut}, or set PRICEWRIGHT_SECRET_KEY.`,
  );
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
}
