import type { FastifyRequest } from 'fastify';
import { type Cents, cents } from '#domain/units.ts';
import { reportedPage } from '#sandbox/adapters/list-pages.ts';
import { queryNumber } from '#sandbox/adapters/query.ts';
import type { Market } from '#sandbox/world/market.ts';
import { etsyRefusal } from './etsy-errors.ts';

/**
 * One page of a list by `limit` and `offset`, with the total count.
 * @param market of a list of our listings, whose pages it may misreport
 */
export function pageOf<One, View>(
  request: FastifyRequest,
  all: readonly One[],
  viewOf: (one: One) => View,
  market: Market | null = null,
) {
  const limit = queryNumber(request, 'limit', 25, 100);
  const offset = queryNumber(request, 'offset', 0, 12_000);
  if (!(limit >= 1)) throw etsyRefusal(400, 'limit must be between 1 and 100');
  if (Number.isNaN(offset)) throw etsyRefusal(400, 'offset must be between 0 and 12000');
  if (market === null) return { count: all.length, results: all.slice(offset, offset + limit).map(viewOf) };
  const { part, total } = reportedPage(market, all, offset, limit);
  return { count: total, results: part.map(viewOf) };
}

/** Etsy counts in whole seconds. */
export function seconds(moment: number): number {
  return Math.floor(moment / 1_000);
}

export function money(amount: number) {
  return { amount, divisor: 100, currency_code: 'USD' };
}

export function sumOf<One>(all: readonly One[], amountOf: (one: One) => number): Cents {
  return cents(all.reduce((sum, one) => sum + amountOf(one), 0));
}
