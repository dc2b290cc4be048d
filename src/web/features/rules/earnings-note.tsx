import { useQuery } from '@tanstack/react-query';
import type { ProfitSums } from '#contract/profit-sums.ts';
import type { RuleEarnings } from '#contract/rules.ts';
import { errorText } from '#web/lib/api.ts';
import { countOf, formatCount, formatMoney } from '#web/lib/format.ts';
import { formatDay } from '#web/lib/moments.ts';
import { profitText } from '#web/lib/profit-text.ts';
import { Cell, HeadCell, PlainTable } from '#web/ui/plain-table.tsx';
import { earningsQuery } from './queries.ts';

/** What the listings of a rule earned since its first price, against as many days before. */
export function EarningsNote({ id }: { id: string }): React.JSX.Element {
  const { data, error } = useQuery(earningsQuery(id));
  return (
    <div className="max-w-xl text-sm">
      {error !== null && <p className="text-danger-text">{errorText(error)}</p>}
      {error === null && data === undefined && <p className="text-fg-muted">Counting...</p>}
      {data !== undefined && <Earnings earnings={data} />}
    </div>
  );
}

function Earnings({
  earnings: { firstDay, listings, compared },
}: {
  earnings: RuleEarnings;
}): React.JSX.Element {
  if (firstDay === null) return <p className="text-fg-muted">It has not set a price yet.</p>;
  if (compared === null) {
    return (
      <p className="text-fg-muted">
        First price on {formatDay(firstDay)}: there is no whole day of sales on both sides of it yet.
      </p>
    );
  }
  const { days, since, before } = compared;
  const rows: readonly (readonly [string, (sums: ProfitSums) => string])[] = [
    ['Units', ({ units }) => formatCount(units)],
    ['Revenue', ({ revenue }) => formatMoney(revenue)],
    ['Profit', (sums) => profitText(sums) ?? 'Unknown'],
  ];
  return (
    <>
      <PlainTable caption="Earned, against before">
        <thead>
          <tr>
            <HeadCell>{countOf(listings, 'listing', 'listings')}</HeadCell>
            <HeadCell numeric>{countOf(days, 'day', 'days')} before</HeadCell>
            <HeadCell numeric>Last {countOf(days, 'day', 'days')}</HeadCell>
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, text]) => (
            <tr key={name}>
              <Cell>{name}</Cell>
              <Cell numeric>{text(before)}</Cell>
              <Cell numeric>{text(since)}</Cell>
            </tr>
          ))}
        </tbody>
      </PlainTable>
      <p className="text-fg-muted">
        All sales of the listings whose price it has set, around its first price on {formatDay(firstDay)}.
        Seasonality and other changes are included.
      </p>
    </>
  );
}
