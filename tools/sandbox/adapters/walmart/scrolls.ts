import { randomUUID } from 'node:crypto';

const START = '*';
/** Older cursors are forgotten. */
const MAX_SCROLLS = 1_000;

/**
 * Walmart's cursors through the item list: one cursor for all pages of a scroll, while the server remembers how
 * far it got. A client that repeats a request skips a page.
 */
export class Scrolls {
  readonly #places = new Map<string, number>();

  /**
   * @param cursor "*" for the first page, then the cursor of the previous page
   * @returns null for an unknown cursor
   */
  page<T>(
    cursor: string,
    items: readonly T[],
    size: number,
  ): { items: readonly T[]; next: string | null } | null {
    const from = cursor === START ? 0 : this.#places.get(cursor);
    if (from === undefined) return null;
    const own = cursor === START ? `AoE/GlNjcm9sbA==${randomUUID()}` : cursor;
    const hasMore = from + size < items.length;
    this.#places.set(own, from + size);
    const [oldest] = this.#places.keys();
    if (this.#places.size > MAX_SCROLLS && oldest !== undefined) this.#places.delete(oldest);
    return { items: items.slice(from, from + size), next: hasMore ? own : null };
  }
}
