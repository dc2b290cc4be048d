import { CalendarDays } from 'lucide-react';
import { HISTORY_SOURCE_FILTERS } from '#contract/history.ts';
import { MARKETPLACE_NAMES, MARKETPLACES } from '#domain/marketplaces.ts';
import type { ChangeList } from '#web/lib/list-state.ts';
import { Button } from '#web/ui/button.tsx';
import { type DayRange, DayRangePicker, dayRangeText } from '#web/ui/day-range.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { type FilterPill, FilterPills } from '#web/ui/table/filter-pills.tsx';
import { FoldedFilters } from '#web/ui/table/folded-filters.tsx';
import { SearchField } from '#web/ui/table/search-field.tsx';
import type { HistoryFilterName, HistoryState } from './queries.ts';
import { SOURCE_FILTER_LABELS } from './source-labels.ts';

type FilterProps = { state: HistoryState; change: ChangeList<HistoryFilterName, never> };

/** An empty value removes the filter. */
function withFilter(
  { filters }: HistoryState,
  name: HistoryFilterName,
  value: string,
): HistoryState['filters'] {
  const { [name]: _, ...others } = filters;
  return value === '' ? others : { ...others, [name]: value };
}

/** Sets the period: the last days from now, or calendar days; one replaces the other. */
function withTime({ filters }: HistoryState, time: DayRange & { days?: string }): HistoryState['filters'] {
  const { days: _, from: __, to: ___, ...others } = filters;
  return { ...others, ...time };
}

const MARKETPLACE_OPTIONS = [
  { value: '', label: 'All Marketplaces' },
  ...MARKETPLACES.map((value) => ({ value, label: MARKETPLACE_NAMES[value] })),
];
const SOURCE_OPTIONS = [
  { value: '', label: 'All sources' },
  ...HISTORY_SOURCE_FILTERS.map((value) => ({ value, label: SOURCE_FILTER_LABELS[value] })),
];

/** Search, marketplace, source, the last seven days, or calendar days. */
export function HistoryFilters({ state, change }: FilterProps): React.JSX.Element {
  const set = (name: HistoryFilterName, value: string): void =>
    change({ filters: withFilter(state, name, value) });
  const isWeek = state.filters.days === '7';
  const showWeek = (): void => change({ filters: withTime(state, isWeek ? {} : { days: '7' }) });
  return (
    <>
      <SearchField
        label="Search by SKU or title"
        value={state.q}
        onSearch={(q) => change({ q }, 'replace')}
      />
      <FoldedFilters count={Object.keys(state.filters).length}>
        <SelectField
          compact
          hideLabel
          label="Marketplace"
          options={MARKETPLACE_OPTIONS}
          value={state.filters.marketplace ?? ''}
          onChange={(value) => set('marketplace', value)}
        />
        <SelectField
          compact
          hideLabel
          label="Changed by"
          options={SOURCE_OPTIONS}
          value={state.filters.source ?? ''}
          onChange={(value) => set('source', value)}
        />
        <Button look="outline" size="small" aria-pressed={isWeek} onClick={showWeek}>
          <CalendarDays aria-hidden />
          Last 7 days
        </Button>
        <DayRangePicker
          range={state.filters}
          onChange={(range) => change({ filters: withTime(state, range) })}
        />
      </FoldedFilters>
    </>
  );
}

const PILL_LABELS = {
  marketplace: (value) => MARKETPLACE_NAMES[value as keyof typeof MARKETPLACE_NAMES],
  source: (value) => SOURCE_FILTER_LABELS[value as keyof typeof SOURCE_FILTER_LABELS],
  changedBy: (value) => `Changed by ${value}`,
  days: (value) => (value === '1' ? 'Last 24 hours' : `Last ${value} days`),
  listing: () => 'One listing',
  run: (value) => `Run ${value}`,
} as const satisfies Record<Exclude<HistoryFilterName, 'from' | 'to'>, (value: string) => string>;

/** The active filters, each with a remove button. */
export function HistoryPills({ state, change }: FilterProps): React.JSX.Element {
  const names = Object.keys(PILL_LABELS) as (keyof typeof PILL_LABELS)[];
  const days = dayRangeText(state.filters);
  const pills = names.flatMap((name): FilterPill[] => {
    const value = state.filters[name];
    if (value === undefined) return [];
    const onRemove = (): void => change({ filters: withFilter(state, name, '') });
    return [{ name, text: PILL_LABELS[name](value), onRemove }];
  });
  if (days !== null) {
    pills.push({ name: 'from', text: days, onRemove: () => change({ filters: withTime(state, {}) }) });
  }
  return <FilterPills pills={pills} onClear={() => change({ filters: {}, q: '' })} />;
}
