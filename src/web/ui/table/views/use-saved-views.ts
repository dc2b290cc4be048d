import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { View, ViewList } from '#contract/views.ts';
import { isSameLayout, type TableLayout } from '#web/ui/table/table-layout.ts';
import { useStoredLayout } from '#web/ui/table/use-stored-layout.ts';
import { viewsQuery } from './view-calls.ts';

/** The parameters of a list's address, without the page. */
export type ViewParams = Readonly<Record<string, string>>;

/** A predefined view. */
export interface BuiltInView {
  /** Its name in the address; "" for the list without parameters. */
  readonly id: string;
  readonly name: string;
  readonly query: ViewParams;
  /** Columns of its own; undefined: those of the list. */
  readonly layout?: TableLayout;
  /** Its rows are work to do: their number is red. */
  readonly asksForWork?: boolean;
}

/** The views of a list and the active one. */
export interface SavedViews {
  readonly list: ViewList;
  readonly builtIn: readonly BuiltInView[];
  readonly saved: readonly View[];
  /** The active saved view; null while a predefined one is active. */
  readonly current: View | null;
  /** The id of the active view, saved or predefined. */
  readonly activeId: string;
  /** The list without parameters, which cannot be saved. */
  readonly isStandard: boolean;
  /** The list on screen differs from the view. */
  readonly isModified: boolean;
  readonly params: ViewParams;
  /** The parameters that the active view has as saved. */
  readonly query: ViewParams;
  readonly layout: TableLayout;
  /** Storage name of the table's layout: each view with columns of its own has one. */
  readonly tableName: string;
  readonly baseLayout: TableLayout | undefined;
  /** Shows a view as saved. */
  readonly show: (view: Pick<View, 'id' | 'query'>) => void;
  /** Discards changes made after the view was saved. */
  readonly discard: () => void;
  /** Discards the stored column layout of the active view, after it was saved. */
  readonly settle: () => void;
}

type SavedViewsOptions = {
  list: ViewList;
  /** The first one is the list without parameters. */
  builtIn: readonly BuiltInView[];
  /** As in the address now. */
  params: ViewParams;
};

/** The view that the address names, and whether the screen still matches it. */
export function useSavedViews({ list, builtIn, params }: SavedViewsOptions): SavedViews {
  const search: Readonly<Record<string, unknown>> = useSearch({ strict: false });
  const navigate = useNavigate();
  const saved = useQuery(viewsQuery(list)).data ?? [];
  const current = saved.find(({ id }) => id === search.view) ?? null;
  // An address may name a deleted view: then the list opens without parameters.
  const standard = builtIn.find(({ id }) => id !== '' && id === search.view) ?? builtIn[0];
  const active = current ?? standard ?? { id: '', query: {} };
  const baseLayout = current === null ? standard?.layout : current.layout;
  const tableName = baseLayout === undefined ? list : `${list}/${active.id}`;
  const stored = useStoredLayout(tableName, baseLayout);
  const show: SavedViews['show'] = ({ id, query }) =>
    void navigate({
      to: '.',
      search: { ...query, ...(id === '' ? {} : { view: id }) },
      resetScroll: false,
    });
  const isRearranged = current !== null && !isSameLayout(stored.layout, current.layout);
  return {
    list,
    builtIn,
    saved,
    current,
    params,
    tableName,
    show,
    activeId: active.id,
    query: active.query,
    isStandard: active.id === '',
    isModified: isRearranged || !isSameQuery(params, active.query),
    layout: stored.layout,
    baseLayout,
    settle: stored.reset,
    discard: () => {
      if (current !== null) stored.reset();
      show(active);
    },
  };
}

function isSameQuery(one: ViewParams, other: ViewParams): boolean {
  const text = (params: ViewParams): string => JSON.stringify(Object.entries(params).toSorted());
  return text(one) === text(other);
}
