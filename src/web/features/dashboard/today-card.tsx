import type { UseQueryResult } from '@tanstack/react-query';
import { useId } from 'react';
import type { Today } from '#contract/charts.ts';
import { countOf, formatCount, formatMoney } from '#web/lib/format.ts';
import { Card } from '#web/ui/card.tsx';
import { CardHead } from '#web/ui/card-head.tsx';
import { Figure, Figures } from '#web/ui/figures.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { todayFinding } from './chart-findings.ts';
import { repricedOfDayLink } from './links.ts';

/** What repricing changed since midnight, and what it is worth; with nothing changed the finding alone. */
export function TodayCard({ query }: { query: UseQueryResult<Today> }): React.JSX.Element | null {
  const headingId = useId();
  const { data } = query;
  if (query.isError && data === undefined) {
    return (
      <LoadFailed
        title="Failed to load today's price changes"
        error={query.error}
        onRetry={() => void query.refetch()}
        retrying={query.isFetching}
      />
    );
  }
  if (data === undefined) return null;
  return (
    <section aria-labelledby={headingId} aria-busy={query.isFetching}>
      <Card className="p-0">
        <CardHead id={headingId} title={todayFinding(data)} caption="Since midnight" />
        {data.changes > 0 && <TodayFigures today={data} />}
      </Card>
    </section>
  );
}

function TodayFigures({ today }: { today: Today }): React.JSX.Element {
  const { day, changes, raised, lowered, undone, listings, known, weeklyEffect, heldAtFloor } = today;
  return (
    <Figures look="inCard" columns={4}>
      <Figure
        label="Prices changed"
        note={`On ${countOf(listings, 'listing', 'listings')}${undone > 0 ? `, ${formatCount(undone)} undone` : ''}`}
        link={repricedOfDayLink(day)}
      >
        {formatCount(changes)}
      </Figure>
      <Figure label="Up and down" note="Number of price changes">
        {`${formatCount(raised)} up, ${formatCount(lowered)} down`}
      </Figure>
      <Figure
        label="Profit at same volume"
        note={
          known < listings
            ? `Known for ${formatCount(known)} of ${countOf(listings, 'listing', 'listings')}`
            : 'At the units of an average week'
        }
      >
        {weeklyEffect === null ? 'Unknown' : `${signed(weeklyEffect)} a week`}
      </Figure>
      <Figure label="Stopped at the margin floor" note="Prices that would have fallen further">
        {formatCount(heldAtFloor)}
      </Figure>
    </Figures>
  );
}

function signed(amount: string): string {
  return Number(amount) > 0 ? `+${formatMoney(amount)}` : formatMoney(amount);
}
