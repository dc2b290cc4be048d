import type { ReadingSource } from '#domain/readings/assess-reading.ts';

/** What a marketplace showed a price in, within a sentence. */
export const READING_SOURCE_LABELS: Readonly<Record<ReadingSource, string>> = {
  item: 'listing',
  list: 'list',
  document: 'report',
  event: 'message',
};
