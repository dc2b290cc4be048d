import { createContext, useContext } from 'react';
import type { BulkOutcome, ListingRow, ListingSelection } from '#contract/listings.ts';
import type { FieldName } from './fields-form.ts';

/** What an act is about: one listing, some, or everything that a filter shows. */
export interface ActTarget {
  readonly selection: ListingSelection;
  readonly count: number;
  /** The listing, when the act began at its row; null for the selection. */
  readonly row: ListingRow | null;
}

/** The dialog in view and what it is about. */
export type ListingDialog =
  | { readonly kind: 'costs'; readonly listingId: string }
  | { readonly kind: 'hold' | 'apply' | 'delete'; readonly target: ActTarget }
  | { readonly kind: 'fields'; readonly target: ActTarget; readonly ticked?: FieldName }
  | { readonly kind: 'repricing'; readonly target: ActTarget; readonly isOn: boolean }
  | { readonly kind: 'outcome'; readonly title: string; readonly outcome: BulkOutcome };

/** What rows, bars and dialogs may ask of the screen they stand on. */
export interface ListingsScreen {
  /** Shows a dialog; null closes it. */
  readonly openDialog: (dialog: ListingDialog | null) => void;
  /** Shows the analytics of a listing beside the list. */
  readonly openPanel: (id: string) => void;
  /** Has the price of a listing edited in its row. */
  readonly askPrice: (id: string) => void;
  /** The selection was acted upon. */
  readonly clearSelection: () => void;
  /** Why an act on the selection was refused; null for none. */
  readonly setProblem: (problem: string | null) => void;
}

export const ListingsScreenContext: React.Context<ListingsScreen> = createContext<ListingsScreen>({
  openDialog: () => undefined,
  openPanel: () => undefined,
  askPrice: () => undefined,
  clearSelection: () => undefined,
  setProblem: () => undefined,
});

export const useListingsScreen = (): ListingsScreen => useContext(ListingsScreenContext);

/** One listing as the target of an act. */
export function onlyThis(row: ListingRow): ActTarget {
  return { selection: { ids: [row.id] }, count: 1, row };
}
