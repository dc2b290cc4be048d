import type { HistoryEntry } from '#contract/history.ts';
import { MARKETPLACE_NAMES } from '#domain/marketplaces.ts';
import { formatMoney } from '#web/lib/format.ts';
import { MarketplaceMark } from '#web/ui/marketplace-mark.tsx';
import { MomentText } from '#web/ui/moment-text.tsx';
import { NotAvailable } from '#web/ui/not-available.tsx';
import type { TableColumn } from '#web/ui/table/column.ts';
import { MarginImpact, PriceChange } from './price-change.tsx';
import { RowMenu } from './row-menu.tsx';
import { changedBy, SOURCE_LABELS } from './source-labels.ts';

/** The columns of the history, in the order of the specification; extra details are after the reason. */
export function historyColumns(
  onRevert: (entry: HistoryEntry) => void,
): readonly TableColumn<HistoryEntry>[] {
  return [
    {
      id: 'timestamp',
      label: 'Timestamp',
      width: 124,
      cell: ({ timestamp }) => <MomentText iso={timestamp} />,
    },
    {
      id: 'product',
      label: 'Product',
      width: 232,
      grows: true,
      isRowHeader: true,
      cell: (entry) => <ProductCell entry={entry} />,
    },
    {
      id: 'oldPrice',
      label: 'Old Price',
      width: 92,
      align: 'right',
      cell: ({ oldPrice }) => (oldPrice === null ? <NotAvailable /> : formatMoney(oldPrice)),
    },
    {
      id: 'newPrice',
      label: 'New Price',
      width: 96,
      align: 'right',
      cell: ({ newPrice }) => <span className="font-semibold">{formatMoney(newPrice)}</span>,
    },
    {
      id: 'change',
      label: 'Change',
      width: 100,
      align: 'right',
      cell: (entry) => <PriceChange {...entry} />,
    },
    {
      id: 'reason',
      label: 'Reason',
      width: 312,
      cell: (entry) => <ReasonCell entry={entry} />,
    },
    {
      id: 'marginImpact',
      label: 'Margin Impact',
      width: 114,
      align: 'right',
      cell: (entry) => <MarginImpact {...entry} />,
    },
    {
      id: 'actions',
      label: 'Actions',
      width: 48,
      align: 'right',
      pinned: 'right',
      isLabelHidden: true,
      cell: (entry) => <RowMenu entry={entry} onRevert={onRevert} />,
    },
  ];
}

function ProductCell({ entry }: { entry: HistoryEntry }): React.JSX.Element {
  const { marketplace, productTitle, sku, isListingDeleted } = entry;
  return (
    <div className="min-w-0 py-1">
      <p className="truncate font-medium" title={productTitle}>
        {productTitle}
      </p>
      <p className="flex items-center gap-1.5 truncate text-sm font-normal text-fg-muted">
        <MarketplaceMark marketplace={marketplace} />
        {MARKETPLACE_NAMES[marketplace]}
        <span className="font-mono">{sku}</span>
        {isListingDeleted && <span>(removed)</span>}
      </p>
    </div>
  );
}

function ReasonCell({ entry }: { entry: HistoryEntry }): React.JSX.Element {
  const who = changedBy(entry);
  return (
    <div className="min-w-0 py-1">
      <p className="line-clamp-2" title={entry.reason}>
        {entry.reason}
      </p>
      <p className="truncate text-sm text-fg-muted">
        {SOURCE_LABELS[entry.source]}
        {who !== '' && `: ${who}`}
      </p>
    </div>
  );
}
