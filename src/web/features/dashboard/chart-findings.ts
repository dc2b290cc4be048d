import type { ChartDays, MarginDistribution, PriceDays } from '#contract/charts.ts';
import { countOf, formatCount } from '#web/lib/format.ts';

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
