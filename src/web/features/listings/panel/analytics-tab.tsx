import { useQuery } from '@tanstack/react-query';
import type { ListingAnalytics } from '#contract/listing-analytics.ts';
import { formatCount, formatPercent } from '#web/lib/format.ts';
import { EmptyNote } from '#web/ui/empty-note.tsx';
import { Figure, FigureSkeletons, Figures } from '#web/ui/figures.tsx';
import { QueryView } from '#web/ui/query-view.tsx';
import { BuyBoxDays } from './buy-box-days.tsx';
import { FetchedNote } from './fetched-note.tsx';
import { analyticsQuery } from './queries.ts';
import { tabFailed } from './tab-failed.tsx';

const LABELS = ['Average Rating', 'Review Count', 'Sales Rank', 'Buy Box Win Rate'] as const;
/** The texts of the specification. */
const UNKNOWN = 'N/A';

/** Metrics of the listing on its marketplace. */
export function AnalyticsTab({ id }: { id: string }): React.JSX.Element {
  const query = useQuery(analyticsQuery(id));
  return (
    <QueryView
      query={query}
      loading={<FigureSkeletons labels={LABELS} testId="panel-skeleton" />}
      failed={tabFailed('Failed to load analytics data', query)}
    >
      {(analytics) =>
        analytics === null ? (
          <EmptyNote>No analytics data available</EmptyNote>
        ) : (
          <AnalyticsFigures analytics={analytics} />
        )
      }
    </QueryView>
  );
}

function AnalyticsFigures({ analytics }: { analytics: NonNullable<ListingAnalytics> }): React.JSX.Element {
  const { averageRating, reviewCount, salesRank, salesRankCategory, buyBoxPercentage, buyBoxWindow } =
    analytics;
  const [rating, reviews, rank, buyBox] = LABELS;
  return (
    <>
      <Figures>
        <Figure label={rating} note="Of 5 stars">
          {averageRating ?? UNKNOWN}
        </Figure>
        <Figure label={reviews}>{formatCount(reviewCount)}</Figure>
        <Figure label={rank} note={salesRankCategory === null ? undefined : `in ${salesRankCategory}`}>
          {salesRank === null ? UNKNOWN : `#${formatCount(salesRank)}`}
        </Figure>
        <Figure label={buyBox} note={buyBoxPercentage === null ? undefined : windowText(buyBoxWindow)}>
          {buyBoxPercentage === null ? UNKNOWN : formatPercent(buyBoxPercentage)}
        </Figure>
      </Figures>
      <FetchedNote label="Last updated" at={analytics.lastUpdated} staleAt={analytics.staleAt} />
      {analytics.days.length > 0 && <BuyBoxDays days={analytics.days} />}
    </>
  );
}

/** "7 days, up to 3 days ago": the buy box covers other days than the checks below. */
function windowText(window: NonNullable<ListingAnalytics>['buyBoxWindow']): string {
  if (window === null) return 'As the marketplace reports it';
  return `${window.days} days, up to ${window.endsDaysAgo} days ago`;
}
