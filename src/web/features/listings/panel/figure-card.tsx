import { Card } from '#web/ui/card.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

type FigureCardProps = { label: string; note?: React.ReactNode; children: React.ReactNode };

/** One figure with its name and basis. */
export function FigureCard({ label, note, children }: FigureCardProps): React.JSX.Element {
  return (
    <Card className="flex min-w-0 flex-col p-3">
      <dt className="text-sm font-medium text-fg-muted">{label}</dt>
      <dd className="mt-1">
        <span className="text-xl font-semibold break-words tabular-nums">{children}</span>
        {note !== undefined && <span className="mt-0.5 block text-xs text-fg-muted">{note}</span>}
      </dd>
    </Card>
  );
}

/** The cards in two columns. */
export function FigureCards({ children }: { children: React.ReactNode }): React.JSX.Element {
  return <dl className="grid grid-cols-2 gap-3">{children}</dl>;
}

/** Skeletons of these cards. */
export function FigureSkeletons({ labels }: { labels: readonly string[] }): React.JSX.Element {
  return (
    <div className="grid grid-cols-2 gap-3" data-testid="panel-skeleton">
      {labels.map((label) => (
        <Card key={label} className="p-3">
          <Skeleton className="w-20" />
          <Skeleton className="mt-2 h-6 w-24" />
          <Skeleton className="mt-1.5 h-3.5 w-28" />
        </Card>
      ))}
    </div>
  );
}
