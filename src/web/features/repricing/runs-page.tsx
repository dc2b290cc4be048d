import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { RUN_GROUPINGS } from '#contract/undo-changes.ts';
import { namedPeriod } from '#web/lib/periods.ts';
import { oneOf, pageFrom, useUrlParams } from '#web/lib/url-params.ts';
import { type DayRange, DayRangePicker, dayRangeText } from '#web/ui/day-range.tsx';
import { EmptyNote } from '#web/ui/empty-note.tsx';
import { ListSkeleton } from '#web/ui/list-skeleton.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { useNow } from '#web/ui/moment-text.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { Pager } from '#web/ui/pager.tsx';
import { QueryView } from '#web/ui/query-view.tsx';
import { TabCount } from '#web/ui/tab-count.tsx';
import { tabClasses } from '#web/ui/tabs.tsx';
import { localDay } from './run-folds.ts';
import { RunGroups } from './run-groups.tsx';
import { RUN_PAGE_SIZES, runGroupsQuery, runsQuery } from './run-queries.ts';
import { RunsTable } from './runs-table.tsx';

const SIZES = ['100', '50', '25'] as const;
/** Many: most are automatic, and those of an hour are one row. */
const SIZE = 100;
/** Days shown unless others are chosen, today included. */
const DEFAULT_DAYS = '7';

/** Which runs. */
const VIEWS = ['', 'all', 'people', 'stopped'] as const;
type View = (typeof VIEWS)[number];

/** The tabs, with their parameters of the address. */
const TABS = [
  { label: 'With an effect', key: '', search: {} },
  { label: 'All runs', key: 'all', search: { effect: 'all' } },
  { label: 'By users', key: 'people', search: { effect: 'people' } },
  { label: 'Stopped', key: 'stopped', search: { effect: 'stopped' } },
  { label: 'By day', key: 'day', search: { by: 'day' } },
  { label: 'By hour', key: 'hour', search: { by: 'hour' } },
  { label: 'By marketplace', key: 'marketplace', search: { by: 'marketplace' } },
  { label: 'By rule', key: 'rule', search: { by: 'rule' } },
] as const;
/** "2026-11-21"; days that do not exist are rejected by the server. */
const DAY = /^20\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/;

/** Every run, newest first, or their changes by group with their money. */
export function RunsPage(): React.JSX.Element {
  const { params, set } = useUrlParams();
  const now = useNow();
  const by = oneOf(['', ...RUN_GROUPINGS], params.by, '');
  const view = oneOf(VIEWS, params.effect, '');
  const chosen = daysFrom(params);
  const wantsAllDays = params.days === 'all' && dayRangeText(chosen) === null;
  // Groups are of a few days.
  const isAllDays = wantsAllDays && by === '';
  const isDefault = dayRangeText(chosen) === null && !isAllDays;
  const days = isDefault
    ? { from: namedPeriod(DEFAULT_DAYS, localDay(new Date(now).toISOString())).from }
    : chosen;
  const range = isDefault ? `Last ${DEFAULT_DAYS} days` : (dayRangeText(chosen) ?? 'All days');
  return (
    <div className="flex flex-col gap-2">
      <PageHeading
        title="Runs"
        subtitle="Every repricing run: what started it, what it decided and what it is worth"
      />
      <div className="rounded-lg border bg-surface shadow-card max-md:-mx-4 max-md:rounded-none max-md:border-x-0">
        <div className="flex flex-wrap items-center gap-x-2 border-b px-4 md:pr-2">
          <RunTabs
            active={by === '' ? view : by}
            days={days}
            kept={wantsAllDays ? { days: 'all' } : chosen}
          />
          <div className="flex items-center gap-2 py-1 max-md:w-full">
            <span className="text-fg-muted">{range}</span>
            <DayRangePicker
              range={chosen}
              onChange={({ from, to }) =>
                set({
                  from,
                  to,
                  days: from === undefined && to === undefined ? 'all' : undefined,
                  page: undefined,
                })
              }
            />
          </div>
        </div>
        {by === '' ? (
          <RunList view={view} days={days} hasSums={!isAllDays} />
        ) : (
          <RunGroups view={{ by, days }} />
        )}
      </div>
    </div>
  );
}

type RunTabsProps = {
  active: string;
  days: DayRange;
  /** The days as parameters of the address: they stay. */
  kept: Readonly<Record<string, string>> | DayRange;
};

/** Links, so that each of them can be opened in a new browser tab. */
function RunTabs({ active, days, kept }: RunTabsProps): React.JSX.Element {
  const stopped = useQuery(runsQuery({ page: 1, size: 25, withEffect: false, only: 'stopped', days }));
  return (
    <nav
      aria-label="Views of runs"
      className="min-w-0 flex-1 basis-60 overflow-x-auto [scrollbar-width:none]"
    >
      <ul className="flex gap-4.5">
        {TABS.map(({ label, key, search }) => (
          <li key={label}>
            <Link
              to="/runs"
              search={{ ...kept, ...search }}
              activeOptions={{ exact: true, explicitUndefined: true }}
              activeProps={{}}
              aria-current={active === key ? 'page' : undefined}
              className={tabClasses}
            >
              {label}
              {key === 'stopped' && (stopped.data?.total ?? 0) > 0 && (
                <TabCount of={stopped.data?.total ?? null} asksForWork />
              )}
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

type RunListProps = {
  view: View;
  days: DayRange;
  /** Whether the days are few enough for their sums. */
  hasSums: boolean;
};

function RunList({ view: which, days, hasSums }: RunListProps): React.JSX.Element {
  const { params, set } = useUrlParams();
  const view = {
    page: pageFrom(params.page),
    size: Number(oneOf(SIZES, params.size, '100')),
    // A confirmed price makes the listings of its SKU due: most runs change nothing.
    withEffect: which === '',
    ...(which === 'people' || which === 'stopped' ? { only: which } : {}),
    days,
  };
  const runs = useQuery(runsQuery(view));
  const sums = useQuery({ ...runGroupsQuery({ by: 'day', days }), enabled: hasSums });
  return (
    <QueryView
      query={runs}
      loading={<ListSkeleton rows={8} />}
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
        // Drawn later, the sums would push the runs down.
        hasSums && sums.isPending ? (
          <ListSkeleton rows={8} />
        ) : rows.length === 0 ? (
          <div className="p-4">
            <EmptyNote>{emptyText(which, hasSums)}</EmptyNote>
          </div>
        ) : (
          <div>
            <RunsTable runs={rows} sums={hasSums ? sums.data : undefined} hasTotals={which === ''} />
            <Pager
              page={view.page}
              size={view.size}
              total={total}
              sizes={RUN_PAGE_SIZES}
              onPage={(page) => set({ page: page === 1 ? undefined : String(page) })}
              onSize={(size) => set({ size: size === SIZE ? undefined : String(size), page: undefined })}
            />
          </div>
        )
      }
    </QueryView>
  );
}

function emptyText(which: View, hasSums: boolean): string {
  const when = hasSums ? ' on these days' : '';
  if (which === 'people') return `No run was started by a user${when}.`;
  if (which === 'stopped') return `No run was stopped or failed${when}.`;
  if (which === 'all') return `No run started${when}.`;
  const none = hasSums
    ? 'No run changed or recommended a price on these days.'
    : 'No run has changed or recommended a price yet.';
  return `${none} Pricewright reprices when data changes, at every scheduled check, and when you choose Reprice now.`;
}
