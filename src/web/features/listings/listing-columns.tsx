import { Link } from '@tanstack/react-router';
import { BadgeCheck, Calculator, History, type LucideIcon, UserPen } from 'lucide-react';
import type { ListingRow } from '#contract/listings.ts';
import { LISTING_CHANNEL_HEADING, LISTING_CHANNEL_LABELS } from '#domain/connections/listing-channel.ts';
import { MARKETPLACE_NAMES } from '#domain/marketplaces.ts';
import { formatCount, formatMoney, formatPercent } from '#web/lib/format.ts';
import { formatDay } from '#web/lib/moments.ts';
import { coverageText, profitText } from '#web/lib/profit-text.ts';
import { LabelText } from '#web/ui/label-text.tsx';
import { MarginText } from '#web/ui/margin-text.tsx';
import { MarketplaceMark } from '#web/ui/marketplace-mark.tsx';
import { Missing, MoneyText } from '#web/ui/money-text.tsx';
import { Switch } from '#web/ui/switch.tsx';
import type { TableColumn } from '#web/ui/table/column.ts';
import { Tip } from '#web/ui/tooltip.tsx';
import type { ListingsState } from './listing-list.ts';
import { isFeeOld } from './panel/reported-fee-text.ts';
import { PriceCell } from './price-cell.tsx';
import { ProductCell } from './product-cell.tsx';
import { RowMenu } from './row-menu.tsx';
import { useToggleRepricing } from './use-edit-listing.ts';

/**
 * The columns of Listings, in the order of the specification. All twelve fit next to the open sidebar at 1,440 px.
 */
const LISTING_COLUMNS: readonly TableColumn<ListingRow>[] = [
  {
    id: 'marketplace',
    label: 'Marketplace',
    width: 88,
    sort: 'marketplace',
    cell: (row) => <MarketplaceCell row={row} />,
  },
  {
    id: 'sku',
    label: 'SKU',
    width: 72,
    sort: 'sku',
    pinned: 'left',
    isRowHeader: true,
    cell: (row) => (
      <Tip text={row.sku}>
        <span className="block truncate font-mono text-xs select-all print:text-xs print:break-all print:whitespace-normal">
          {row.sku}
        </span>
      </Tip>
    ),
  },
  {
    id: 'product',
    label: 'Product',
    width: 168,
    sort: 'title',
    grows: true,
    cell: (row) => <ProductCell row={row} />,
  },
  {
    id: 'price',
    label: 'Your Price',
    width: 108,
    align: 'right',
    sort: 'currentPrice',
    cell: (row) => <PriceCell row={row} />,
  },
  {
    id: 'amazonWalmart',
    isInPanel: true,
    label: 'AMZ/WMT',
    width: 78,
    align: 'right',
    sort: 'amazonWalmartPrice',
    cell: (row) => <CompetitorPrice amount={row.amazonWalmartPrice} row={row} />,
  },
  {
    id: 'thirdPartyFbaWfs',
    isInPanel: true,
    label: '3PL FBA/WFS',
    width: 94,
    align: 'right',
    sort: 'thirdPartyFbaWfsPrice',
    cell: (row) => <CompetitorPrice amount={row.thirdPartyFbaWfsPrice} row={row} />,
  },
  {
    id: 'thirdPartyFbm',
    isInPanel: true,
    label: '3PL FBM',
    width: 78,
    align: 'right',
    sort: 'thirdPartyFbmPrice',
    cell: (row) => <CompetitorPrice amount={row.thirdPartyFbmPrice} row={row} />,
  },
  {
    id: 'totalCost',
    isInPanel: true,
    label: 'Total Cost',
    width: 80,
    align: 'right',
    sort: 'totalCost',
    cell: (row) => <MoneyText amount={row.totalCost} />,
  },
  {
    id: 'margin',
    label: 'Margin %',
    width: 84,
    align: 'right',
    sort: 'margin',
    cell: (row) => <MarginText percent={row.margin} />,
  },
  {
    id: 'marginFloor',
    label: 'Margin floor',
    width: 92,
    align: 'right',
    isOptional: true,
    cell: (row) => <MoneyText amount={row.marginFloor} />,
  },
  {
    id: 'profit',
    label: 'Profit',
    width: 112,
    align: 'right',
    sort: 'profit',
    isOptional: true,
    cell: ({ profit }) =>
      profit === null ? <Missing /> : <span className="whitespace-nowrap">about {formatMoney(profit)}</span>,
  },
  {
    id: 'fee',
    label: 'Fee %',
    width: 84,
    align: 'right',
    sort: 'fee',
    isOptional: true,
    cell: (row) => <FeeRate row={row} />,
  },
  {
    id: 'units30',
    label: 'Units 30 d',
    width: 84,
    align: 'right',
    sort: 'units30',
    isOptional: true,
    cell: ({ sold }) => formatCount(sold.units),
  },
  {
    id: 'profit30',
    label: 'Profit 30 d',
    width: 128,
    align: 'right',
    sort: 'profit30',
    isOptional: true,
    cell: (row) => <SoldProfit row={row} />,
  },
  { id: 'fulfillment', label: 'Fulfillment', width: 76, isInPanel: true, cell: (row) => row.fulfillmentType },
  {
    id: 'channel',
    label: LISTING_CHANNEL_HEADING,
    width: 116,
    isOptional: true,
    cell: ({ channel }) => <LabelText text={channel === null ? null : LISTING_CHANNEL_LABELS[channel]} />,
  },
  {
    id: 'autoReprice',
    label: 'Auto-Reprice',
    width: 92,
    align: 'center',
    cell: (row) => <RepricingSwitch row={row} />,
  },
  {
    id: 'rule',
    label: 'Rule',
    width: 140,
    isOptional: true,
    cell: ({ rule }) => <RuleLink rule={rule} />,
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
    id: 'actions',
    label: 'Actions',
    width: 42,
    align: 'center',
    pinned: 'right',
    isLabelHidden: true,
    cell: (row) => <RowMenu row={row} />,
  },
];

