import { randomUUID } from 'node:crypto';

const START = '*';
/** So many are remembered. */
const MOST = 1_000;

/**
 * Walmart's cursors through the list of items: one and the same for all pages of a walk, while the server remembers how
 * far it got. Whoever asks twice for a page misses one.
 */
export class Scrolls {
  readonly #places = new Map<string, number>();

  /**
   * @param cursor a star to begin, else what the page before gave
   * @returns null for a cursor that nobody gave
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
    if (this.#places.size > MOST && oldest !== undefined) this.#places.delete(oldest);
    return { items: items.slice(from, from + size), next: hasMore ? own : null };
  }
}
