import { Skeleton } from '#web/ui/skeleton.tsx';

const FIGURES = ['changes', 'price', 'margin', 'floor'];

/** The layout of a preview that loads for the first time: bars where its figures and texts will be. */
export function PreviewSkeleton(): React.JSX.Element {
  return (
    <div className="min-h-67 shrink-0">
      <div className="grid grid-cols-2 gap-px border-y bg-border *:bg-surface *:px-4 *:py-2.5 sm:grid-cols-4 xl:max-wide:*:px-3">
        {FIGURES.map((figure) => (
          <div key={figure} className="flex h-19.5 flex-col justify-between">
            <Skeleton className="h-3 w-20" />
            <Skeleton className="h-3 w-12" />
            <Skeleton className="h-3 w-14" />
          </div>
        ))}
      </div>
      <div className="flex flex-col gap-3 px-4 py-4">
        <Skeleton className="h-3 w-3/5" />
        <div className="h-10 border-b" />
        <Skeleton className="h-3 w-2/5" />
      </div>
    </div>
  );
}
