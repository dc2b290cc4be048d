import type { Db } from '#db/client.ts';
import { BROWSERS_KEPT } from '#db/queries/background/expired.ts';
import { type BrowserOwner, isKnownBrowser, keepBrowser } from '#db/queries/identity/known-browsers.ts';
import { type Instant, instant } from '#domain/units.ts';
import { newToken, tokenHash } from './secret-token.ts';

/** The one used longest ago is forgotten when an account has one more. */
const BROWSERS_PER_ACCOUNT = 20;

/**
 * The hash of a browser's mark, when the account signed in there before; null for a stranger's. Such a browser has a
 * count of its own for wrong passwords and codes, which nobody else can use up. It is let in by nothing else.
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
 * Marks the browser that an account signs in with, inside the transaction that does. A mark of another account is no
 * mark: it is replaced.
 * @returns the token that the browser has to keep
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
