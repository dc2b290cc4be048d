import { useNavigate, useSearch } from '@tanstack/react-router';
import { Pencil } from 'lucide-react';
import type { CostRow } from '#contract/cost-list.ts';
import { MARKETPLACE_NAMES } from '#domain/marketplaces.ts';
import { formatMoney } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import { MarketplaceMark } from '#web/ui/marketplace-mark.tsx';
import type { TableColumn } from '#web/ui/table/column.ts';

type Part = 'productCost' | 'shippingCost' | 'fulfillmentCost' | 'packagingCost' | 'miscCost' | 'totalCost';

const money = (id: Part, label: string, width = 108): TableColumn<CostRow> => ({
  id,
  label,
  width,
  align: 'right',
  cell: (row) => <Amount row={row} part={id} />,
});

/** The columns of the list of costs. */
export const COST_COLUMNS: readonly TableColumn<CostRow>[] = [
  {
    id: 'sku',
    label: 'SKU',
    width: 160,
    pinned: 'left',
    isRowHeader: true,
    cell: ({ sku }) => <span className="font-mono text-sm">{sku}</span>,
  },
  { id: 'product', label: 'Product', width: 200, grows: true, cell: (row) => <Product row={row} /> },
  money('productCost', 'Product Cost', 112),
  money('shippingCost', 'Shipping'),
  money('fulfillmentCost', 'Fulfillment'),
  money('packagingCost', 'Packaging'),
  money('miscCost', 'Misc'),
  money('totalCost', 'Total Cost', 116),
  {
    id: 'edit',
    label: 'Edit',
    width: 64,
    align: 'center',
    pinned: 'right',
    cell: (row) => <EditButton row={row} />,
  },
];

function Product({ row }: { row: CostRow }): React.JSX.Element {
  return (
    <span className="flex min-w-0 items-center gap-2">
      <span className="shrink-0">
        <MarketplaceMark marketplace={row.marketplace} />
      </span>
      <span className="sr-only">{MARKETPLACE_NAMES[row.marketplace]}:</span>
      <span className="truncate" title={row.title}>
        {row.title}
      </span>
    </span>
  );
}

function Amount({ row, part }: { row: CostRow; part: Part }): React.JSX.Element {
  const amount = row[part];
  if (amount !== null) {
    return <span className={part === 'totalCost' ? 'font-semibold' : ''}>{formatMoney(amount)}</span>;
  }
  return (
    <span className="text-fg-muted">
      <span aria-hidden>–</span>
      <span className="sr-only">{row.isDecided ? 'unknown' : 'not computed yet'}</span>
    </span>
  );
}

function EditButton({ row }: { row: CostRow }): React.JSX.Element {
  const search: Record<string, unknown> = useSearch({ strict: false });
  const navigate = useNavigate();
  return (
    <Button
      look="quiet"
      size="icon"
      aria-label={`Edit costs of ${row.sku} on ${MARKETPLACE_NAMES[row.marketplace]}`}
      onClick={() =>
        void navigate({
          to: '.',
          search: { ...search, edit: row.listingId },
          replace: true,
          resetScroll: false,
        })
      }
    >
      <Pencil aria-hidden />
    </Button>
  );
}

/** A listing's costs on a narrow screen. */
export function CostCard({ row }: { row: CostRow }): React.JSX.Element {
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <div className="flex items-start justify-between gap-2">
        <div className="min-w-0">
          <p className="font-mono text-sm break-all">{row.sku}</p>
          <Product row={row} />
        </div>
        <EditButton row={row} />
      </div>
      <dl className="grid grid-cols-2 gap-x-4 gap-y-1 text-sm">
        {COST_COLUMNS.slice(2, -1).map(({ id, label, cell }) => (
          <div key={id} className="flex justify-between gap-2">
            <dt className="text-fg-muted">{label}</dt>
            <dd className="tabular-nums">{cell(row)}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
