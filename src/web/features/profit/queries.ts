import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import {
  PROFIT_GROUPS,
  PROFIT_PAGE_SIZES,
  PROFIT_SORTS,
  type ProfitGroup,
  SALES_PAGE_SIZES,
  SalesPage,
} from '#contract/sales.ts';
import { MARKETPLACES } from '#domain/marketplaces.ts';
import { call } from '#web/lib/api.ts';
import { type ListSpec, type ListState, queryText, sortParam } from '#web/lib/list-state.ts';
import { namedPeriod, PERIOD_NAMES, type Period, type PeriodName } from '#web/lib/periods.ts';
import { PROFIT_KEY, profitQuery } from '#web/ui/profit/sum-query.ts';

/** What the table lists: sums by something, or the sales. */
export const PROFIT_TABS = [...PROFIT_GROUPS, 'sale'] as const;
export type ProfitTab = (typeof PROFIT_TABS)[number];

type FilterName =
  | 'by'
  | 'marketplace'
  | 'period'
  | 'from'
  | 'to'
  | 'listing'
  | 'rule'
  | 'run'
  | 'known'
  | 'below'
  | 'state'
  | 'sale';
type SortName = (typeof PROFIT_SORTS)[number];

/** "2026-11-21"; days that do not exist are rejected by the server. */
const DAY_TEXT = /^20\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/;

const ID_TEXT = /^[1-9]\d{0,14}$/;

/** Address parameters of the page. `listing`, `rule`, `run`, `known`, `below` and `state` are of the sales alone. */
export const PROFIT_LIST: ListSpec<FilterName, SortName> = {
  filters: {
    by: PROFIT_TABS,
    marketplace: MARKETPLACES,
    period: PERIOD_NAMES,
    from: DAY_TEXT,
    to: DAY_TEXT,
    listing: ID_TEXT,
    rule: ID_TEXT,
    run: ID_TEXT,
    known: ['true', 'false'],
    below: ['true'],
    state: ['estimated', 'partly_told', 'told', 'late'],
    sale: ID_TEXT,
  },
  sorts: PROFIT_SORTS,
  sort: '',
  sizes: PROFIT_PAGE_SIZES.filter((size) => (SALES_PAGE_SIZES as readonly number[]).includes(size)),
  size: 50,
};

export type ProfitState = ListState<FilterName, SortName>;

const STANDARD_PERIOD = '30';

/** What is listed. */
export function tabOf({ filters }: ProfitState): ProfitTab {
  return PROFIT_TABS.find((tab) => tab === filters.by) ?? 'day';
}

/**
 * The days shown: those chosen, else a named period. A missing end is the same day, and the other order is turned round,
 * as in a mistyped link.
 */
export function periodOf(
  { filters }: ProfitState,
  today: string,
): Period & { readonly name: PeriodName | null } {
  const { from = filters.to, to = filters.from } = filters;
  if (from !== undefined && to !== undefined) {
    return from <= to ? { from, to, name: null } : { from: to, to: from, name: null };
  }
  const name = PERIOD_NAMES.find((each) => each === filters.period) ?? STANDARD_PERIOD;
  return { ...namedPeriod(name, today), name };
}

/** The most rows of a page: the days of a chart. */
export const MAX_CHART_DAYS = 400;

/** The sums of a period, and those of its days: the first ones where it has more than {@link MAX_CHART_DAYS}. */
export function daysQuery({ from, to }: Period, marketplace: string | undefined) {
  return profitQuery({ group: 'day', from, to, marketplace, size: String(MAX_CHART_DAYS) });
}

/** One page of the sums by day (the newest first unless sorted), marketplace, listing, SKU, rule or run. */
export function groupQuery(group: ProfitGroup, state: ProfitState, { from, to }: Period) {
  const order = group === 'day' ? '-key' : undefined;
  return profitQuery({
    group,
    from,
    to,
    marketplace: state.filters.marketplace,
    sort: state.sort === null ? order : sortParam(state.sort),
    page: String(state.page),
    size: String(state.size),
  });
}

function salesParams({ filters }: ProfitState, { from, to }: Period) {
  const { marketplace, listing, rule, run, known, below, state } = filters;
  const money = state === 'late' ? { late: 'true' } : { state };
  return { marketplace, listing, rule, run, known, below, ...money, from, to };
}

/** One page of the sales, the newest first. */
export function salesQuery(state: ProfitState, period: Period) {
  const text = queryText({
    ...salesParams(state, period),
    page: String(state.page),
    size: String(state.size),
  });
  return queryOptions({
    queryKey: [...PROFIT_KEY, 'sales', text] as const,
    queryFn: () => call(SalesPage, 'GET', `/api/sales${text}`),
    placeholderData: keepPreviousData,
  });
}

/** All sales of the period and the filters, as a file. */
export function exportAddress(state: ProfitState, period: Period): string {
  return `/api/sales/export.csv${queryText(salesParams(state, period))}`;
}
