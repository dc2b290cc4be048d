import { KEY_BYTES, type SecretKey, secretKeyOf } from './secret-box.ts';

/** The source of the key for secrets. */
export interface SecretKeys {
  /**
   * The key in force; null before the first one is needed.
   * @throws SecretError when there is one that cannot be used
   */
  current(): Promise<SecretKey | null>;
  /** The key in force, created when there is none yet. @throws SecretError when it cannot be read or written */
  forWriting(): Promise<SecretKey>;
}

/** The key outside of the database that encrypts the data keys in it. It can be rotated, step by step. */
export interface MasterKeys extends SecretKeys {
  /** The next key, stored safely; the one in force where that was replaced by hand. */
  next(): Promise<SecretKey>;
  /** Puts the next key in force. Secrets of the previous one stay readable. */
  putNextInForce(): Promise<void>;
  /** Deletes the previous keys, once nothing is encrypted with them. */
  forgetOlder(): Promise<void>;
}

/** 32 bytes written as 64 hex digits or as base64; null for any other text. */
export function parseKey(text: string): Buffer | null {
  const plain = text.trim();
  if (/^[0-9a-f]{64}$/i.test(plain)) return Buffer.from(plain, 'hex');
  if (!/^[A-Za-z0-9+/_-]{43}=?$/.test(plain)) return null;
  const bytes = Buffer.from(plain, 'base64');
  return bytes.length === KEY_BYTES ? bytes : null;
}

/** The key of the environment, and earlier ones. The administrator rotates them by changing the environment. */
export function configuredKey(bytes: Buffer, older: readonly Buffer[] = []): MasterKeys {
  const key = { ...secretKeyOf(bytes), older: older.map(secretKeyOf) };
  const give = async (): Promise<SecretKey> => key;
  const nothing = async (): Promise<void> => undefined;
  return { current: give, forWriting: give, next: give, putNextInForce: nothing, forgetOlder: nothing };
}
