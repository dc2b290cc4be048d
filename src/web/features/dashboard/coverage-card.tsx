import type { UseQueryResult } from '@tanstack/react-query';
import { useId } from 'react';
import type { Coverage } from '#contract/setup.ts';
import { countOf, formatCount } from '#web/lib/format.ts';
import { Card } from '#web/ui/card.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { CoverageProblems } from './coverage-problems.tsx';

/** How many listings can be repriced, and the problems of the others, each linked to its list. */
export function CoverageCard({ query }: { query: UseQueryResult<Coverage> }): React.JSX.Element | null {
  const { data } = query;
  const headingId = useId();
  if (query.isError && data === undefined) {
    return (
      <LoadFailed
        title="Failed to load the coverage"
        error={query.error}
        onRetry={() => void query.refetch()}
        retrying={query.isFetching}
      />
    );
  }
  if (data === undefined || data.total === 0) return null;
  return (
    <section aria-labelledby={headingId}>
      <Card className="h-full">
        <h2 id={headingId} className="text-md font-semibold">
          {formatCount(data.repriceable)} of {countOf(data.total, 'listing', 'listings')} can be repriced
        </h2>
        <CoverageBar coverage={data} />
        {data.undecided > 0 && (
          <p className="mt-2 text-sm text-fg-muted">
            {countOf(data.undecided, 'listing has', 'listings have')} not been checked yet.
          </p>
        )}
        <CoverageProblems problems={data.problems} />
      </Card>
    </section>
  );
}

/** The text above has the same content. */
function CoverageBar({ coverage: { repriceable, total } }: { coverage: Coverage }): React.JSX.Element {
  return (
    <div aria-hidden className="mt-3 h-1.5 overflow-hidden rounded-full bg-fill">
      <div className="h-full bg-primary" style={{ width: `${(100 * repriceable) / total}%` }} />
    </div>
  );
}
