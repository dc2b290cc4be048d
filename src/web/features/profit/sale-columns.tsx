import { Link, type LinkProps } from '@tanstack/react-router';
import type { Sale } from '#contract/sales.ts';
import { formatCount, formatMoney } from '#web/lib/format.ts';
import { touchTarget } from '#web/ui/control-classes.ts';
import { MomentText } from '#web/ui/moment-text.tsx';
import { Missing, MoneyText } from '#web/ui/money-text.tsx';
import type { TableColumn } from '#web/ui/table/column.ts';
import { ListingName } from './profit-columns.tsx';

/** The sales with what they earned. */
export const SALE_COLUMNS: readonly TableColumn<Sale>[] = [
  { id: 'date', label: 'Sold', width: 112, cell: (sale) => <OpenSale sale={sale} /> },
  {
    id: 'product',
    label: 'Listing',
    width: 196,
    grows: true,
    isRowHeader: true,
    cell: (sale) => <SoldListing sale={sale} />,
  },
  {
    id: 'order',
    label: 'Order',
    width: 108,
    cell: ({ orderRef }) =>
      orderRef === null ? <Missing /> : <span className="font-mono text-sm wrap-anywhere">{orderRef}</span>,
  },
  {
    id: 'units',
    label: 'Units',
    width: 60,
    align: 'right',
    cell: ({ quantitySold }) => formatCount(quantitySold),
  },
  {
    id: 'revenue',
    label: 'Revenue',
    width: 108,
    align: 'right',
    cell: (sale) => <Revenue sale={sale} />,
  },
  {
    id: 'fees',
    label: 'Fees',
    width: 96,
    align: 'right',
    cell: (sale) => <Fees sale={sale} />,
  },
  {
    id: 'cost',
    label: 'Product Cost',
    width: 116,
    align: 'right',
    cell: (sale) => <UnitCost sale={sale} />,
  },
  {
    id: 'shipping',
    label: 'Shipping Cost',
    width: 108,
    align: 'right',
    cell: ({ shippingCost }) => <MoneyText amount={shippingCost} />,
  },
  {
    id: 'profit',
    label: 'Profit',
    width: 148,
    align: 'right',
    cell: (sale) => <SaleProfit sale={sale} />,
  },
];

/** When it was sold, linked to its details. */
export function OpenSale({ sale: { id, saleDate } }: { sale: Sale }): React.JSX.Element {
  return (
    <Link
      to="."
      search={(now: Readonly<Record<string, unknown>>) => ({ ...now, sale: id })}
      resetScroll={false}
      className={`text-link underline underline-offset-2 ${touchTarget}`}
    >
      <MomentText iso={saleDate} />
    </Link>
  );
}

/** The listing of a sale. */
export function SoldListing({ sale }: { sale: Sale }): React.JSX.Element {
  const { listingId, marketplace, sku, productTitle, isListingDeleted } = sale;
  return (
    <ListingName
      id={listingId}
      listing={{ marketplace, sku, title: productTitle, isDeleted: isListingDeleted }}
    />
  );
}

function Revenue({ sale: { totalRevenue, shippingRevenue } }: { sale: Sale }): React.JSX.Element {
  const hasShipping = shippingRevenue !== null && Number(shippingRevenue) > 0;
  return (
    <>
      <MoneyText amount={totalRevenue} />
      {hasShipping && <Small>+ {formatMoney(shippingRevenue)} shipping</Small>}
    </>
  );
}

/** How sure the fees of a sale are. */
export const FEE_STATES: Readonly<Record<Sale['state'], string>> = {
  told: 'charged',
  partly_told: 'partly charged',
  estimated: 'estimated',
};

function Fees({ sale: { marketplaceFees, state } }: { sale: Sale }): React.JSX.Element {
  return (
    <>
      <MoneyText amount={marketplaceFees} />
      {marketplaceFees !== null && <Small>{FEE_STATES[state]}</Small>}
    </>
  );
}

function UnitCost({ sale: { unitCost, quantitySold } }: { sale: Sale }): React.JSX.Element {
  return (
    <>
      <MoneyText amount={unitCost} />
      {unitCost !== null && quantitySold > 1 && <Small>per unit</Small>}
    </>
  );
}

/** What a sale earned, or what is missing to say so, linked to where it is entered. */
export function SaleProfit({ sale }: { sale: Sale }): React.JSX.Element {
  const { totalMargin, isAbout } = sale;
  if (totalMargin !== null) {
    return (
      <span className={totalMargin.startsWith('-') ? 'font-semibold text-danger-text' : 'font-semibold'}>
        {isAbout && 'about '}
        {formatMoney(totalMargin)}
      </span>
    );
  }
  const { text, link } = missingPart(sale);
  if (link === null) return <span className="text-sm text-fg-muted">{text}</span>;
  return (
    <Link {...link} className={`text-sm text-link underline underline-offset-2 ${touchTarget}`}>
      {text}
    </Link>
  );
}

/** The first part of a sale's profit that is unknown, and the screen where it is entered. */
function missingPart(sale: Sale): { readonly text: string; readonly link: LinkProps | null } {
  const { sku, marketplace } = sale;
  if (sale.computedAt === null) return { text: 'Being calculated', link: null };
  if (sale.unitCost === null) return { text: 'Cost unknown', link: { to: '/skus', search: { q: sku } } };
  const listing: LinkProps = { to: '/listings', search: { q: sku, marketplace } };
  if (sale.shippingCost === null) return { text: 'Shipping cost unknown', link: listing };
  if (sale.marketplaceFees === null) return { text: 'Fees unknown', link: listing };
  return { text: 'Out of range', link: null };
}

function Small({ children }: { children: React.ReactNode }): React.JSX.Element {
  return <span className="block text-xs text-fg-muted">{children}</span>;
}
