import { type UseQueryOptions, useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { History, ListFilter, Undo2 } from 'lucide-react';
import type { PriceExplanation } from '#contract/explanation.ts';
import { ApiError, errorText } from '#web/lib/api.ts';
import { classNames } from '#web/lib/class-names.ts';
import { formatMoney } from '#web/lib/format.ts';
import { buttonClasses } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { ChartSkeleton } from '#web/ui/chart/charts.tsx';
import { EmptyNote } from '#web/ui/empty-note.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { QueryView } from '#web/ui/query-view.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { ExplanationView } from './explanation-view.tsx';
import { whyHistoryQuery, whyNowQuery, whyRecommendedQuery, whyRunQuery } from './queries.ts';

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

/** /runs/$id/why/$listingId: what a run decided about a listing. */
export function WhyRunPage(): React.JSX.Element {
  const { id = '', listingId = '' } = useParams({ strict: false });
  return (
    <WhyPage
      subtitle={`Decision of run ${id}, from the data used then`}
      options={whyRunQuery(id, listingId)}
    />
  );
}

/** /history/$listingId/$id/why: an entry of the history. */
export function WhyHistoryPage(): React.JSX.Element {
  const { listingId = '', id = '' } = useParams({ strict: false });
  return (
    <WhyPage
      subtitle="Price change, from the data stored with it"
      options={whyHistoryQuery(listingId, id)}
      entry={id}
    />
  );
}

type WhyPageProps = {
  subtitle: string;
  options: UseQueryOptions<PriceExplanation, Error, PriceExplanation, string[]>;
  entry?: string;
};

function WhyPage({ subtitle, options, entry }: WhyPageProps): React.JSX.Element {
  const query = useQuery(options);
  return (
    <div className="flex w-full flex-col gap-3">
      <PageHeading title="Why this price" subtitle={subtitle}>
        {query.data !== undefined && <Links explanation={query.data} entry={entry} />}
      </PageHeading>
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

type LinksProps = {
  explanation: PriceExplanation;
  /** The entry of the history that is explained. */
  entry: string | undefined;
};

/** Where the listing and its prices are, and the way back to the price before. */
function Links({ explanation, entry }: LinksProps): React.JSX.Element {
  const { listing, facts, of, price } = explanation;
  const before = facts.currentPrice;
  const look = buttonClasses({ look: 'outline', phone: 'icon' });
  return (
    <>
      <Link to="/listings" search={{ q: listing.sku }} className={look}>
        <ListFilter aria-hidden />
        <span>Show in Listings</span>
      </Link>
      <Link to="/history" search={{ listing: listing.id }} className={look}>
        <History aria-hidden />
        <span>
          Price history<span className="sr-only"> of this listing</span>
        </span>
      </Link>
      {of === 'history' &&
        entry !== undefined &&
        before !== null &&
        before !== price &&
        before !== listing.currentPrice && (
          <Link
            to="/history"
            // The list opens the dialog, which checks the price against current costs and limits.
            search={{ listing: listing.id, revert: `${listing.id}-${entry}` }}
            className={look}
          >
            <Undo2 aria-hidden />
            <span>Revert to {formatMoney(before)}</span>
          </Link>
        )}
    </>
  );
}

/** The final layout: the head, two charts, two lists. */
function Loading(): React.JSX.Element {
  return (
    <div className="flex flex-col gap-3" aria-busy>
      <Card className="flex h-36 flex-col gap-3">
        <Skeleton className="h-3 w-64 max-w-full" />
        <Skeleton className="h-2.5 w-48" />
        <Skeleton className="mt-auto h-3 w-1/2" />
      </Card>
      <div className="grid gap-3 lg:grid-cols-2">
        {['sale', 'steps'].map((card) => (
          <Card key={card}>
            <ChartSkeleton height={196} />
          </Card>
        ))}
      </div>
    </div>
  );
}
