import type { Profit, ProfitRow } from '#contract/sales.ts';
import { countOf, formatCount, formatWholeDollars } from '#web/lib/format.ts';
import { formatDay } from '#web/lib/moments.ts';
import { daysOf, eachDay, type Period } from '#web/lib/periods.ts';
import { coverageText, profitText } from '#web/lib/profit-text.ts';
import { Card } from '#web/ui/card.tsx';
import type { Bar } from '#web/ui/chart/bar-chart.tsx';
import { BarChart } from '#web/ui/chart/charts.tsx';
import { MAX_CHART_DAYS } from './queries.ts';

type ProfitChartProps = {
  profit: Pick<Profit, 'rows' | 'sum'>;
  period: Period;
  marketplace: string | undefined;
};

/** Profit by day, each bar linked to the sales of its day. */
export function ProfitChart({ profit, period, marketplace }: ProfitChartProps): React.JSX.Element | null {
  const days = daysOf(period);
  if (profit.sum.known === 0) return null;
  if (days > MAX_CHART_DAYS) {
    return (
      <p className="text-sm text-fg-muted">Choose up to {formatCount(MAX_CHART_DAYS)} days for a chart.</p>
    );
  }
  const rows = new Map(profit.rows.map((row) => [row.key, row]));
  const bars = eachDay(period).map((day) => dayBar(day, rows.get(day), marketplace));
  return (
    <Card className="min-w-0">
      <BarChart
        title={`Profit of ${countOf(days, 'day', 'days')}: ${profitText(profit.sum) ?? ''}`}
        note={`By the day of the sale, from ${coverageText(profit.sum)}.`}
        columns={['Day', 'Profit']}
        moreColumns={['Sales']}
        bars={bars}
        formatValue={(value) => formatWholeDollars(value.toFixed(2))}
        fileName="profit-by-day"
      />
    </Card>
  );
}

function dayBar(day: string, row: ProfitRow | undefined, marketplace: string | undefined): Bar {
  const label = formatDay(day);
  if (row === undefined) return { key: day, label, value: 0, text: 'no sales', more: ['0'] };
  const text = profitText(row);
  const search = { by: 'sale', from: day, to: day, ...(marketplace === undefined ? {} : { marketplace }) };
  return {
    key: day,
    label,
    value: text === null ? null : Number(row.profit),
    text: text ?? 'unknown',
    tone: row.profit?.startsWith('-') ? 'danger' : 'own',
    more: [formatCount(row.sales)],
    link: { to: '/profit', search },
  };
}
