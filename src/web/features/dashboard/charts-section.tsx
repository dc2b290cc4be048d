import type { UseQueryResult } from '@tanstack/react-query';
import type { Coverage } from '#contract/setup.ts';
import { CoverageCard } from './coverage-card.tsx';
import { MAIN_GRID } from './main-grid.ts';
import { MarginChart } from './margin-chart.tsx';
import { MarketplaceProfit } from './marketplace-profit.tsx';
import { PriceChangesChart } from './price-changes-chart.tsx';
import { hasRuleProfit, RuleProfit } from './rule-profit.tsx';
import { hasMoney, type Money } from './use-money.ts';

type ChartsSectionProps = { money: Money; coverage: UseQueryResult<Coverage> };

/** What rules earned next to the price changes by day, the margins next to what cannot be repriced, and what marketplaces earned. */
export function ChartsSection({ money, coverage }: ChartsSectionProps): React.JSX.Element {
  const hasRules = hasRuleProfit(money);
  return (
    <>
      <div className={hasRules ? MAIN_GRID : 'grid'}>
        {hasRules && <RuleProfit money={money} />}
        <PriceChangesChart />
      </div>
      <div className={MAIN_GRID}>
        <MarginChart />
        <CoverageCard query={coverage} />
      </div>
      {hasMoney(money) && <MarketplaceProfit money={money} />}
    </>
  );
}
