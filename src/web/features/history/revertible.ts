import type { HistoryEntry } from '#contract/history.ts';

/** An entry with a price to revert to. */
export type Revertible = HistoryEntry & { readonly oldPrice: string };

/** There is an old price, it is not in force, and the listing still exists. */
export function canRevert(entry: HistoryEntry): entry is Revertible {
  return entry.oldPrice !== null && entry.oldPrice !== entry.currentPrice && !entry.isListingDeleted;
}

/** "3-12": the key of a row in the list and in the address. */
export function entryKey({ listingId, id }: HistoryEntry): string {
  return `${listingId}-${id}`;
}
