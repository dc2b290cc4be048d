import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { MONEY_PAGE_SIZES, MoneyEvents, MoneyKinds, RefusedMoneyPage, Settlements } from '#contract/money.ts';
import { MARKETPLACES } from '#domain/marketplaces.ts';
import { MONEY_KINDS } from '#domain/money/money-event.ts';
import { call } from '#web/lib/api.ts';
import { type ChangeList, type ListSpec, type ListState, queryText } from '#web/lib/list-state.ts';

/** What the page lists. */
export const MONEY_TABS = ['settlements', 'amounts', 'refused'] as const;
export type MoneyTab = (typeof MONEY_TABS)[number];

type FilterName = 'show' | 'marketplace' | 'kind' | 'unmatched' | 'settlement';

/** Address parameters of the page. `kind`, `unmatched` and `settlement` are of the amounts alone. */
export const MONEY_LIST: ListSpec<FilterName, never> = {
  filters: {
    show: MONEY_TABS,
    marketplace: MARKETPLACES,
    kind: MONEY_KINDS,
    unmatched: ['true'],
    settlement: /^.{1,200}$/,
  },
  sorts: [],
  sort: '',
  sizes: MONEY_PAGE_SIZES,
  size: 50,
};

export type MoneyState = ListState<FilterName, never>;
export type ChangeMoney = ChangeList<FilterName, never>;

/** Of all queries of the page. */
const MONEY_KEY = ['money'] as const;

/** What is listed. */
export function tabOf({ filters }: MoneyState): MoneyTab {
  return MONEY_TABS.find((tab) => tab === filters.show) ?? 'settlements';
}

/** The filters with one changed; an empty value removes it. */
export function withFilter(
  { filters }: MoneyState,
  patch: Partial<Record<FilterName, string>>,
): MoneyState['filters'] {
  return Object.fromEntries(Object.entries({ ...filters, ...patch }).filter(([, value]) => value !== ''));
}

function pageOf({ page, size }: MoneyState): Record<string, string> {
  return { page: String(page), size: String(size) };
}

/** One page of the settlements, the newest first. */
export function settlementsQuery(state: MoneyState) {
  const text = queryText({ marketplace: state.filters.marketplace, ...pageOf(state) });
  return queryOptions({
    queryKey: [...MONEY_KEY, 'settlements', text] as const,
    queryFn: () => call(Settlements, 'GET', `/api/settlements${text}`),
    placeholderData: keepPreviousData,
  });
}

function amountParams({ filters }: MoneyState): Record<string, string | undefined> {
  const { marketplace, kind, unmatched, settlement } = filters;
  return { marketplace, kind, unmatched, settlement };
}

/** One page of the amounts, the newest first. */
export function amountsQuery(state: MoneyState) {
  const text = queryText({ ...amountParams(state), ...pageOf(state) });
  return queryOptions({
    queryKey: [...MONEY_KEY, 'amounts', text] as const,
    queryFn: () => call(MoneyEvents, 'GET', `/api/money-events${text}`),
    placeholderData: keepPreviousData,
  });
}

/** The sums by kind of the amounts without a sale, or of a settlement. */
export function kindsQuery(state: MoneyState) {
  const text = queryText({ ...amountParams(state), kind: undefined });
  return queryOptions({
    queryKey: [...MONEY_KEY, 'kinds', text] as const,
    queryFn: () => call(MoneyKinds, 'GET', `/api/money-events/kinds${text}`),
    placeholderData: keepPreviousData,
  });
}

/** One page of the amounts that could not be taken, the last seen first. */
export function refusedQuery(state: MoneyState) {
  const text = queryText({ marketplace: state.filters.marketplace, ...pageOf(state) });
  return queryOptions({
    queryKey: [...MONEY_KEY, 'refused', text] as const,
    queryFn: () => call(RefusedMoneyPage, 'GET', `/api/refused-money${text}`),
    placeholderData: keepPreviousData,
  });
}

/** All amounts of the filters, as a file. */
export function exportAddress(state: MoneyState): string {
  return `/api/money-events/export.csv${queryText(amountParams(state))}`;
}
