import type { UseQueryResult } from '@tanstack/react-query';
import type { Coverage } from '#contract/start.ts';
import { CoverageCard } from './coverage-card.tsx';
import { MAIN_GRID } from './main-grid.ts';
import { MarginChart } from './margin-chart.tsx';
import { MarketplaceProfit } from './marketplace-profit.tsx';
import { PriceChangesChart } from './price-changes-chart.tsx';
import { hasMoney, type Money } from './use-money.ts';

type ChartsSectionProps = { money: Money; coverage: UseQueryResult<Coverage> };

/** What the marketplaces earned next to the price changes by day, and the margins next to what cannot be repriced. */
export function ChartsSection({ money, coverage }: ChartsSectionProps): React.JSX.Element {
  const hasTable = hasMoney(money) && (money.query.data?.rows.length ?? 0) > 1;
  return (
    <>
      <div className={hasTable ? MAIN_GRID : 'grid'}>
        {hasTable && <MarketplaceProfit money={money} />}
        <PriceChangesChart />
      </div>
      <div className={MAIN_GRID}>
        <MarginChart />
        <CoverageCard query={coverage} />
      </div>
    </>
  );
}
