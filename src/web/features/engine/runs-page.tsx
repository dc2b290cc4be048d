import { useQuery } from '@tanstack/react-query';
import { oneOf, pageFrom, useUrlParams } from '#web/lib/url-params.ts';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { EmptyNote } from '#web/ui/empty-note.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { Pager } from '#web/ui/pager.tsx';
import { QueryView } from '#web/ui/query-view.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { RUN_PAGE_SIZES, runsQuery } from './run-queries.ts';
import { RunsTable } from './runs-table.tsx';

const SKELETON_ROWS = [1, 2, 3, 4, 5, 6, 7, 8];
const SIZES = ['25', '50', '100'] as const;

/** Every pass of the engine over the listings, newest first. */
export function RunsPage(): React.JSX.Element {
  const { params, set } = useUrlParams();
  const view = {
    page: pageFrom(params.page),
    size: Number(oneOf(SIZES, params.size, '25')),
    // A price that is confirmed makes the listings of its SKU due: most runs find that nothing is to be done.
    withEffect: params.effect !== 'all',
  };
  const runs = useQuery(runsQuery(view));
  return (
    <div className="flex flex-col gap-6">
      <PageHeading
        title="Runs"
        subtitle="Every pass over your listings: what began it, what it decided, and why it stopped if it did."
      >
        <Checkbox
          label="Only runs with an effect"
          checked={view.withEffect}
          onChange={(checked) => set({ effect: checked ? undefined : 'all', page: undefined })}
        />
      </PageHeading>
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
              {view.withEffect
                ? 'No run has changed, recommended or stopped anything yet. The engine runs when facts change, at every check, and when you press Reprice now.'
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
    </div>
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
