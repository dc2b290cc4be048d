import type { Db } from '#db/client.ts';
import type { SessionMoment } from '#db/queries/identity/sessions.ts';
import type { Instant } from '#domain/units.ts';
import type { PasswordHasher } from './password-hasher.ts';

/** What account use cases need from outside. */
export type AccountDeps = {
  readonly db: Db;
  readonly passwords: PasswordHasher;
  readonly now: () => Instant;
  /** The clock of sessions, where it is another one than `now`: in production it is the database's. */
  readonly sessionClock?: (() => SessionMoment) | undefined;
};

/** The moment at which a session starts, is used or listed. */
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
  /** The token of a browser that logged in before, as it was sent; null without one. */
  readonly browser: string | null;
};
