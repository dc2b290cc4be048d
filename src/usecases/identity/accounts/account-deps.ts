import type { Db } from '#db/client.ts';
import type { SessionMoment } from '#db/queries/identity/sessions.ts';
import type { Instant } from '#domain/units.ts';
import type { PasswordHasher } from './password-hasher.ts';

/** What everything about accounts needs from outside. */
export type AccountDeps = {
  readonly db: Db;
  readonly passwords: PasswordHasher;
  readonly now: () => Instant;
  /** The clock that sessions go by, where it is another one than `now`: in the program it is the database's. */
  readonly sessionClock?: (() => SessionMoment) | undefined;
};

/** The moment at which a session begins, is used or looked at. */
export function sessionNow({
  now,
  sessionClock = now,
}: Pick<AccountDeps, 'now' | 'sessionClock'>): SessionMoment {
  return sessionClock();
}

/** Where a request came from, for limits and the audit log. */
export type Caller = {
  /** The client's address, after trusted proxies only. */
  readonly address: string;
  readonly userAgent: string | null;
  readonly requestId: string;
  /** The mark of a browser that signed in before, as it was sent; null without one. */
  readonly browser: string | null;
};
