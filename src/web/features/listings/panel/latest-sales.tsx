import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { formatMoney } from '#web/lib/format.ts';
import { MomentText } from '#web/ui/moment-text.tsx';
import { MoneyText } from '#web/ui/money-text.tsx';
import { Cell, HeadCell, PlainTable } from '#web/ui/plain-table.tsx';
import { SaleDialog } from '#web/ui/profit/sale-dialog.tsx';
import { latestSalesQuery } from '#web/ui/profit/sale-queries.ts';

const STATES = { told: 'told', partly_told: 'partly told', estimated: 'estimated' } as const;

/** The newest sales of a listing, each opens its details. Nothing without sales: the figures above say so. */
export function LatestSales({ listingId }: { listingId: string }): React.JSX.Element | null {
  const [opened, setOpened] = useState<string | null>(null);
  const { data } = useQuery(latestSalesQuery(listingId));
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
                  onClick={() => setOpened(id)}
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
      {opened !== null && <SaleDialog id={opened} onClose={() => setOpened(null)} />}
    </section>
  );
}
