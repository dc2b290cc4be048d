import type { Density, TableColumn } from './column.ts';
import type { TableLayout } from './table-layout.ts';
import type { TableSelection } from './use-selection.ts';

/** One page of a list from the server. */
export interface TableData<Row> {
  readonly rows: readonly Row[];
  readonly total: number;
  /** False while the total is an estimate. */
  readonly isTotalExact?: boolean;
  /** Columns without one value in the whole result: hidden, until the user shows them. */
  readonly emptyColumns?: readonly string[];
}

/** The parts of a query that a table needs; a query of TanStack Query fits. */
export interface TableQuery<Row> {
  readonly data: TableData<Row> | undefined;
  readonly error: Error | null;
  readonly isFetching: boolean;
  /** The rows are those of the previous page, while the next one is loading. */
  readonly isPlaceholderData: boolean;
  readonly refetch: () => unknown;
}

export interface TableSort {
  readonly by: string;
  readonly descending: boolean;
}

export interface TablePaging {
  /** From 1. */
  readonly page: number;
  readonly size: number;
  readonly sizes: readonly number[];
  readonly onPage: (page: number) => void;
  readonly onSize: (size: number) => void;
  /** The pager's text without rows: "No SKUs". Undefined: no pager. */
  readonly none?: string;
  /** While a page is loading, no other one can be requested. */
  readonly waits?: boolean;
}

/** Open and edit, by either of their keys. */
export type RowKey = 'Enter' | 'o' | 'e' | 'F2';

/** Props of a table. Columns must be the same array on every render. */
export interface DataTableProps<Row> {
  /** The storage name of its layout: "listings". */
  readonly name: string;
  /** The default layout: that of a saved view. */
  readonly baseLayout?: TableLayout | undefined;
  /** Name of the table, announced first. */
  readonly caption: string;
  /** "listing", "listings" */
  readonly noun: { readonly one: string; readonly many: string };
  /** Texts while rows are loading, and when they failed to load; default: built from the noun. */
  readonly texts?: { readonly loading?: string; readonly failed?: string };
  readonly columns: readonly TableColumn<Row>[];
  readonly rowId: (row: Row) => string;
  /** The accessible name of a row: its SKU. */
  readonly rowName: (row: Row) => string;
  readonly query: TableQuery<Row>;
  readonly sort?: TableSort | null;
  readonly onSort?: (sort: TableSort) => void;
  /** Undefined: all rows are on one page. */
  readonly paging?: TablePaging;
  /** Instead of numbered pages: the list's own paging. */
  readonly foot?: React.ReactNode;
  readonly selection?: TableSelection;
  /** The buttons of the bulk bar. */
  readonly bulkActions?: React.ReactNode;
  readonly density?: Density;
  /** The row that a panel next to the table shows; the panel takes a part of the room. Null: none is open. */
  readonly openRow?: string | null;
  /** Tabs of the list's views, at the start of the toolbar. */
  readonly views?: React.ReactNode;
  /** Search and filters, at the end of the toolbar above the table. */
  readonly toolbar?: React.ReactNode;
  /** Between toolbar and table: active filters. */
  readonly notes?: React.ReactNode;
  /** A row on a narrow screen; the checkbox is next to it. */
  readonly card: (row: Row) => React.ReactNode;
  /** The cards have a control that selects the first row: until then they need no checkboxes. */
  readonly cardsStartSelection?: boolean;
  /** Whether a search or filter is active: then an empty list means no results. */
  readonly isFiltered: boolean;
  /** Shown instead of the table when the list is empty without filters. */
  readonly empty: React.ReactNode;
  readonly noResults: React.ReactNode;
  /** Keyboard actions on the focused row. */
  readonly rowKeys?: Readonly<Partial<Record<RowKey, (row: Row) => void>>>;
}
