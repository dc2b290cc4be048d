import type { Density, TableColumn } from './column.ts';
import type { TableLayout } from './table-layout.ts';
import type { TableSelection } from './use-selection.ts';

/** One page of a list as the server answers it. */
export interface TableData<Row> {
  readonly rows: readonly Row[];
  readonly total: number;
  /** False while the total is an estimate. */
  readonly isTotalExact?: boolean;
}

/** The part of a query that a table needs; a query of TanStack Query fits. */
export interface TableQuery<Row> {
  readonly data: TableData<Row> | undefined;
  readonly error: Error | null;
  readonly isFetching: boolean;
  /** The rows of the page before, while the next one is on its way. */
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
  /** The pager says so when there are no rows: "No SKUs". Left out: then there is no pager. */
  readonly none?: string;
  /** No other page can be asked for while one is on its way. */
  readonly waits?: boolean;
}

/** Open, by either key, and edit, by either key. */
export type RowKey = 'Enter' | 'o' | 'e' | 'F2';

/** What a table is told. Columns must be the same array from one drawing to the next. */
export interface DataTableProps<Row> {
  /** Under which the layout is kept: "listings". */
  readonly name: string;
  /** The arrangement of columns until a person changes it: that of a saved view. */
  readonly baseLayout?: TableLayout | undefined;
  /** What the table shows, read out first. */
  readonly caption: string;
  /** "listing", "listings" */
  readonly noun: { readonly one: string; readonly many: string };
  /** What is said while rows are on their way, and when they could not be had; the words of the noun unless given. */
  readonly texts?: { readonly loading?: string; readonly failed?: string };
  readonly columns: readonly TableColumn<Row>[];
  readonly rowId: (row: Row) => string;
  /** Names a row to somebody who does not see it: its SKU. */
  readonly rowName: (row: Row) => string;
  readonly query: TableQuery<Row>;
  readonly sort?: TableSort | null;
  readonly onSort?: (sort: TableSort) => void;
  /** Left out: all rows are on one page. */
  readonly paging?: TablePaging;
  /** Instead of numbered pages: a way to other rows of the list's own. */
  readonly foot?: React.ReactNode;
  readonly selection?: TableSelection;
  /** The buttons of the bulk bar. */
  readonly bulkActions?: React.ReactNode;
  readonly density?: Density;
  /** Search and filters, at the start of the bar above the table. */
  readonly toolbar?: React.ReactNode;
  /** Between the bar and the table: filters in force. */
  readonly notes?: React.ReactNode;
  /** A row on a narrow screen; the checkbox stands beside it. */
  readonly card: (row: Row) => React.ReactNode;
  /** Whether a search or filter is in force: then no rows means no results. */
  readonly isFiltered: boolean;
  /** Instead of the table when there is nothing at all yet. */
  readonly empty: React.ReactNode;
  readonly noResults: React.ReactNode;
  /** What keys do on the row that has the focus. */
  readonly rowKeys?: Readonly<Partial<Record<RowKey, (row: Row) => void>>>;
}
