import type { Instant } from '#domain/units.ts';
import type { Market } from '#sandbox/world/market.ts';

/** One page of a list of our listings as the marketplace reports it: right, unless the world plans otherwise. */
export interface ReportedPage<One> {
  readonly part: readonly One[];
  readonly total: number;
}

/** @param from the index of the page's first entry @param size entries of a whole page */
export function reportedPage<One>(
  market: Market,
  all: readonly One[],
  from: number,
  size: number,
): ReportedPage<One> {
  const { off = 0, changes = false, repeatsPage, losesPage } = market.quirks.totals ?? {};
  const page = Math.floor(from / size) + 1;
  const start = repeatsPage !== undefined && page === repeatsPage + 1 ? from - size : from;
  const total = Math.max(0, all.length + off + (changes && page > 1 ? 1 : 0));
  return { part: page === losesPage ? [] : all.slice(start, start + size), total };
}

/** Whether a cursor made at that time is no longer accepted. */
export function isCursorOver(market: Market, madeAt: Instant): boolean {
  const { cursorSeconds } = market.quirks.totals ?? {};
  return cursorSeconds !== undefined && market.now() - madeAt > cursorSeconds * 1_000;
}

/** A cursor to that index, with the time it was made. */
export function cursorTo(market: Market, from: number): string {
  return Buffer.from(`from ${from} at ${market.now()}`).toString('base64url');
}

/** The index of a cursor; 0 without one, null for one that was never made or is no longer accepted. */
export function indexOf(market: Market, cursor: string | null): number | null {
  if (cursor === null) return 0;
  const text = Buffer.from(cursor, 'base64url').toString();
  const [, from, at] = /^from (\d{1,9}) at (-?\d{1,16})$/.exec(text) ?? [];
  if (from === undefined || isCursorOver(market, Number(at) as Instant)) return null;
  return Number(from);
}

/** Whether an operation answers with a status instead of an empty list; null for the list. */
export function statusOfEmpty(market: Market, operation: string, count: number): 400 | 404 | null {
  return count > 0 ? null : (market.quirks.emptyStatus?.[operation] ?? null);
}
