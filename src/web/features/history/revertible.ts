import type { HistoryEntry } from '#contract/history.ts';

/** An entry with a price to go back to. */
export type Revertible = HistoryEntry & { readonly oldPrice: string };

/** There was a price before, it is not in force, and its listing is still there. */
export function canRevert(entry: HistoryEntry): entry is Revertible {
  return entry.oldPrice !== null && entry.oldPrice !== entry.currentPrice && !entry.isListingDeleted;
}

/** "3-12": what a row is called in the list, and in the address. */
export function entryKey({ listingId, id }: HistoryEntry): string {
  return `${listingId}-${id}`;
}
