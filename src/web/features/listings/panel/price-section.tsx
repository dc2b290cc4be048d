import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { AnalyticsRange, PriceChart } from '#contract/listing-analytics.ts';
import { formatMoney } from '#web/lib/format.ts';
import { ChartSkeleton, TimeChart } from '#web/ui/chart/charts.tsx';
import { QueryView } from '#web/ui/query-view.tsx';
import { MARKER_NAMES, priceLayers, priceReadings, priceTitle } from './price-chart-data.ts';
import { priceChartQuery } from './queries.ts';
import { RangeButtons } from './range-buttons.tsx';
import { rangeText } from './range-labels.ts';
import { tabFailed } from './tab-failed.tsx';

type PriceSectionProps = { id: string; range: AnalyticsRange; onRange: (range: AnalyticsRange) => void };

/** Our price over the last days against competitors' prices and the margin floor. */
export function PriceSection({ id, range, onRange }: PriceSectionProps): React.JSX.Element {
  const query = useQuery(priceChartQuery(id, range));
  return (
    <section aria-label="Price history" className="flex flex-col gap-3 border-t pt-4">
      <RangeButtons range={range} onRange={onRange} />
      <QueryView
        query={query}
        loading={<ChartSkeleton />}
        failed={tabFailed('Failed to load price history', query)}
      >
        {(chart) => <Chart chart={chart} range={range} />}
      </QueryView>
    </section>
  );
}

function Chart({ chart, range }: { chart: PriceChart; range: AnalyticsRange }): React.JSX.Element {
  const drawn = useMemo(
    () => ({ layers: priceLayers(chart), title: priceTitle(chart), ...priceReadings(chart) }),
    [chart],
  );
  return (
    <TimeChart
      {...drawn}
      note={noteOf(chart, range)}
      range={{ from: Date.parse(chart.from), to: Date.parse(chart.to) }}
      markerNames={MARKER_NAMES}
      formatValue={(cents) => formatMoney((cents / 100).toFixed(2))}
      fileName="price-history"
    />
  );
}

function noteOf(chart: PriceChart, range: AnalyticsRange): string {
  const { from, to, readingHours, isCut, offers, shippingCharge } = chart;
  const every = readingHours === 1 ? 'hour' : `${readingHours} hours`;
  return [
    rangeText(range, { from, to }),
    offers.length === 0 ? 'no competitor offers recorded' : `offers synced every ${every}`,
    ...(Number(shippingCharge) === 0
      ? []
      : [`including your ${formatMoney(shippingCharge)} shipping charge`]),
    ...(isCut ? ['only the newest price changes are shown'] : []),
  ].join(', ');
}
