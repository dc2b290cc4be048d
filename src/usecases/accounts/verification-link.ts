import type { Db } from '#db/client.ts';
import { setVerificationToken } from '#db/queries/users.ts';
import { hours, type Instant, instant } from '#domain/units.ts';
import { newToken, tokenHash } from './secret-token.ts';

const LIFE = hours(24);

/**
 * Makes the link that verifies an account's address: 24 hours, and the ones before it are dead. The database keeps its
 * hash alone.
 * @param home where browsers reach us, without a path
 * @returns null when the account is gone or its address verified already
 */
export async function makeVerificationLink(
  db: Db,
  userId: string,
  home: string,
  now: Instant,
): Promise<{ readonly url: string; readonly expiresAt: Instant } | null> {
  const token = newToken();
  const expiresAt = instant(now + LIFE);
  const isSet = await setVerificationToken(db, userId, tokenHash(token), expiresAt);
  return isSet ? { url: `${home}/verify-email?token=${token}`, expiresAt } : null;
}
