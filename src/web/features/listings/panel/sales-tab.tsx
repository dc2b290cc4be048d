import { useQuery } from '@tanstack/react-query';
import type { AnalyticsRange, SalesMetrics } from '#contract/listing-analytics.ts';
import { countOf, formatCount, formatMoney } from '#web/lib/format.ts';
import { EmptyNote } from '#web/ui/empty-note.tsx';
import { Figure, FigureSkeletons, Figures } from '#web/ui/figures.tsx';
import { MarginText } from '#web/ui/margin-text.tsx';
import { MoneyText } from '#web/ui/money-text.tsx';
import { QueryView } from '#web/ui/query-view.tsx';
import { FetchedNote } from './fetched-note.tsx';
import { LatestSales } from './latest-sales.tsx';
import { salesQuery } from './queries.ts';
import { RangeButtons } from './range-buttons.tsx';
import { rangeText } from './range-labels.ts';
import { tabFailed } from './tab-failed.tsx';

const LABELS = ['Units Sold', 'Revenue', 'Profit', 'Margin'] as const;

type SalesTabProps = { id: string; range: AnalyticsRange; onRange: (range: AnalyticsRange) => void };

/** Sales of the listing in the last days. */
export function SalesTab({ id, range, onRange }: SalesTabProps): React.JSX.Element {
  const query = useQuery(salesQuery(id, range));
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <RangeButtons range={range} onRange={onRange} />
        {query.data !== undefined && <p className="text-sm text-fg-muted">{rangeText(range, query.data)}</p>}
      </div>
      <QueryView
        query={query}
        loading={<FigureSkeletons labels={LABELS} testId="panel-skeleton" />}
        failed={tabFailed('Failed to load sales metrics', query)}
      >
        {(metrics) => (
          <>
            {metrics.salesCount === 0 ? (
              <EmptyNote>No sales data available for this period</EmptyNote>
            ) : (
              <>
                <SalesFigures metrics={metrics} />
                <LatestSales listingId={id} />
              </>
            )}
            {metrics.lastUpdated !== null && metrics.staleAt !== null && (
              <FetchedNote label="Sales last recorded" at={metrics.lastUpdated} staleAt={metrics.staleAt} />
            )}
          </>
        )}
      </QueryView>
    </div>
  );
}

function SalesFigures({ metrics }: { metrics: SalesMetrics }): React.JSX.Element {
  const { totalQuantity, salesCount, totalRevenue, avgUnitPrice, totalMargin, avgMarginPerUnit, margin } =
    metrics;
  const about = metrics.salesAbout > 0 ? 'about ' : '';
  const [units, revenue, profit, share] = LABELS;
  return (
    <Figures>
      <Figure label={units} note={countOf(salesCount, 'transaction', 'transactions')}>
        {formatCount(totalQuantity)}
      </Figure>
      <Figure
        label={revenue}
        note={avgUnitPrice === null ? undefined : `Average price ${formatMoney(avgUnitPrice)}`}
      >
        <MoneyText amount={totalRevenue} />
      </Figure>
      <Figure
        label={profit}
        note={avgMarginPerUnit === null ? undefined : `${about}${formatMoney(avgMarginPerUnit)} per unit`}
      >
        {totalMargin !== null && about}
        <MoneyText amount={totalMargin} />
      </Figure>
      <Figure label={share} note={coverage(metrics)}>
        {margin !== null && about}
        <MarginText percent={margin} />
      </Figure>
    </Figures>
  );
}

/** From how many sales profit and margin are. */
function coverage({ salesWithMargin, salesCount }: SalesMetrics): string {
  if (salesWithMargin === salesCount) return 'Profit divided by revenue';
  if (salesWithMargin === 0) return 'Cost or fees unknown, so profit cannot be calculated';
  return `From ${formatCount(salesWithMargin)} of ${countOf(salesCount, 'sale', 'sales')}`;
}
