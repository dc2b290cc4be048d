import type { Instant } from '#domain/units.ts';
import type { Chance } from './chance.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const CODE_LIFE = 300_000;

/** Answers of a consent page: each is good once, for five minutes, and for what it was given for. */
export class ConsentStore {
  readonly #now: () => Instant;
  readonly #chance: Chance;
  readonly #codes = new Map<string, { readonly endsAt: number; readonly given: string }>();
  #leadsTo: string | null = null;

  constructor(now: () => Instant, chance: Chance) {
    this.#now = now;
    this.#chance = chance;
  }

  /** Where the seller entered that browsers are led back to; null leads to a page of the marketplace's own. */
  get leadsTo(): string | null {
    return this.#leadsTo;
  }

  leadTo(address: string | null): void {
    this.#leadsTo = address;
  }

  /** @param given whatever has to be the same when the code is exchanged */
  give(given: string, prefix = ''): string {
    const code = prefix + this.#chance.text(48, ALPHABET);
    this.#codes.set(code, { endsAt: this.#now() + CODE_LIFE, given });
    return code;
  }

  take(code: string, given: string): boolean {
    const known = this.#codes.get(code);
    this.#codes.delete(code);
    return known !== undefined && known.given === given && known.endsAt > this.#now();
  }
}
