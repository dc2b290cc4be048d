import { useQuery } from '@tanstack/react-query';
import { formatMoney } from '#web/lib/format.ts';
import { useUrlParams } from '#web/lib/url-params.ts';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { MomentText } from '#web/ui/moment-text.tsx';
import { MoneyText } from '#web/ui/money-text.tsx';
import { Cell, HeadCell, PlainTable } from '#web/ui/plain-table.tsx';
import { SaleDialog } from '#web/ui/profit/sale-dialog.tsx';
import { latestSalesQuery } from '#web/ui/profit/sale-queries.ts';

const STATES = { told: 'charged', partly_told: 'partly charged', estimated: 'estimated' } as const;

/** The newest sales of a listing, each opens its details; which one is in the address. Nothing without sales: the figures above say so. */
export function LatestSales({ listingId }: { listingId: string }): React.JSX.Element | null {
  const { params, set } = useUrlParams();
  const query = useQuery(latestSalesQuery(listingId));
  const { data } = query;
  if (query.isError && data === undefined) {
    return (
      <LoadFailed
        title="Failed to load the latest sales"
        error={query.error}
        onRetry={() => void query.refetch()}
        retrying={query.isFetching}
      />
    );
  }
  if (data === undefined || data.rows.length === 0) return null;
  return (
    <section className="flex flex-col gap-2">
      <h3 className="font-semibold">Latest sales</h3>
      <PlainTable caption="Latest sales">
        <thead>
          <tr>
            <HeadCell>Sold</HeadCell>
            <HeadCell numeric>Units</HeadCell>
            <HeadCell numeric>Revenue</HeadCell>
            <HeadCell numeric>Profit</HeadCell>
          </tr>
        </thead>
        <tbody>
          {data.rows.map(({ id, saleDate, quantitySold, totalRevenue, totalMargin, isAbout, state }) => (
            <tr key={id}>
              <Cell>
                <button
                  type="button"
                  onClick={() => set({ sale: id })}
                  className="min-h-8 text-link underline underline-offset-2"
                >
                  <MomentText iso={saleDate} />
                </button>
              </Cell>
              <Cell numeric>{quantitySold}</Cell>
              <Cell numeric>
                <MoneyText amount={totalRevenue} />
              </Cell>
              <Cell numeric className="whitespace-nowrap">
                {totalMargin === null ? 'unknown' : `${isAbout ? 'about ' : ''}${formatMoney(totalMargin)}`}
                <span className="block text-xs text-fg-muted">fees {STATES[state]}</span>
              </Cell>
            </tr>
          ))}
        </tbody>
      </PlainTable>
      {params.sale !== undefined && (
        <SaleDialog id={params.sale} onClose={() => set({ sale: undefined }, true)} />
      )}
    </section>
  );
}
