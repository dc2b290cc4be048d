import type { Marketplace } from '#domain/marketplaces.ts';
import { type Cents, hours, type Instant } from '#domain/units.ts';
import type { FulfillmentAnswer } from './reported-fulfillment.ts';
import { feesChangedAt, isInBand, priceBandsOf } from './warehouse-fee.ts';

/** What a marketplace charged for fulfilling each unit of one sale. */
export interface SettledUnits {
  /** Of one unit, without shipping: above zero. */
  readonly price: Cents;
  /** Of one unit: above zero. */
  readonly fee: Cents;
  /** From 1. */
  readonly units: number;
  /** When it was charged. */
  readonly settledAt: Instant;
}

/** What was charged counts for this long, and only in its season. */
export const SETTLED_FULFILLMENT_COUNTS = hours(60 * 24);

/**
 * The fulfillment fees of a listing as its sales show them, for each price band: the median of all units charged in the last 60
 * days in the same season, so that one parcel measured wrongly decides nothing. While the newest charge is higher than that it
 * counts: a rise is believed at once. What an administrator accepted replaces everything before it.
 * @param answers what was kept of these sales as reported fees, oldest first
 * @param sales in any order
 * @param doubtedSince what was charged since is doubted: what was charged before is apart from it. Null: nothing is
 * @returns one answer for each band with such a sale, and before a doubted one that of the time before it; oldest first
 */
export function settledFulfillment(
  { marketplace, answers, doubtedSince, now }: SettledEvidence,
  sales: readonly SettledUnits[],
): FulfillmentAnswer[] {
  const since = Math.max(now - SETTLED_FULFILLMENT_COUNTS + 1, feesChangedAt(marketplace, now) ?? 0);
  return priceBandsOf(marketplace)
    .flatMap((band) => {
      const accepted = answers.findLast(
        ({ isAccepted, askedPrice, toldAt }) => isAccepted && toldAt >= since && isInBand(band, askedPrice),
      );
      const from = Math.max(since, accepted?.toldAt ?? since);
      const counting = sales.filter(
        ({ price, settledAt }) => isInBand(band, price) && from <= settledAt && settledAt <= now,
      );
      const trusted = counting.filter(({ settledAt }) => doubtedSince === null || settledAt < doubtedSince);
      const known = [
        answerOf(trusted) ?? accepted ?? null,
        counting.length > trusted.length ? answerOf(counting) : null,
      ];
      return known.filter((answer) => answer !== null);
    })
    .sort((one, other) => one.toldAt - other.toldAt);
}

interface SettledEvidence {
  readonly marketplace: Marketplace;
  readonly answers: readonly FulfillmentAnswer[];
  readonly doubtedSince: Instant | null;
  readonly now: Instant;
}

/** Null without sales. */
function answerOf(sales: readonly SettledUnits[]): FulfillmentAnswer | null {
  const [first, ...others] = sales;
  if (first === undefined) return null;
  // Of two charges of one moment the higher one.
  const newest = others.reduce(
    (last, each) =>
      each.settledAt > last.settledAt || (each.settledAt === last.settledAt && each.fee > last.fee)
        ? each
        : last,
    first,
  );
  return {
    source: 'settled',
    fulfillmentType: 'FBA/WFS',
    askedPrice: newest.price,
    askedShipping: 0 as Cents,
    toldAt: newest.settledAt,
    fee: Math.max(medianOf(sales), newest.fee) as Cents,
    isAccepted: false,
  };
}

/** Of all units; of an even number the higher one of the two in the middle, never less than is charged. */
function medianOf(sales: readonly SettledUnits[]): number {
  const ordered = sales.toSorted((one, other) => one.fee - other.fee);
  const middle = sales.reduce((sum, { units }) => sum + units, 0) / 2;
  let passed = 0;
  for (const { fee, units } of ordered) {
    passed += units;
    if (passed > middle) return fee;
  }
  return ordered.at(-1)?.fee ?? 0;
}
