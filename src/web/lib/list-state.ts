import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';

/** The parameters of a list in the address. All others are left unchanged. */
export interface ListSpec<Filter extends string, Sort extends string> {
  /** The values of each filter: fixed words, or a pattern. */
  readonly filters: Readonly<Record<Filter, readonly string[] | RegExp>>;
  /** Empty for a list with one fixed order. */
  readonly sorts: readonly Sort[];
  /** The default order: "sku", or "-margin" for descending; "" for a list with a fixed order. */
  readonly sort: Sort | `-${Sort}` | '';
  readonly sizes: readonly number[];
  /** The default number of rows per page. */
  readonly size: number;
}

export interface ListSort<Sort extends string = string> {
  readonly by: Sort;
  readonly descending: boolean;
}

/** The state of a list, read from its address, so that it can be copied and reloaded and Back works. */
export interface ListState<Filter extends string = string, Sort extends string = string> {
  /** The search text; "" for none. */
  readonly q: string;
  readonly filters: Readonly<Partial<Record<Filter, string>>>;
  readonly sort: ListSort<Sort> | null;
  /** From 1. */
  readonly page: number;
  readonly size: number;
}

/** Reads the address. Unknown values are ignored, as after an upgrade or a mistyped link. */
export function readListState<Filter extends string, Sort extends string>(
  search: Readonly<Record<string, unknown>>,
  spec: ListSpec<Filter, Sort>,
): ListState<Filter, Sort> {
  const filters: Partial<Record<Filter, string>> = {};
  for (const name of filterNames(spec)) {
    const value = search[name];
    if (typeof value === 'string' && fits(value, spec.filters[name])) filters[name] = value;
  }
  const size = Number(search.size);
  const page = String(search.page ?? '');
  return {
    q: typeof search.q === 'string' ? search.q.trim().slice(0, 200) : '',
    filters,
    sort: readSort(search.sort, spec) ?? readSort(spec.sort, spec),
    page: /^[1-9]\d{0,6}$/.test(page) ? Number(page) : 1,
    size: spec.sizes.includes(size) ? size : spec.size,
  };
}

/** The parameters for this state; defaults are omitted. */
export function writeListState<Filter extends string, Sort extends string>(
  state: ListState<Filter, Sort>,
  spec: ListSpec<Filter, Sort>,
): Record<string, string> {
  const sort = state.sort === null ? '' : sortParam(state.sort);
  return {
    ...filterParams(state),
    ...(sort === spec.sort ? {} : { sort }),
    ...(state.page === 1 ? {} : { page: String(state.page) }),
    ...(state.size === spec.size ? {} : { size: String(state.size) }),
  };
}

/** The parameters that a saved view stores: all but the page. */
export function viewParams<Filter extends string, Sort extends string>(
  state: ListState<Filter, Sort>,
  spec: ListSpec<Filter, Sort>,
): Record<string, string> {
  return writeListState({ ...state, page: 1 }, spec);
}

/** Search and filters alone: they select the rows. */
export function filterParams({ q, filters }: Pick<ListState, 'q' | 'filters'>): Record<string, string> {
  const set = Object.entries(filters).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return { ...(q === '' ? {} : { q }), ...Object.fromEntries(set) };
}

/** "?q=mug&page=2" for a call to the server; "" if there are no parameters. */
export function queryText(params: Readonly<Record<string, string | undefined>>): string {
  const said = Object.entries(params).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const text = new URLSearchParams(said).toString();
  return text === '' ? '' : `?${text}`;
}

/** Changes the state of a list. A change of anything but the page goes to page 1. */
export type ChangeList<Filter extends string = string, Sort extends string = string> = (
  patch: Partial<ListState<Filter, Sort>>,
  /** `replace`: adds no history entry, as while typing. */
  how?: 'push' | 'replace',
) => void;

/** A list's state in the address, and its setter. */
export function useListState<Filter extends string, Sort extends string>(
  spec: ListSpec<Filter, Sort>,
): readonly [ListState<Filter, Sort>, ChangeList<Filter, Sort>] {
  const search: Readonly<Record<string, unknown>> = useSearch({ strict: false });
  const navigate = useNavigate();
  const state = useMemo(() => readListState(search, spec), [search, spec]);
  const change = useCallback<ChangeList<Filter, Sort>>(
    (patch, how = 'push') => {
      void navigate({
        to: '.',
        search: (now: Record<string, unknown>) => {
          const next = { ...readListState(now, spec), page: 1, ...patch };
          return { ...othersParams(now, spec), ...writeListState(next, spec) };
        },
        replace: how === 'replace',
        resetScroll: false,
      });
    },
    [navigate, spec],
  );
  return [state, change];
}

function othersParams<Filter extends string, Sort extends string>(
  search: Readonly<Record<string, unknown>>,
  spec: ListSpec<Filter, Sort>,
): Record<string, unknown> {
  const ours = new Set<string>(['q', 'sort', 'page', 'size', ...filterNames(spec)]);
  return Object.fromEntries(Object.entries(search).filter(([name]) => !ours.has(name)));
}

function filterNames<Filter extends string>(spec: ListSpec<Filter, string>): Filter[] {
  return Object.keys(spec.filters) as Filter[];
}

function fits(value: string, allowed: readonly string[] | RegExp): boolean {
  return allowed instanceof RegExp ? allowed.test(value) : allowed.includes(value);
}

function readSort<Sort extends string>(text: unknown, spec: ListSpec<string, Sort>): ListSort<Sort> | null {
  if (typeof text !== 'string') return null;
  const by = spec.sorts.find((sort) => sort === text.replace(/^-/, ''));
  return by === undefined ? null : { by, descending: text.startsWith('-') };
}

/** "-margin" */
export function sortParam({ by, descending }: ListSort): string {
  return `${descending ? '-' : ''}${by}`;
}
