import { Link } from '@tanstack/react-router';
import type { ProfitGroup, ProfitRow } from '#contract/sales.ts';
import { MARKETPLACE_NAMES, type Marketplace } from '#domain/marketplaces.ts';
import { classNames } from '#web/lib/class-names.ts';
import { formatCount } from '#web/lib/format.ts';
import { formatDay } from '#web/lib/moments.ts';
import { coverageText, profitText } from '#web/lib/profit-text.ts';
import { TRIGGER_LABELS } from '#web/lib/run-triggers.ts';
import { touchTarget } from '#web/ui/control-classes.ts';
import { MarginText } from '#web/ui/margin-text.tsx';
import { MarketplaceMark } from '#web/ui/marketplace-mark.tsx';
import { MomentText } from '#web/ui/moment-text.tsx';
import { Missing, MoneyText } from '#web/ui/money-text.tsx';
import type { TableColumn } from '#web/ui/table/column.ts';
import { here } from './search-patch.ts';

/** What the sums are by, in words. */
export const GROUP_TEXTS: Readonly<
  Record<ProfitGroup, { tab: string; caption: string; noun: { one: string; many: string } }>
> = {
  day: { tab: 'Days', caption: 'Profit by day', noun: { one: 'day', many: 'days' } },
  marketplace: {
    tab: 'Marketplaces',
    caption: 'Profit by marketplace',
    noun: { one: 'marketplace', many: 'marketplaces' },
  },
  listing: { tab: 'Listings', caption: 'Profit by listing', noun: { one: 'listing', many: 'listings' } },
  sku: { tab: 'SKUs', caption: 'Profit by SKU', noun: { one: 'SKU', many: 'SKUs' } },
  rule: {
    tab: 'Rules',
    caption: 'Profit by the rule that set the price',
    noun: { one: 'row', many: 'rows' },
  },
  run: { tab: 'Runs', caption: 'Profit by the run that set the price', noun: { one: 'row', many: 'rows' } },
};

/** What set the price, where that was no rule or run. */
const OTHER_PRICES: Readonly<Record<string, string>> = {
  typed: 'Manual price',
  imported: 'Imported price',
  observed: 'Price changed on the marketplace',
  repaired: 'Repaired after a change on the marketplace',
  earlier: 'Before the first recorded price',
  none: 'Booked without a sale',
};

const LINK = `font-medium text-link hover:underline ${touchTarget}`;

/** What a row is about, linked to its details. */
export function KeyCell({ row, group }: { row: ProfitRow; group: ProfitGroup }): React.JSX.Element {
  const { key, listing } = row;
  if (group === 'day') {
    return (
      <Link to="." search={here({ by: 'sale', from: key, to: key, period: undefined })} className={LINK}>
        {formatDay(key)}
      </Link>
    );
  }
  if (group === 'marketplace') {
    return (
      <Link
        to="."
        search={here({ by: 'listing', marketplace: key })}
        resetScroll={false}
        className={`inline-flex items-center gap-1.5 ${LINK}`}
      >
        <MarketplaceMark marketplace={key as Marketplace} />
        {MARKETPLACE_NAMES[key as Marketplace]}
      </Link>
    );
  }
  if (group === 'sku') {
    return (
      <Link to="/skus" search={{ q: key }} className={`font-mono wrap-anywhere ${LINK}`}>
        {key}
      </Link>
    );
  }
  if (group === 'listing') return listing === null ? <Missing /> : <ListingName id={key} listing={listing} />;
  return <SetByCell row={row} group={group} />;
}

/** The rule or the run that set the price, linked to it unless it was removed. */
function SetByCell({ row, group }: { row: ProfitRow; group: 'rule' | 'run' }): React.JSX.Element {
  const { key, rule, run } = row;
  const name = rowName(group)(row);
  if (OTHER_PRICES[key] !== undefined) return <span className="font-normal">{name}</span>;
  if (group === 'run') {
    return (
      <div className="py-1">
        <Link to="/runs/$id" params={{ id: key }} className={LINK}>
          {name}
        </Link>
        {run !== null && (
          <p className="text-sm font-normal text-fg-muted">
            <MomentText iso={run.startedAt} />
          </p>
        )}
      </div>
    );
  }
  if (rule === null || rule.isDeleted) {
    return (
      <span className="font-medium">
        {name} <span className="font-normal text-fg-muted">(removed)</span>
      </span>
    );
  }
  return (
    <Link to="/rules/$id" params={{ id: key }} className={LINK}>
      {name}
    </Link>
  );
}

type ListingNameProps = { id: string; listing: NonNullable<ProfitRow['listing']> };

/** Title, marketplace and SKU, linked to the listing unless it was removed. */
export function ListingName({ id, listing }: ListingNameProps): React.JSX.Element {
  const { marketplace, sku, title, isDeleted } = listing;
  return (
    <div className="min-w-0 py-1">
      <p className="truncate font-medium" title={title}>
        {isDeleted ? (
          title
        ) : (
          <Link to="/listings" search={{ q: sku, marketplace, panel: id }} className={LINK}>
            {title}
          </Link>
        )}
      </p>
      <p className="flex items-center gap-1.5 truncate text-sm font-normal text-fg-muted">
        <MarketplaceMark marketplace={marketplace} />
        {MARKETPLACE_NAMES[marketplace]}
        <span className="font-mono">{sku}</span>
        {isDeleted && <span>(removed)</span>}
      </p>
    </div>
  );
}

