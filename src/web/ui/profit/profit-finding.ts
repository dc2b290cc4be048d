import type { ProfitSums } from '#contract/profit-sums.ts';
import { formatPercent } from '#web/lib/format.ts';
import type { PeriodName } from '#web/lib/periods.ts';
import { profitText, trendsOf } from '#web/lib/profit-text.ts';
import type { Comparison } from './use-comparison.ts';

/** A period, and the one before it, as they are named in a sentence; null for chosen days. */
const PERIODS: Readonly<Record<PeriodName, readonly [period: string, before: string]>> = {
  '7': ['in 7 days', 'the 7 days before'],
  '30': ['in 30 days', 'the 30 days before'],
  '90': ['in 90 days', 'the 90 days before'],
  month: ['this month', 'the month before'],
  'last-month': ['last month', 'the month before'],
};

/** What the sums of a period say, against the period before where both are known: "Profit is up 6.3% on the 7 days before". */
export function profitFinding(
  sum: ProfitSums,
  comparison: Comparison | null,
  name: PeriodName | null,
): string {
  const [period, before] = name === null ? ['in these days', 'the days before'] : PERIODS[name];
  const change = trendsOf(comparison).profit;
  if (change !== null) {
    if (Number(change) === 0) return `Profit is the same as in ${before}`;
    const size = formatPercent(change.replace('-', ''));
    return `Profit is ${change.startsWith('-') ? 'down' : 'up'} ${size} from ${before}`;
  }
  if (sum.sales === 0 && sum.profit === null) return `No sales ${period}`;
  const profit = profitText(sum);
  return profit === null ? `The profit ${period} is not known yet` : `Sales earned ${profit} ${period}`;
}
