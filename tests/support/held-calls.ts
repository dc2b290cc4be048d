import { type SQL, sql } from 'drizzle-orm';
import type { LightMyRequestResponse } from 'fastify';
import { vi } from 'vitest';
import type { ErrorCode } from '#contract/errors.ts';
import type { Db } from '#db/client.ts';
import type { DeclaredRoute } from '#server/access.ts';
import { tokenHash } from '#usecases/identity/accounts/secret-token.ts';

/** Something that is taken from an account while a call of it is under way. */
export interface Loss {
  readonly name: string;
  /** What the call is answered. */
  readonly code: ErrorCode;
  /** Missing if it concerns every call. */
  readonly concerns?: (route: Pick<DeclaredRoute, 'access'>) => boolean;
  readonly take: (userId: string) => SQL;
}

const endSessions = (userId: string) => sql`DELETE FROM sessions WHERE user_id = ${userId}`;

/** Of each event no more than one part, so that it is not caught for another one's sake. */
export const LOSSES: readonly Loss[] = [
  {
    name: 'removed',
    code: 'not_signed_in',
    take: (userId) => sql`DELETE FROM users WHERE id = ${userId}`,
  },
  {
    name: 'demoted',
    code: 'not_allowed',
    concerns: ({ access }) => access === 'admin',
    take: (userId) => sql`UPDATE users SET role = 'user' WHERE id = ${userId}`,
  },
  {
    name: 'reset, logged-out',
    code: 'not_signed_in',
    take: endSessions,
  },
  {
    name: 'no longer approved',
    code: 'not_signed_in',
    take: (userId) => sql`UPDATE users SET approved = false WHERE id = ${userId}`,
  },
  {
    name: 'renewed under another token',
    code: 'not_signed_in',
    take: (userId) => sql`UPDATE sessions SET token_hash = 'another ' || id WHERE user_id = ${userId}`,
  },
];

/**
 * Makes a call and ends its session after its headers and its body were checked, right before its first transaction.
 * The session is restored afterwards.
 * @param token of that session
 */
export async function callThatLosesItsSession(
  db: Db,
  token: string,
  call: () => Promise<LightMyRequestResponse>,
): Promise<{ readonly answer: LightMyRequestResponse; readonly isTaken: boolean }> {
  const hash = tokenHash(token);
  const rename = (from: string, to: string) =>
    db.execute(sql`UPDATE sessions SET token_hash = ${to} WHERE token_hash = ${from}`);
  const begin = db.transaction.bind(db);
  const spy = vi.spyOn(db, 'transaction').mockImplementationOnce(async (work, config) => {
    await rename(hash, 'ended');
    return begin(work, config);
  });
  const answer = await call();
  spy.mockRestore();
  const { rowCount } = await rename('ended', hash);
  return { answer, isTaken: rowCount === 1 };
}
