import type { Db } from '#db/client.ts';
import { setVerificationToken, type UserRow } from '#db/queries/identity/users.ts';
import { hours, type Instant, instant } from '#domain/units.ts';
import { newToken, tokenHash } from './secret-token.ts';

const LIFE = hours(24);

/**
 * Makes the link that verifies an account's address: 24 hours, and the ones before it are dead. The database keeps its
 * hash alone.
 * @param user as the caller saw the account: a link that was made since then stays in force
 * @param home where browsers reach us, without a path
 * @returns null when the account is gone, its address verified already, or another link was made
 */
export async function makeVerificationLink(
  db: Db,
  user: Pick<UserRow, 'id' | 'emailVerificationToken'>,
  home: string,
  now: Instant,
): Promise<{ readonly url: string; readonly expiresAt: Instant } | null> {
  const token = newToken();
  const expiresAt = instant(now + LIFE);
  const isSet = await setVerificationToken(db, user, tokenHash(token), expiresAt);
  return isSet ? { url: `${home}/verify-email?token=${token}`, expiresAt } : null;
}
