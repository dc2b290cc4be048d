import { memo } from 'react';
import { classNames } from '#web/lib/class-names.ts';
import { ALIGN, type PlacedColumn } from './column.ts';
import { SelectBox } from './select-box.tsx';

export type TableRowProps<Row> = {
  row: Row;
  id: string;
  name: string;
  /** Row number in the whole list, from 2: the header is 1. */
  rowIndex: number;
  placed: readonly PlacedColumn<Row>[];
  height: number;
  /** Null without selection. */
  isSelected: boolean | null;
  /** The panel next to the table shows it. */
  isOpen: boolean;
  onToggle: (id: string, isOn: boolean, withRange: boolean) => void;
  /** Measures rows of unknown height. */
  measure?: ((element: HTMLTableRowElement | null) => void) | undefined;
  index?: number;
};

function PlainRow<Row>(props: TableRowProps<Row>): React.JSX.Element {
  const { row, id, name, placed, isSelected, onToggle, height } = props;
  return (
    <tr
      ref={props.measure}
      data-index={props.index}
      data-row-id={id}
      data-selected={isSelected === true || undefined}
      data-open={props.isOpen || undefined}
      tabIndex={-1}
      aria-rowindex={props.rowIndex}
      style={{ height }}
      className="table-row-line"
    >
      {isSelected !== null && (
        <td className="table-cell-box table-pinned-left left-0 p-0">
          <SelectBox
            label={`Select ${name}`}
            checked={isSelected}
            onToggle={(isOn, withRange) => onToggle(id, isOn, withRange)}
          />
        </td>
      )}
      <Cells row={row} placed={placed} />
    </tr>
  );
}

type CellsProps<Row> = Pick<TableRowProps<Row>, 'row' | 'placed'>;

function PlainCells<Row>({ row, placed }: CellsProps<Row>): React.JSX.Element {
  return (
    <>
      {placed.map(({ column, style }) => {
        const Cell = column.isRowHeader === true ? 'th' : 'td';
        return (
          <Cell
            key={column.id}
            data-column={column.id}
            style={style}
            scope={column.isRowHeader === true ? 'row' : undefined}
            className={classNames(
              'table-cell-box font-normal',
              ALIGN[column.align ?? 'left'],
              column.pinned !== undefined && `table-pinned-${column.pinned}`,
            )}
          >
            {column.cell(row)}
          </Cell>
        );
      })}
    </>
  );
}

/** Cells do not depend on the selection: selecting a whole page renders the checkboxes again, and no cell. */
const Cells = memo(PlainCells) as typeof PlainCells;

/** One row. It renders again only when its own data or selection changes: selecting a row renders one row, not 200. */
export const TableRow = memo(PlainRow) as typeof PlainRow;
