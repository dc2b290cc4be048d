import { useState } from 'react';
import type { TableQuery } from './table-types.ts';

/**
 * Keeps the last rows while another page, sort or filter fails to load: without a connection the table must not
 * become empty.
 */
export function useKeptRows<Row>(query: TableQuery<Row>): TableQuery<Row> {
  const [kept, keep] = useState(query.data);
  if (query.data !== undefined && query.data !== kept) keep(query.data);
  if (query.data !== undefined || query.error === null || kept === undefined) return query;
  return { ...query, data: kept, isPlaceholderData: true };
}

/**
 * The number of rows before the first one shown: while the next page is loading, the visible rows are still those of
 * the previous page.
 * @param current offset of the requested page
 */
export function useKeptOffset<Row>({ data, isPlaceholderData }: TableQuery<Row>, current: number): number {
  const [kept, keep] = useState(current);
  const isLoaded = data !== undefined && isPlaceholderData !== true;
  if (isLoaded && kept !== current) keep(current);
  return isLoaded ? current : kept;
}
