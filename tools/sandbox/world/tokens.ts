import type { Instant } from '#domain/units.ts';
import type { Chance } from './chance.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

export type TokenState = 'good' | 'expired' | 'unknown';

/** Access tokens with their lifetimes, and refresh tokens, which some marketplaces rotate. */
export class TokenStore {
  readonly #now: () => Instant;
  readonly #chance: Chance;
  readonly #access = new Map<string, { readonly endsAt: number; readonly grant: string }>();
  readonly #refresh = new Map<string, number>();

  constructor(now: () => Instant, chance: Chance) {
    this.#now = now;
    this.#chance = chance;
  }

  /**
   * @param lifetime in milliseconds
   * @param grant the scope of the token; `check` requires the same one
   */
  issue(lifetime: number, { grant = 'all', prefix = '' } = {}): string {
    const token = prefix + this.#chance.text(48, ALPHABET);
    this.#access.set(token, { endsAt: this.#now() + lifetime, grant });
    return token;
  }

  check(token: string | undefined, grant = 'all'): TokenState {
    const known = token === undefined ? undefined : this.#access.get(token);
    if (known === undefined || known.grant !== grant) return 'unknown';
    return known.endsAt > this.#now() ? 'good' : 'expired';
  }

  /** @param lifetime milliseconds from now */
  addRefreshToken(token: string, lifetime = Number.POSITIVE_INFINITY): void {
    this.#refresh.set(token, this.#now() + lifetime);
  }

  hasRefreshToken(token: string | undefined): boolean {
    return token !== undefined && (this.#refresh.get(token) ?? 0) > this.#now();
  }

  /**
   * Exchanges a refresh token for the next one; the old one becomes invalid.
   * @returns null for an invalid token
   */
  rotateRefreshToken(token: string, lifetime: number, prefix = ''): string | null {
    if (!this.hasRefreshToken(token)) return null;
    this.#refresh.delete(token);
    const next = prefix + this.#chance.text(48, ALPHABET);
    this.addRefreshToken(next, lifetime);
    return next;
  }

  /** Revokes all access tokens, as after a password change. */
  revokeAccess(): void {
    this.#access.clear();
  }

  /** Revokes all access and refresh tokens: the seller has to connect again. */
  revokeAll(): void {
    this.#access.clear();
    this.#refresh.clear();
  }
}
