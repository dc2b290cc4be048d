import { Card } from './card.tsx';
import { Skeleton } from './skeleton.tsx';

type ListSkeletonProps = {
  rows?: number;
  /** `rows`: entries of a list with a value at the end; `fields`: labels above their fields. */
  of?: 'rows' | 'fields';
  /** In a card of its own, below its title. */
  inCard?: boolean;
};

const WIDTHS = ['w-1/2', 'w-2/5', 'w-3/5', 'w-1/3'] as const;

/** Loading entries in their final layout, with a bar where each text will be. */
export function ListSkeleton({
  rows = 4,
  of = 'rows',
  inCard = false,
}: ListSkeletonProps): React.JSX.Element {
  const places = Array.from({ length: rows }, (_, place) => place);
  const entries =
    of === 'fields' ? (
      <div className="flex flex-col gap-4">
        {places.map((place) => (
          <div key={place} className="flex flex-col gap-2">
            <Skeleton className="w-24" />
            <div className="flex h-11 items-center rounded-md border px-3 dense:h-9">
              <Skeleton className="w-16" />
            </div>
          </div>
        ))}
      </div>
    ) : (
      <div className="divide-y">
        {places.map((place) => (
          <div key={place} className="flex h-11 items-center justify-between gap-4 px-4">
            <Skeleton className={WIDTHS[place % WIDTHS.length] ?? ''} />
            <Skeleton className="w-16 shrink-0" />
          </div>
        ))}
      </div>
    );
  if (!inCard) return <div aria-hidden>{entries}</div>;
  return (
    <Card aria-hidden className={of === 'rows' ? 'p-0' : 'flex flex-col gap-4'}>
      <div className={of === 'rows' ? 'flex h-11 items-center border-b px-4' : ''}>
        <Skeleton className="w-40" />
      </div>
      {entries}
    </Card>
  );
}
