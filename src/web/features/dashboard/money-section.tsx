import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useId } from 'react';
import type { Profit, SalesPage } from '#contract/sales.ts';
import { MARKETPLACE_NAMES, type Marketplace } from '#domain/marketplaces.ts';
import { countOf, formatCount, formatMoney, formatPercent } from '#web/lib/format.ts';
import { namedPeriod } from '#web/lib/periods.ts';
import { marginText, profitText, trendsOf } from '#web/lib/profit-text.ts';
import { oneOf, useUrlParams } from '#web/lib/url-params.ts';
import { Button } from '#web/ui/button.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { MarketplaceMark } from '#web/ui/marketplace-mark.tsx';
import { useNow } from '#web/ui/moment-text.tsx';
import { Missing } from '#web/ui/money-text.tsx';
import { Cell, HeadCell, PlainTable } from '#web/ui/plain-table.tsx';
import { ProfitCards } from '#web/ui/profit/profit-cards.tsx';
import { belowMinimumQuery, sumQuery } from '#web/ui/profit/sum-query.ts';
import { type Comparison, useComparison } from '#web/ui/profit/use-comparison.ts';

const PERIODS = ['7', '30'] as const;

/** The sales of the last days: what is shown, and whether it is loading for the first time. */
export function useMoney() {
  const { params, set } = useUrlParams();
  const now = useNow();
  const name = oneOf(PERIODS, params.sales, '30');
  const period = namedPeriod(name, now);
  const query = useQuery(sumQuery(period));
  const comparison = useComparison({ ...period, name }, undefined, now);
  const below = useQuery(belowMinimumQuery(period));
  const choose = (next: (typeof PERIODS)[number]): void => set({ sales: next === '30' ? undefined : next });
  const isPending = query.isPending || below.isPending || comparison === undefined;
  return { name, query, comparison, below, choose, isPending };
}

/** What the sales of 7 or 30 days earned, against the days before, and by marketplace. Nothing without a sale or charge. */
export function MoneySection({ money }: { money: ReturnType<typeof useMoney> }): React.JSX.Element | null {
  const headingId = useId();
  const { name, query, comparison = null, below, choose } = money;
  if (query.isError && query.data === undefined) {
    return (
      <LoadFailed
        title="Failed to load the profit"
        error={query.error}
        onRetry={() => void query.refetch()}
        retrying={query.isFetching}
      />
    );
  }
  if (query.data === undefined) return null;
  if (query.data.sum.sales === 0 && query.data.sum.profit === null && name === '30') return null;
  const { rows, sum } = query.data;
  return (
    <section aria-labelledby={headingId} className="flex flex-col gap-3" aria-busy={query.isFetching}>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 id={headingId} className="text-lg font-semibold">
          Sales and profit
        </h2>
        <fieldset className="flex gap-1 print:hidden">
          <legend className="sr-only">Days of sales</legend>
          {PERIODS.map((each) => (
            <Button
              key={each}
              look={each === name ? 'outline' : 'quiet'}
              aria-pressed={each === name}
              onClick={() => choose(each)}
            >
              {each} days
            </Button>
          ))}
        </fieldset>
      </div>
      <ProfitCards sum={sum} comparison={comparison} link={{ to: '/profit', search: { period: name } }} />
      <BelowMinimum below={below.data} name={name} />
      {rows.length > 1 && <ByMarketplace rows={rows} name={name} comparison={comparison} />}
    </section>
  );
}

/** Sales that earned less than their minimum margin, linked to them. */
function BelowMinimum({
  below,
  name,
}: {
  below: Pick<SalesPage, 'total' | 'lost' | 'isLostAbout'> | undefined;
  name: string;
}): React.JSX.Element | null {
  if (below === undefined || below.total === 0 || below.lost === null) return null;
  return (
    <p className="text-sm">
      <Link
        to="/profit"
        search={{ by: 'sale', below: 'true', period: name }}
        className="inline-flex min-h-11 items-center font-medium text-danger-text underline underline-offset-2 md:min-h-8"
      >
        {countOf(below.total, 'sale', 'sales')} below the minimum margin: {below.isLostAbout && 'about '}
        {formatMoney(below.lost)} too little
      </Link>
    </p>
  );
}

type ByMarketplaceProps = { rows: Profit['rows']; name: string; comparison: Comparison | null };

function ByMarketplace({ rows, name, comparison }: ByMarketplaceProps): React.JSX.Element {
  return (
    <PlainTable caption="Sales and profit by marketplace">
      <thead>
        <tr>
          <HeadCell>Marketplace</HeadCell>
          <HeadCell numeric>Revenue</HeadCell>
          <HeadCell numeric>Profit</HeadCell>
          <HeadCell numeric>Change</HeadCell>
          <HeadCell numeric>Margin</HeadCell>
          <HeadCell numeric>Units</HeadCell>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.key}>
            <Cell>
              <Link
                to="/profit"
                search={{ by: 'listing', period: name, marketplace: row.key }}
                className="inline-flex items-center gap-1.5 font-medium text-link hover:underline"
              >
                <MarketplaceMark marketplace={row.key as Marketplace} />
                {MARKETPLACE_NAMES[row.key as Marketplace]}
              </Link>
            </Cell>
            <Cell numeric>{formatMoney(row.revenue)}</Cell>
            <Cell numeric>
              <span className="font-semibold whitespace-nowrap">{profitText(row) ?? <Missing />}</span>
              {row.known < row.sales && (
                <span className="block text-xs text-fg-muted">
                  {formatCount(row.known)} of {countOf(row.sales, 'sale', 'sales')}
                </span>
              )}
            </Cell>
            <Cell numeric>
              <ProfitChange change={trendsOf(comparison?.byMarketplace.get(row.key) ?? null).profit} />
            </Cell>
            <Cell numeric>{row.margin === null ? <Missing /> : marginText(row)}</Cell>
            <Cell numeric>{formatCount(row.units)}</Cell>
          </tr>
        ))}
      </tbody>
    </PlainTable>
  );
}

function ProfitChange({ change }: { change: string | null }): React.JSX.Element {
  if (change === null) return <Missing />;
  return (
    <span className={change.startsWith('-') ? 'text-danger-text' : 'text-success-text'}>
      {formatPercent(change, true)}
    </span>
  );
}