/** The columns: an optional one is shown while the list is sorted by it, the profit of 30 days also while it is filtered by sales. */
export function columnsOf({
  sort,
  filters: { sold },
}: Pick<ListingsState, 'sort' | 'filters'>): readonly TableColumn<ListingRow>[] {
  const isNeeded = (column: TableColumn<ListingRow>): boolean =>
    column.isOptional === true &&
    ((column.sort !== undefined && column.sort === sort?.by) ||
      (sold !== undefined && column.id === 'profit30'));
  if (!LISTING_COLUMNS.some(isNeeded)) return LISTING_COLUMNS;
  return LISTING_COLUMNS.map((column) => (isNeeded(column) ? { ...column, isOptional: false } : column));
}

/** The rule that applies now, linked to its page. */
function RuleLink({ rule }: Pick<ListingRow, 'rule'>): React.JSX.Element {
  if (rule === null) return <Missing />;
  return (
    <Tip text={rule.name}>
      <Link to="/rules/$id" params={{ id: rule.id }} className="block truncate text-link hover:underline">
        {rule.name}
      </Link>
    </Tip>
  );
}

/** The fees in percent, and where they are from. */
function FeeRate({ row }: { row: ListingRow }): React.JSX.Element {
  if (row.feeRate === null) return <Missing />;
  const { source, Icon } = feeSourceOf(row);
  return (
    <Tip text={source}>
      <span className="inline-flex items-center gap-1">
        {formatPercent(row.feeRate)}
        <Icon role="img" aria-label={source} className="size-3.5 text-fg-muted" />
      </span>
    </Tip>
  );
}

function feeSourceOf({ feeTold, ownFeeRate, marketplace }: ListingRow): { source: string; Icon: LucideIcon } {
  if (ownFeeRate !== null) return { source: 'With your own commission', Icon: UserPen };
  if (feeTold === null) return { source: 'Estimated from your marketplace fees', Icon: Calculator };
  const { price, at } = feeTold;
  const source = `${MARKETPLACE_NAMES[marketplace]} reported its fee for ${formatMoney(price)} on ${formatDay(at.slice(0, 10))}`;
  return isFeeOld(at, Date.now())
    ? { source: `${source}, over 30 days ago`, Icon: History }
    : { source, Icon: BadgeCheck };
}

/** What the sales of 30 days earned, linked to them; without any, what was charged or returned. */
function SoldProfit({ row: { id, sold } }: { row: ListingRow }): React.JSX.Element {
  const text = profitText(sold);
  if (sold.sales === 0) {
    return text === null ? (
      <Missing />
    ) : (
      <Tip text={coverageText(sold)}>
        <span className="whitespace-nowrap">{text}</span>
      </Tip>
    );
  }
  return (
    <Tip text={coverageText(sold)}>
      <Link
        to="/profit"
        search={{ by: 'sale', listing: id }}
        className="whitespace-nowrap text-link hover:underline"
      >
        {text ?? 'unknown'}
      </Link>
    </Tip>
  );
}

/** A competitor's price; the one that the rule reacts to has a plate. */
function CompetitorPrice({ amount, row }: { amount: string | null; row: ListingRow }): React.JSX.Element {
  if (amount === null || amount !== row.competitorPrice)
    return (
      <span className="text-fg-muted">
        <MoneyText amount={amount} />
      </span>
    );
  return (
    <Tip text="The price your rule reacts to">
      <span className="-mr-1.5 inline-block rounded-sm bg-selected px-1.5 text-link">
        <MoneyText amount={amount} />
        <span className="sr-only">, the price your rule reacts to</span>
      </span>
    </Tip>
  );
}

function MarketplaceCell({ row }: { row: ListingRow }): React.JSX.Element {
  return (
    <span className="flex items-center gap-1.5 [&_svg]:shrink-0">
      <MarketplaceMark marketplace={row.marketplace} />
      <span className="truncate">{MARKETPLACE_NAMES[row.marketplace]}</span>
    </span>
  );
}

/** Auto-Reprice of one listing; takes effect at once. */
export function RepricingSwitch({ row }: { row: ListingRow }): React.JSX.Element {
  const toggle = useToggleRepricing();
  return (
    <Switch
      label={`Auto-reprice ${row.sku}`}
      hideLabel
      checked={row.autoRepricingEnabled}
      onChange={(isOn) => toggle(row, isOn)}
    />
  );
}
