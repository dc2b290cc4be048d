import type { ChartDays, MarginDistribution, PriceDays, Today } from '#contract/charts.ts';
import type { Profit } from '#contract/sales.ts';
import { MARKETPLACE_NAMES, type Marketplace } from '#domain/marketplaces.ts';
import { countOf, formatCount, formatMoney, formatWholeDollars } from '#web/lib/format.ts';
import { formatDay } from '#web/lib/moments.ts';
import { profitText } from '#web/lib/profit-text.ts';

/** The finding of the margin chart, the worst first: "12 of 412 listings lose money". */
export function marginFinding(bands: MarginDistribution['bands']): string {
  const count = (name: string): number => bands.find(({ band }) => band === name)?.count ?? 0;
  const total = bands.reduce((sum, { count: each }) => sum + each, 0);
  const known = total - count('unknown');
  const all = `${formatCount(known)} listings`;
  if (count('loss') > 0)
    return `${formatCount(count('loss'))} of ${all} ${verb(count('loss'), 'lose')} money`;
  if (count('below_5') > 0) {
    return `${formatCount(count('below_5'))} of ${all} ${verb(count('below_5'), 'earn')} less than 5%`;
  }
  const strong = count('from_15');
  if (strong === known) {
    return known === total
      ? 'Every listing earns 15% or more'
      : 'Every listing with a known margin earns 15% or more';
  }
  return `${formatCount(strong)} of ${all} ${verb(strong, 'earn')} 15% or more`;
}

/** The finding of the price change chart: "412 price changes in 14 days, most of them drops". */
export function priceDaysFinding(days: PriceDays['days'], range: ChartDays): string {
  const raised = days.reduce((sum, day) => sum + day.raised, 0);
  const lowered = days.reduce((sum, day) => sum + day.lowered, 0);
  if (raised + lowered === 0) return `No price changed in ${range} days`;
  const all = `${countOf(raised + lowered, 'price change', 'price changes')} in ${range} days`;
  if (lowered === 0) return `${all}, all raises`;
  if (raised === 0) return `${all}, all drops`;
  if (raised === lowered) return `${all}, as many raises as drops`;
  return `${all}, mostly ${raised > lowered ? 'raises' : 'drops'}`;
}

/** "1 of 5 listings loses", "2 of 5 listings lose" */
function verb(count: number, plural: 'lose' | 'earn'): string {
  return count === 1 ? `${plural}s` : plural;
}

/** The finding of the profit by day: "Best day: Nov 14, $584". @param days with their profit in dollars, null while unknown */
export function dayProfitFinding(
  days: readonly { readonly day: string; readonly profit: number | null }[],
): string {
  const best = days.reduce((most, each) =>
    (each.profit ?? -Infinity) > (most.profit ?? -Infinity) ? each : most,
  );
  const losses = days.filter(({ profit }) => profit !== null && profit < 0).length;
  if (losses > 0) return `${countOf(losses, 'day', 'days')} of ${days.length} lost money`;
  return `The best day was ${formatDay(best.day)} with ${formatWholeDollars((best.profit ?? 0).toFixed(2))}`;
}

/** The finding of the sales by marketplace, the most profit first: "Michaels earned most: about $1,240.55". */
export function earnerFinding(rows: Profit['rows']): string {
  const most = rows.find((row) => profitText(row) !== null);
  if (most === undefined) return 'No profit by marketplace yet';
  return `${MARKETPLACE_NAMES[most.key as Marketplace]} earned most: ${profitText(most)}`;
}

/** The finding of the profit by rule, the most first: "Match Amazon FBA earned most: about $1,480.15". @param rows of rules alone */
export function ruleFinding(rows: Profit['rows']): string {
  const most = rows.find((row) => profitText(row) !== null);
  if (most === undefined) return 'No profit by rule yet';
  return `${most.rule?.name ?? 'A rule'} earned most: ${profitText(most)}`;
}

/** What repricing did today: "Repricing raised 12 prices and lowered 5: about $38.20 more a week". */
export function todayFinding({ changes, raised, lowered, weeklyEffect }: Today): string {
  if (changes === 0) return 'Repricing changed no price today';
  const prices = countOf(changes, 'price', 'prices');
  const moved =
    lowered === 0
      ? `raised ${prices}`
      : raised === 0
        ? `lowered ${prices}`
        : `raised ${countOf(raised, 'price', 'prices')} and lowered ${formatCount(lowered)}`;
  if (weeklyEffect === null || Number(weeklyEffect) === 0) return `Repricing ${moved} today`;
  const effect = formatMoney(weeklyEffect.replace('-', ''));
  return `Repricing ${moved} today: ${effect} ${weeklyEffect.startsWith('-') ? 'less' : 'more'} a week at the same volume`;
}
