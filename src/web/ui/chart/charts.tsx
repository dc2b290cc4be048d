import { lazy, Suspense } from 'react';
import { Skeleton } from '#web/ui/skeleton.tsx';
import type { BarChartProps } from './bar-chart.tsx';
import type { TimeChartProps } from './time-chart.tsx';

/** The charts for screens: the chart library is loaded with the first one. */

const LazyBarChart = lazy(async () => ({ default: (await import('./bar-chart.tsx')).BarChart }));
const LazyTimeChart = lazy(async () => ({ default: (await import('./time-chart.tsx')).TimeChart }));

/** Vertical bars from zero, or a histogram; bars can be links. */
export function BarChart(props: BarChartProps): React.JSX.Element {
  return (
    <Suspense fallback={<ChartSkeleton height={props.height} />}>
      <LazyBarChart {...props} />
    </Suspense>
  );
}

/** Step lines, a band and markers over time. */
export function TimeChart(props: TimeChartProps): React.JSX.Element {
  return (
    <Suspense fallback={<ChartSkeleton height={props.height} />}>
      <LazyTimeChart {...props} />
    </Suspense>
  );
}

/** A skeleton of title, drawing and readout, as high as the chart will be. */
export function ChartSkeleton({ height = 240 }: { height?: number | undefined }): React.JSX.Element {
  return (
    <div aria-hidden className="flex flex-col gap-2" data-testid="chart-skeleton">
      <Skeleton className="my-1 h-3 w-2/3" />
      <Skeleton className="my-0.5 h-3 w-1/2" />
      <div style={{ height }} className="flex flex-col justify-between border-b pt-3 pb-12">
        {['a', 'b', 'c'].map((line) => (
          <div key={line} className="border-t" />
        ))}
      </div>
      <div className="h-5" />
    </div>
  );
}
