import { Link } from '@tanstack/react-router';
import { Pencil } from 'lucide-react';
import type { Sku } from '#contract/skus.ts';
import { packageSize } from '#domain/fees/warehouse-fee.ts';
import { formatOunces } from '#web/lib/format.ts';
import { buttonClasses } from '#web/ui/button.tsx';
import { LabelText } from '#web/ui/label-text.tsx';
import { MoneyText } from '#web/ui/money-text.tsx';
import { NotAvailable } from '#web/ui/not-available.tsx';
import type { TableColumn } from '#web/ui/table/column.ts';
import { Tip } from '#web/ui/tooltip.tsx';

/** The columns of SKUs, in the order of the specification. */
export const SKU_COLUMNS: readonly TableColumn<Sku>[] = [
  {
    id: 'sku',
    label: 'SKU',
    width: 128,
    sort: 'sku',
    pinned: 'left',
    isRowHeader: true,
    cell: ({ sku }) => (
      <Tip text={sku}>
        <span className="block truncate font-mono text-sm select-all print:break-all print:whitespace-normal">
          {sku}
        </span>
      </Tip>
    ),
  },
  {
    id: 'name',
    label: 'Name',
    width: 240,
    sort: 'name',
    grows: true,
    cell: ({ name }) => (
      <Tip text={name}>
        <span className="block truncate print:whitespace-normal">{name}</span>
      </Tip>
    ),
  },
  {
    id: 'productCost',
    label: 'Product Cost',
    width: 116,
    align: 'right',
    sort: 'productCost',
    cell: ({ productCost }) => <MoneyText amount={productCost} />,
  },
  {
    id: 'weight',
    label: 'Weight (oz)',
    width: 108,
    align: 'right',
    sort: 'weightOz',
    cell: ({ weightOz }) => <Weight ounces={weightOz} />,
  },
  {
    id: 'size',
    label: 'Size (in)',
    width: 120,
    isOptional: true,
    cell: (sku) => sizeText(sku) ?? <NotAvailable />,
  },
  {
    id: 'hazardous',
    label: 'Hazardous',
    width: 108,
    isOptional: true,
    cell: ({ isHazardous }) => (isHazardous ? 'Yes' : 'No'),
  },
  {
    id: 'packagingCost',
    label: 'Packaging Cost',
    width: 130,
    align: 'right',
    sort: 'packagingCost',
    cell: ({ packagingCost }) => <MoneyText amount={packagingCost} />,
  },
  {
    id: 'miscCost',
    label: 'Misc Cost',
    width: 100,
    align: 'right',
    sort: 'miscCost',
    cell: ({ miscCost }) => <MoneyText amount={miscCost} />,
  },
  {
    id: 'veeqoId',
    label: 'Veeqo ID',
    width: 104,
    sort: 'veeqoId',
    cell: ({ veeqoId }) =>
      veeqoId === null ? (
        <NotAvailable />
      ) : (
        <span className="block truncate font-mono text-sm select-all">{veeqoId}</span>
      ),
  },
  {
    id: 'brand',
    label: 'Brand',
    width: 120,
    isOptional: true,
    cell: ({ brand }) => <LabelText text={brand} />,
  },
  {
    id: 'supplier',
    label: 'Supplier',
    width: 140,
    isOptional: true,
    cell: ({ supplier }) => <LabelText text={supplier} />,
  },
  {
    id: 'tags',
    label: 'Tags',
    width: 140,
    isOptional: true,
    cell: ({ tags }) => <LabelText text={tags.join(', ') || null} />,
  },
  {
    id: 'edit',
    label: 'Edit',
    width: 96,
    align: 'center',
    pinned: 'right',
    isLabelHidden: true,
    cell: (sku) => <EditLink sku={sku} />,
  },
];

/** "12 x 10 x 6"; null unless all three sides are known. */
function sizeText({ lengthIn, widthIn, heightIn }: Sku): string | null {
  const size = packageSize(lengthIn, widthIn, heightIn);
  return size === null ? null : `${size.length} x ${size.width} x ${size.height}`;
}

function Weight({ ounces }: { ounces: number | null }): React.ReactNode {
  return ounces === null ? <NotAvailable /> : formatOunces(ounces);
}

function EditLink({ sku: { id, sku } }: { sku: Sku }): React.JSX.Element {
  return (
    <Link
      to="."
      search={(current: Record<string, unknown>) => ({ ...current, edit: id })}
      resetScroll={false}
      aria-label={`Edit ${sku}`}
      className={buttonClasses({ look: 'quiet', className: 'px-2 text-link' })}
    >
      <Pencil aria-hidden />
      Edit
    </Link>
  );
}

/** A SKU on a narrow screen. */
export function SkuCard({ sku }: { sku: Sku }): React.JSX.Element {
  return (
    <div className="flex flex-col gap-2">
      <div className="flex items-start justify-between gap-3">
        <div className="min-w-0">
          <p className="line-clamp-2 font-medium">{sku.name}</p>
          <p className="truncate font-mono text-sm text-fg-muted">{sku.sku}</p>
        </div>
        <EditLink sku={sku} />
      </div>
      <dl className="grid grid-cols-2 gap-x-6 gap-y-1 pr-2 text-sm">
        <Fact name="Product Cost">
          <MoneyText amount={sku.productCost} />
        </Fact>
        <Fact name="Weight (oz)">
          <Weight ounces={sku.weightOz} />
        </Fact>
        {sizeText(sku) !== null && <Fact name="Size (in)">{sizeText(sku)}</Fact>}
        {sku.isHazardous && <Fact name="Hazardous">Yes</Fact>}
        <Fact name="Packaging Cost">
          <MoneyText amount={sku.packagingCost} />
        </Fact>
        <Fact name="Misc Cost">
          <MoneyText amount={sku.miscCost} />
        </Fact>
        <Fact name="Veeqo ID">{sku.veeqoId ?? <NotAvailable />}</Fact>
        {sku.brand !== null && <Fact name="Brand">{sku.brand}</Fact>}
        {sku.supplier !== null && <Fact name="Supplier">{sku.supplier}</Fact>}
        {sku.tags.length > 0 && <Fact name="Tags">{sku.tags.join(', ')}</Fact>}
      </dl>
    </div>
  );
}

function Fact({ name, children }: { name: string; children: React.ReactNode }): React.JSX.Element {
  return (
    <div className="flex min-w-0 justify-between gap-2">
      <dt className="shrink-0 text-fg-muted">{name}</dt>
      <dd className="min-w-0 text-right wrap-anywhere tabular-nums">{children}</dd>
    </div>
  );
}
