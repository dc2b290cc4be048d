import { useQuery } from '@tanstack/react-query';
import { RUN_GROUPINGS } from '#contract/undo-changes.ts';
import { oneOf, pageFrom, useUrlParams } from '#web/lib/url-params.ts';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { type DayRange, DayRangePicker, dayRangeText } from '#web/ui/day-range.tsx';
import { EmptyNote } from '#web/ui/empty-note.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { Pager } from '#web/ui/pager.tsx';
import { QueryView } from '#web/ui/query-view.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { RunGroups } from './run-groups.tsx';
import { RUN_PAGE_SIZES, runsQuery } from './run-queries.ts';
import { RunsTable } from './runs-table.tsx';

const SKELETON_ROWS = [1, 2, 3, 4, 5, 6, 7, 8];
const SIZES = ['25', '50', '100'] as const;

const GROUPINGS = [
  { value: '', label: 'Every run' },
  { value: 'hour', label: 'By hour' },
  { value: 'day', label: 'By day' },
  { value: 'marketplace', label: 'By marketplace' },
  { value: 'rule', label: 'By rule' },
];
/** "2026-11-21"; days that do not exist are rejected by the server. */
const DAY = /^20\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/;

/** Every run, newest first, or their changes by group. */
export function RunsPage(): React.JSX.Element {
  const { params, set } = useUrlParams();
  const by = oneOf(['', ...RUN_GROUPINGS], params.by, '');
  const days = daysFrom(params);
  const range = dayRangeText(days);
  const withEffect = params.effect !== 'all';
  return (
    <div className="flex flex-col gap-6">
      <PageHeading
        title="Runs"
        subtitle="Every repricing run: what started it, what it decided, and why it stopped."
      />
      <div className="flex flex-wrap items-center gap-2">
        <SelectField
          compact
          hideLabel
          label="Show"
          options={GROUPINGS}
          value={by}
          onChange={(value) => set({ by: value === '' ? undefined : value, page: undefined })}
        />
        <DayRangePicker range={days} onChange={({ from, to }) => set({ from, to, page: undefined })} />
        <span className="text-fg-muted">{range ?? (by === '' ? 'All days' : 'Last 7 days')}</span>
        {by === '' && (
          <span className="ml-auto">
            <Checkbox
              label="Only runs with changes"
              checked={withEffect}
              onChange={(checked) => set({ effect: checked ? undefined : 'all', page: undefined })}
            />
          </span>
        )}
      </div>
      {by === '' ? <RunList days={days} /> : <RunGroups view={{ by, days }} />}
    </div>
  );
}

function daysFrom({ from, to }: Readonly<Record<string, string | undefined>>): DayRange {
  return {
    ...(from !== undefined && DAY.test(from) && { from }),
    ...(to !== undefined && DAY.test(to) && { to }),
  };
}

function RunList({ days }: { days: DayRange }): React.JSX.Element {
  const { params, set } = useUrlParams();
  const view = {
    page: pageFrom(params.page),
    size: Number(oneOf(SIZES, params.size, '25')),
    // A confirmed price makes the listings of its SKU due: most runs change nothing.
    withEffect: params.effect !== 'all',
    days,
  };
  const runs = useQuery(runsQuery(view));
  return (
    <QueryView
      query={runs}
      loading={<RunsSkeleton />}
      failed={(error, retry) => (
        <LoadFailed
          title="Failed to load the runs"
          error={error}
          onRetry={retry}
          retrying={runs.isFetching}
        />
      )}
    >
      {({ rows, total }) =>
        rows.length === 0 ? (
          <EmptyNote>
            {dayRangeText(days) !== null
              ? 'No run started on these days.'
              : view.withEffect
                ? 'No run has changed or recommended a price yet. Pricewright reprices when data changes, at every scheduled check, and when you choose Reprice now.'
                : 'No runs yet.'}
          </EmptyNote>
        ) : (
          <>
            <RunsTable runs={rows} />
            <Pager
              page={view.page}
              size={view.size}
              total={total}
              sizes={RUN_PAGE_SIZES}
              onPage={(page) => set({ page: page === 1 ? undefined : String(page) })}
              onSize={(size) => set({ size: size === 25 ? undefined : String(size), page: undefined })}
            />
          </>
        )
      }
    </QueryView>
  );
}

function RunsSkeleton(): React.JSX.Element {
  return (
    <div className="flex flex-col gap-2">
      {SKELETON_ROWS.map((row) => (
        <Skeleton key={row} className="h-11" />
      ))}
    </div>
  );
}
