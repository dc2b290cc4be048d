import { queryOptions } from '@tanstack/react-query';
import { Books } from '#contract/books.ts';
import { call } from './api.ts';

/** Until which day the books are closed. */
export const booksQuery = queryOptions({
  queryKey: ['books'] as const,
  queryFn: () => call(Books, 'GET', '/api/books'),
});
