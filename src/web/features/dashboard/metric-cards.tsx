import type { Stats } from '#contract/stats.ts';
import { formatCount, formatWholeDollars } from '#web/lib/format.ts';
import { Card } from '#web/ui/card.tsx';
import { FigureStrip } from '#web/ui/figure-strip.tsx';
import { METRIC_LINKS } from './links.ts';

/** The five figures over the whole catalog, each linked to its list. */
export function MetricCards({ stats }: { stats: Stats }): React.JSX.Element {
  const { totalListings, totalSkus, totalValue, activeRules, recentPriceChanges } = stats.overall;
  const { trends } = stats;
  return (
    <Card className="p-0" role="group" aria-label="Catalog">
      <FigureStrip
        since="in 7 days"
        figures={[
          {
            label: 'Total Listings',
            figure: formatCount(totalListings),
            note: `Across ${formatCount(stats.byMarketplace.length)} marketplaces`,
            link: METRIC_LINKS.totalListings,
            trend: trends.totalListings,
          },
          {
            label: 'Total SKUs',
            figure: formatCount(totalSkus),
            note: 'Unique products',
            link: METRIC_LINKS.totalSkus,
            trend: trends.totalSkus,
          },
          {
            label: 'Total Value',
            figure: formatWholeDollars(totalValue),
            note: 'All listings',
            link: METRIC_LINKS.totalValue,
            trend: trends.totalValue,
          },
          {
            label: 'Active Rules',
            figure: formatCount(activeRules),
            note: 'Repricing rules',
            link: METRIC_LINKS.activeRules,
          },
          {
            label: 'Recent Changes',
            figure: formatCount(recentPriceChanges),
            note: 'Last 24 hours',
            link: METRIC_LINKS.recentPriceChanges,
            trend: trends.recentPriceChanges,
          },
        ]}
      />
    </Card>
  );
}
