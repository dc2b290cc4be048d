import { Card } from '#web/ui/card.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { MetricSkeletons } from './metric-cards.tsx';

/** Skeleton of the Dashboard: four cards, and the sections below. */
export function DashboardSkeleton(): React.JSX.Element {
  return (
    <>
      <MetricSkeletons />
      <div aria-hidden className="flex flex-col gap-3">
        <Skeleton className="h-6 w-40" />
        <div className="grid gap-4 lg:grid-cols-2">
          {['left', 'right'].map((side) => (
            <Card key={side} className="flex h-56 flex-col gap-4">
              {['w-1/2', 'w-2/3', 'w-1/3', 'w-3/5'].map((width) => (
                <Skeleton key={width} className={width} />
              ))}
            </Card>
          ))}
        </div>
      </div>
    </>
  );
}
