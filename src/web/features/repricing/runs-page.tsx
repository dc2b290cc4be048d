import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { RUN_GROUPINGS } from '#contract/undo-changes.ts';
import { oneOf, pageFrom, useUrlParams } from '#web/lib/url-params.ts';
import { type DayRange, DayRangePicker, dayRangeText } from '#web/ui/day-range.tsx';
import { EmptyNote } from '#web/ui/empty-note.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { Pager } from '#web/ui/pager.tsx';
import { QueryView } from '#web/ui/query-view.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { tabClasses } from '#web/ui/tabs.tsx';
import { RunGroups } from './run-groups.tsx';
import { RUN_PAGE_SIZES, runsQuery } from './run-queries.ts';
import { RunsTable } from './runs-table.tsx';

const SKELETON_ROWS = [1, 2, 3, 4, 5, 6, 7, 8];
const SIZES = ['25', '50', '100'] as const;

/** The tabs, with their parameters of the address. */
const TABS = [
  { label: 'With an effect', search: {} },
  { label: 'All runs', search: { effect: 'all' } },
  { label: 'By hour', search: { by: 'hour' } },
  { label: 'By day', search: { by: 'day' } },
  { label: 'By marketplace', search: { by: 'marketplace' } },
  { label: 'By rule', search: { by: 'rule' } },
] as const;
/** "2026-11-21"; days that do not exist are rejected by the server. */
const DAY = /^20\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/;

/** Every run, newest first, or their changes by group with their money. */
export function RunsPage(): React.JSX.Element {
  const { params, set } = useUrlParams();
  const by = oneOf(['', ...RUN_GROUPINGS], params.by, '');
  const days = daysFrom(params);
  const range = dayRangeText(days) ?? (by === '' ? 'All days' : 'Last 7 days');
  return (
    <div className="flex flex-col gap-2">
      <PageHeading
        title="Runs"
        subtitle="Every repricing run: what started it, what it decided and what it is worth"
      />
      <div className="rounded-lg border bg-surface shadow-card max-md:-mx-4 max-md:rounded-none max-md:border-x-0">
        <div className="flex flex-wrap items-center gap-x-2 border-b px-4 md:pr-2">
          <RunTabs by={by} isAll={params.effect === 'all'} days={days} />
          <div className="flex items-center gap-2 py-1 max-md:w-full">
            <span className="text-fg-muted">{range}</span>
            <DayRangePicker range={days} onChange={({ from, to }) => set({ from, to, page: undefined })} />
          </div>
        </div>
        {by === '' ? <RunList days={days} /> : <RunGroups view={{ by, days }} />}
      </div>
    </div>
  );
}

type RunTabsProps = { by: string; isAll: boolean; days: DayRange };

/** Links, so that each of them can be opened in a new browser tab. The days stay. */
function RunTabs({ by, isAll, days }: RunTabsProps): React.JSX.Element {
  const active = by === '' ? (isAll ? 'All runs' : 'With an effect') : by;
  return (
    <nav
      aria-label="Views of runs"
      className="min-w-0 flex-1 basis-60 overflow-x-auto [scrollbar-width:none]"
    >
      <ul className="flex gap-4.5">
        {TABS.map(({ label, search }) => (
          <li key={label}>
            <Link
              to="/runs"
              search={{ ...days, ...search }}
              activeOptions={{ exact: true, explicitUndefined: true }}
              activeProps={{}}
              aria-current={active === ('by' in search ? search.by : label) ? 'page' : undefined}
              className={tabClasses}
            >
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
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
    <div className="divide-y">
      {SKELETON_ROWS.map((row) => (
        <div key={row} className="flex h-10 items-center px-4">
          <Skeleton className="h-3 w-2/3" />
        </div>
      ))}
    </div>
  );
}
