import type { Stats } from '#contract/stats.ts';
import { formatCount, formatWholeDollars } from '#web/lib/format.ts';
import { Figure, Figures, type FigureTrend } from '#web/ui/figures.tsx';
import { METRIC_LINKS } from './links.ts';

/** In the order of the skeleton. */
export const METRIC_LABELS = [
  'Total Listings',
  'Total SKUs',
  'Total Value',
  'Active Rules',
  'Recent Changes',
] as const;

/** The five figures over the whole catalog, each linked to its list. */
export function MetricCards({ stats }: { stats: Stats }): React.JSX.Element {
  const { totalListings, totalSkus, totalValue, activeRules, recentPriceChanges } = stats.overall;
  const { trends } = stats;
  const [listings, skus, value, rules, changes] = METRIC_LABELS;
  return (
    <section aria-label="Catalog">
      <Figures columns={5}>
        <Figure
          label={listings}
          note={`Across ${formatCount(stats.byMarketplace.length)} marketplaces`}
          link={METRIC_LINKS.totalListings}
          trend={inSevenDays(trends.totalListings)}
        >
          {formatCount(totalListings)}
        </Figure>
        <Figure
          label={skus}
          note="Unique products"
          link={METRIC_LINKS.totalSkus}
          trend={inSevenDays(trends.totalSkus)}
        >
          {formatCount(totalSkus)}
        </Figure>
        <Figure
          label={value}
          note="All listings"
          link={METRIC_LINKS.totalValue}
          trend={inSevenDays(trends.totalValue)}
        >
          {formatWholeDollars(totalValue)}
        </Figure>
        <Figure label={rules} note="Repricing rules" link={METRIC_LINKS.activeRules}>
          {formatCount(activeRules)}
        </Figure>
        <Figure
          label={changes}
          note="Last 24 hours"
          link={METRIC_LINKS.recentPriceChanges}
          trend={inSevenDays(trends.recentPriceChanges)}
        >
          {formatCount(recentPriceChanges)}
        </Figure>
      </Figures>
    </section>
  );
}

function inSevenDays(change: string | null): FigureTrend | null {
  return change === null ? null : { change, since: 'in 7 days' };
}
