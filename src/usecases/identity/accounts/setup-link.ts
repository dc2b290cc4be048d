import type { Db } from '#db/client.ts';
import { insertOneTimeToken } from '#db/queries/identity/one-time-tokens.ts';
import { hasAdmin } from '#db/queries/identity/users.ts';
import { type Instant, instant } from '#domain/units.ts';
import { newToken, tokenHash } from './secret-token.ts';

const SETUP_TTL = 24 * 60 * 60 * 1_000;

/**
 * Creates the token of a link with which one user can register as the first administrator: 24 hours, once.
 * @returns the token, or null when the installation has an administrator already
 */
export async function createSetupToken(db: Db, now: Instant): Promise<string | null> {
  if (await hasAdmin(db)) return null;
  const token = newToken();
  await insertOneTimeToken(db, {
    tokenHash: tokenHash(token),
    purpose: 'setup',
    userId: null,
    createdAt: now,
    expiresAt: instant(now + SETUP_TTL),
  });
  return token;
}
