import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { KEY_BYTES, SecretError, type SecretKey, secretKeyOf } from './secret-box.ts';

/** Where the key for secrets comes from. */
export interface SecretKeys {
  /** The key in force; null while none was ever needed. @throws SecretError when there is one that cannot be used */
  current(): Promise<SecretKey | null>;
  /** The key in force, made when there is none yet. @throws SecretError when it cannot be read or written */
  forWriting(): Promise<SecretKey>;
}

const FILE_NAME = 'secret.key';

/** 32 bytes written as 64 hex digits or as base64; null for any other text. */
export function parseKey(text: string): Buffer | null {
  const plain = text.trim();
  if (/^[0-9a-f]{64}$/i.test(plain)) return Buffer.from(plain, 'hex');
  if (!/^[A-Za-z0-9+/_-]{43}=?$/.test(plain)) return null;
  const bytes = Buffer.from(plain, 'base64');
  return bytes.length === KEY_BYTES ? bytes : null;
}

/** The key that the environment gives. */
export function configuredKey(bytes: Buffer): SecretKeys {
  const key = secretKeyOf(bytes);
  return { current: async () => key, forWriting: async () => key };
}

/**
 * The key in a file of the data folder, readable by its owner alone and made when it is first needed. Read every
 * time: it is asked for seldom, and a file that was brought back counts at once.
 */
export function keyInFolder(folder: string): SecretKeys {
  const file = join(folder, FILE_NAME);
  const current = async (): Promise<SecretKey | null> => {
    const text = await readKeyFile(file);
    if (text === null) return null;
    const bytes = parseKey(text);
    if (bytes !== null) return secretKeyOf(bytes);
    throw new SecretError(
      `${file} holds no key of 32 bytes. Bring back the one it had, or move it away and enter the stored keys again.`,
    );
  };
  const forWriting = async (): Promise<SecretKey> => {
    const known = await current();
    if (known !== null) return known;
    await makeKeyFile(folder, file);
    const made = await current();
    if (made === null) throw cannot('write', file);
    return made;
  };
  return { current, forWriting };
}

async function readKeyFile(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw cannot('read', file, error);
  }
}

/** Whole or not at all, and never over another process's: written aside, then linked to its name. */
async function makeKeyFile(folder: string, file: string): Promise<void> {
  const aside = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(aside, `${randomBytes(KEY_BYTES).toString('hex')}\n`, { mode: 0o600, flag: 'wx' });
    await link(aside, file).catch((error: unknown) => {
      if (codeOf(error) !== 'EEXIST') throw error;
    });
  } catch (error) {
    throw cannot('write', file, error);
  } finally {
    await rm(aside, { force: true });
  }
}

function cannot(act: 'read' | 'write', file: string, error?: unknown): SecretError {
  const why = error === undefined ? '' : ` (${codeOf(error)})`;
  return new SecretError(
    `Pricewright cannot ${act} ${file}${why}, the key for stored secrets. Give it that right, or set PRICEWRIGHT_SECRET_KEY.`,
  );
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
}
