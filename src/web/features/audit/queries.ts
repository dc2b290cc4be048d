import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { AUDIT_PAGE_SIZES, AuditPage, AuditPeople } from '#contract/audit.ts';
import { AUDIT_GROUPS } from '#domain/audit-actions.ts';
import { call } from '#web/lib/api.ts';
import {
  type ChangeList,
  filterParams,
  type ListSpec,
  type ListState,
  queryText,
} from '#web/lib/list-state.ts';

export type AuditFilterName = 'who' | 'group' | 'kind' | 'target' | 'from' | 'to' | 'before' | 'after';

const DAY = /^\d{4}-\d\d-\d\d$/;
const CURSOR = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z_[1-9]\d{0,15}$/;

/** Address parameters of the log: local days, and a position in time instead of a page number. */
export const AUDIT_LIST: ListSpec<AuditFilterName, never> = {
  filters: {
    who: /^.{1,254}$/,
    group: AUDIT_GROUPS,
    kind: /^[a-z ]{1,40}$/,
    target: /^.{1,300}$/,
    from: DAY,
    to: DAY,
    before: CURSOR,
    after: CURSOR,
  },
  sorts: [],
  sort: '',
  sizes: AUDIT_PAGE_SIZES,
  size: 50,
};

export type AuditState = ListState<AuditFilterName, never>;
export type ChangeAudit = ChangeList<AuditFilterName, never>;

/** The filters with one changed; an empty value removes it. The list starts at the newest row again. */
export function withFilter(
  { filters }: AuditState,
  patch: Partial<Record<AuditFilterName, string>>,
): AuditState['filters'] {
  const { before: _before, after: _after, ...kept } = filters;
  const next = Object.entries({ ...kept, ...patch }).filter(([, value]) => value !== '');
  return Object.fromEntries(next);
}

/** Local midnight at the start of a day; of the next day with `by` 1. */
function midnight(day: string, by: 0 | 1): string | undefined {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const moment = new Date(year, month - 1, date + by);
  return Number.isNaN(moment.getTime()) ? undefined : moment.toISOString();
}

/** Filters in the API's form, without the position. */
function serverFilter(state: AuditState): Record<string, string | undefined> {
  const { from, to, before: _before, after: _after, ...others } = filterParams(state);
  return {
    ...others,
    from: from === undefined ? undefined : midnight(from, 0),
    to: to === undefined ? undefined : midnight(to, 1),
  };
}

export const auditQuery = (state: AuditState) => {
  const { before, after } = state.filters;
  const text = queryText({ ...serverFilter(state), before, after, size: String(state.size) });
  return queryOptions({
    queryKey: ['audit', text],
    queryFn: () => call(AuditPage, 'GET', `/api/audit${text}`),
    placeholderData: keepPreviousData,
  });
};

export const auditUsersQuery = queryOptions({
  queryKey: ['audit', 'people'],
  queryFn: () => call(AuditPeople, 'GET', '/api/audit/people'),
});

/** All rows that match the filter, on all pages, as a file. */
export function exportAddress(state: AuditState): string {
  return `/api/audit/export.csv${queryText(serverFilter(state))}`;
}
