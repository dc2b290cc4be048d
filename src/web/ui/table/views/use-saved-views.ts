import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { View, ViewList } from '#contract/views.ts';
import { isSameLayout, type TableLayout } from '#web/ui/table/table-layout.ts';
import { useStoredLayout } from '#web/ui/table/use-stored-layout.ts';
import { viewsQuery } from './view-calls.ts';

/** What the address of a list says, by parameter; the page is no part of it. */
export type ViewParams = Readonly<Record<string, string>>;

/** A view that comes with the product. */
export interface BuiltInView {
  /** Names it in the address; "" for the list as it opens. */
  readonly id: string;
  readonly name: string;
  readonly query: ViewParams;
}

/** The views of a list and the one in use. */
export interface SavedViews {
  readonly list: ViewList;
  readonly builtIn: readonly BuiltInView[];
  readonly saved: readonly View[];
  /** The saved view in use; null while a built-in one is. */
  readonly current: View | null;
  /** The id of the view in use, saved or built in. */
  readonly activeId: string;
  /** The list as it opens, which nobody saves. */
  readonly isStandard: boolean;
  /** What is on the screen differs from the view. */
  readonly isModified: boolean;
  readonly params: ViewParams;
  readonly layout: TableLayout;
  /** Under which the table keeps its arrangement: each saved view has one of its own. */
  readonly tableName: string;
  readonly baseLayout: TableLayout | undefined;
  /** Shows a view as it was saved. */
  readonly show: (view: Pick<View, 'id' | 'query'>) => void;
  /** Gives up what was changed since the view was saved. */
  readonly discard: () => void;
  /** Forgets the changed columns of the view in use: they are saved now. */
  readonly settle: () => void;
}

type SavedViewsOptions = {
  list: ViewList;
  /** The first one is the list as it opens. */
  builtIn: readonly BuiltInView[];
  /** As the address has them now. */
  params: ViewParams;
};

/** Which view of a list the address names, and whether the screen still shows it. */
export function useSavedViews({ list, builtIn, params }: SavedViewsOptions): SavedViews {
  const search: Readonly<Record<string, unknown>> = useSearch({ strict: false });
  const navigate = useNavigate();
  const saved = useQuery(viewsQuery(list)).data ?? [];
  const current = saved.find(({ id }) => id === search.view) ?? null;
  // An address may name a view that is gone: then the list is as it opens.
  const standard = builtIn.find(({ id }) => id !== '' && id === search.view) ?? builtIn[0];
  const active = current ?? standard ?? { id: '', query: {} };
  const tableName = current === null ? list : `${list}/${current.id}`;
  const stored = useStoredLayout(tableName, current?.layout);
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
    isStandard: active.id === '',
    isModified: isRearranged || !isSameQuery(params, active.query),
    layout: stored.layout,
    baseLayout: current?.layout,
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
