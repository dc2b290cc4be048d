import { groupBy } from '#domain/group-by.ts';
import { hours } from '#domain/units.ts';
import { dayOf } from './fee-answer.ts';
import type { FeeFact } from './fee-fact.ts';

/** What was taken of one unit of a sale of a listing. */
export type SettledFee = FeeFact & { readonly listingId: number };

/** Sales one after another with the same fee say nothing new once they are this far apart: a fall counts by then. */
const CONFIRMED_AFTER = hours(24);
/** The same fee is kept again after this long: what was taken of sales does not count for ever. */
const AGAIN_AFTER = hours(24 * 30);

/**
 * Which fees of sales are worth keeping: at one price of a listing the highest rate of each day, and of sales in a row with
 * the same fee the first ones. A fee that changed in between starts a new row: each change is kept, whatever was reported
 * before it.
 * @param known those that are stored already, used or not
 * @param reported in any order, some of them known
 */
export function newSettledFees<Fee extends SettledFee>(
  known: readonly SettledFee[],
  reported: readonly Fee[],
): Fee[] {
  const rows = groupBy(known.toSorted(byTime), questionOf);
  const added: Fee[] = [];
  for (const fee of highestOfDays(reported).sort(byTime)) {
    const row = rows.get(questionOf(fee)) ?? [];
    if (isKnown(row, fee)) continue;
    rows.set(questionOf(fee), [...row, fee].sort(byTime));
    added.push(fee);
  }
  return added;
}

function isKnown(row: readonly SettledFee[], fee: SettledFee): boolean {
  const onItsDay = row.filter(({ toldAt }) => dayOf(toldAt) === dayOf(fee.toldAt));
  if (onItsDay.some((other) => rateOf(other) >= rateOf(fee))) return true;
  const before = row.filter(({ toldAt }) => toldAt <= fee.toldAt).reverse();
  const after = row.filter(({ toldAt }) => toldAt > fee.toldAt);
  const same = [...sameInRow(before, fee).reverse(), ...sameInRow(after, fee)];
  const [first, last] = [same[0], same.at(-1)];
  if (first === undefined || last === undefined || last.toldAt - first.toldAt < CONFIRMED_AFTER) return false;
  return same.some(({ toldAt }) => Math.abs(toldAt - fee.toldAt) < AGAIN_AFTER);
}

/** Those that say the same, until one of them does not. */
function sameInRow(neighbors: readonly SettledFee[], fee: SettledFee): SettledFee[] {
  const end = neighbors.findIndex((other) => !isSame(other, fee));
  return end < 0 ? [...neighbors] : neighbors.slice(0, end);
}

function isSame(one: SettledFee, other: SettledFee): boolean {
  return (
    one.amount === other.amount &&
    (one.feeBase ?? null) === (other.feeBase ?? null) &&
    (one.categoryTold ?? null) === (other.categoryTold ?? null)
  );
}

function highestOfDays<Fee extends SettledFee>(reported: readonly Fee[]): Fee[] {
  const highest = new Map<string, Fee>();
  for (const fee of reported) {
    const key = `${questionOf(fee)} ${dayOf(fee.toldAt)}`;
    const other = highest.get(key);
    if (other === undefined || rateOf(fee) > rateOf(other)) highest.set(key, fee);
  }
  return [...highest.values()];
}

/** As a share of what it was taken on: of a total with sales tax the amount differs from order to order. */
function rateOf({ amount, feeBase, askedPrice, askedShipping }: SettledFee): number {
  return amount / (feeBase ?? askedPrice + askedShipping);
}

function questionOf({ listingId, kind, fulfillmentType, askedPrice, askedShipping }: SettledFee): string {
  return [listingId, kind, fulfillmentType, askedPrice, askedShipping].join(' ');
}

function byTime(one: SettledFee, other: SettledFee): number {
  return one.toldAt - other.toldAt;
}
