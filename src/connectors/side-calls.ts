import type { UnavailablePart } from './connector.ts';
import { ConnectorError } from './connector-error.ts';

/**
 * The calls that a catalog makes besides that for the listings themselves. Their failure must not stop an import: it
 * is kept for the end of the catalog, and what they would have reported stays unknown.
 */
export class SideCalls {
  readonly unavailable: UnavailablePart[] = [];
  readonly #signal: AbortSignal;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /**
   * The pages of a call, up to its failure: then it returns null.
   * @param what goes on after "Could not read": "the pricing insights"
   * @throws ConnectorError for refused credentials, and when the reading is aborted
   */
  async *pages<Page, End>(what: string, pages: AsyncGenerator<Page, End>): AsyncGenerator<Page, End | null> {
    try {
      return yield* pages;
    } catch (error) {
      this.#keep(what, error);
      return null;
    }
  }

  /** {@link pages} of a call with one answer; null after its failure. */
  async answer<Answer>(what: string, ask: () => Promise<Answer>): Promise<Answer | null> {
    try {
      return await ask();
    } catch (error) {
      this.#keep(what, error);
      return null;
    }
  }

  /** Notes that a call did not report everything. */
  incomplete(what: string, why: string): void {
    if (this.unavailable.every((part) => part.what !== what)) this.unavailable.push({ what, why });
  }

  #keep(what: string, error: unknown): void {
    const passes = error instanceof ConnectorError && error.fault !== 'key' && !this.#signal.aborted;
    if (!passes) throw error;
    this.incomplete(what, error.publicMessage);
  }
}
