import { ConnectorError } from './connector-error.ts';

/**
 * Counts a list that comes page by page against the total that its answers name. A page may get lost on the way: its
 * answer breaks off, and the next try is answered with the page behind it. Whoever takes such a list for the whole one
 * takes what was on that page for gone.
 *
 * Things come and go while a list is read. So the smallest total of all answers counts: one that was taken off meanwhile
 * need not have been seen, one that was added may have been. Nothing less is let pass, since the smallest page that can
 * get lost is smaller than any share one could allow. Answers without a total say nothing.
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
   * @param total as one answer names it
   * @param keys what names each thing on its page. One that comes on two pages is one; one that stands twice on a page
   * is counted as often by whoever names the total.
   */
  takes(total: number | null | undefined, keys: readonly (string | number)[]): void {
    if (total != null) this.#least = Math.min(this.#least ?? total, total);
    this.#repeats += keys.length - new Set(keys).size;
    for (const key of keys) this.#seen.add(key);
  }

  /** @throws ConnectorError of fault "unreadable" when fewer things came than there are */
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
