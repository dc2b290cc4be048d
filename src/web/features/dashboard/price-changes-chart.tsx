import { useQuery } from '@tanstack/react-query';
import { CHART_DAYS, type ChartDays, type PriceDays } from '#contract/charts.ts';
import { formatCount } from '#web/lib/format.ts';
import { oneOf, useUrlParams } from '#web/lib/url-params.ts';
import { Card } from '#web/ui/card.tsx';
import type { Bar } from '#web/ui/chart/bar-chart.tsx';
import { BarChart, ChartSkeleton } from '#web/ui/chart/charts.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { RangeControl } from '#web/ui/range-control.tsx';
import { priceDaysFinding } from './chart-findings.ts';
import { dayLink } from './links.ts';
import { CHART_HEIGHT } from './main-grid.ts';
import { priceDaysQuery } from './queries.ts';

const RANGES = CHART_DAYS.map((value) => ({ value, label: `${value}d` }));

/** Raised and lowered prices by day, each bar linked to them; a sentence where there are none. */
export function PriceChangesChart(): React.JSX.Element {
  const { params, set } = useUrlParams();
  const days = oneOf(CHART_DAYS, params.days, '14');
  const query = useQuery(priceDaysQuery(days));
  const { data } = query;
  if (query.isError && data === undefined) {
    return (
      <LoadFailed
        title="Failed to load the price changes"
        error={query.error}
        onRetry={() => void query.refetch()}
        retrying={query.isFetching}
      />
    );
  }
  return (
    <Card className="min-w-0" aria-busy={query.isFetching}>
      {data === undefined ? (
        <ChartSkeleton height={CHART_HEIGHT} />
      ) : (
        <Days days={data.days} range={rangeOf(data)}>
          <RangeControl
            name="Days shown"
            ranges={RANGES}
            value={days}
            onChange={(each) => set({ days: each === '14' ? undefined : each })}
          />
        </Days>
      )}
    </Card>
  );
}

/** The drawn range: while another one is loading, the previous one is still shown. */
function rangeOf({ days }: PriceDays): ChartDays {
  return days.length > 14 ? '30' : '14';
}

const shortDay = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' });

type DaysProps = { days: PriceDays['days']; range: ChartDays; children: React.ReactNode };

const NOTE = 'Imports and external edits are excluded.';

function Days({ days, range, children }: DaysProps): React.JSX.Element {
  const title = priceDaysFinding(days, range);
  if (days.every(({ raised, lowered }) => raised + lowered === 0)) {
    return (
      <div className="flex items-start gap-2">
        <div className="min-w-0 flex-1">
          <h2 className="text-md font-semibold text-balance">{title}</h2>
          <p className="text-sm text-fg-muted">{NOTE}</p>
        </div>
        {children}
      </div>
    );
  }
  const bars = days.map(
    ({ day, raised, lowered }): Bar => ({
      key: day,
      label: shortDay.format(Date.parse(day)),
      value: raised,
      text: formatCount(raised),
      tone: 'success',
      below: { value: lowered, tone: 'danger' },
      more: [formatCount(lowered)],
      // A day without changes has no bar.
      ...(raised + lowered > 0 ? { link: dayLink(day) } : {}),
    }),
  );
  return (
    <BarChart
      title={title}
      note={`Raises point up, drops point down. ${NOTE}`}
      level={2}
      height={CHART_HEIGHT}
      controls={children}
      columns={['Day', 'Raised']}
      moreColumns={['Lowered']}
      bars={bars}
      // Below zero are drops, not negative counts.
      formatValue={(value) => formatCount(Math.abs(value))}
      fileName="price-changes"
    />
  );
}