/** "about $12.40"; a dash where it is known of no sale. */
export function ProfitText({
  row,
}: {
  row: Pick<ProfitRow, 'profit' | 'sales' | 'known' | 'told'>;
}): React.JSX.Element {
  const text = profitText(row);
  if (text === null) return <Missing />;
  return (
    <span
      className={classNames(
        'font-semibold whitespace-nowrap',
        row.profit?.startsWith('-') && 'text-danger-text',
      )}
    >
      {text}
    </span>
  );
}

/** "about 18.6%"; a dash where it is known of no sale. */
export function SumMargin({
  row: { margin, known, told },
}: {
  row: Pick<ProfitRow, 'margin' | 'known' | 'told'>;
}): React.JSX.Element {
  return (
    <span className="whitespace-nowrap">
      {margin !== null && told < known && <span className="text-sm text-fg-muted">about </span>}
      <MarginText percent={margin} />
    </span>
  );
}

/** From how many sales the profit is, linked to those of a listing without one. */
export function CoverageCell({ row, group }: { row: ProfitRow; group: ProfitGroup }): React.JSX.Element {
  const text = coverageText(row);
  const isOther = (group === 'rule' || group === 'run') && OTHER_PRICES[row.key] !== undefined;
  if (row.known === row.sales || group === 'sku' || isOther)
    return <span className="text-sm text-fg-muted">{text}</span>;
  const narrowed = {
    day: { from: row.key, to: row.key, period: undefined },
    marketplace: { marketplace: row.key },
    listing: { listing: row.key },
    rule: { rule: row.key },
    run: { run: row.key },
  }[group];
  return (
    <Link
      to="."
      search={here({ by: 'sale', known: 'false', ...narrowed })}
      resetScroll={false}
      className={`inline-block text-sm text-link underline underline-offset-2 ${touchTarget}`}
    >
      {text}
    </Link>
  );
}

const KEYS: Readonly<
  Record<ProfitGroup, Partial<TableColumn<ProfitRow>> & { label: string; width: number }>
> = {
  day: { label: 'Day', width: 120, sort: 'key' },
  marketplace: { label: 'Marketplace', width: 140, sort: 'key' },
  listing: { label: 'Listing', width: 168 },
  sku: { label: 'SKU', width: 160, sort: 'key' },
  rule: { label: 'Rule', width: 168 },
  run: { label: 'Run', width: 168 },
};

function columnsOf(group: ProfitGroup): readonly TableColumn<ProfitRow>[] {
  return [
    {
      id: 'key',
      grows: true,
      isRowHeader: true,
      cell: (row) => <KeyCell row={row} group={group} />,
      ...KEYS[group],
    },
    {
      id: 'units',
      label: 'Units',
      width: 68,
      align: 'right',
      sort: 'units',
      cell: ({ units }) => formatCount(units),
    },
    {
      id: 'revenue',
      label: 'Revenue',
      width: 108,
      align: 'right',
      sort: 'revenue',
      cell: ({ revenue }) => <MoneyText amount={revenue} />,
    },
    {
      id: 'fees',
      label: 'Fees',
      width: 92,
      align: 'right',
      cell: ({ fees }) => <MoneyText amount={fees} />,
    },
    {
      id: 'ads',
      label: 'Ads',
      width: 76,
      align: 'right',
      cell: ({ ads }) => <MoneyText amount={ads} />,
    },
    {
      id: 'cost',
      label: 'Product Cost',
      width: 96,
      align: 'right',
      cell: ({ cost }) => <MoneyText amount={cost} />,
    },
    {
      id: 'shipping',
      label: 'Shipping Cost',
      width: 100,
      align: 'right',
      cell: ({ shipping }) => <MoneyText amount={shipping} />,
    },
    {
      id: 'refunds',
      label: 'Refunds',
      width: 80,
      align: 'right',
      cell: ({ refunds }) => <MoneyText amount={refunds} />,
    },
    {
      id: 'profit',
      label: 'Profit',
      width: 128,
      align: 'right',
      sort: 'profit',
      cell: (row) => <ProfitText row={row} />,
    },
    {
      id: 'margin',
      label: 'Margin',
      width: 112,
      align: 'right',
      sort: 'margin',
      cell: (row) => <SumMargin row={row} />,
    },
    {
      id: 'sales',
      label: 'Sales',
      width: 136,
      sort: 'sales',
      cell: (row) => <CoverageCell row={row} group={group} />,
    },
  ];
}

/** The columns of the sums. */
export const PROFIT_COLUMNS: Readonly<Record<ProfitGroup, readonly TableColumn<ProfitRow>[]>> = {
  day: columnsOf('day'),
  marketplace: columnsOf('marketplace'),
  listing: columnsOf('listing'),
  sku: columnsOf('sku'),
  rule: columnsOf('rule'),
  run: columnsOf('run'),
};

/** The accessible name of a row. */
export function rowName(group: ProfitGroup): (row: ProfitRow) => string {
  return ({ key, listing, rule, run }) => {
    const other = OTHER_PRICES[key];
    if ((group === 'rule' || group === 'run') && other !== undefined) return other;
    if (group === 'rule') return rule?.name ?? `Rule ${key}`;
    if (group === 'run') return run === null ? `Run ${key}` : `Run ${key}: ${TRIGGER_LABELS[run.trigger]}`;
    if (group === 'day') return formatDay(key);
    if (group === 'marketplace') return MARKETPLACE_NAMES[key as Marketplace];
    return listing?.sku ?? key;
  };
}
