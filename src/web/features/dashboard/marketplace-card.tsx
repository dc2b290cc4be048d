import { Link } from '@tanstack/react-router';
import { useId } from 'react';
import type { MarketplaceStats } from '#contract/stats.ts';
import { FULFILLMENT_TYPES, MARKETPLACE_NAMES } from '#domain/marketplaces.ts';
import { formatCount, formatMoney, formatWholeDollars } from '#web/lib/format.ts';
import { Card } from '#web/ui/card.tsx';
import { MarketplaceMark } from '#web/ui/marketplace-mark.tsx';
import type { ScreenLink } from '#web/ui/screen-link.ts';
import { fulfillmentLink, marketplaceLinks } from './links.ts';

/** One marketplace: number of listings, their value, and fulfillment types, each linked to its listings. */
export function MarketplaceCard({ stats }: { stats: MarketplaceStats }): React.JSX.Element {
  const headingId = useId();
  const name = MARKETPLACE_NAMES[stats.marketplace];
  const links = marketplaceLinks(stats.marketplace);
  return (
    <Card role="group" aria-labelledby={headingId}>
      <h3 id={headingId} className="flex items-center gap-2 text-md font-semibold">
        <MarketplaceMark marketplace={stats.marketplace} />
        {name}
      </h3>
      <dl className="mt-2 grid grid-cols-2 gap-x-2 gap-y-1 sm:grid-cols-4">
        <Fact
          name="Listings"
          value={formatCount(stats.totalListings)}
          about={`${name} listings`}
          link={links.totalListings}
        />
        <Fact
          name="Active"
          value={formatCount(stats.activeListings)}
          about={`${name} listings with repricing on`}
          link={links.activeListings}
        />
        <Fact
          name="Total Value"
          value={formatWholeDollars(stats.totalValue)}
          about={`total value of ${name}, the highest prices first`}
          link={links.totalValue}
        />
        <Fact
          name="Avg Price"
          value={formatMoney(stats.avgPrice)}
          about={`average price on ${name}, the lowest prices first`}
          link={links.avgPrice}
        />
      </dl>
      <FulfillmentTypes stats={stats} />
    </Card>
  );
}

// Tall enough for touch, without spreading the lines for a mouse.
const LINK =
  'inline-flex min-h-11 items-center rounded-sm text-md font-semibold tabular-nums hover:underline dense:min-h-6';

const FULFILLMENT =
  'inline-flex min-h-11 items-center font-medium text-fg tabular-nums hover:underline dense:min-h-6';

type FactProps = { name: string; value: string; about: string; link: ScreenLink };

function Fact({ name, value, about, link }: FactProps): React.JSX.Element {
  return (
    <div>
      <dt className="text-xs text-fg-muted">{name}</dt>
      <dd>
        <Link {...link} className={LINK}>
          {value}
          <span className="sr-only"> {about}</span>
        </Link>
      </dd>
    </div>
  );
}

function FulfillmentTypes({ stats }: { stats: MarketplaceStats }): React.JSX.Element {
  const { marketplace, fulfillmentBreakdown, totalListings } = stats;
  const used = FULFILLMENT_TYPES.flatMap((type) => {
    const count = fulfillmentBreakdown[type];
    return count === undefined ? [] : [{ type, count }];
  });
  return (
    <div className="mt-2">
      <div className="flex flex-wrap items-center justify-between gap-x-3">
        <h4 className="text-sm text-fg-muted">Fulfillment Types</h4>
        <ul className="flex gap-3">
          {used.map(({ type, count }) => (
            <li key={type} className="flex items-center gap-1 text-sm text-fg-muted">
              {type}
              <Link {...fulfillmentLink(marketplace, type)} className={FULFILLMENT}>
                {formatCount(count)}
                <span className="sr-only">
                  {' '}
                  {type} listings on {MARKETPLACE_NAMES[marketplace]}
                </span>
              </Link>
            </li>
          ))}
        </ul>
      </div>
      <div aria-hidden className="mt-1.5 flex h-1.5 gap-px overflow-hidden rounded-full bg-fill">
        {used.map(({ type, count }) => (
          <div
            key={type}
            className={type === 'FBM' ? 'bg-chart-before' : 'bg-chart-own'}
            style={{ width: `${(100 * count) / Math.max(totalListings, 1)}%` }}
          />
        ))}
      </div>
    </div>
  );
}
