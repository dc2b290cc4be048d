import { Card } from '#web/ui/card.tsx';
import { ChartSkeleton } from '#web/ui/chart/charts.tsx';
import { FigureSkeletons } from '#web/ui/figures.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { MAIN_GRID, PROFIT_HEIGHT } from './main-grid.ts';
import { METRIC_LABELS } from './metric-cards.tsx';

/** Skeleton of the Dashboard: four figures, chart and list below, and the strip of the catalog. */
export function DashboardSkeleton(): React.JSX.Element {
  return (
    <div role="status" className="flex flex-col gap-3">
      <span className="sr-only">Loading the figures</span>
      <FigureSkeletons
        look="cards"
        columns={4}
        labels={['Profit', 'Money lost', 'Buy box share', 'Price changes']}
        testId="metric-skeleton"
      />
      <div aria-hidden className={MAIN_GRID}>
        <Card>
          <ChartSkeleton height={PROFIT_HEIGHT} />
        </Card>
        <Card className="p-0">
          <div className="flex min-h-11 items-center px-4">
            <Skeleton className="h-3 w-28" />
          </div>
          {['w-1/2', 'w-2/3', 'w-1/3', 'w-3/5', 'w-2/5'].map((width) => (
            <div key={width} className="flex min-h-11 flex-col justify-center gap-1.5 px-4">
              <Skeleton className={`h-3 ${width}`} />
              <Skeleton className="h-2.5 w-3/4" />
            </div>
          ))}
        </Card>
      </div>
      <FigureSkeletons columns={5} labels={METRIC_LABELS} />
    </div>
  );
}
