import type { Instant } from '#domain/units.ts';

/** A fetched token and its lifetime. */
export interface HeldToken {
  readonly value: string;
  readonly obtainedAt: Instant;
  /** Null: the service does not say, or it does not expire. */
  readonly expiresAt: Instant | null;
}

/** Tokens of one account by kind: "access", "refresh". */
export type HeldTokens = Readonly<Record<string, HeldToken | undefined>>;

/** The store of fetched tokens, for every process that works with the account. */
export interface TokenVault {
  read(): Promise<HeldTokens>;
  /**
   * Fetches new tokens, one caller at a time over all processes: some refresh tokens are valid only once. Callers
   * that waited get the tokens fetched by the first. The tokens returned by `fetch` are stored before they are
   * used; other kinds do not change.
   * @param seen the token to replace; `fetch` is not called when another one is stored
   * @throws any error of `fetch`
   */
  renew(
    kind: string,
    seen: HeldToken | null,
    fetch: (held: HeldTokens) => Promise<HeldTokens>,
  ): Promise<HeldTokens>;
  /** Called with a token that is used once and not stored, so that it is redacted too. */
  learn?(token: string): void;
}
