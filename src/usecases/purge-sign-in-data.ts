import { deleteOldAttempts } from '#db/queries/login-attempts.ts';
import { deleteExpiredTokens } from '#db/queries/one-time-tokens.ts';
import { deleteDeadSessions } from '#db/queries/sessions.ts';
import { instant } from '#domain/units.ts';
import type { AccountDeps } from './account-deps.ts';
import { SESSION_IDLE_LIMIT } from './sessions.ts';

const ATTEMPTS_LIFE = 2 * 24 * 60 * 60 * 1_000;

/** Removes sessions, links and counts that can never matter again. @returns how many rows went */
export async function purgeSignInData({ db, now }: Pick<AccountDeps, 'db' | 'now'>): Promise<number> {
  const at = now();
  const sessions = await deleteDeadSessions(db, at, instant(at - SESSION_IDLE_LIMIT));
  const tokens = await deleteExpiredTokens(db, at);
  const attempts = await deleteOldAttempts(db, instant(at - ATTEMPTS_LIFE));
  return sessions + tokens + attempts;
}
