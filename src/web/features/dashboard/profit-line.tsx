import { useQuery } from '@tanstack/react-query';
import type { Profit } from '#contract/sales.ts';
import { MARKETPLACE_NAMES } from '#domain/marketplaces.ts';
import { engineQuery } from '#web/lib/engine.ts';
import { formatMoney, formatWholeDollars } from '#web/lib/format.ts';
import { formatDay } from '#web/lib/moments.ts';
import { eachDay } from '#web/lib/periods.ts';
import { profitText } from '#web/lib/profit-text.ts';
import { Card } from '#web/ui/card.tsx';
import { TimeChart } from '#web/ui/chart/charts.tsx';
import type { TimeLayer } from '#web/ui/chart/time-plot.ts';
import { EmptyNote } from '#web/ui/empty-note.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { profitFinding } from '#web/ui/profit/profit-finding.ts';
import { dayProfitFinding } from './chart-findings.ts';
import { PROFIT_HEIGHT } from './main-grid.ts';
import type { Money } from './use-money.ts';

type ProfitRow = Profit['rows'][number];

/** The profit of each day, the days before dashed, and when a marketplace went live. A sentence where no day has one. */
export function ProfitLine({ money }: { money: Money }): React.JSX.Element {
  const { query, comparison, byDay, byDayBefore, days, before, name } = money;
  const live = useQuery(engineQuery).data?.marketplaces.filter(({ mode }) => mode === 'live') ?? [];
  if (byDay.isError && byDay.data === undefined) {
    return (
      <LoadFailed
        title="Failed to load the profit by day"
        error={byDay.error}
        onRetry={() => void byDay.refetch()}
        retrying={byDay.isFetching}
      />
    );
  }
  const rows = byRow(byDay.data);
  const earlier = byRow(byDayBefore.data);
  const dates = eachDay(days);
  const datesBefore = eachDay(before);
  const own = dates.map((day) => ({ at: Date.parse(day), value: profitOf(rows.get(day)) }));
  if (own.every(({ value }) => value === null || value === 0)) {
    return (
      <Card>
        <EmptyNote>
          No profit by day yet. It appears here once sales with a known cost and fee are synced.
        </EmptyNote>
      </Card>
    );
  }
  const best = dayProfitFinding(dates.map((day) => ({ day, profit: profitOf(rows.get(day)) })));
  const range = { from: own[0]?.at ?? 0, to: own.at(-1)?.at ?? 0 };
  const layers: TimeLayer[] = [
    ...live.flatMap(({ marketplace, changedAt }): TimeLayer[] => {
      const at = Date.parse(changedAt);
      return at > range.from && at < range.to
        ? [{ kind: 'event', name: `${MARKETPLACE_NAMES[marketplace]} live`, at }]
        : [];
    }),
    {
      kind: 'line',
      name: 'Before',
      style: 'dashed',
      color: 'before',
      isOfSums: true,
      values: own.map(({ at }, index) => ({ at, value: profitOf(earlier.get(datesBefore[index] ?? '')) })),
    },
    { kind: 'line', name: 'Profit', style: 'solid', color: 'own', isOfSums: true, values: own },
  ];
  return (
    <Card aria-busy={byDay.isFetching}>
      <TimeChart
        title={query.data === undefined ? best : profitFinding(query.data.sum, comparison, name)}
        note={`${best}. ${comparison === null ? '' : `Compared with ${comparison.since}, dashed.`}`.trim()}
        level={2}
        height={PROFIT_HEIGHT}
        range={range}
        layers={layers}
        moments={own.map(({ at }) => at)}
        data={{
          columns: ['Day', 'Profit', 'The days before'],
          points: dates.map((day, index) => ({
            key: day,
            cells: [
              { text: formatDay(day), value: day },
              cellOf(rows.get(day)),
              cellOf(earlier.get(datesBefore[index] ?? '')),
            ],
          })),
        }}
        formatValue={(value) => formatWholeDollars(value.toFixed(2))}
        fileName="profit-by-day"
      />
    </Card>
  );
}

function byRow(profit: Profit | undefined): ReadonlyMap<string, ProfitRow> {
  return new Map(profit?.rows.map((row) => [row.key, row]));
}

/** In dollars: a day without a row had no sale, a day with sales of unknown profit has no value. */
function profitOf(row: ProfitRow | undefined): number | null {
  if (row === undefined) return 0;
  return profitText(row) === null ? null : Number(row.profit);
}

function cellOf(row: ProfitRow | undefined): { text: string; value: string } {
  const value = profitOf(row);
  if (value === null) return { text: 'unknown', value: '' };
  return { text: row === undefined ? 'no sales' : formatMoney(value.toFixed(2)), value: value.toFixed(2) };
}
