import type { RefusedMoney } from '#contract/money.ts';
import { MomentText } from '#web/ui/moment-text.tsx';
import type { TableColumn } from '#web/ui/table/column.ts';
import { MarketplaceName } from './settlement-columns.tsx';

/** Why an amount is not counted, and what to do about it. */
const REASONS: Readonly<Record<RefusedMoney['why'], { readonly what: string; readonly fix: string }>> = {
  currency: {
    what: 'Not in US dollars',
    fix: 'Pricewright counts US dollars only. Keep this amount in your own books.',
  },
  unreadable: {
    what: 'Could not be read',
    fix: 'Compare it with the report on the marketplace. It is read again with the next sync.',
  },
  fraction: {
    what: 'More than two decimals',
    fix: 'It was not rounded. Compare it with the report on the marketplace.',
  },
  out_of_range: {
    what: 'Too large',
    fix: 'Amounts above $99,999,999.99 are not counted. Compare it with the report on the marketplace.',
  },
  future: {
    what: 'Dated in the future',
    fix: 'It is counted after its date, once the marketplace reports it again.',
  },
  no_id: {
    what: 'Without an ID',
    fix: 'It could be counted twice, so it is not counted. Compare it with the report on the marketplace.',
  },
};

/** What could not be counted. */
export const REFUSED_COLUMNS: readonly TableColumn<RefusedMoney>[] = [
  {
    id: 'place',
    label: 'Where',
    width: 260,
    grows: true,
    isRowHeader: true,
    cell: (row) => <Place row={row} />,
  },
  { id: 'why', label: 'Why it is not counted', width: 460, cell: (row) => <Reason row={row} /> },
  {
    id: 'first',
    label: 'First seen',
    width: 124,
    cell: ({ firstSeenAt }) => <MomentText iso={firstSeenAt} />,
  },
  { id: 'last', label: 'Last seen', width: 124, cell: ({ lastSeenAt }) => <MomentText iso={lastSeenAt} /> },
];

/** The marketplace and its name of the place. */
export function Place({ row: { marketplace, place } }: { row: RefusedMoney }): React.JSX.Element {
  return (
    <div className="min-w-0 py-1">
      <MarketplaceName marketplace={marketplace} />
      <p className="truncate font-mono text-sm font-normal text-fg-muted" title={place}>
        {place}
      </p>
    </div>
  );
}

/** The reason and the fix. */
export function Reason({ row: { why } }: { row: RefusedMoney }): React.JSX.Element {
  const { what, fix } = REASONS[why];
  return (
    <div className="py-1">
      <p className="font-medium">{what}</p>
      <p className="text-sm text-fg-muted">{fix}</p>
    </div>
  );
}
