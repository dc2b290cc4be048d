import { useQuery } from '@tanstack/react-query';
import { localTimeOf } from '#domain/time/local-time.ts';
import { instant } from '#domain/units.ts';
import { booksQuery } from '#web/lib/books.ts';
import { useNow } from './moment-text.tsx';

/** The time zone in which days of sales and money are counted; UTC until it is loaded. */
export function useDayZone(): string {
  return useQuery(booksQuery).data?.timeZone ?? 'UTC';
}

/** Today where the shop is: "2026-11-21". */
export function useToday(): string {
  return localTimeOf(instant(useNow()), useDayZone()).day;
}
