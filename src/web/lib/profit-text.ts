import type { ProfitSums } from '#contract/profit-sums.ts';
import { countOf, formatCount, formatMoney, formatPercent } from './format.ts';

type ProfitOfSales = Pick<ProfitSums, 'profit' | 'sales' | 'known' | 'told'>;

/**
 * "$1,240.55", "about $1,240.55" while a part of it is estimated or not known; null when it is known of none of the sales:
 * what was booked without one is not what they earned.
 */
export function profitText(sums: ProfitOfSales): string | null {
  if (sums.profit === null || isUnknown(sums)) return null;
  return `${aboutText(sums)}${formatMoney(sums.profit)}`;
}

/** There are sales, and the profit is known of none of them. */
function isUnknown({ sales, known }: Pick<ProfitSums, 'sales' | 'known'>): boolean {
  return sales > 0 && known === 0;
}

function aboutText({ sales, told }: Pick<ProfitSums, 'sales' | 'told'>): string {
  return told < sales ? 'about ' : '';
}

/** "about $3.76": the profit of an average sale of those of which it is known; null when it is known of none. */
export function profitPerSale(sums: ProfitOfSales): string | null {
  const { profit, known } = sums;
  if (profit === null || known === 0) return null;
  return `${aboutText(sums)}${formatMoney((Number(profit) / known).toFixed(2))}`;
}

/** "about 18.6%"; "Unknown" where the profit is known of no sale. */
export function marginText(sums: Pick<ProfitSums, 'margin' | 'sales' | 'told'>): string {
  if (sums.margin === null) return 'Unknown';
  return `${aboutText(sums)}${formatPercent(sums.margin)}`;
}

/**
 * From how many sales a profit is, and how many of these have charged fees: "1,398 of 1,410 sales; 93% with charged fees". Where it is known of
 * none, with what was booked without a sale.
 */
export function coverageText({ profit, sales, known, told }: ProfitOfSales): string {
  const all = countOf(sales, 'sale', 'sales');
  if (sales === 0) return all;
  if (known === 0) {
    return `unknown for ${all}${profit === null ? '' : `; ${formatMoney(profit)} booked without a sale`}`;
  }
  const share = known < sales ? `${formatCount(known)} of ${all}` : all;
  if (told === 0) return `${share}, estimated`;
  return `${share}; ${Math.floor((100 * told) / known)}% with charged fees`;
}

/** Changes against earlier sums, with two decimals: percent, and percentage points for the margin; null hides one. */
export interface Trends {
  readonly revenue: string | null;
  readonly profit: string | null;
  readonly margin: string | null;
  readonly units: string | null;
}

const NO_TRENDS: Trends = { revenue: null, profit: null, margin: null, units: null };

/** How much the sums changed; those of profit only where both know it for about the same share of the sales. */
export function trendsOf(compared: { readonly now: ProfitSums; readonly before: ProfitSums } | null): Trends {
  if (compared === null) return NO_TRENDS;
  const { now, before } = compared;
  const canCompare = areComparable(now, before);
  return {
    revenue: percentChange(now.revenue, before.revenue),
    profit: canCompare ? percentChange(now.profit, before.profit) : null,
    margin: canCompare ? pointChange(now.margin, before.margin) : null,
    units: percentChange(String(now.units), String(before.units)),
  };
}

/** A larger change in percent is one against next to nothing, as when sales are read for the first time. */
const MAX_CHANGE = 999;

/** Null without an earlier sum above zero. */
function percentChange(now: string | null, before: string | null): string | null {
  if (now === null || before === null || Number(before) <= 0) return null;
  const change = (100 * (Number(now) - Number(before))) / Number(before);
  return Math.abs(change) <= MAX_CHANGE ? change.toFixed(2) : null;
}

function pointChange(now: string | null, before: string | null): string | null {
  return now === null || before === null ? null : (Number(now) - Number(before)).toFixed(2);
}

/** The largest difference, in percentage points, of the shares of sales with known profit whose profits are compared. */
const MAX_SHARE_DIFFERENCE = 5;

/** Where profit is known for a much smaller share of the sales, the difference would be that of what is known. */
function areComparable(one: ProfitSums, other: ProfitSums): boolean {
  if (one.known === 0 || other.known === 0) return false;
  return Math.abs(100 * (one.known / one.sales - other.known / other.sales)) <= MAX_SHARE_DIFFERENCE;
}
