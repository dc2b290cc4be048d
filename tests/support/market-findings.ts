import { MARKETPLACE_NAMES, type Marketplace } from '#domain/marketplaces.ts';
import { type Cents, hours, type Instant, minutes } from '#domain/units.ts';
import type { ItemPlan } from '#sandbox/world/catalog.ts';
import type { ReceivedPrice } from '#sandbox/world/received-prices.ts';
import { NO_TERMS, type Terms } from '#sandbox/world/terms.ts';
import type { PriceChange } from '#sandbox/world/truth/price-history.ts';

/*
 * What Pricewright believed and did, compared with what really happened on simulated marketplaces. Each function answers
 * with what is wrong, in words; nothing where all is well.
 */

export interface Named {
  readonly marketplace: Marketplace;
  readonly sku: string;
}

/** What really happened, until now. */
export interface MarketTruth {
  readonly now: Instant;
  prices(marketplace: Marketplace, sku: string): readonly PriceChange[];
}

/** A row of the price history. */
export interface LedgerRow extends Named {
  readonly price: Cents;
  readonly source: string;
  readonly reason: string;
  readonly at: Instant;
  /** When the next price took its place; null for the price in force. */
  readonly until: Instant | null;
}

/** A listing on hold. */
export interface Hold extends Named {
  readonly by: string;
  readonly reason: string;
}

/** What a seller arranges on a marketplace's own pages. */
export interface Arrangement extends Named {
  readonly at: Instant;
  readonly terms: Partial<Terms>;
}

/** An edit that lasts so long has to be found. */
const FOUND_WITHIN = hours(5);
/** How long after its end an edit may still be adopted. */
const LATE_BY = minutes(10);
/** For so long a price of ours may still be shown. */
const OURS_FOR = hours(24);
const OUTSIDE: ReadonlySet<PriceChange['cause']> = new Set(['seller', 'repricer']);

export const nameOf = ({ marketplace, sku }: Named): string => `${marketplace} ${sku}`;
const timeText = (at: number): string => new Date(at).toISOString().slice(5, 19);

/** A time during which buyers saw one usual price. */
interface Span {
  readonly price: Cents;
  readonly from: Instant;
  readonly to: Instant;
  /** Pricewright did not set it. */
  readonly isOutside: boolean;
  /** A call set it. */
  readonly isSent: boolean;
}

function spansOf(truth: MarketTruth, { marketplace, sku }: Named): Span[] {
  const changes = truth.prices(marketplace, sku).filter(({ price }, at, all) => price !== all[at - 1]?.price);
  return changes.map(({ price, at, cause }, index) => {
    return {
      price,
      from: at,
      to: changes[index + 1]?.at ?? truth.now,
      isOutside: OUTSIDE.has(cause),
      isSent: cause === 'sent',
    };
  });
}

function lastingEdits(truth: MarketTruth, item: Named): Span[] {
  return spansOf(truth, item).filter(({ isOutside, from, to }) => isOutside && to - from >= FOUND_WITHIN);
}

/** Adopted prices that no one had set, or that had been replaced for a while. */
export function falseEdits(truth: MarketTruth, rows: readonly LedgerRow[]): string[] {
  return rows.flatMap((row) => {
    if (row.source !== 'observed') return [];
    const isTrue = spansOf(truth, row).some(
      ({ price, from, to, isOutside }) =>
        isOutside && price === row.price && from <= row.at && to >= row.at - LATE_BY,
    );
    return isTrue ? [] : [`${nameOf(row)} ${row.price} at ${timeText(row.at)}: ${row.reason}`];
  });
}

/** Prices that others set, that lasted, and that the ledger never had. */
export function missedEdits(
  truth: MarketTruth,
  plan: readonly Named[],
  rows: readonly LedgerRow[],
): string[] {
  return plan.flatMap((item) => {
    const own = rows.filter((row) => nameOf(row) === nameOf(item));
    return lastingEdits(truth, item).flatMap((span) => {
      const { price, from, to } = span;
      return isKnown(own, span) ? [] : [`${nameOf(item)} ${price} from ${timeText(from)} to ${timeText(to)}`];
    });
  });
}

