import type { Instant } from '#domain/units.ts';

/** A token that was fetched, and how long it is good. */
export interface HeldToken {
  readonly value: string;
  readonly obtainedAt: Instant;
  /** Null: the service does not say, or it does not end. */
  readonly expiresAt: Instant | null;
}

/** Tokens of one account by kind: "access", "refresh". */
export type HeldTokens = Readonly<Record<string, HeldToken | undefined>>;

/** Where fetched tokens are kept, for every process that works with the account. */
export interface TokenVault {
  read(): Promise<HeldTokens>;
  /**
   * Fetches new tokens, one caller at a time over all processes: some refresh tokens can be spent only once. Whoever
   * had to wait gets what the one before fetched. What `fetch` answers is stored before anybody uses it; kinds it does
   * not name stay as they are.
   * @param seen the token that is to be replaced; `fetch` is not called when another one is held by now
   * @throws whatever `fetch` throws
   */
  renew(
    kind: string,
    seen: HeldToken | null,
    fetch: (held: HeldTokens) => Promise<HeldTokens>,
  ): Promise<HeldTokens>;
  /** Hears of a token that is used once and not kept, so that it is told to nobody either. */
  learn?(token: string): void;
}
