import { createContext, useContext } from 'react';
import type { BulkOutcome, ListingRow, ListingSelection } from '#contract/listings.ts';
import type { FieldName } from './fields-form.ts';

/** The target of an action: one listing, some, or all that match a filter. */
export interface ActionTarget {
  readonly selection: ListingSelection;
  readonly count: number;
  /** The listing, if the action started at its row; null for the selection. */
  readonly row: ListingRow | null;
}

/** The open dialog and its target. */
export type ListingDialog =
  | { readonly kind: 'costs'; readonly listingId: string }
  | { readonly kind: 'hold' | 'apply' | 'delete'; readonly target: ActionTarget }
  | { readonly kind: 'fields'; readonly target: ActionTarget; readonly ticked?: FieldName }
  | { readonly kind: 'repricing'; readonly target: ActionTarget; readonly isOn: boolean }
  | { readonly kind: 'outcome'; readonly title: string; readonly outcome: BulkOutcome };

/** What rows, bars and dialogs need from their screen. */
export interface ListingsScreen {
  /** Shows a dialog; null closes it. */
  readonly openDialog: (dialog: ListingDialog | null) => void;
  /** Shows the analytics of a listing next to the list. */
  readonly openPanel: (id: string) => void;
  /** Opens the price editor in the row of a listing. */
  readonly editPrice: (id: string) => void;
  /** Selects one listing. */
  readonly select: (id: string) => void;
  /** Called after an action on the selection. */
  readonly clearSelection: () => void;
  /** Why an action on the selection was rejected; null for none. */
  readonly setProblem: (problem: string | null) => void;
}

export const ListingsScreenContext: React.Context<ListingsScreen> = createContext<ListingsScreen>({
  openDialog: () => undefined,
  openPanel: () => undefined,
  editPrice: () => undefined,
  select: () => undefined,
  clearSelection: () => undefined,
  setProblem: () => undefined,
});

export const useListingsScreen = (): ListingsScreen => useContext(ListingsScreenContext);

/** One listing as a target. */
export function onlyThis(row: ListingRow): ActionTarget {
  return { selection: { ids: [row.id] }, count: 1, row };
}
