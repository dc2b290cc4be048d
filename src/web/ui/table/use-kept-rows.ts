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
 * @param asked offset of the requested page
 */
export function useKeptOffset<Row>({ data, isPlaceholderData }: TableQuery<Row>, asked: number): number {
  const [kept, keep] = useState(asked);
  const isAsked = data !== undefined && isPlaceholderData !== true;
  if (isAsked && kept !== asked) keep(asked);
  return isAsked ? asked : kept;
}
