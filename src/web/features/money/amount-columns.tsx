import { Link } from '@tanstack/react-router';
import type { MoneyEvent } from '#contract/money.ts';
import { MONEY_KIND_LABELS } from '#web/lib/money-labels.ts';
import { touchTarget } from '#web/ui/control-classes.ts';
import { MomentText } from '#web/ui/moment-text.tsx';
import { Missing, MoneyText } from '#web/ui/money-text.tsx';
import type { TableColumn } from '#web/ui/table/column.ts';
import { MarketplaceName } from './settlement-columns.tsx';

/** What marketplaces booked. */
export const AMOUNT_COLUMNS: readonly TableColumn<MoneyEvent>[] = [
  { id: 'posted', label: 'Booked', width: 112, cell: ({ postedAt }) => <MomentText iso={postedAt} /> },
  {
    id: 'marketplace',
    label: 'Marketplace',
    width: 116,
    cell: ({ marketplace }) => <MarketplaceName marketplace={marketplace} />,
  },
  {
    id: 'kind',
    label: 'What for',
    width: 240,
    grows: true,
    isRowHeader: true,
    cell: (row) => <KindCell row={row} />,
  },
  {
    id: 'amount',
    label: 'Amount',
    width: 132,
    align: 'right',
    cell: (row) => <AmountCell row={row} />,
  },
  { id: 'belongs', label: 'Belongs to', width: 200, cell: (row) => <BelongsTo row={row} /> },
  {
    id: 'settlement',
    label: 'Settlement',
    width: 132,
    isOptional: true,
    cell: ({ settlementRef }) =>
      settlementRef === null ? (
        <Missing />
      ) : (
        <span className="font-mono text-sm wrap-anywhere">{settlementRef}</span>
      ),
  },
];

/** Our word for it, and the marketplace's own. */
export function KindCell({ row: { kind, rawType } }: { row: MoneyEvent }): React.JSX.Element {
  return (
    <div className="min-w-0 py-1">
      <p className="font-medium">{MONEY_KIND_LABELS[kind]}</p>
      <p className="truncate text-sm font-normal text-fg-muted" title={rawType}>
        {rawType}
      </p>
    </div>
  );
}

/** The amount, with whether it is released and was corrected. */
export function AmountCell({
  row: { amount, releasedAt, restated },
}: {
  row: MoneyEvent;
}): React.JSX.Element {
  return (
    <>
      <span className={`whitespace-nowrap ${amount.startsWith('-') ? 'text-danger-text' : ''}`}>
        <MoneyText amount={amount} />
      </span>
      {releasedAt === null && <span className="block text-xs text-fg-muted">not released yet</span>}
      {restated > 0 && <span className="block text-xs text-fg-muted">corrected</span>}
    </>
  );
}

const LINK = `text-link underline underline-offset-2 ${touchTarget}`;

/** The order, listing or marketplace of an amount, and why it is in no profit. */
export function BelongsTo({ row }: { row: MoneyEvent }): React.JSX.Element {
  const { kind, orderRef, profitOf } = row;
  if (kind === 'transfer') return <span className="text-sm text-fg-muted">No sale: money that moved</span>;
  return (
    <>
      <Owner row={row} />
      {profitOf === 'none' && (
        <span className="block text-xs text-fg-muted">
          {orderRef === null
            ? 'Not of one sale: each sale has its own'
            : 'Not in profit until its sale is synced'}
        </span>
      )}
    </>
  );
}

function Owner({ row }: { row: MoneyEvent }): React.JSX.Element {
  const { matchedBy, orderRef, sku, marketplace, listingId } = row;
  if (matchedBy === 'sku' && listingId !== null) {
    return (
      <>
        <Link to="/listings" search={{ marketplace, panel: listingId }} className={`text-sm ${LINK}`}>
          Listing {sku}
        </Link>
        {orderRef !== null && (
          <span className="block text-xs text-fg-muted wrap-anywhere">Order {orderRef}, sale not synced</span>
        )}
      </>
    );
  }
  if (matchedBy !== 'marketplace') {
    return (
      <span className="text-sm wrap-anywhere">
        Order <span className="font-mono">{orderRef}</span>
      </span>
    );
  }
  return (
    <span className="text-sm text-fg-muted wrap-anywhere">
      {orderRef === null ? 'No sale' : `Order ${orderRef}, sale not synced`}
    </span>
  );
}
