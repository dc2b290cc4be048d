import type { CatalogTotal } from './connector.ts';

/**
 * Compares a paginated list with the total that its responses report. A page can get lost: its response breaks
 * off, and the retry returns the page after it. A caller that treats such a list as complete would treat the
 * products of that page as removed.
 *
 * Items change while a list is read. So the smallest total of all responses counts: an item that was removed in
 * between need not have been seen, one that was added may have been. Responses without a total are not counted.
 */
export class CompletenessCheck {
  readonly #seen = new Set<string | number>();
  #repeats = 0;
  #least: number | null = null;

  /**
   * @param total as reported by one response
   * @param keys identifies each item of its page. An item on two pages counts once; one that is twice on the same
   * page is counted twice in the total of the service too.
   */
  takes(total: number | null | undefined, keys: readonly (string | number)[]): void {
    if (total != null) this.#least = Math.min(this.#least ?? total, total);
    this.#repeats += keys.length - new Set(keys).size;
    for (const key of keys) this.#seen.add(key);
  }

  /** Null when no response reported a total. */
  total(): CatalogTotal | null {
    return this.#least === null ? null : { told: this.#least, came: this.#seen.size + this.#repeats };
  }
}
