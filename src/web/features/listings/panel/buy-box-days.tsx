import type { ListingAnalytics } from '#contract/listing-analytics.ts';
import { countOf, formatCount } from '#web/lib/format.ts';
import { BarChart } from '#web/ui/chart/charts.tsx';

type Days = NonNullable<ListingAnalytics>['days'];

const day = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' });

/** Our share of the buy box: all days as one bar, and each day. */
export function BuyBoxDays({ days }: { days: Days }): React.JSX.Element {
  const checks = days.reduce((sum, each) => sum + each.checks, 0);
  const wins = days.reduce((sum, each) => sum + each.wins, 0);
  return (
    <div className="flex flex-col gap-3 border-t pt-4">
      <BarChart
        title={`Won ${share(wins, checks)} of ${countOf(checks, 'check', 'checks')}`}
        note="Buy box in Pricewright's checks, last 30 days (UTC)"
        height={150}
        columns={['Day', 'Won']}
        moreColumns={['Checks']}
        top={100}
        formatValue={(percent) => `${percent}%`}
        fileName="buy-box"
        lead={<WholeBar percent={(100 * wins) / checks} />}
        bars={days.map((each) => ({
          key: each.day,
          label: day.format(new Date(each.day)),
          value: (100 * each.wins) / each.checks,
          text: share(each.wins, each.checks),
          more: [formatCount(each.checks)],
        }))}
      />
    </div>
  );
}

/** 100% as one bar; the title has the number. */
function WholeBar({ percent }: { percent: number }): React.JSX.Element {
  return (
    <div aria-hidden className="h-3 overflow-hidden rounded-sm border bg-hover">
      <div className="h-full bg-chart-own" style={{ width: `${percent}%` }} />
    </div>
  );
}

/** "62.4%" */
function share(wins: number, checks: number): string {
  return `${((100 * wins) / checks).toFixed(1)}%`;
}
