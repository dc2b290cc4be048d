import type { Sale } from '#contract/sales.ts';
import { countOf } from '#web/lib/format.ts';
import { MoneyText } from '#web/ui/money-text.tsx';
import { FEE_STATES, OpenSale, SaleProfit, SoldListing } from './sale-columns.tsx';

/** A sale on a narrow screen. */
export function SaleCard({ sale }: { sale: Sale }): React.JSX.Element {
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex items-start justify-between gap-3">
        <div className="min-w-0 flex-1">
          <SoldListing sale={sale} />
        </div>
        <p className="text-right tabular-nums">
          <SaleProfit sale={sale} />
        </p>
      </div>
      <p className="flex flex-wrap gap-x-3 text-sm text-fg-muted">
        <OpenSale sale={sale} />
        <span>{countOf(sale.quantitySold, 'unit', 'units')}</span>
        <span>
          Revenue <MoneyText amount={sale.totalRevenue} />
        </span>
        <span>
          Fees <MoneyText amount={sale.marketplaceFees} />
          {sale.marketplaceFees !== null && `, ${FEE_STATES[sale.state]}`}
        </span>
      </p>
    </div>
  );
}
