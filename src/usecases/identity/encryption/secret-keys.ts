import { KEY_BYTES, type SecretKey, secretKeyOf } from './secret-box.ts';

/** Where the key for secrets comes from. */
export interface SecretKeys {
  /** The key in force; null while none was ever needed. @throws SecretError when there is one that cannot be used */
  current(): Promise<SecretKey | null>;
  /** The key in force, made when there is none yet. @throws SecretError when it cannot be read or written */
  forWriting(): Promise<SecretKey>;
}

/** The key that is kept outside of the database and locks the keys in it. It can be replaced, step by step. */
export interface MasterKeys extends SecretKeys {
  /** The key that comes next, kept safe from now on; the one in force where that was replaced by hand. */
  next(): Promise<SecretKey>;
  /** Puts the next key in force. What the one before it locked stays readable. */
  putNextInForce(): Promise<void>;
  /** Gives the keys before it up: nothing is locked with them any more. */
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

/** The key that the environment gives, and those before it. Whoever sets them replaces them. */
export function configuredKey(bytes: Buffer, older: readonly Buffer[] = []): MasterKeys {
  const key = { ...secretKeyOf(bytes), older: older.map(secretKeyOf) };
  const give = async (): Promise<SecretKey> => key;
  const nothing = async (): Promise<void> => undefined;
  return { current: give, forWriting: give, next: give, putNextInForce: nothing, forgetOlder: nothing };
}
