import type { Db } from '#db/client.ts';
import { BROWSERS_KEPT } from '#db/queries/background/expired.ts';
import { type BrowserOwner, isKnownBrowser, keepBrowser } from '#db/queries/identity/known-browsers.ts';
import { type Instant, instant } from '#domain/units.ts';
import { newToken, tokenHash } from './secret-token.ts';

/** One more replaces the one that was used longest ago. */
const BROWSERS_PER_ACCOUNT = 20;

/**
 * The hash of a browser's token, when the account logged in there before; null for an unknown browser. A known browser
 * has its own count of wrong passwords and codes, which no other client can use up. It grants nothing else.
 * @param token what the browser sent
 */
export async function knownBrowser(
  db: Db,
  token: string | null,
  owner: BrowserOwner,
  now: Instant,
): Promise<string | null> {
  if (token === null) return null;
  const hash = tokenHash(token);
  return (await isKnownBrowser(db, hash, owner, instant(now - BROWSERS_KEPT))) ? hash : null;
}

/**
 * Stores the browser that an account logs in with, in the transaction of the login. A token of another account is
 * replaced.
 * @returns the token for the browser to keep
 */
export async function markBrowser(
  tx: Db,
  token: string | null,
  userId: string,
  now: Instant,
): Promise<string> {
  const isOwn = (await knownBrowser(tx, token, { userId }, now)) !== null;
  const kept = isOwn && token !== null ? token : newToken();
  await keepBrowser(tx, tokenHash(kept), userId, BROWSERS_PER_ACCOUNT, now);
  return kept;
}
