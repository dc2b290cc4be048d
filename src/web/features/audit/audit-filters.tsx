import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import type { AuditRow } from '#contract/audit.ts';
import { AUDIT_GROUPS } from '#domain/audit-actions.ts';
import { classNames } from '#web/lib/class-names.ts';
import { compactControl, controlClasses } from '#web/ui/control-classes.ts';
import { SelectField } from '#web/ui/select-field.tsx';
import { type FilterPill, FilterPills } from '#web/ui/table/filter-pills.tsx';
import { FoldedFilters } from '#web/ui/table/folded-filters.tsx';
import { SearchField } from '#web/ui/table/search-field.tsx';
import { GROUP_LABELS, targetText } from './audit-text.ts';
import { type AuditState, auditUsersQuery, type ChangeAudit, withFilter } from './queries.ts';

type FilterProps = { state: AuditState; change: ChangeAudit };

const GROUP_OPTIONS = [
  { value: '', label: 'All kinds' },
  ...AUDIT_GROUPS.map((value) => ({ value, label: GROUP_LABELS[value] })),
];

const SELECT_CLASSES = 'max-sm:basis-full sm:max-w-44';

/** Search, user, group, and days. */
export function AuditFilters({ state, change }: FilterProps): React.JSX.Element {
  const { filters } = state;
  const set = (patch: AuditState['filters']): void => change({ filters: withFilter(state, patch) });
  return (
    <>
      <SearchField
        label="Search by person or item"
        value={state.q}
        onSearch={(q) => change({ q, filters: withFilter(state, {}) }, 'replace')}
      />
      <FoldedFilters count={Object.keys(filters).length}>
        <WhoField who={filters.who ?? ''} onChange={(who) => set({ who })} />
        <SelectField
          compact
          hideLabel
          label="Kind"
          options={GROUP_OPTIONS}
          value={filters.group ?? ''}
          onChange={(group) => set({ group })}
          fieldClassName={SELECT_CLASSES}
        />
        <DayField label="From" value={filters.from ?? ''} onChange={(from) => set({ from })} />
        <DayField label="To" value={filters.to ?? ''} onChange={(to) => set({ to })} />
      </FoldedFilters>
    </>
  );
}

type WhoFieldProps = { who: string; onChange: (who: string) => void };

/** All users in the log; a selected one stays available while they are loading. */
function WhoField({ who, onChange }: WhoFieldProps): React.JSX.Element {
  const { data } = useQuery(auditUsersQuery);
  const known = data?.people ?? [];
  const people = who === '' || known.includes(who) ? known : [who, ...known];
  return (
    <SelectField
      compact
      hideLabel
      label="Who"
      options={[{ value: '', label: 'All users' }, ...people.map((value) => ({ value, label: value }))]}
      value={who}
      onChange={onChange}
      fieldClassName={SELECT_CLASSES}
    />
  );
}

type DayFieldProps = { label: string; value: string; onChange: (day: string) => void };

function DayField({ label, value, onChange }: DayFieldProps): React.JSX.Element {
  const id = useId();
  return (
    <span className="flex items-center gap-2 max-sm:basis-full">
      <label htmlFor={id} className="w-10 text-sm text-fg-muted sm:w-auto">
        {label}
      </label>
      <input
        id={id}
        type="date"
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className={classNames(controlClasses, compactControl, 'sm:w-36')}
      />
    </span>
  );
}

/** The active filters, each with a remove button. */
export function AuditPills(props: FilterProps & { rows: readonly AuditRow[] }): React.JSX.Element {
  const { state, change, rows } = props;
  const { who, group, kind, target, from, to } = state.filters;
  const pill = (name: string, text: string | undefined, removed: AuditState['filters']): FilterPill[] =>
    text === undefined
      ? []
      : [{ name, text, onRemove: () => change({ filters: withFilter(state, removed) }) }];
  const found = rows.find((row) => row.target?.kind === kind && row.target?.id === target)?.target;
  const about =
    kind === undefined ? undefined : targetText(found ?? { kind, id: target ?? null, name: null });
  const pills = [
    ...pill('who', who && `By ${who}`, { who: '' }),
    ...pill('group', GROUP_OPTIONS.find(({ value }) => value !== '' && value === group)?.label, {
      group: '',
    }),
    ...pill('target', about && `About ${about}`, { kind: '', target: '' }),
    ...pill('from', from && `From ${from}`, { from: '' }),
    ...pill('to', to && `To ${to}`, { to: '' }),
  ];
  return <FilterPills pills={pills} onClear={() => change({ filters: {}, q: '' })} />;
}
