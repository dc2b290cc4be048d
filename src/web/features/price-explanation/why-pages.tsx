import { type UseQueryOptions, useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { PriceExplanation } from '#contract/explanation.ts';
import { ApiError, errorText } from '#web/lib/api.ts';
import { classNames } from '#web/lib/class-names.ts';
import { buttonClasses } from '#web/ui/button.tsx';
import { EmptyNote } from '#web/ui/empty-note.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { QueryView } from '#web/ui/query-view.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { ExplanationView } from './explanation-view.tsx';
import { whyHistoryQuery, whyNowQuery, whyRecommendedQuery } from './queries.ts';

/** /listings/$id/why: the decision for a listing now. */
export function WhyNowPage(): React.JSX.Element {
  const { id = '' } = useParams({ strict: false });
  return <WhyPage subtitle="Calculated now from current data" options={whyNowQuery(id)} />;
}

/** /listings/$id/recommendation: the recommended price that needs review. */
export function WhyRecommendedPage(): React.JSX.Element {
  const { id = '' } = useParams({ strict: false });
  return <WhyPage subtitle="Last decision, from the data used then" options={whyRecommendedQuery(id)} />;
}

/** /history/$listingId/$id/why: an entry of the history. */
export function WhyHistoryPage(): React.JSX.Element {
  const { listingId = '', id = '' } = useParams({ strict: false });
  return (
    <WhyPage subtitle="Price change, from the data stored with it" options={whyHistoryQuery(listingId, id)} />
  );
}

type WhyPageProps = {
  subtitle: string;
  options: UseQueryOptions<PriceExplanation, Error, PriceExplanation, string[]>;
};

function WhyPage({ subtitle, options }: WhyPageProps): React.JSX.Element {
  const query = useQuery(options);
  return (
    <div className="flex w-full max-w-6xl flex-col gap-6">
      <PageHeading title="Why this price" subtitle={subtitle} />
      <QueryView
        query={query}
        loading={<Loading />}
        failed={(error, retry) =>
          error instanceof ApiError && error.code === 'not_found' ? (
            <NothingHere text={errorText(error)} />
          ) : (
            <LoadFailed
              title="Could not explain this price"
              error={error}
              onRetry={retry}
              retrying={query.isFetching}
            />
          )
        }
      >
        {(explanation) => <ExplanationView explanation={explanation} />}
      </QueryView>
    </div>
  );
}

/** Retrying would not help: says why, and links on. */
function NothingHere({ text }: { text: string }): React.JSX.Element {
  return (
    <EmptyNote>
      <p role="alert">{text}</p>
      <Link to="/listings" className={classNames(buttonClasses({ look: 'outline' }), 'mt-3')}>
        Go to Listings
      </Link>
    </EmptyNote>
  );
}

function Loading(): React.JSX.Element {
  return (
    <div className="flex flex-col gap-4" aria-busy>
      <Skeleton className="h-32" />
      <Skeleton className="h-48" />
      <Skeleton className="h-64" />
    </div>
  );
}
