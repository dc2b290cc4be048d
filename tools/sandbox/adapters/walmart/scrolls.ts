import { randomUUID } from 'node:crypto';
import type { Instant } from '#domain/units.ts';
import { isCursorOver, type ReportedPage, reportedPage } from '#sandbox/adapters/list-pages.ts';
import type { Market } from '#sandbox/world/market.ts';

const START = '*';
/** Older cursors are forgotten. */
const MAX_SCROLLS = 1_000;

/**
 * Walmart's cursors through the item list: one cursor for all pages of a scroll, while the server remembers how
 * far it got. A client that repeats a request skips a page.
 */
export class Scrolls {
  readonly #market: Market;
  readonly #places = new Map<string, { readonly from: number; readonly madeAt: Instant }>();

  constructor(market: Market) {
    this.#market = market;
  }

  /**
   * @param cursor "*" for the first page, then the cursor of the previous page
   * @returns null for a cursor that is unknown or no longer accepted
   */
  page<T>(
    cursor: string,
    items: readonly T[],
    size: number,
  ): (ReportedPage<T> & { next: string | null }) | null {
    const now = this.#market.now();
    const place = cursor === START ? { from: 0, madeAt: now } : this.#places.get(cursor);
    if (place === undefined || isCursorOver(this.#market, place.madeAt)) return null;
    const { from, madeAt } = place;
    const own = cursor === START ? `AoE/GlNjcm9sbA==${randomUUID()}` : cursor;
    const hasMore = from + size < items.length;
    this.#places.set(own, { from: from + size, madeAt });
    const [oldest] = this.#places.keys();
    if (this.#places.size > MAX_SCROLLS && oldest !== undefined) this.#places.delete(oldest);
    return { ...reportedPage(this.#market, items, from, size), next: hasMore ? own : null };
  }
}
