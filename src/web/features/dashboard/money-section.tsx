import { countOf, formatCount, formatMoney, formatPercent } from '#web/lib/format.ts';
import { daysOf, eachDay } from '#web/lib/periods.ts';
import { coverageText, profitText, trendsOf } from '#web/lib/profit-text.ts';
import { Figure, Figures, type FigureTrend } from '#web/ui/figures.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { Sparkline } from '#web/ui/sparkline.tsx';
import { changesLink, NO_BUY_BOX_LINK } from './links.ts';
import { daysWithin, percentBetween, pointsBetween, repricingSums, shareOf } from './repricing-figures.ts';
import type { Money } from './use-money.ts';

/** Four figures of the period, each with its change on the days before and linked to its list: profit, money lost, buy box, price changes. */
export function MoneySection({ money }: { money: Money }): React.JSX.Element | null {
  const { name, query, repricing } = money;
  const failed = [query, repricing].find(({ isError, data }) => isError && data === undefined);
  if (failed !== undefined) {
    return (
      <LoadFailed
        title="Failed to load the profit"
        error={failed.error}
        onRetry={() => void failed.refetch()}
        retrying={failed.isFetching}
      />
    );
  }
  return (
    <section aria-label={`The last ${name} days`} aria-busy={query.isFetching || repricing.isFetching}>
      <Figures look="cards" columns={4}>
        <ProfitFigure money={money} />
        <LostFigure money={money} />
        <BuyBoxFigure money={money} />
        <ChangesFigure money={money} />
      </Figures>
    </section>
  );
}

type PartProps = { money: Money };

/** Against the days before; the chart below says which these are. */
function against(
  { name }: Money,
  change: string | null,
  over: Partial<FigureTrend> = {},
): FigureTrend | null {
  return change === null
    ? null
    : { change, since: `vs. the ${name} days before`, isSinceSaid: true, ...over };
}

function ProfitFigure({ money }: PartProps): React.JSX.Element | null {
  const { query, comparison, byDay, days, name } = money;
  if (query.data === undefined) return null;
  const { sum } = query.data;
  const rows = new Map(byDay.data?.rows.map((row) => [row.key, row]));
  const profits = eachDay(days).map((day) => {
    const row = rows.get(day);
    if (row === undefined) return 0;
    return profitText(row) === null ? null : Number(row.profit);
  });
  const isKnown = sum.sales > 0 || sum.profit !== null;
  return (
    <Figure
      label="Profit"
      link={{ to: '/profit', search: { period: name } }}
      note={sum.known === 0 ? coverageText(sum) : `From ${coverageText(sum)}`}
      trend={against(money, trendsOf(comparison).profit)}
      aside={isKnown ? <Sparkline values={profits} /> : undefined}
    >
      {profitText(sum) ?? (isKnown ? 'Unknown' : 'No sales')}
    </Figure>
  );
}

function LostFigure({ money }: PartProps): React.JSX.Element | null {
  const { below, belowNow, belowBefore, name } = money;
  if (below === undefined) return null;
  const { total, lost, isLostAbout } = below;
  const isLoss = total > 0 && lost !== null && Number(lost) > 0;
  const none = total > 0 && lost === null ? 'Unknown' : formatMoney('0');
  const [now, before] = [belowNow?.lost, belowBefore?.lost];
  const change = now == null || before == null ? null : (Number(now) - Number(before)).toFixed(2);
  return (
    <Figure
      label="Money lost"
      link={{ to: '/profit', search: { by: 'sale', below: 'true', period: name } }}
      note={
        total === 0
          ? 'No sale below the minimum margin'
          : `${countOf(total, 'sale', 'sales')} below the minimum margin`
      }
      trend={total === 0 && Number(change) === 0 ? null : against(money, change, { unit: '$', good: 'down' })}
      isLoss={isLoss}
    >
      {isLoss ? `${isLostAbout ? 'about ' : ''}${formatMoney(`-${lost}`)}` : none}
    </Figure>
  );
}

function BuyBoxFigure({ money }: PartProps): React.JSX.Element | null {
  const { repricing, period, days, before } = money;
  if (repricing.data === undefined) return null;
  const all = repricing.data.days;
  const shown = daysWithin(all, period);
  const { share, checks } = repricingSums(shown);
  const change = pointsBetween(
    repricingSums(daysWithin(all, days)).share,
    repricingSums(daysWithin(all, before)).share,
  );
  return (
    <Figure
      label="Buy box share"
      link={NO_BUY_BOX_LINK}
      note={share === null ? 'No buy box was checked' : `Of ${countOf(checks, 'check', 'checks')}`}
      trend={against(money, change, { unit: 'pts' })}
      aside={share === null ? undefined : <Sparkline values={shown.map(shareOf)} />}
    >
      {share === null ? 'Unknown' : formatPercent(share.toFixed(2))}
    </Figure>
  );
}

function ChangesFigure({ money }: PartProps): React.JSX.Element | null {
  const { repricing, period, days, before } = money;
  if (repricing.data === undefined) return null;
  const all = repricing.data.days;
  const shown = daysWithin(all, period);
  const { raised, lowered } = repricingSums(shown);
  const [now, then] = [days, before].map((part) => repricingSums(daysWithin(all, part)));
  const count = (sums: typeof now): number => (sums?.raised ?? 0) + (sums?.lowered ?? 0);
  const change = daysOf(days) === daysOf(before) ? percentBetween(count(now), count(then)) : null;
  return (
    <Figure
      label="Price changes"
      link={changesLink(period)}
      note={`${formatCount(raised)} up, ${formatCount(lowered)} down`}
      trend={against(money, change, { good: 'neither' })}
      aside={
        raised + lowered === 0 ? undefined : (
          <Sparkline values={shown.map((day) => day.raised + day.lowered)} />
        )
      }
    >
      {formatCount(raised + lowered)}
    </Figure>
  );
}
