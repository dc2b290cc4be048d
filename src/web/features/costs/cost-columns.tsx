import { useNavigate, useSearch } from '@tanstack/react-router';
import { Pencil } from 'lucide-react';
import { useContext } from 'react';
import type { CostRow } from '#contract/cost-list.ts';
import type { CostPartName } from '#contract/costs.ts';
import { MARKETPLACE_NAMES } from '#domain/marketplaces.ts';
import { classNames } from '#web/lib/class-names.ts';
import { Button } from '#web/ui/button.tsx';
import { MarketplaceMark } from '#web/ui/marketplace-mark.tsx';
import type { TableColumn } from '#web/ui/table/column.ts';
import { CostAmount, CostCell, CostCellsContext } from './cost-cell.tsx';
import { PART_LABELS } from './cost-text.ts';

const money = (part: CostPartName, width = 108): TableColumn<CostRow> => ({
  id: `${part}Cost`,
  label: PART_LABELS[part],
  width,
  align: 'right',
  cell: (row) => <CostCell row={row} part={part} />,
});

/** The columns of the list of costs. */
export const COST_COLUMNS: readonly TableColumn<CostRow>[] = [
  {
    id: 'sku',
    label: 'SKU',
    width: 160,
    pinned: 'left',
    isRowHeader: true,
    cell: (row) => <Sku row={row} />,
  },
  { id: 'product', label: 'Product', width: 200, grows: true, cell: (row) => <GroupedProduct row={row} /> },
  money('product', 112),
  money('shipping'),
  money('fulfillment'),
  money('packaging'),
  money('misc'),
  {
    id: 'totalCost',
    label: 'Total Cost',
    width: 116,
    align: 'right',
    cell: (row) => (
      <span className="font-semibold">
        <CostAmount amount={row.totalCost} row={row} />
      </span>
    ),
  },
  {
    id: 'edit',
    label: 'Edit',
    width: 64,
    align: 'center',
    pinned: 'right',
    cell: (row) => <EditButton row={row} />,
  },
];

/** In a group of one SKU only the first row shows it. */
function useIsRepeated({ listingId }: CostRow): boolean {
  return useContext(CostCellsContext)?.isRepeated(listingId) === true;
}

function Sku({ row }: { row: CostRow }): React.JSX.Element {
  return <span className={classNames('font-mono text-sm', useIsRepeated(row) && 'sr-only')}>{row.sku}</span>;
}

function GroupedProduct({ row }: { row: CostRow }): React.JSX.Element {
  return <Product row={row} isRepeated={useIsRepeated(row)} />;
}

type ProductProps = { row: CostRow; isRepeated?: boolean };

function Product({ row, isRepeated = false }: ProductProps): React.JSX.Element {
  return (
    <span className="block min-w-0">
      <span className={classNames('block truncate', isRepeated && 'sr-only')} title={row.title}>
        {row.title}
      </span>
      <span className="flex items-center gap-1.5 text-sm text-fg-muted">
        <MarketplaceMark marketplace={row.marketplace} />
        {MARKETPLACE_NAMES[row.marketplace]}
      </span>
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
      <dl className="grid grid-cols-2 gap-x-4 gap-y-1 pr-2 text-sm">
        {COST_COLUMNS.slice(2, -1).map(({ id, label, cell }) => (
          <div key={id} className="flex items-center justify-between gap-2">
            <dt className="text-fg-muted">{label}</dt>
            <dd className="tabular-nums">{cell(row)}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
