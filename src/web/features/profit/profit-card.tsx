import type { ProfitGroup, ProfitRow } from '#contract/sales.ts';
import { countOf } from '#web/lib/format.ts';
import { MoneyText } from '#web/ui/money-text.tsx';
import { CoverageCell, KeyCell, ProfitText, SumMargin } from './profit-columns.tsx';

/** A sum on a narrow screen. */
export function ProfitCard({ row, group }: { row: ProfitRow; group: ProfitGroup }): React.JSX.Element {
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex items-start justify-between gap-3">
        <div className="min-w-0 flex-1">
          <KeyCell row={row} group={group} />
        </div>
        <p className="text-right tabular-nums">
          <ProfitText row={row} />
          <span className="block text-sm">
            <SumMargin row={row} />
          </span>
        </p>
      </div>
      <p className="flex flex-wrap gap-x-3 text-sm text-fg-muted">
        <span>
          Revenue <MoneyText amount={row.revenue} />
        </span>
        <span>{countOf(row.units, 'unit', 'units')}</span>
      </p>
      <CoverageCell row={row} group={group} />
    </div>
  );
}
