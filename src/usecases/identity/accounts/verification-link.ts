import type { Db } from '#db/client.ts';
import { setVerificationToken, type UserRow } from '#db/queries/identity/users.ts';
import { hours, type Instant, instant } from '#domain/units.ts';
import { newToken, tokenHash } from './secret-token.ts';

const LINK_TTL = hours(24);

/**
 * Creates the link that verifies an account's address: valid for 24 hours; earlier ones become invalid. The database
 * stores only its hash.
 * @param user as the caller read the account: a link that was created later stays valid
 * @param home the public address of this server, without a path
 * @returns null when the account was removed, its address is verified already, or another link was created
 */
export async function makeVerificationLink(
  db: Db,
  user: Pick<UserRow, 'id' | 'emailVerificationToken'>,
  home: string,
  now: Instant,
): Promise<{ readonly url: string; readonly expiresAt: Instant } | null> {
  const token = newToken();
  const expiresAt = instant(now + LINK_TTL);
  const isSet = await setVerificationToken(db, user, tokenHash(token), expiresAt);
  return isSet ? { url: `${home}/verify-email?token=${token}`, expiresAt } : null;
}
