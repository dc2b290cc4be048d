import { useState } from 'react';
import type { TableQuery } from './table-types.ts';

/**
 * The rows that were shown last stay while another page, sort or filter cannot be loaded: without a connection a table
 * that empties itself loses what the person was looking at.
 */
export function useKeptRows<Row>(query: TableQuery<Row>): TableQuery<Row> {
  const [kept, keep] = useState(query.data);
  if (query.data !== undefined && query.data !== kept) keep(query.data);
  if (query.data !== undefined || query.error === null || kept === undefined) return query;
  return { ...query, data: kept, isPlaceholderData: true };
}

/**
 * How many rows of the list come before the first that is shown: while the next page is on its way, the rows in view
 * are still those of the page before.
 * @param asked of the page that is asked for
 */
export function useKeptOffset<Row>({ data, isPlaceholderData }: TableQuery<Row>, asked: number): number {
  const [kept, keep] = useState(asked);
  const isAsked = data !== undefined && isPlaceholderData !== true;
  if (isAsked && kept !== asked) keep(asked);
  return isAsked ? asked : kept;
}
