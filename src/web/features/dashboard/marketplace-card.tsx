import { useId } from 'react';
import type { MarketplaceStats } from '#contract/stats.ts';
import { MARKETPLACE_NAMES } from '#domain/marketplaces.ts';
import { formatCount, formatMoney, formatWholeDollars } from '#web/lib/format.ts';
import { Card } from '#web/ui/card.tsx';
import { MarketplaceMark } from '#web/ui/marketplace-mark.tsx';

/** One marketplace: how many listings, what they are worth, and who ships them. */
export function MarketplaceCard({ stats }: { stats: MarketplaceStats }): React.JSX.Element {
  const headingId = useId();
  return (
    <Card role="group" aria-labelledby={headingId}>
      <h3 id={headingId} className="flex items-center gap-2 text-lg font-semibold">
        <MarketplaceMark marketplace={stats.marketplace} />
        {MARKETPLACE_NAMES[stats.marketplace]}
      </h3>
      <dl className="mt-4 grid grid-cols-2 gap-x-4 gap-y-3">
        <Fact name="Listings" value={formatCount(stats.totalListings)} />
        <Fact name="Active" value={formatCount(stats.activeListings)} />
        <Fact name="Total Value" value={formatWholeDollars(stats.totalValue)} />
        <Fact name="Avg Price" value={formatMoney(stats.avgPrice)} />
      </dl>
      <FulfillmentTypes breakdown={stats.fulfillmentBreakdown} total={stats.totalListings} />
    </Card>
  );
}

function Fact(props: { name: string; value: string }): React.JSX.Element {
  return (
    <div>
      <dt className="text-xs text-fg-muted">{props.name}</dt>
      <dd className="font-semibold tabular-nums">{props.value}</dd>
    </div>
  );
}

type FulfillmentTypesProps = { breakdown: MarketplaceStats['fulfillmentBreakdown']; total: number };

function FulfillmentTypes({ breakdown, total }: FulfillmentTypesProps): React.JSX.Element {
  return (
    <div className="mt-4 border-t pt-3">
      <h4 className="text-xs text-fg-muted">Fulfillment Types</h4>
      <ul className="mt-2 flex flex-col gap-2">
        {Object.entries(breakdown).map(([type, count]) => (
          <li key={type}>
            <div className="flex justify-between gap-4">
              <span>{type}</span>
              <span className="font-medium tabular-nums">{formatCount(count)}</span>
            </div>
            <div aria-hidden className="mt-1 h-1 overflow-hidden rounded-sm bg-border">
              <div
                className="h-full bg-border-control"
                style={{ width: `${(100 * count) / Math.max(total, 1)}%` }}
              />
            </div>
          </li>
        ))}
      </ul>
    </div>
  );
}
