import { Link } from '@tanstack/react-router';
import { useId } from 'react';
import type { Profit } from '#contract/sales.ts';
import { MARKETPLACE_NAMES, type Marketplace } from '#domain/marketplaces.ts';
import { countOf, formatCount, formatMoney } from '#web/lib/format.ts';
import { marginText, profitText, trendsOf } from '#web/lib/profit-text.ts';
import { Card } from '#web/ui/card.tsx';
import { CardHead } from '#web/ui/card-head.tsx';
import { MarketplaceMark } from '#web/ui/marketplace-mark.tsx';
import { Missing } from '#web/ui/money-text.tsx';
import { Cell, HeadCell, PlainTable } from '#web/ui/plain-table.tsx';
import { earnerFinding } from './chart-findings.ts';
import { ProfitChange } from './profit-change.tsx';
import type { Money } from './use-money.ts';

/** What each marketplace earned, the most first, linked to its listings. */
export function MarketplaceProfit({ money }: { money: Money }): React.JSX.Element | null {
  const headingId = useId();
  const { query, name } = money;
  const rows = query.data?.rows ?? [];
  if (rows.length < 2) return null;
  return (
    <section aria-labelledby={headingId}>
      <Card className="h-full p-0 pb-1">
        <CardHead id={headingId} title={earnerFinding(rows)} caption={`${name} days`} />
        <PlainTable caption="Sales and profit by marketplace" isBare>
          <thead>
            <tr>
              <HeadCell>Marketplace</HeadCell>
              <HeadCell numeric className="max-sm:hidden">
                Revenue
              </HeadCell>
              <HeadCell numeric>Profit</HeadCell>
              <HeadCell numeric>Change</HeadCell>
              <HeadCell numeric className="max-sm:hidden">
                Margin
              </HeadCell>
              <HeadCell numeric className="max-sm:hidden">
                Units
              </HeadCell>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <Row key={row.key} row={row} money={money} />
            ))}
          </tbody>
        </PlainTable>
      </Card>
    </section>
  );
}

function Row({ row, money }: { row: Profit['rows'][number]; money: Money }): React.JSX.Element {
  const { name, comparison } = money;
  return (
    <tr>
      <Cell>
        <Link
          to="/profit"
          search={{ by: 'listing', period: name, marketplace: row.key }}
          className="inline-flex min-h-10 items-center gap-1.5 font-medium hover:underline dense:min-h-6"
        >
          <MarketplaceMark marketplace={row.key as Marketplace} />
          {MARKETPLACE_NAMES[row.key as Marketplace]}
        </Link>
      </Cell>
      <Cell numeric className="max-sm:hidden">
        {formatMoney(row.revenue)}
      </Cell>
      <Cell numeric>
        <span className="font-semibold whitespace-nowrap">{profitText(row) ?? <Missing />}</span>
        {row.known < row.sales && (
          <span className="block text-xs text-fg-muted">
            {formatCount(row.known)} of {countOf(row.sales, 'sale', 'sales')}
          </span>
        )}
      </Cell>
      <Cell numeric>
        <ProfitChange change={trendsOf(comparison?.byMarketplace.get(row.key) ?? null).profit} />
      </Cell>
      <Cell numeric className="whitespace-nowrap max-sm:hidden">
        {row.margin === null ? <Missing /> : marginText(row)}
      </Cell>
      <Cell numeric className="max-sm:hidden">
        {formatCount(row.units)}
      </Cell>
    </tr>
  );
}
