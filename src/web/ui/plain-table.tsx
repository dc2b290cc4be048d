import type { ComponentProps } from 'react';
import { classNames } from '#web/lib/class-names.ts';

// A scrolling region must be reachable by keyboard (WCAG 2.1.1), even if nothing in it can be focused.
const REACHABLE = { tabIndex: 0 };

type PlainTableProps = {
  caption: string;
  /** Inside a card, which has the edge. */
  isBare?: boolean;
  className?: string;
  children: React.ReactNode;
};

/** In a card it has the edges of that: lines above and below, its text as far in as that of the card. */
const IN_CARD =
  'in-[.shadow-card]:rounded-none in-[.shadow-card]:border-x-0 in-[.shadow-card]:shadow-none in-[.shadow-card]:[&_:is(td,th)]:first:pl-0 in-[.shadow-card]:[&_:is(td,th)]:last:pr-0';

/** A short table without sorting or selection. It scrolls sideways in its own region, which can be focused. */
export function PlainTable({
  caption,
  isBare = false,
  className,
  children,
}: PlainTableProps): React.JSX.Element {
  return (
    <section
      aria-label={caption}
      {...REACHABLE}
      className={classNames(
        // Positioned, or texts for screen readers alone would widen the page instead of scrolling with the rest.
        'relative overflow-x-auto',
        isBare
          ? '[&_:is(td,th)]:first:pl-4 [&_:is(td,th)]:last:pr-4'
          : `rounded-lg border bg-surface shadow-card [&_:is(td,th)]:first:pl-4 [&_:is(td,th)]:last:pr-4 ${IN_CARD}`,
        className,
      )}
    >
      <table className="w-full border-collapse">
        <caption className="sr-only">{caption}</caption>
        {children}
      </table>
    </section>
  );
}

type CellProps = ComponentProps<'td'> & { numeric?: boolean };

/** A column's header; right-aligned for numbers. */
export function HeadCell({ numeric = false, className, ...rest }: CellProps): React.JSX.Element {
  return (
    <th
      scope="col"
      className={classNames(
        'h-8 border-b px-3 text-sm font-medium whitespace-nowrap text-fg-muted',
        numeric ? 'text-right' : 'text-left',
        className,
      )}
      {...rest}
    />
  );
}

/** A cell of 40 px. */
export function Cell({ numeric = false, className, ...rest }: CellProps): React.JSX.Element {
  return (
    <td
      className={classNames(
        'h-10 border-b px-3 py-1.5 in-[tr:last-child]:border-b-0',
        numeric ? 'text-right tabular-nums' : 'text-left',
        className,
      )}
      {...rest}
    />
  );
}
