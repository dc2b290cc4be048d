import { countOf, formatMoney } from '#web/lib/format.ts';
import type { Figure } from '#web/ui/figure-strip.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { ProfitFiguresCard } from '#web/ui/profit/profit-figures-card.tsx';
import { RangeControl } from '#web/ui/range-control.tsx';
import { hasMoney, MONEY_PERIODS, type Money } from './use-money.ts';

const RANGES = MONEY_PERIODS.map((value) => ({ value, label: `${value}d` }));

/** Null while it is not known. */
function lostOf({ below, name }: Money): Figure | null {
  if (below === undefined) return null;
  const { total, lost, isLostAbout } = below;
  const isLoss = total > 0 && lost !== null && Number(lost) > 0;
  const none = total > 0 && lost === null ? 'Not known' : formatMoney('0');
  return {
    label: 'Money lost',
    figure: isLoss ? `${isLostAbout ? 'about ' : ''}${formatMoney(`-${lost}`)}` : none,
    note:
      total === 0
        ? 'No sale below the minimum margin'
        : `${countOf(total, 'sale', 'sales')} below the minimum margin`,
    isLoss,
    link: { to: '/profit', search: { by: 'sale', below: 'true', period: name } },
  };
}

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
        lost={lostOf(money)}
      >
        <RangeControl name="Days of sales" ranges={RANGES} value={name} onChange={choose} />
      </ProfitFiguresCard>
    </div>
  );
}
