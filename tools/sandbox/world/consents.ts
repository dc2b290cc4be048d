import type { Instant } from '#domain/units.ts';
import type { Chance } from './chance.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const CODE_LIFETIME = 300_000;

/** Authorization codes: each works once, for five minutes, for the client it was issued to. */
export class ConsentStore {
  readonly #now: () => Instant;
  readonly #chance: Chance;
  readonly #codes = new Map<string, { readonly endsAt: number; readonly given: string }>();
  #leadsTo: string | null = null;

  constructor(now: () => Instant, chance: Chance) {
    this.#now = now;
    this.#chance = chance;
  }

  /** The seller's registered redirect address; null for a page of the marketplace's own. */
  get returnAddress(): string | null {
    return this.#leadsTo;
  }

  setReturnAddress(address: string | null): void {
    this.#leadsTo = address;
  }

  /** @param given must be the same when the code is exchanged */
  issueCode(given: string, prefix = ''): string {
    const code = prefix + this.#chance.text(48, ALPHABET);
    this.#codes.set(code, { endsAt: this.#now() + CODE_LIFETIME, given });
    return code;
  }

  redeemCode(code: string, given: string): boolean {
    const known = this.#codes.get(code);
    this.#codes.delete(code);
    return known !== undefined && known.given === given && known.endsAt > this.#now();
  }
}
