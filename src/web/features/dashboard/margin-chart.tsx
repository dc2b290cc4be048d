import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { MarginDistribution } from '#contract/charts.ts';
import type { MarginFilter } from '#domain/costs/margin-bands.ts';
import { countOf, formatCount, formatMoney } from '#web/lib/format.ts';
import { Card } from '#web/ui/card.tsx';
import type { Bar } from '#web/ui/chart/bar-chart.tsx';
import { BarChart, ChartSkeleton } from '#web/ui/chart/charts.tsx';
import { EmptyNote } from '#web/ui/empty-note.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { marginFinding } from './chart-findings.ts';
import { marginLink } from './links.ts';
import { CHART_HEIGHT } from './main-grid.ts';
import { marginsQuery } from './queries.ts';

/** Listings by margin, each bar linked to them; and how many prices the margin floor limited. */
export function MarginChart(): React.JSX.Element {
  const query = useQuery(marginsQuery);
  const { data } = query;
  if (query.isError && data === undefined) {
    return (
      <LoadFailed
        title="Failed to load the margins"
        error={query.error}
        onRetry={() => void query.refetch()}
        retrying={query.isFetching}
      />
    );
  }
  return (
    <Card className="min-w-0">
      {data === undefined ? <ChartSkeleton height={CHART_HEIGHT} /> : <Margins {...data} />}
    </Card>
  );
}

/** In the colors of margins in lists; the labels fit under the bars on a phone. */
const BARS = {
  loss: { label: 'Loss', tone: 'danger' },
  below_5: { label: '0-5%', tone: 'danger' },
  below_10: { label: '5-10%', tone: 'warning' },
  below_15: { label: '10-15%', tone: 'success' },
  from_15: { label: '15%+', tone: 'strong' },
} as const satisfies Record<Exclude<MarginFilter, 'unknown'>, Pick<Bar, 'label' | 'tone'>>;

function Margins({ bands, heldAtFloor, savedByFloor }: MarginDistribution): React.JSX.Element {
  const unknown = bands.find(({ band }) => band === 'unknown')?.count ?? 0;
  const bars = bands.flatMap(({ band, count }): Bar[] =>
    band === 'unknown'
      ? []
      : [{ key: band, ...BARS[band], value: count, text: formatCount(count), link: marginLink(band) }],
  );
  return (
    <>
      {bars.some(({ value }) => value !== 0) ? (
        <BarChart
          title={marginFinding(bands)}
          level={2}
          height={CHART_HEIGHT}
          note="Listings with known costs and fees, at their current price"
          columns={['Margin', 'Listings']}
          bars={bars}
          formatValue={formatCount}
          fileName="margins"
          isHistogram
        />
      ) : (
        <EmptyNote>No margins yet. Enter costs and weights to see what each sale earns.</EmptyNote>
      )}
      <ul className="-mx-4 mt-3 flex flex-col gap-1 border-t px-4 pt-3 text-sm text-fg-muted">
        {unknown > 0 && (
          <li>
            <Link {...marginLink('unknown')} className={LINK}>
              {countOf(unknown, 'listing', 'listings')}
            </Link>{' '}
            without a known margin.
          </li>
        )}
        <li>{savedText(heldAtFloor, savedByFloor)}</li>
      </ul>
    </>
  );
}

const LINK = 'underline decoration-border-control underline-offset-4 hover:decoration-current';

function savedText(heldAtFloor: number, savedByFloor: string): string {
  if (heldAtFloor === 0) return 'The margin floor did not stop any price cut in the last 7 days.';
  const cuts = countOf(heldAtFloor, 'price cut', 'price cuts');
  return `The margin floor stopped ${cuts} in the last 7 days, worth ${formatMoney(savedByFloor)} per sale.`;
}
