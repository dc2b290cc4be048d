import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Download } from 'lucide-react';
import { JOB_REFUSALS_SIZES, type Job, type JobRefusals } from '#contract/jobs.ts';
import { countOf } from '#web/lib/format.ts';
import { oneOf, pageFrom, useUrlParams } from '#web/lib/url-params.ts';
import { buttonClasses } from '#web/ui/button.tsx';
import { ListSkeleton } from '#web/ui/list-skeleton.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { Pager } from '#web/ui/pager.tsx';
import { Cell, HeadCell, PlainTable } from '#web/ui/plain-table.tsx';
import { QueryView } from '#web/ui/query-view.tsx';
import { refusalsQuery } from './queries.ts';

const SIZES = JOB_REFUSALS_SIZES.map(String);

/** Every listing that a job skipped, with the reason; the page is in the address. */
export function Refusals({ job }: { job: Job }): React.JSX.Element {
  const { params, set } = useUrlParams();
  const page = pageFrom(params.page);
  const size = Number(oneOf(SIZES, params.size, '50'));
  const refusals = useQuery(refusalsQuery(job.id, page, size));
  return (
    <section aria-labelledby="left-out" className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 id="left-out" className="text-md font-semibold">
          {countOf(job.failed, 'listing was', 'listings were')} skipped
        </h2>
        <a
          href={`/api/jobs/${job.id}/refusals.csv`}
          download
          className={buttonClasses({ look: 'outline', className: 'print:hidden' })}
        >
          <Download aria-hidden />
          Download as CSV
        </a>
      </div>
      <QueryView
        query={refusals}
        loading={<ListSkeleton />}
        failed={(error, retry) => (
          <LoadFailed
            title="Failed to load the skipped listings"
            error={error}
            onRetry={retry}
            retrying={refusals.isFetching}
          />
        )}
      >
        {({ rows, total }) => (
          <>
            <RefusalTable rows={rows} />
            <Pager
              {...{ page, size, total, sizes: JOB_REFUSALS_SIZES }}
              onPage={(next) => set({ page: next === 1 ? undefined : String(next) })}
              onSize={(next) => set({ size: next === 50 ? undefined : String(next), page: undefined })}
            />
          </>
        )}
      </QueryView>
    </section>
  );
}

function RefusalTable({ rows }: { rows: JobRefusals['rows'] }): React.JSX.Element {
  return (
    <PlainTable caption="Skipped listings">
      <thead>
        <tr>
          <HeadCell>SKU</HeadCell>
          <HeadCell>Reason</HeadCell>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ listingId, sku, message }) => (
          <tr key={listingId}>
            <Cell>
              <Link
                to="/listings"
                search={{ q: sku }}
                className="rounded-sm font-mono text-sm text-link hover:underline"
              >
                {sku}
              </Link>
            </Cell>
            <Cell>{message}</Cell>
          </tr>
        ))}
      </tbody>
    </PlainTable>
  );
}
