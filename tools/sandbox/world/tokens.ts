import type { Instant } from '#domain/units.ts';
import type { Chance } from './chance.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** What became of a token that somebody shows. */
export type TokenState = 'good' | 'expired' | 'unknown';

/** Access tokens with their lifetimes, and refresh tokens that are used up where the marketplace replaces them. */
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
   * @param grant what it is good for; the same word is asked for when it is shown
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

  /** A refresh token that is good from now on. */
  plantRefresh(token: string, lifetime = Number.POSITIVE_INFINITY): void {
    this.#refresh.set(token, this.#now() + lifetime);
  }

  knowsRefresh(token: string | undefined): boolean {
    return token !== undefined && (this.#refresh.get(token) ?? 0) > this.#now();
  }

  /**
   * Takes a refresh token in exchange for the next one; the old one is worth nothing from then on.
   * @returns null when it is not good
   */
  rotateRefresh(token: string, lifetime: number, prefix = ''): string | null {
    if (!this.knowsRefresh(token)) return null;
    this.#refresh.delete(token);
    const next = prefix + this.#chance.text(48, ALPHABET);
    this.plantRefresh(next, lifetime);
    return next;
  }

  /** Every access token is worth nothing from now on, as after a change of passwords. */
  revokeAccess(): void {
    this.#access.clear();
  }

  /** Every refresh token too: a person has to connect the shop again. */
  revokeAll(): void {
    this.#access.clear();
    this.#refresh.clear();
  }
}
