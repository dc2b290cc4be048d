import { classNames } from '#web/lib/class-names.ts';
import { Skeleton } from './skeleton.tsx';

type FigureProps = { label: string; note?: React.ReactNode; children: React.ReactNode };

/** One figure with its name and basis. */
export function Figure({ label, note, children }: FigureProps): React.JSX.Element {
  return (
    <div className={CELL}>
      <dt className="text-sm text-fg-muted">{label}</dt>
      <dd className="mt-0.5">
        <span className="text-xl font-semibold break-words tabular-nums">{children}</span>
        {note !== undefined && <span className="block text-xs text-fg-muted">{note}</span>}
      </dd>
    </div>
  );
}

// The gaps show the color behind the cells: hairlines without double edges.
const GRID = 'grid grid-cols-2 gap-px overflow-hidden bg-border';
const CELL = 'flex min-w-0 flex-col bg-surface px-4 py-3';
/** The last of an odd number fills its row. */
const PAIRS = '*:last:odd:col-span-2';
const COLUMNS = { 2: PAIRS, 4: 'md:grid-cols-4', 5: `${PAIRS} md:grid-cols-5 md:*:last:odd:col-span-1` };

type FigureGridProps = {
  /** How many are next to each other; two on a phone. */
  columns?: keyof typeof COLUMNS;
  /** Part of a card, which has the edge. */
  isInCard?: boolean;
  children: React.ReactNode;
};

/** Figures in one card, divided by hairlines. */
export function FigureGrid({ columns = 2, isInCard = false, children }: FigureGridProps): React.JSX.Element {
  return (
    <dl className={classNames(GRID, COLUMNS[columns], isInCard ? 'border-b' : 'rounded-lg border')}>
      {children}
    </dl>
  );
}

/** Skeletons of two columns of figures. */
export function FigureSkeletons({ labels }: { labels: readonly string[] }): React.JSX.Element {
  return (
    <div className={classNames(GRID, 'rounded-lg border')} data-testid="panel-skeleton">
      {labels.map((label) => (
        <div key={label} className={CELL}>
          <Skeleton className="h-3 w-20" />
          <Skeleton className="mt-2.5 h-3 w-24" />
          <Skeleton className="mt-2.5 h-3 w-28" />
        </div>
      ))}
    </div>
  );
}
