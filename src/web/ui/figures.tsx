import { Link } from '@tanstack/react-router';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { classNames } from '#web/lib/class-names.ts';
import { formatMoney, formatPercent } from '#web/lib/format.ts';
import type { ScreenLink } from './screen-link.ts';
import { Skeleton } from './skeleton.tsx';

/** How figures are arranged: a card of their own, a part of a card, or a card for each. */
export type FigureLook = 'card' | 'inCard' | 'cards';
/** How many are next to each other; two on a phone. */
type FigureColumns = 2 | 4 | 5;

// The gaps show the color behind the cells: hairlines without double edges.
const LINES = 'grid-cols-2 gap-px overflow-hidden rounded-lg bg-border *:bg-surface *:px-4';
/** The last of an odd number fills its row. */
const PAIRS = '*:last:odd:col-span-2';
const COLUMNS = { 2: PAIRS, 4: 'lg:grid-cols-4', 5: `${PAIRS} lg:grid-cols-5 lg:*:last:odd:col-span-1` };
const LOOKS = {
  card: `${LINES} border`,
  inCard: LINES,
  cards:
    'grid-cols-2 gap-3 *:px-3 md:*:px-4 *:rounded-lg *:border *:bg-surface *:shadow-card max-[360px]:grid-cols-1',
} as const satisfies Record<FigureLook, string>;

function gridClasses(look: FigureLook, columns: FigureColumns): string {
  return classNames('grid *:min-w-0 *:py-3', LOOKS[look], COLUMNS[columns]);
}

type FiguresProps = {
  look?: FigureLook;
  columns?: FigureColumns;
  className?: string;
  /** Each a `Figure`. */
  children: React.ReactNode;
};

/** Figures next to each other. */
export function Figures(props: FiguresProps): React.JSX.Element {
  const { look = 'card', columns = 2, className, children } = props;
  return <dl className={classNames(gridClasses(look, columns), className)}>{children}</dl>;
}

/** A change against earlier days. */
export interface FigureTrend {
  /** In percent, or what `unit` says: "-2.5". */
  readonly change: string;
  /** Percentage points for the change of a share, dollars for one of money. */
  readonly unit?: '%' | 'pts' | '$';
  /** Against when: "in 7 days". */
  readonly since: string;
  /** Announced only, where a line above says it. */
  readonly isSinceSaid?: boolean;
  /** Of a loss a rise is bad, of a count neither direction is. */
  readonly good?: 'up' | 'down' | 'neither';
}

type FigureProps = {
  label: string;
  /** The unit, the period, or what it is of. */
  note?: React.ReactNode;
  /** The list behind the figure: the whole cell links there. */
  link?: ScreenLink | undefined;
  /** Null hides it. */
  trend?: FigureTrend | null;
  /** A loss is red. */
  isLoss?: boolean;
  /** Right of the label: how it went. */
  aside?: React.ReactNode;
  /** The figure: formatted, such as "$1,234". */
  children: React.ReactNode;
};

/** One figure with its name and what it is of. */
export function Figure(props: FigureProps): React.JSX.Element {
  const { label, note, link, trend = null, isLoss = false, aside, children } = props;
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
      {aside !== undefined && (
        <dd aria-hidden className="pointer-events-none absolute top-3 right-4 max-md:hidden">
          {aside}
        </dd>
      )}
      <dd>
        <span className="flex flex-wrap items-center gap-x-2">
          <span
            className={classNames(
              'text-xl font-semibold break-words tabular-nums',
              isLoss && 'text-danger-text',
            )}
          >
            {typeof children === 'string' ? <FigureText text={children} /> : children}
          </span>
          {trend !== null && (
            <span className="text-sm text-fg-muted">
              <Trend {...trend} />{' '}
              <span className={trend.isSinceSaid === true ? 'sr-only' : undefined}>{trend.since}</span>
            </span>
          )}
        </span>
        {note !== undefined && <span className="block text-sm text-fg-muted">{note}</span>}
      </dd>
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
function Trend({ change, unit = '%', good = 'up' }: FigureTrend): React.JSX.Element {
  if (Number(change) === 0) return <span className="font-medium">Unchanged</span>;
  const isDown = change.startsWith('-');
  const size = change.replace('-', '');
  const Arrow = isDown ? ArrowDown : ArrowUp;
  const isGood = good === (isDown ? 'down' : 'up');
  const tone = isGood ? 'text-success-text' : 'text-danger-text';
  return (
    <span
      className={classNames(
        'inline-flex items-center gap-0.5 font-medium tabular-nums',
        good !== 'neither' && tone,
      )}
    >
      <Arrow aria-hidden className="size-3" />
      <span className="sr-only">{isDown ? 'Down' : 'Up'}</span> {sizeText(size, unit)}
    </span>
  );
}

function sizeText(size: string, unit: '%' | 'pts' | '$'): string {
  if (unit === '$') return formatMoney(size);
  const percent = formatPercent(size);
  return unit === '%' ? percent : percent.replace('%', ' pts');
}

type SkeletonProps = {
  look?: FigureLook;
  columns?: FigureColumns;
  /** Of the cells, whose number it is. */
  labels: readonly string[];
  /** On each cell. */
  testId?: string;
};

/** The skeleton of figures: each bar where its text will be. */
export function FigureSkeletons(props: SkeletonProps): React.JSX.Element {
  const { look = 'card', columns = 2, labels, testId } = props;
  return (
    <div className={gridClasses(look, columns)}>
      {labels.map((label) => (
        <div key={label} data-testid={testId}>
          <Skeleton className="my-0.5 h-3 w-20 max-w-full" />
          <Skeleton className="my-[7px] h-3 w-24 max-w-full" />
          <Skeleton className="my-0.5 h-3 w-28 max-w-full" />
        </div>
      ))}
    </div>
  );
}
