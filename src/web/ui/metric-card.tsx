import { ArrowDown, ArrowUp, type LucideIcon } from 'lucide-react';
import { classNames } from '#web/lib/class-names.ts';
import { Card } from './card.tsx';
import { Skeleton } from './skeleton.tsx';

type MetricCardProps = {
  label: string;
  /** Ready to show, such as "$1,234". */
  figure: string;
  note: string;
  icon: LucideIcon;
  /** Change in percent against the time before: green up, red down. */
  trend?: number;
  description?: string;
};

/** One figure with its name and what it counts. */
export function MetricCard({
  label,
  figure,
  note,
  icon: Icon,
  trend,
  description,
}: MetricCardProps): React.JSX.Element {
  return (
    <Card className="flex flex-col">
      <div className="flex items-center justify-between gap-2">
        <h2 className="font-medium text-fg-muted">{label}</h2>
        <Icon aria-hidden className="size-4 text-fg-muted" />
      </div>
      <p className="mt-2 text-xl font-semibold break-words tabular-nums">{figure}</p>
      <p className="mt-1 text-xs text-fg-muted">{note}</p>
      {trend !== undefined && <Trend percent={trend} />}
      {description !== undefined && <p className="mt-2 text-sm text-fg-muted">{description}</p>}
    </Card>
  );
}

function Trend({ percent }: { percent: number }): React.JSX.Element {
  const isUp = percent >= 0;
  const Arrow = isUp ? ArrowUp : ArrowDown;
  return (
    <p
      className={classNames(
        'mt-2 flex items-center gap-1 text-sm',
        isUp ? 'text-success-text' : 'text-danger-text',
      )}
    >
      <Arrow aria-hidden className="size-4" />
      {isUp ? '+' : '\u2212'}
      {Math.abs(percent).toFixed(1)}%
    </p>
  );
}

/** The same card while its figure is on its way: same height, so that nothing jumps. */
export function MetricCardSkeleton(): React.JSX.Element {
  return (
    <Card data-testid="metric-skeleton">
      <Skeleton className="h-[1.3125rem] w-24" />
      <Skeleton className="mt-2 h-[1.625rem] w-20" />
      <Skeleton className="mt-1 h-[1.125rem] w-32" />
    </Card>
  );
}
