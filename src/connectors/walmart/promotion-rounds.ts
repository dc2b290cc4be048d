import type { Account } from '#connectors/connector.ts';
import { credentialsOf } from './walmart-calls.ts';

/** Promotions that are looked up, one by one, per reading of the catalog. */
const MAX_LOOKUPS = 200;

/**
 * Which listings were looked up for a promotion. A catalog may have more of them than one reading can ask about: the next
 * one goes on with the others, until all had their turn. In memory: a new process begins a new round.
 */
export class PromotionRounds {
  readonly #asked = new Map<string, Set<string>>();

  /** The part of a round that one reading of the catalog can do. */
  open(account: Account): PromotionTurn {
    const { clientId } = credentialsOf(account);
    const requested = this.#asked.get(clientId) ?? new Set();
    this.#asked.set(clientId, requested);
    return new PromotionTurn(requested);
  }
}

/** What one reading of the catalog looks up. */
export class PromotionTurn {
  readonly #asked: Set<string>;
  #left = MAX_LOOKUPS;
  #isAnySkipped = false;

  /** @param asked those of the round that had their turn */
  constructor(requested: Set<string>) {
    this.#asked = requested;
  }

  /** Whether a listing has its turn now; then it counts as asked about, answered or not. */
  takes(sku: string): boolean {
    if (this.#asked.has(sku)) return false;
    if (this.#left === 0) {
      this.#isAnySkipped = true;
      return false;
    }
    this.#left -= 1;
    this.#asked.add(sku);
    return true;
  }

  /** No further listing has its turn in this reading. */
  stop(): void {
    this.#left = 0;
  }

  /** The catalog was read to its end: where all had their turn, the next reading begins a new round. */
  end(): void {
    if (!this.#isAnySkipped) this.#asked.clear();
  }
}
