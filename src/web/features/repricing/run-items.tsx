import { useQuery } from '@tanstack/react-query';
import type { Run } from '#contract/engine.ts';
import { oneOf, pageFrom, useUrlParams } from '#web/lib/url-params.ts';
import { EmptyNote } from '#web/ui/empty-note.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { Pager } from '#web/ui/pager.tsx';
import { QueryView } from '#web/ui/query-view.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { TabCount } from '#web/ui/tab-count.tsx';
import { tabClasses } from '#web/ui/tabs.tsx';
import { RunItemsTable } from './run-items-table.tsx';
import { RUN_OUTCOMES, RUN_PAGE_SIZES, type RunOutcome, runItemsQuery } from './run-queries.ts';

const SIZES = ['25', '50', '100'] as const;
/** The tabs; how many listings each has as counted by the run. */
const TABS = [
  { outcome: 'all', label: 'All outcomes', count: () => null },
  { outcome: 'change', label: 'Changed', count: ({ changed }: Run) => changed },
  { outcome: 'recommend', label: 'Recommended', count: ({ recommended }: Run) => recommended },
  { outcome: 'blocked', label: 'Blocked', count: ({ blocked }: Run) => blocked },
] as const;

/** Listings of a run, filtered by outcome. Unchanged prices are only counted. */
export function RunItems({ run }: { run: Run }): React.JSX.Element {
  const { params, set } = useUrlParams();
  const filter = oneOf(['all', ...RUN_OUTCOMES] as const, params.outcome, 'all');
  const outcome: RunOutcome | null = filter === 'all' ? null : filter;
  const page = pageFrom(params.page);
  const size = Number(oneOf(SIZES, params.size, '50'));
  const items = useQuery(runItemsQuery(run.id, { page, size, outcome }));
  return (
    <section
      aria-label="Listings of this run"
      className="rounded-lg border bg-surface shadow-card max-md:-mx-4 max-md:rounded-none max-md:border-x-0"
    >
      <div className="flex flex-wrap items-center justify-between gap-x-3 border-b px-4 md:pr-2">
        <nav aria-label="Outcome" className="min-w-0 overflow-x-auto [scrollbar-width:none]">
          <ul className="flex gap-4.5">
            {TABS.map((tab) => (
              <li key={tab.outcome}>
                <button
                  type="button"
                  aria-current={tab.outcome === filter ? 'page' : undefined}
                  onClick={() =>
                    set({ outcome: tab.outcome === 'all' ? undefined : tab.outcome, page: undefined })
                  }
                  className={tabClasses}
                >
                  {tab.label}
                  <TabCount of={tab.count(run)} asksForWork={tab.outcome === 'blocked'} />
                </button>
              </li>
            ))}
          </ul>
        </nav>
      </div>
      <QueryView
        query={items}
        loading={<Skeleton className="h-48" />}
        failed={(error, retry) => (
          <LoadFailed
            title="Failed to load the listings of this run"
            error={error}
            onRetry={retry}
            retrying={items.isFetching}
          />
        )}
      >
        {({ rows, total }) =>
          rows.length === 0 ? (
            <div className="p-4">
              <EmptyNote>
                {outcome === null
                  ? nothingNew(run)
                  : 'No listing has this outcome as a new result of this run.'}
              </EmptyNote>
            </div>
          ) : (
            <div>
              <RunItemsTable runId={run.id} items={rows} showsOutcome={outcome === null} />
              <Pager
                page={page}
                size={size}
                total={total}
                sizes={RUN_PAGE_SIZES}
                onPage={(next) => set({ page: next === 1 ? undefined : String(next) })}
                onSize={(next) => set({ size: next === 50 ? undefined : String(next), page: undefined })}
              />
            </div>
          )
        }
      </QueryView>
    </section>
  );
}

// A run stores only news: a listing with an unchanged recommendation stays with the earlier run.
function nothingNew({ trigger, changed, recommended, blocked }: Run): string {
  // Manually applied prices are not decisions of the engine.
  if (trigger === 'apply' || trigger === 'undo') {
    return 'These prices were applied manually. Confirmed changes are in Price History.';
  }
  return changed + recommended + blocked === 0
    ? 'No changes: every price this run checked stays as it is.'
    : 'Nothing new: the recommendations and blocked listings are the same as in an earlier run.';
}
