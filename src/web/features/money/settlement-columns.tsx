import { Link } from '@tanstack/react-router';
import { CircleAlert, CircleCheck, CircleDashed, Clock } from 'lucide-react';
import type { Settlement } from '#contract/money.ts';
import { MARKETPLACE_NAMES, type Marketplace } from '#domain/marketplaces.ts';
import { countOf, formatMoney } from '#web/lib/format.ts';
import { formatDay } from '#web/lib/moments.ts';
import { Badge } from '#web/ui/badge.tsx';
import { touchTarget } from '#web/ui/control-classes.ts';
import { MarketplaceMark } from '#web/ui/marketplace-mark.tsx';
import { Missing, MoneyText } from '#web/ui/money-text.tsx';
import type { TableColumn } from '#web/ui/table/column.ts';

/** Settlements and payouts, each held against what was read of it. */
export const SETTLEMENT_COLUMNS: readonly TableColumn<Settlement>[] = [
  {
    id: 'settlement',
    label: 'Settlement',
    width: 220,
    grows: true,
    isRowHeader: true,
    cell: (row) => <SettlementName row={row} />,
  },
  { id: 'period', label: 'Period', width: 148, cell: (row) => periodText(row) ?? <Missing /> },
  {
    id: 'paid',
    label: 'Paid',
    width: 84,
    cell: ({ paidAt }) => (paidAt === null ? <Missing /> : formatDay(paidAt.slice(0, 10))),
  },
  {
    id: 'told',
    label: 'Total',
    width: 132,
    align: 'right',
    cell: ({ toldTotal }) => (
      <span className="whitespace-nowrap">
        <MoneyText amount={toldTotal} />
      </span>
    ),
  },
  {
    id: 'read',
    label: 'Amounts',
    width: 132,
    align: 'right',
    cell: (row) => <AmountsCell row={row} />,
  },
  { id: 'state', label: 'State', width: 220, cell: (row) => <StateCell row={row} /> },
];

const LINK = `text-link underline underline-offset-2 ${touchTarget}`;

/** The marketplace and its number of the settlement. */
export function SettlementName({ row: { marketplace, ref } }: { row: Settlement }): React.JSX.Element {
  return (
    <div className="min-w-0">
      <MarketplaceName marketplace={marketplace} />
      <p className="truncate font-mono text-sm text-fg-muted" title={ref}>
        {shortRef(ref)}
      </p>
    </div>
  );
}

/** Without the path of "gid://shopify/ShopifyPaymentsPayout/12078326". */
function shortRef(ref: string): string {
  return ref.slice(ref.lastIndexOf('/') + 1);
}

/** Symbol and name of a marketplace. */
export function MarketplaceName({ marketplace }: { marketplace: Marketplace }): React.JSX.Element {
  return (
    <p className="flex items-center gap-1.5 font-medium">
      <MarketplaceMark marketplace={marketplace} />
      {MARKETPLACE_NAMES[marketplace]}
    </p>
  );
}

/** "Nov 3 to Nov 16"; null where neither end was reported. */
export function periodText({ from, to }: Settlement): string | null {
  if (from === null && to === null) return null;
  if (to === null) return `from ${formatDay((from ?? '').slice(0, 10))}`;
  const end = formatDay(to.slice(0, 10));
  return from === null ? `until ${end}` : `${formatDay(from.slice(0, 10))} to ${end}`;
}

/** The sum of the amounts that were read, linked to them. */
export function AmountsCell({ row }: { row: Settlement }): React.JSX.Element {
  const { marketplace, ref, events, eventsTotal } = row;
  return (
    <>
      <MoneyText amount={eventsTotal} />
      {events > 0 && (
        <Link
          to="."
          search={{ show: 'amounts', marketplace, settlement: ref }}
          className={`block text-xs whitespace-nowrap ${LINK}`}
        >
          {countOf(events, 'amount', 'amounts')}
        </Link>
      )}
    </>
  );
}

/** Whether the amounts add up to the settlement; if not, what may be the cause, linked to it. */
export function StateCell({ row }: { row: Settlement }): React.JSX.Element {
  const { state, difference, marketplace, ref, other, unmatched } = row;
  const search = { show: 'amounts', marketplace, settlement: ref };
  return (
    <div className="py-1">
      <StateBadge state={state} difference={difference} />
      {state === 'incomplete' && (
        <p className="text-xs text-fg-muted">
          {row.toldTotal === null ? 'No total was reported' : 'Not all of its time was read'}
        </p>
      )}
      {state === 'off' && (
        <p className="flex flex-wrap gap-x-2 text-xs">
          {other > 0 && (
            <Link to="." search={{ ...search, kind: 'other' }} className={`py-1 ${LINK}`}>
              {other} of an unknown type
            </Link>
          )}
          {unmatched > 0 && (
            <Link to="." search={{ ...search, unmatched: 'true' }} className={`py-1 ${LINK}`}>
              {unmatched} without a sale
            </Link>
          )}
        </p>
      )}
    </div>
  );
}

/** Whether the amounts are less or more than the reported total. */
function offText(difference: string): string {
  return difference.startsWith('-')
    ? `${formatMoney(difference.slice(1))} missing`
    : `${formatMoney(difference)} too much`;
}

function StateBadge({ state, difference }: Pick<Settlement, 'state' | 'difference'>): React.JSX.Element {
  if (state === 'balanced')
    return (
      <Badge tone="success" icon={CircleCheck}>
        Balanced
      </Badge>
    );
  if (state === 'off')
    return (
      <Badge tone="danger" icon={CircleAlert}>
        {offText(difference ?? '0.00')}
      </Badge>
    );
  return state === 'open' ? (
    <Badge tone="info" icon={Clock}>
      Open
    </Badge>
  ) : (
    <Badge tone="neutral" icon={CircleDashed}>
      Incomplete
    </Badge>
  );
}