/**
 * Prices that others set, that a price of ours ended, and that the ledger never had: written over without a trace, however
 * short they lasted. Not those that were ours within a day: until an item shows one twice it is a store that is behind.
 */
export function overwrittenEdits(
  truth: MarketTruth,
  plan: readonly Named[],
  rows: readonly LedgerRow[],
): string[] {
  return plan.flatMap((item) => {
    const own = rows.filter((row) => nameOf(row) === nameOf(item));
    const spans = spansOf(truth, item);
    return spans.flatMap((span, index) => {
      if (!span.isOutside || spans[index + 1]?.isSent !== true || isKnown(own, span)) return [];
      if (wasOurs(spans.slice(0, index), span)) return [];
      const { price, from, to } = span;
      return [`${nameOf(item)} ${price} from ${timeText(from)} to ${timeText(to)}`];
    });
  });
}

/** Whether a price was in force by our doing, or before that, within a day before others set it. */
function wasOurs(before: readonly Span[], { price, from }: Span): boolean {
  return before.some((span) => !span.isOutside && span.price === price && span.to >= from - OURS_FOR);
}

/** Whether a ledger had a price while buyers saw it. */
function isKnown(own: readonly LedgerRow[], { price, from, to }: Span): boolean {
  return own.some((row) => row.price === price && row.at <= to && (row.until ?? to) >= from);
}

/** How many prices others set that lasted long enough to have to be found. */
export function countTrueEdits(truth: MarketTruth, plan: readonly Named[]): number {
  return plan.reduce((sum, item) => sum + lastingEdits(truth, item).length, 0);
}

/** Whether others set the price of the listing, or the seller arranged a sale or a native repricer, within the last day. */
export function isCaused(truth: MarketTruth, { marketplace, sku, by }: Hold): boolean {
  const since = truth.now - hours(25);
  if (by !== MARKETPLACE_NAMES[marketplace]) {
    return spansOf(truth, { marketplace, sku }).some(({ isOutside, to }) => isOutside && to >= since);
  }
  return truth
    .prices(marketplace, sku)
    .some(
      ({ at, terms, salePrice }, index, all) =>
        (terms.repricer !== null || salePrice !== null) && (all[index + 1]?.at ?? at) >= since - hours(1),
    );
}

/** Listings that buyers see at another price. @param listings those without a price on its way */
export function strays(
  listings: readonly (Named & { readonly price: Cents })[],
  liveOf: (listing: Named) => Cents | undefined,
): string[] {
  return listings.flatMap((row) => {
    const live = liveOf(row);
    return live === row.price ? [] : [`${nameOf(row)} ${row.price} here, ${live} there`];
  });
}

/** Sales and bounds that are not what the seller arranged last, and prices sent beyond the bounds. */
export function lostTerms(
  plan: readonly Pick<ItemPlan, 'marketplace' | 'sku' | 'terms'>[],
  done: readonly Arrangement[],
  termsOf: (listing: Named) => Terms | undefined,
  received: readonly Pick<ReceivedPrice, 'marketplace' | 'sku' | 'price'>[],
): string[] {
  return plan.flatMap((item) => {
    const arranged = done.findLast((one) => nameOf(one) === nameOf(item) && one.terms.sale !== undefined);
    const { sale = null } = arranged?.terms ?? {};
    const { bounds } = { ...NO_TERMS, ...item.terms };
    const now = termsOf(item);
    const isKept = now?.sale === sale && now.bounds === bounds;
    const isBeyond = received.some(
      (one) =>
        nameOf(one) === nameOf(item) &&
        (one.price < (bounds.min ?? 0) || one.price > (bounds.max ?? Number.POSITIVE_INFINITY)),
    );
    return isKept && !isBeyond ? [] : [nameOf(item)];
  });
}

/** Listings without competitors whose price a rule changed more often than others had changed it before. */
export function chased(truth: MarketTruth, alone: readonly Named[], rows: readonly LedgerRow[]): string[] {
  return alone.flatMap((item) => {
    const moves = rows.filter((row) => nameOf(row) === nameOf(item) && row.source === 'rule').length;
    const edits = spansOf(truth, item).filter(({ isOutside }) => isOutside).length;
    return moves <= edits ? [] : [`${nameOf(item)}: ${moves} moves after ${edits} edits`];
  });
}
