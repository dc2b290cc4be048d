import type { FastifyRequest } from 'fastify';
import { reportedPage } from '#sandbox/adapters/list-pages.ts';
import { queryNumber } from '#sandbox/adapters/query.ts';
import type { Market } from '#sandbox/world/market.ts';

interface PageRules {
  readonly usual: number;
  readonly most: number;
  /** Whether `offset` counts pages instead of entries. */
  readonly byPages: boolean;
  /** The marketplace of a list of our listings, whose pages it may misreport. */
  readonly market?: Market;
  /** Throws the error for an invalid page. */
  refuse(): Error;
}

/** One page of a list by `limit` and `offset`, with links to its neighbors. */
export function pageOf<One>(
  request: FastifyRequest,
  address: string,
  all: readonly One[],
  { usual, most, byPages, refuse, market }: PageRules,
) {
  const limit = queryNumber(request, 'limit', usual, most);
  const offset = queryNumber(request, 'offset', 0, 1_000_000);
  if (!(limit >= 1) || Number.isNaN(offset)) throw refuse();
  const step = byPages ? 1 : limit;
  const from = byPages ? offset * limit : offset;
  const [path = '', query] = request.url.replace(/^\/ebay/, '').split('?');
  const at = (other: number): string => {
    const parameters = new URLSearchParams(query);
    parameters.set('limit', String(limit));
    parameters.set('offset', String(other));
    return `${address}${path}?${parameters}`;
  };
  const reported =
    market === undefined
      ? { part: all.slice(from, from + limit), total: all.length }
      : reportedPage(market, all, from, limit);
  return {
    ...reported,
    limit,
    offset,
    href: at(offset),
    links: {
      ...(from + limit < all.length ? { next: at(offset + step) } : {}),
      ...(offset > 0 ? { prev: at(Math.max(0, offset - step)) } : {}),
    },
  };
}
