import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react';
import { classNames } from '#web/lib/class-names.ts';
import { ALIGN, type PlacedColumn } from './column.ts';
import { ColumnResizer } from './column-resizer.tsx';
import type { TableSort } from './table-types.ts';

type HeaderRowProps<Row> = {
  placed: readonly PlacedColumn<Row>[];
  sort: TableSort | null;
  onSort: ((sort: TableSort) => void) | undefined;
  onWidth: (id: string, width: number) => void;
  /** The checkbox for the page; undefined without selection. */
  selectBox: React.ReactNode;
};

/** The column headers: they sort and resize, and stay visible. */
export function HeaderRow<Row>(props: HeaderRowProps<Row>): React.JSX.Element {
  return (
    <thead>
      <tr aria-rowindex={1} className="bg-surface">
        {props.selectBox !== undefined && (
          <th scope="col" className="table-head table-pinned-left left-0 w-10 p-0">
            {props.selectBox}
          </th>
        )}
        {props.placed.map((placed) => (
          <HeaderCell key={placed.column.id} {...props} placed={placed} />
        ))}
      </tr>
    </thead>
  );
}

function HeaderCell<Row>({
  placed: { column, width, style },
  sort,
  onSort,
  onWidth,
}: Omit<HeaderRowProps<Row>, 'placed'> & { placed: PlacedColumn<Row> }): React.JSX.Element {
  const isSorted = sort !== null && column.sort !== undefined && sort.by === column.sort;
  const align = column.align ?? 'left';
  return (
    <th
      scope="col"
      data-column={column.id}
      aria-sort={isSorted ? (sort.descending ? 'descending' : 'ascending') : undefined}
      style={style}
      className={classNames(
        'table-head text-fg-muted',
        ALIGN[align],
        column.pinned !== undefined && `table-pinned-${column.pinned}`,
      )}
    >
      {column.sort !== undefined && onSort !== undefined ? (
        <button
          type="button"
          onClick={() =>
            onSort({ by: column.sort ?? column.id, descending: isSorted ? !sort.descending : false })
          }
          className={classNames(
            'group/sort inline-flex h-7 w-full items-center gap-0.5 rounded-sm text-left font-medium hover:text-fg focus-visible:outline-offset-[-2px]',
            align === 'right' && 'flex-row-reverse text-right',
            align === 'center' && 'justify-center',
            isSorted && 'text-fg',
          )}
        >
          <span className="line-clamp-2 print:line-clamp-none">{column.label}</span>
          <SortMark direction={isSorted ? (sort.descending ? 'down' : 'up') : null} />
        </button>
      ) : (
        <span className={column.isLabelHidden === true ? 'sr-only' : 'line-clamp-2 print:line-clamp-none'}>
          {column.label}
        </span>
      )}
      {column.pinned !== 'right' && (
        <ColumnResizer label={column.label} width={width} onWidth={(next) => onWidth(column.id, next)} />
      )}
    </th>
  );
}

function SortMark({ direction }: { direction: 'up' | 'down' | null }): React.JSX.Element {
  const Icon = direction === null ? ChevronsUpDown : direction === 'up' ? ArrowUp : ArrowDown;
  return (
    <Icon
      aria-hidden
      className={classNames(
        'size-3 shrink-0',
        direction === null && 'hidden group-hover/sort:block group-focus-visible/sort:block',
      )}
    />
  );
}
