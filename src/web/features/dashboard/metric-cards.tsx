import { DollarSign, History, ListChecks, Package, Tags } from 'lucide-react';
import type { Stats } from '#contract/stats.ts';
import { formatCount, formatWholeDollars } from '#web/lib/format.ts';
import { MetricCard, MetricCardSkeleton } from '#web/ui/metric-card.tsx';
import { METRIC_LINKS } from './links.ts';

const GRID = 'grid grid-cols-1 gap-4 sm:grid-cols-2 lg:grid-cols-3 wide:grid-cols-5';

/** The five figures over the whole catalog, each linked to its list. */
export function MetricCards({ stats }: { stats: Stats }): React.JSX.Element {
  const { totalListings, totalSkus, totalValue, activeRules, recentPriceChanges } = stats.overall;
  const { trends } = stats;
  const marketplaces = formatCount(stats.byMarketplace.length);
  return (
    <div className={GRID}>
      <MetricCard
        label="Total Listings"
        figure={formatCount(totalListings)}
        note={`Across ${marketplaces} marketplaces`}
        icon={Tags}
        link={METRIC_LINKS.totalListings}
        trend={trends.totalListings}
      />
      <MetricCard
        label="Total SKUs"
        figure={formatCount(totalSkus)}
        note="Unique products"
        icon={Package}
        link={METRIC_LINKS.totalSkus}
        trend={trends.totalSkus}
      />
      <MetricCard
        label="Total Value"
        figure={formatWholeDollars(totalValue)}
        note="All listings"
        icon={DollarSign}
        link={METRIC_LINKS.totalValue}
        trend={trends.totalValue}
      />
      <MetricCard
        label="Active Rules"
        figure={formatCount(activeRules)}
        note="Repricing rules"
        icon={ListChecks}
        link={METRIC_LINKS.activeRules}
      />
      <MetricCard
        label="Recent Changes"
        figure={formatCount(recentPriceChanges)}
        note="Last 24 hours"
        icon={History}
        link={METRIC_LINKS.recentPriceChanges}
        trend={trends.recentPriceChanges}
        {...(recentPriceChanges > 0 && { description: 'Imports excluded' })}
      />
    </div>
  );
}

/** Skeletons of four cards, and the room of the fifth. */
export function MetricSkeletons(): React.JSX.Element {
  return (
    <div className={GRID} role="status">
      <span className="sr-only">Loading the figures</span>
      {['a', 'b', 'c', 'd'].map((key) => (
        <MetricCardSkeleton key={key} />
      ))}
      <div aria-hidden className="min-h-[8.75rem]" />
    </div>
  );
}
