import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { AppError } from '#usecases/app-error.ts';

const CIPHER = 'aes-256-gcm';
const FORM = 'v1';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
export const KEY_BYTES = 32;

/** The key that encrypts secrets. It is never in the database. */
export interface SecretKey {
  /** Identifies the key without revealing any of it; part of every record. Eight hex digits. */
  readonly id: string;
  readonly bytes: Buffer;
  /** Earlier keys, which still decrypt what they encrypted. */
  readonly older?: readonly SecretKey[];
}

/** A secret cannot be stored or read. The message is one sentence for an administrator, with the fix. */
export class SecretError extends AppError {
  constructor(message: string) {
    super('unavailable', message);
  }
}

/** @param bytes exactly {@link KEY_BYTES} */
export function secretKeyOf(bytes: Buffer): SecretKey {
  const id = createHmac('sha256', bytes).update('pricewright key id').digest('hex').slice(0, 8);
  return { id, bytes };
}

/**
 * Encrypts a secret.
 * @param place where the record will be stored, such as "app_settings/default/veeqo_api_key": it can only be decrypted
 *   there
 * @returns text for the database: version, key id, nonce, ciphertext with tag
 */
export function sealSecret(key: SecretKey, place: string, secret: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key.bytes, nonce).setAAD(Buffer.from(place));
  const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return [FORM, key.id, nonce.toString('base64url'), sealed.toString('base64url')].join('.');
}

/** The id of the key that encrypted a record; null for other text. */
export function keyIdOf(record: string): string | null {
  const [form, keyId] = record.split('.');
  return form === FORM && keyId !== undefined ? keyId : null;
}

/** The key with this id among a key and its older ones; null when it is not there. */
export function keyWith(key: SecretKey, id: string | null): SecretKey | null {
  return [key, ...(key.older ?? [])].find((each) => each.id === id) ?? null;
}

/**
 * Decrypts with the key or an older one.
 * @throws SecretError when the record was encrypted with another key, for another place, or was altered
 */
export function openSecret(ring: SecretKey, place: string, record: string): string {
  const key = keyWith(ring, keyIdOf(record));
  if (key === null) throw new SecretError(OTHER_KEY);
  const [, , nonce = '', sealed = ''] = record.split('.');
  const bytes = Buffer.from(sealed, 'base64url');
  try {
    const decipher = createDecipheriv(CIPHER, key.bytes, Buffer.from(nonce, 'base64url'))
      .setAAD(Buffer.from(place))
      .setAuthTag(bytes.subarray(-TAG_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(0, -TAG_BYTES)), decipher.final()]).toString('utf8');
  } catch {
    // The library's message does not help, and could contain bytes of the secret.
    throw new SecretError(
      'A stored credential was altered in the database and cannot be decrypted. Enter it again.',
    );
  }
}

/** The error wherever a record's key is not available. */
export const OTHER_KEY =
  'Stored credentials were encrypted with another secret key and cannot be decrypted. Set PRICEWRIGHT_SECRET_KEY to that key or restore secret.key in the data folder. If it is lost, run "pricewright keys forget" and enter the credentials again.';
