import { measureElement, useVirtualizer } from '@tanstack/react-virtual';
import { HEAD_HEIGHT, ROW_HEIGHTS } from './column.ts';
import { TableRow, type TableRowProps } from './table-row.tsx';

export type TableBodyProps<Row> = Pick<TableRowProps<Row>, 'placed' | 'onToggle'> & {
  rows: readonly Row[];
  rowId: (row: Row) => string;
  rowName: (row: Row) => string;
  density: keyof typeof ROW_HEIGHTS;
  /** Number of rows before the first of this page. */
  offset: number;
  isSelected: ((id: string) => boolean) | null;
  /** The row in the panel next to the table. */
  openRow: string | null;
};

/** Above this number of rows only those near the window are rendered. */
export const PLAIN_ROWS = 100;

/** All rows at once. */
export function PlainBody<Row>(props: TableBodyProps<Row>): React.JSX.Element {
  return (
    <tbody>
      {props.rows.map((row, index) => (
        <BodyRow key={props.rowId(row)} row={row} index={index} {...props} />
      ))}
    </tbody>
  );
}

type VirtualBodyProps<Row> = TableBodyProps<Row> & { scroller: React.RefObject<HTMLElement | null> };

/** The rows near the window, with space above and below for the others. */
export function VirtualBody<Row>(props: VirtualBodyProps<Row>): React.JSX.Element {
  const virtualizer = useVirtualizer({
    count: props.rows.length,
    getScrollElement: () => props.scroller.current,
    estimateSize: () => ROW_HEIGHTS[props.density],
    overscan: 12,
    // Read after layout: reading it earlier would force a layout for each new row.
    measureElement: (row, entry, all) =>
      entry === undefined
        ? (all.measurementsCache[all.indexFromElement(row)]?.size ?? ROW_HEIGHTS[props.density])
        : measureElement(row, entry, all),
    // The header covers the top of the window.
    scrollPaddingStart: HEAD_HEIGHT,
    getItemKey: (index) => {
      const row = props.rows[index];
      return row === undefined ? index : props.rowId(row);
    },
  });
  const items = virtualizer.getVirtualItems();
  const before = items[0]?.start ?? 0;
  const after = virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0);
  return (
    <tbody>
      {before > 0 && <tr aria-hidden style={{ height: before }} />}
      {items.map(({ index }) => {
        const row = props.rows[index];
        if (row === undefined) return null;
        return (
          <BodyRow
            key={props.rowId(row)}
            row={row}
            index={index}
            measure={virtualizer.measureElement}
            {...props}
          />
        );
      })}
      {after > 0 && <tr aria-hidden style={{ height: after }} />}
    </tbody>
  );
}

function BodyRow<Row>(
  props: TableBodyProps<Row> & { row: Row; index: number; measure?: TableRowProps<Row>['measure'] },
): React.JSX.Element {
  const { row, index, rowId, rowName, isSelected } = props;
  const id = rowId(row);
  return (
    <TableRow
      row={row}
      id={id}
      name={rowName(row)}
      index={index}
      rowIndex={props.offset + index + 2}
      placed={props.placed}
      height={ROW_HEIGHTS[props.density]}
      isSelected={isSelected === null ? null : isSelected(id)}
      isOpen={props.openRow === id}
      onToggle={props.onToggle}
      measure={props.measure}
    />
  );
}
