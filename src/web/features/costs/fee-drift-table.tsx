import { Link } from '@tanstack/react-router';
import { useId } from 'react';
import type { FeeDrifts } from '#contract/fee-facts.ts';
import { MARKETPLACE_NAMES } from '#domain/marketplaces.ts';
import { formatCount, shortPercent } from '#web/lib/format.ts';
import { MoneyText } from '#web/ui/money-text.tsx';
import { Cell, HeadCell, PlainTable } from '#web/ui/plain-table.tsx';

/** Where marketplaces told another commission than the fee schedule has, linked to the listings. Nothing without one. */
export function FeeDriftTable({ drifts }: Pick<FeeDrifts, 'drifts'>): React.JSX.Element | null {
  const headingId = useId();
  if (drifts.length === 0) return null;
  return (
    <section aria-labelledby={headingId} className="mb-4 flex flex-col gap-2">
      <h2 id={headingId} className="text-lg font-semibold">
        Commission differs from your schedule
      </h2>
      <PlainTable caption="Told commission and fee schedule, in percent of price and shipping charge">
        <thead>
          <tr>
            <HeadCell>Marketplace</HeadCell>
            <HeadCell numeric>Told</HeadCell>
            <HeadCell numeric>Schedule</HeadCell>
            <HeadCell numeric>Listings</HeadCell>
            <HeadCell numeric>Below margin floor</HeadCell>
            <HeadCell numeric>Difference in 30 days</HeadCell>
          </tr>
        </thead>
        <tbody>
          {drifts.map(({ marketplace, told, scheduled, listings, belowMarginFloor, cost30Days }) => (
            <tr key={`${marketplace} ${told} ${scheduled}`}>
              <Cell className="whitespace-nowrap">
                <Link
                  to="/listings"
                  search={{ state: 'fee_differs', marketplace }}
                  className="font-medium text-link hover:underline"
                >
                  {MARKETPLACE_NAMES[marketplace]}
                </Link>
              </Cell>
              <Cell numeric>{shortPercent(told)}%</Cell>
              <Cell numeric>{shortPercent(scheduled)}%</Cell>
              <Cell numeric>{formatCount(listings)}</Cell>
              <Cell numeric>{formatCount(belowMarginFloor)}</Cell>
              <Cell numeric>
                <MoneyText amount={cost30Days} />
              </Cell>
            </tr>
          ))}
        </tbody>
      </PlainTable>
    </section>
  );
}
