import { Link } from '@tanstack/react-router';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { classNames } from '#web/lib/class-names.ts';
import { formatPercent } from '#web/lib/format.ts';
import type { ScreenLink } from './screen-link.ts';
import { Skeleton } from './skeleton.tsx';

/** One figure of a strip. */
export interface Figure {
  readonly label: string;
  /** Formatted, such as "$1,234". */
  readonly figure: string;
  /** The unit, or the period. */
  readonly note: string;
  /** The list behind the figure: the whole cell links there. */
  readonly link?: ScreenLink;
  /** Change in percent, such as "-2.5"; null or undefined hides it. */
  readonly trend?: string | null;
  /** Percentage points for the change of a margin. */
  readonly trendUnit?: '%' | 'pts';
  /** A loss is red. */
  readonly isLoss?: boolean;
}

type FigureStripProps = {
  figures: readonly Figure[];
  /** Against when the changes are: "in 7 days". */
  since: string;
  /** Announced only, where a line above it says it. */
  isSinceSaid?: boolean;
};

// Cells of one row; on a phone two columns, of which a fifth cell takes both.
const STRIP =
  'grid grid-cols-2 *:min-w-0 *:border-t *:px-4 *:py-3 *:nth-[-n+2]:border-t-0 *:even:border-l *:odd:last:col-span-2 lg:grid-flow-col lg:auto-cols-fr lg:grid-cols-none lg:*:border-t-0 lg:*:not-first:border-l lg:*:odd:last:col-span-1';

/** Figures next to each other, divided by hairlines, for the inside of a card. */
export function FigureStrip({ figures, since, isSinceSaid = false }: FigureStripProps): React.JSX.Element {
  return (
    <dl className={STRIP}>
      {figures.map((figure) => (
        <Cell key={figure.label} {...figure} since={since} isSinceSaid={isSinceSaid} />
      ))}
    </dl>
  );
}

function Cell(props: Figure & { since: string; isSinceSaid: boolean }): React.JSX.Element {
  const { label, figure, note, link, trend = null, trendUnit = '%', isLoss, since, isSinceSaid } = props;
  return (
    <div className={classNames('relative', link !== undefined && 'hover:bg-hover')}>
      <dt className="text-sm text-fg-muted">
        {link === undefined ? (
          label
        ) : (
          <Link
            {...link}
            className="rounded-sm after:absolute after:inset-0 after:rounded-lg hover:underline"
          >
            {label}
          </Link>
        )}
      </dt>
      <dd className="flex flex-wrap items-center gap-x-2">
        <span
          className={classNames(
            'text-xl font-semibold break-words tabular-nums',
            isLoss === true && 'text-danger-text',
          )}
        >
          <FigureText text={figure} />
        </span>
        {trend !== null && (
          <span className="text-sm text-fg-muted">
            <Trend change={trend} unit={trendUnit} />{' '}
            <span className={isSinceSaid ? 'sr-only' : undefined}>{since}</span>
          </span>
        )}
      </dd>
      <dd className="text-sm text-fg-muted">{note}</dd>
    </div>
  );
}

/** "about" is no figure: smaller, so that figure and word fit into half a phone. */
function FigureText({ text }: { text: string }): React.JSX.Element {
  const figure = text.replace(/^about /, '');
  if (figure === text) return <>{text}</>;
  return (
    <>
      <span className="text-sm font-normal text-fg-muted">about </span>
      {figure}
    </>
  );
}

/** Announced with its direction in words, for readers who do not see arrow and color. */
function Trend({ change, unit }: { change: string; unit: '%' | 'pts' }): React.JSX.Element {
  if (Number(change) === 0) return <span className="font-medium">Unchanged</span>;
  const percent = formatPercent(change.replace('-', ''));
  const isDown = change.startsWith('-');
  const Arrow = isDown ? ArrowDown : ArrowUp;
  return (
    <span
      className={classNames(
        'inline-flex items-center gap-0.5 font-medium tabular-nums',
        isDown ? 'text-danger-text' : 'text-success-text',
      )}
    >
      <Arrow aria-hidden className="size-3" />
      <span className="sr-only">{isDown ? 'Down' : 'Up'}</span>{' '}
      {unit === '%' ? percent : percent.replace('%', ' pts')}
    </span>
  );
}

const CELLS = ['a', 'b', 'c', 'd', 'e'] as const;

/** Up to five cells. */
type SkeletonProps = { count: number; testId?: string };

/** The skeleton of a strip: each bar where its text will be. */
export function FigureStripSkeleton({ count, testId }: SkeletonProps): React.JSX.Element {
  return (
    <div className={STRIP}>
      {CELLS.slice(0, count).map((cell) => (
        <div key={cell} data-testid={testId}>
          <Skeleton className="my-0.5 h-3 w-20" />
          <Skeleton className="my-[7px] h-3 w-24" />
          <Skeleton className="my-0.5 h-3 w-28" />
        </div>
      ))}
    </div>
  );
}
