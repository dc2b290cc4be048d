import { LoadFailed } from '#web/ui/load-failed.tsx';
import { ProfitFiguresCard } from '#web/ui/profit/profit-figures-card.tsx';
import { RangeControl } from '#web/ui/range-control.tsx';
import { hasMoney, MONEY_PERIODS, type Money } from './use-money.ts';

const RANGES = MONEY_PERIODS.map((value) => ({ value, label: `${value}d` }));

/** What the sales of 7, 30 or 90 days earned, against the days before. Nothing without a sale or charge. */
export function MoneySection({ money }: { money: Money }): React.JSX.Element | null {
  const { name, query, comparison, choose } = money;
  if (query.isError && query.data === undefined) {
    return (
      <LoadFailed
        title="Failed to load the profit"
        error={query.error}
        onRetry={() => void query.refetch()}
        retrying={query.isFetching}
      />
    );
  }
  if (query.data === undefined || !hasMoney(money)) return null;
  return (
    <div aria-busy={query.isFetching}>
      <ProfitFiguresCard
        sum={query.data.sum}
        comparison={comparison}
        period={name}
        link={{ to: '/profit', search: { period: name } }}
      >
        <RangeControl name="Days of sales" ranges={RANGES} value={name} onChange={choose} />
      </ProfitFiguresCard>
    </div>
  );
}
