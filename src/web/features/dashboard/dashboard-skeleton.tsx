import { Card } from '#web/ui/card.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { MetricSkeletons } from './metric-cards.tsx';

/** The Dashboard in grey: four cards, and the sections below. */
export function DashboardSkeleton(): React.JSX.Element {
  return (
    <>
      <MetricSkeletons />
      <div aria-hidden className="flex flex-col gap-3">
        <Skeleton className="h-6 w-40" />
        <div className="grid gap-4 lg:grid-cols-2">
          <Card className="h-56" />
          <Card className="h-56" />
        </div>
      </div>
    </>
  );
}
