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
