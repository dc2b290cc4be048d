import type { Db } from '#db/client.ts';
import type { Instant } from '#domain/units.ts';
import type { PasswordHasher } from './password-hasher.ts';

/** What everything about accounts needs from outside. */
export type AccountDeps = {
  readonly db: Db;
  readonly passwords: PasswordHasher;
  readonly now: () => Instant;
};

/** Where a request came from, for limits and the audit log. */
export type Caller = {
  /** The client's address, after trusted proxies only. */
  readonly address: string;
  readonly userAgent: string | null;
  readonly requestId: string;
  /** The mark of a browser that signed in before, as it was sent; null without one. */
  readonly browser: string | null;
};
