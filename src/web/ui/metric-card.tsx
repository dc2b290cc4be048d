import { Link } from '@tanstack/react-router';
import { ArrowDown, ArrowUp, type LucideIcon, Minus } from 'lucide-react';
import { classNames } from '#web/lib/class-names.ts';
import { formatPercent } from '#web/lib/format.ts';
import { Card } from './card.tsx';
import type { ScreenLink } from './screen-link.ts';
import { Skeleton } from './skeleton.tsx';

type MetricCardProps = {
  label: string;
  /** Formatted, such as "$1,234". */
  figure: string;
  /** The unit, or the period. */
  note: string;
  icon: LucideIcon;
  /** The list behind the figure: the whole card links there. */
  link?: ScreenLink;
  /** Change in percent, such as "-2.5"; null or undefined hides it. */
  trend?: string | null;
  /** Against when; default: "in 7 days". */
  trendSince?: string;
  /** Percentage points for the change of a margin. */
  trendUnit?: '%' | 'pts';
  description?: string;
};

// Reserves room for a trend, so that it does not push down the content below.
const SHAPE = 'relative flex min-h-[8.75rem] flex-col';

/** One figure with its name and unit. */
export function MetricCard(props: MetricCardProps): React.JSX.Element {
  const { label, figure, note, icon: Icon, link, trend = null, description } = props;
  const { trendSince = 'in 7 days', trendUnit = '%' } = props;
  return (
    <Card className={classNames(SHAPE, link !== undefined && 'hover:border-border-strong')}>
      <div className="flex items-center justify-between gap-2">
        <h2 className="font-medium text-fg-muted">
          {link === undefined ? (
            label
          ) : (
            <Link
              {...link}
              className="rounded-lg after:absolute after:inset-0 after:rounded-lg hover:underline"
            >
              {label}
            </Link>
          )}
        </h2>
        <Icon aria-hidden className="size-4 text-fg-muted" />
      </div>
      <p className="mt-2 text-xl font-semibold break-words tabular-nums">{figure}</p>
      <p className="mt-1 text-xs text-fg-muted">{note}</p>
      {trend !== null && <Trend change={trend} unit={trendUnit} since={trendSince} />}
      {description !== undefined && <p className="mt-1 text-xs text-fg-muted">{description}</p>}
    </Card>
  );
}

/** Also in words, for readers who do not see the color. */
function Trend({ change, unit, since }: { change: string; unit: '%' | 'pts'; since: string }) {
  const percent = formatPercent(change.replace('-', ''));
  const size = unit === '%' ? percent : percent.replace('%', ' pts');
  const [Arrow, words, colour] =
    Number(change) === 0
      ? ([Minus, 'Unchanged', 'text-fg-muted'] as const)
      : change.startsWith('-')
        ? ([ArrowDown, `Down ${size}`, 'text-danger-text'] as const)
        : ([ArrowUp, `Up ${size}`, 'text-success-text'] as const);
  return (
    <p className="mt-2 flex flex-wrap items-center gap-x-1 text-sm">
      <span className={classNames('inline-flex items-center gap-1 font-medium tabular-nums', colour)}>
        <Arrow aria-hidden className="size-4" />
        {words}
      </span>
      <span className="text-fg-muted"> {since}</span>
    </p>
  );
}

/** The skeleton of the card: same height, so that nothing moves. */
export function MetricCardSkeleton(): React.JSX.Element {
  return (
    <Card data-testid="metric-skeleton" className={SHAPE}>
      <Skeleton className="h-[1.3125rem] w-24" />
      <Skeleton className="mt-2 h-[1.625rem] w-20" />
      <Skeleton className="mt-1 h-[1.125rem] w-32" />
    </Card>
  );
}
