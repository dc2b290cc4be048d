import { useEffect, useRef } from 'react';
import { classNames } from '#web/lib/class-names.ts';
import { useMediaQuery } from '#web/lib/use-media-query.ts';
import { type Density, HEAD_HEIGHT, type PlacedColumn, ROW_HEIGHTS, SELECT_WIDTH } from './column.ts';
import { HeaderRow } from './header-row.tsx';
import { RowSkeletons } from './row-skeletons.tsx';
import { SelectBox } from './select-box.tsx';
import { PLAIN_ROWS, PlainBody, VirtualBody } from './table-body.tsx';
import type { DataTableProps } from './table-types.ts';
import { useKeptOffset } from './use-kept-rows.ts';
import type { TableLayoutControl } from './use-table-layout.ts';
import type { RowSelection } from './use-table-selection.ts';

type TableRegionProps<Row> = DataTableProps<Row> & {
  layout: TableLayoutControl<Row>;
  rowSelection: RowSelection | null;
  /** No rows have arrived yet. */
  isWaiting: boolean;
  /** The rows are outdated, and the new ones are taking noticeably long. */
  isOld: boolean;
};

/** The table in its own scroll region, which scrolls both ways under a fixed header. */
export function TableRegion<Row>(props: TableRegionProps<Row>): React.JSX.Element {
  const { layout, rowSelection, query, caption, paging } = props;
  const scroller = useRef<HTMLElement>(null);
  const isPrinting = useMediaQuery('print');
  const rows = query.data?.rows ?? [];
  const offset = useKeptOffset(query, paging === undefined ? 0 : (paging.page - 1) * paging.size);
  // On paper there are no controls.
  const placed = isPrinting
    ? layout.placed.filter(({ column }) => column.isLabelHidden !== true)
    : layout.placed;
  const hasSelection = rowSelection !== null && !isPrinting;
  const body = {
    rows,
    rowId: props.rowId,
    rowName: props.rowName,
    placed,
    density: layout.density,
    offset,
    isSelected: hasSelection ? (props.selection?.has ?? null) : null,
    onToggle: rowSelection?.toggle ?? nothing,
    openRow: props.openRow ?? null,
  };
  const isExact = query.data?.isTotalExact !== false;
  return (
    <ScrollRegion
      label={caption}
      density={layout.density}
      isLower={(props.selection?.count ?? 0) > 0}
      scroller={scroller}
      isBusy={query.isFetching}
    >
      <table
        aria-rowcount={query.data === undefined || !isExact ? -1 : query.data.total + 1}
        style={isPrinting ? {} : { minWidth: layout.totalWidth }}
        className={classNames(
          'w-full table-fixed border-separate border-spacing-0',
          props.isOld && 'opacity-60',
        )}
      >
        <caption className="sr-only">{caption}</caption>
        <Columns placed={placed} hasSelection={hasSelection} isShared={isPrinting} />
        <HeaderRow
          placed={placed}
          sort={props.sort ?? null}
          onSort={props.onSort}
          onWidth={layout.setWidth}
          selectBox={
            rowSelection === null || isPrinting ? undefined : (
              <SelectBox
                label="Select all rows of this page"
                checked={rowSelection.page}
                onToggle={rowSelection.togglePage}
              />
            )
          }
        />
        {props.isWaiting ? (
          <RowSkeletons
            placed={placed}
            height={ROW_HEIGHTS[layout.density]}
            hasSelection={hasSelection}
            count={query.data?.rows.length}
          />
        ) : rows.length > PLAIN_ROWS && !isPrinting ? (
          <VirtualBody {...body} scroller={scroller} />
        ) : (
          <PlainBody {...body} />
        )}
      </table>
    </ScrollRegion>
  );
}

const nothing = (): undefined => undefined;

type ColumnsProps<Row> = {
  placed: readonly PlacedColumn<Row>[];
  hasSelection: boolean;
  /** As on paper: the columns share the available width. */
  isShared: boolean;
};

function Columns<Row>({ placed, hasSelection, isShared }: ColumnsProps<Row>): React.JSX.Element {
  const total = placed.reduce((sum, { width }) => sum + width, 0);
  return (
    <colgroup>
      {hasSelection && <col style={{ width: SELECT_WIDTH }} />}
      {placed.map(({ column, width }) => (
        <col
          key={column.id}
          style={isShared ? { width: `${(100 * width) / total}%` } : column.grows === true ? {} : { width }}
        />
      ))}
    </colgroup>
  );
}

/** A scroll region must be reachable by keyboard, although it is no control. */
const FOCUSABLE = { tabIndex: 0 };

type ScrollRegionProps = {
  label: string;
  density: Density;
  /** Leaves room after the last row for the bulk bar, which floats over the table. */
  isLower: boolean;
  scroller: React.RefObject<HTMLElement | null>;
  isBusy: boolean;
  children: React.ReactNode;
};

/** Scrolls with the keyboard too, and shades an edge where content is hidden. */
function ScrollRegion(props: ScrollRegionProps): React.JSX.Element {
  const { label, density, isLower, scroller, isBusy, children } = props;
  useTableHeight(scroller, ROW_HEIGHTS[density]);
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const mark = (): void => {
      element.toggleAttribute('data-more-left', element.scrollLeft > 1);
      const left = element.scrollWidth - element.clientWidth - element.scrollLeft;
      element.toggleAttribute('data-more-right', left > 1);
    };
    const observer = new ResizeObserver(mark);
    observer.observe(element);
    // A change of the columns moves the edges.
    if (element.firstElementChild !== null) observer.observe(element.firstElementChild);
    element.addEventListener('scroll', mark, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', mark);
    };
  }, [scroller]);
  return (
    <section
      ref={scroller}
      aria-label={label}
      aria-busy={isBusy}
      data-density={density}
      data-lower={isLower || undefined}
      {...FOCUSABLE}
      className="table-scroller bg-surface"
    >
      {children}
    </section>
  );
}

/** Height of the pager with the edges of the card, and the padding of the page, in pixels. */
const BELOW = 66;

/** Gives the table the remaining height of the window, rounded to whole rows. */
function useTableHeight(scroller: React.RefObject<HTMLElement | null>, rowHeight: number): void {
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const measure = (): void => {
      const top = element.getBoundingClientRect().top + window.scrollY;
      const available = window.innerHeight - top - BELOW;
      // Its borders, the header, and the horizontal scroll bar if there is one.
      const frame = element.offsetHeight - element.clientHeight + HEAD_HEIGHT;
      const wholeRows = (height: number): string =>
        `${frame + Math.floor((height - frame) / rowHeight) * rowHeight}px`;
      element.style.setProperty('--table-height', wholeRows(available));
    };
    measure();
    // Any change of height above the table changes the height of the page, or of the table's container.
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    if (element.parentElement !== null) observer.observe(element.parentElement);
    window.addEventListener('resize', measure);
    return () => {
      observer.disconnect();
      window.removeEventListener('resize', measure);
    };
  }, [scroller, rowHeight]);
}
