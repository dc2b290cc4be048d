import {
  columnOrderingFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { useMemo } from 'react';
import { useMediaQuery } from '#web/lib/use-media-query.ts';
import {
  type Density,
  MAX_COLUMN_WIDTH,
  MIN_COLUMN_WIDTH,
  type PlacedColumn,
  placeColumns,
  type TableColumn,
} from './column.ts';
import {
  clampWidth,
  hiddenIds,
  moveColumn,
  orderedIds,
  type TableLayout,
  withVisible,
} from './table-layout.ts';
import { useStoredLayout } from './use-stored-layout.ts';

const features = tableFeatures({ columnOrderingFeature, columnSizingFeature, columnVisibilityFeature });
/** The library only arranges columns; rows are rendered from the server's page. */
const NO_ROWS: never[] = [];

export interface TableLayoutControl<Row> {
  /** The visible columns, in order. */
  readonly placed: readonly PlacedColumn<Row>[];
  /** Every column in order, visible or not; an empty one has no value in the whole result. */
  readonly all: readonly {
    readonly column: TableColumn<Row>;
    readonly isVisible: boolean;
    readonly isEmpty: boolean;
  }[];
  /** Width of all visible columns in pixels. */
  readonly totalWidth: number;
  readonly density: Density;
  readonly isChanged: boolean;
  readonly setDensity: (density: Density) => void;
  readonly setVisible: (id: string, isVisible: boolean) => void;
  readonly setWidth: (id: string, width: number) => void;
  readonly move: (id: string, step: -1 | 1) => void;
  readonly reset: () => void;
}

type LayoutOptions<Row> = {
  name: string;
  /** The default layout: that of a saved view. */
  base?: TableLayout | undefined;
  columns: readonly TableColumn<Row>[];
  /** Ids of columns without one value in the whole result. */
  empty?: readonly string[] | undefined;
  /** Column by which the server sorts: it stays visible. */
  sortedBy?: string | undefined;
  /** A panel next to the table takes a part of its room. */
  hasPanel?: boolean;
  density: Density;
  /** Pixels before the first column. */
  startAt: number;
};

/** Which columns a table shows, their width and order; stored per user and table in this browser. */
export function useTableLayout<Row>(options: LayoutOptions<Row>): TableLayoutControl<Row> {
  const { columns, startAt, empty = NO_COLUMNS, sortedBy, hasPanel = false } = options;
  const { layout, isChanged, save, reset } = useStoredLayout(options.name, options.base);
  const arranged = useColumns(columns, layout);
  const canFold = useMediaQuery(FOLDS);
  const leaves = useMemo(
    () => folded(arranged, canFold ? { empty, shown: layout.shown, sortedBy, hasPanel } : NOTHING_FOLDED),
    [arranged, canFold, empty, layout, sortedBy, hasPanel],
  );
  const placed = useMemo(
    () =>
      placeColumns(
        leaves.filter(({ isVisible }) => isVisible),
        startAt,
      ),
    [leaves, startAt],
  );
  return {
    placed,
    all: leaves,
    totalWidth: placed.reduce((sum, { width }) => sum + width, startAt),
    density: layout.density ?? options.density,
    isChanged,
    setDensity: (density) => save({ ...layout, density }),
    setVisible: (id, isVisible) =>
      save(withVisible(layout, columns, id, isVisible, canFold && empty.includes(id))),
    setWidth: (id, width) => save({ ...layout, widths: { ...layout.widths, [id]: clampWidth(width) } }),
    move: (id, step) => save(moveColumn(layout, columns, id, step)),
    reset,
  };
}

/** Below this width the table scrolls sideways anyway: nothing folds. */
const FOLDS = '(min-width: 1280px)';
const NO_COLUMNS: readonly string[] = [];

interface Folding {
  readonly empty: readonly string[];
  /** Columns that the user wants to see, empty or not. */
  readonly shown: readonly string[] | undefined;
  readonly sortedBy: string | undefined;
  readonly hasPanel: boolean;
}

const NOTHING_FOLDED: Folding = {
  empty: NO_COLUMNS,
  shown: NO_COLUMNS,
  sortedBy: undefined,
  hasPanel: false,
};

/** Hides columns without a value, and those that the panel next to the table shows. */
function folded<Row>(
  arranged: readonly { column: TableColumn<Row>; width: number; isVisible: boolean }[],
  { empty, shown = NO_COLUMNS, sortedBy, hasPanel }: Folding,
) {
  return arranged.map(({ column, width, isVisible }) => {
    const isSorted = column.sort !== undefined && column.sort === sortedBy;
    const isEmpty = empty.includes(column.id) && !isSorted;
    const isFolded =
      (isEmpty && !shown.includes(column.id)) || (hasPanel && column.isInPanel === true && !isSorted);
    return { column, width, isEmpty, isVisible: isVisible && !isFolded };
  });
}

function useColumns<Row>(columns: readonly TableColumn<Row>[], layout: TableLayout) {
  const definitions = useMemo(
    () =>
      columns.map(({ id, width, pinned }) => ({
        id,
        size: width,
        minSize: MIN_COLUMN_WIDTH,
        maxSize: MAX_COLUMN_WIDTH,
        enableHiding: pinned === undefined,
      })),
    [columns],
  );
  const state = useMemo(
    () => ({
      columnOrder: orderedIds(columns, layout.order),
      columnVisibility: Object.fromEntries(hiddenIds(columns, layout).map((id) => [id, false])),
      columnSizing: { ...layout.widths },
    }),
    [columns, layout],
  );
  // The library treats new options as a new table: then every row would render again with each change around it.
  const options = useMemo(
    () => ({ features, columns: definitions, data: NO_ROWS, state }),
    [definitions, state],
  );
  const table = useTable(options);
  return useMemo(() => {
    const byId = new Map(columns.map((column) => [column.id, column]));
    const order = state.columnOrder;
    return [...table.getAllLeafColumns()]
      .sort((one, other) => order.indexOf(one.id) - order.indexOf(other.id))
      .flatMap((leaf) => {
        const column = byId.get(leaf.id);
        if (column === undefined) return [];
        const isVisible = column.pinned !== undefined || leaf.getIsVisible();
        return [{ column, width: leaf.getSize(), isVisible }];
      });
  }, [table, columns, state]);
}
