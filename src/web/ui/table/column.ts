/** One column of a table. */
export interface TableColumn<Row> {
  readonly id: string;
  /** The header, as in the specification. */
  readonly label: string;
  /** Pixels, until the user resizes it. */
  readonly width: number;
  /** Right for numbers, so that their digits align. */
  readonly align?: 'left' | 'right' | 'center';
  /** The server's name for this order; a column without one cannot be sorted. */
  readonly sort?: string;
  /** Stays visible while the rest scrolls sideways; it cannot be hidden or moved. */
  readonly pinned?: 'left' | 'right';
  /** Takes the remaining width. One column of a table. */
  readonly grows?: boolean;
  /** Names the row: announced with each of its cells. One column of a table. */
  readonly isRowHeader?: boolean;
  /** Hidden until the user shows it. */
  readonly isOptional?: boolean;
  /** Hidden while a panel next to the table takes its room: the panel shows the value. */
  readonly isInPanel?: boolean;
  /** The header is for screen readers alone, as above menu buttons. */
  readonly isLabelHidden?: boolean;
  readonly cell: (row: Row) => React.ReactNode;
}

/** A column cannot be made narrower than this, in pixels. */
export const MIN_COLUMN_WIDTH = 48;
export const MAX_COLUMN_WIDTH = 800;
/** Width of the column of checkboxes, in pixels. */
export const SELECT_WIDTH = 40;

/** Height of the header in pixels: two lines. */
export const HEAD_HEIGHT = 32;

/**
 * Row height in pixels at each density. Two lines of a cell, 35 px with the border below, fit into each. The default has room
 * for two targets of 24 px below each other, as a price with its Apply: lower rows would differ in height.
 */
export const ROW_HEIGHTS = { comfortable: 52, default: 48, compact: 36 } as const;
export type Density = keyof typeof ROW_HEIGHTS;

export const ALIGN = {
  left: 'text-left',
  right: 'text-right tabular-nums',
  center: 'text-center',
} as const satisfies Record<NonNullable<TableColumn<unknown>['align']>, string>;

/** A column with its current width. */
export interface PlacedColumn<Row> {
  readonly column: TableColumn<Row>;
  readonly width: number;
  /** For pinned columns. */
  readonly style: { readonly left?: number; readonly right?: number };
}

/** The visible columns with their widths, and the positions of the pinned ones. */
export function placeColumns<Row>(
  columns: readonly { column: TableColumn<Row>; width: number }[],
  startAt: number,
): readonly PlacedColumn<Row>[] {
  let left = startAt;
  let right = columns.reduce((sum, { column, width }) => sum + (column.pinned === 'right' ? width : 0), 0);
  return columns.map(({ column, width }) => {
    if (column.pinned === 'left') {
      left += width;
      return { column, width, style: { left: left - width } };
    }
    if (column.pinned === 'right') {
      right -= width;
      return { column, width, style: { right } };
    }
    return { column, width, style: {} };
  });
}
