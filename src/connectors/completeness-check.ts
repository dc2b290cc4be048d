import { ConnectorError } from './connector-error.ts';

/**
 * Checks a paginated list against the total that its responses report. A page can get lost: its response breaks
 * off, and the retry returns the page after it. A caller that treats such a list as complete would treat the
 * products of that page as removed.
 *
 * Items change while a list is read. So the smallest total of all responses counts: an item that was removed in
 * between need not have been seen, one that was added may have been. Any shortfall is an error, because the
 * smallest page that can get lost is smaller than any tolerance. Responses without a total are not counted.
 */
export class CompletenessCheck {
  readonly #name: string;
  readonly #things: string;
  readonly #seen = new Set<string | number>();
  #repeats = 0;
  #least: number | null = null;

  /** @param things what is counted, in the plural: "items" */
  constructor(name: string, things: string) {
    this.#name = name;
    this.#things = things;
  }

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

  /** @throws ConnectorError of fault "unreadable" when fewer items were received than there are */
  end(): void {
    const seen = this.#seen.size + this.#repeats;
    if (this.#least === null || seen >= this.#least) return;
    throw new ConnectorError(
      'unreadable',
      `${this.#name} has ${count(this.#least)} ${this.#things} and returned ${count(seen)} of them: a page is missing. Pricewright retries automatically.`,
    );
  }
}

function count(number: number): string {
  return number.toLocaleString('en-US');
}
