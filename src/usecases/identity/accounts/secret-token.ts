import { createHash, randomBytes } from 'node:crypto';

/** A new secret of 256 bits, safe in cookies and links. Store only its hash. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** What the database stores of a token. A plain hash is enough: 256 bits cannot be guessed. */
export function tokenHash(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
