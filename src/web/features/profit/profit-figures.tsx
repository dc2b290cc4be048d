import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ProfitSums } from '#contract/profit-sums.ts';
import { countOf } from '#web/lib/format.ts';
import type { PeriodName } from '#web/lib/periods.ts';
import { sessionQuery } from '#web/lib/session.ts';
import { Callout } from '#web/ui/callout.tsx';
import { Card } from '#web/ui/card.tsx';
import { ChartSkeleton } from '#web/ui/chart/charts.tsx';
import { EmptyNote } from '#web/ui/empty-note.tsx';
import { ProfitFiguresCard, ProfitFiguresSkeleton } from '#web/ui/profit/profit-figures-card.tsx';
import type { Comparison } from '#web/ui/profit/use-comparison.ts';
import { here } from './search-patch.ts';

type ProfitFiguresProps = { sum: ProfitSums; comparison: Comparison | null; period: PeriodName | null };

/** The sums of a period, and what keeps the profit of some of its sales unknown. */
export function ProfitFigures({ sum, comparison, period }: ProfitFiguresProps): React.JSX.Element {
  return (
    <>
      <ProfitFiguresCard sum={sum} comparison={comparison} period={period} />
      {sum.known < sum.sales && <UnknownProfit sum={sum} />}
    </>
  );
}

const ACTION =
  'inline-flex min-h-10 items-center font-medium text-link underline underline-offset-2 md:min-h-0';

/** Sales without profit, and the steps that change that. */
function UnknownProfit({ sum }: { sum: ProfitSums }): React.JSX.Element {
  const isAdmin = useQuery(sessionQuery).data?.role === 'admin';
  const count = sum.sales - sum.known;
  return (
    <Callout tone="info" title={`Profit is unknown for ${countOf(count, 'sale', 'sales')}`}>
      <p className="text-sm text-fg-muted">
        A cost or a fee is missing. Once it is entered, their profit is calculated automatically.
      </p>
      <p className="flex flex-wrap gap-x-4 text-sm md:mt-1">
        <Link to="." search={here({ by: 'sale', known: 'false' })} resetScroll={false} className={ACTION}>
          Show {countOf(count, 'sale', 'sales')}
        </Link>
        <Link to="/imports/new" search={{ kind: 'skus' }} className={ACTION}>
          Import SKUs and costs
        </Link>
        {isAdmin && (
          <Link to="/costs" search={{ tab: 'fees' }} className={ACTION}>
            Marketplace fees
          </Link>
        )}
      </p>
    </Callout>
  );
}

/** In place of everything for a period without sales. */
export function NoSales(): React.JSX.Element {
  return (
    <EmptyNote>
      <p>No sales in these days. Sales of connected marketplaces appear here after the next sync.</p>
      <Link to="." search={{ period: '90' }} className={`mt-4 inline-block ${ACTION}`}>
        Show 90 days
      </Link>
    </EmptyNote>
  );
}

/** Skeletons of the figures and the chart. */
export function ProfitSkeleton(): React.JSX.Element {
  return (
    <div role="status" className="flex flex-col gap-6">
      <span className="sr-only">Loading the profit</span>
      <ProfitFiguresSkeleton />
      <Card>
        <ChartSkeleton />
      </Card>
    </div>
  );
}
