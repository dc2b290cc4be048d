import { useEffect } from 'react';
import { announce } from '#web/lib/announce.ts';
import { formatCount } from '#web/lib/format.ts';
import { lastPage } from '#web/ui/pager.tsx';
import type { DataTableProps } from './table-types.ts';

/** Announces every change of a list: number of rows, order, page. */
export function useTableAnnouncement<Row>(props: DataTableProps<Row>): void {
  const text = wording(props);
  useEffect(() => {
    if (text !== null) announce(text);
  }, [text]);
}

function wording<Row>({ query, noun, columns, sort, paging }: DataTableProps<Row>): string | null {
  const { data } = query;
  if (data === undefined || query.isPlaceholderData) return null;
  if (data.total === 0) return `No ${noun.many}`;
  const about = data.isTotalExact === false ? 'About ' : '';
  const parts = [`${about}${formatCount(data.total)} ${data.total === 1 ? noun.one : noun.many}`];
  const sorted = columns.find((column) => column.sort !== undefined && column.sort === sort?.by);
  if (sorted !== undefined) {
    parts.push(`sorted by ${sorted.label}, ${sort?.descending === true ? 'descending' : 'ascending'}`);
  }
  const pages = paging === undefined ? 1 : lastPage(data.total, paging.size);
  if (paging !== undefined && pages > 1)
    parts.push(`page ${formatCount(paging.page)} of ${formatCount(pages)}`);
  return parts.join(', ');
}
