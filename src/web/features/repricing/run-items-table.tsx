import { Link } from '@tanstack/react-router';
import { Hand, MessageSquareText, RefreshCw } from 'lucide-react';
import type { RunItem } from '#contract/engine.ts';
import { MARKETPLACE_NAMES } from '#domain/marketplaces.ts';
import { formatMoney, formatPercent } from '#web/lib/format.ts';
import { Badge } from '#web/ui/badge.tsx';
import { MarginText } from '#web/ui/margin-text.tsx';
import { MarketplaceMark } from '#web/ui/marketplace-mark.tsx';
import { NotAvailable } from '#web/ui/not-available.tsx';
import { Cell, HeadCell, PlainTable } from '#web/ui/plain-table.tsx';
import { SignedMoney } from '#web/ui/signed-money.tsx';

type RunItemsTableProps = {
  runId: string;
  items: readonly RunItem[];
  /** Of several outcomes: the tab does not name it. */
  showsOutcome: boolean;
};

const STYLES = {
  change: { text: 'Changed', tone: 'success', icon: RefreshCw },
  recommend: { text: 'Recommended', tone: 'info', icon: MessageSquareText },
  blocked: { text: 'Blocked', tone: 'danger', icon: Hand },
} as const;

/** The outcome for each listing, with a link to the explanation; below 768 px as cards. */
export function RunItemsTable({ runId, items, showsOutcome }: RunItemsTableProps): React.JSX.Element {
  return (
    <>
      <PlainTable caption="Listings of this run" isBare className="hidden md:block">
        <thead>
          <tr>
            <HeadCell>Listing</HeadCell>
            <HeadCell numeric>Old price</HeadCell>
            <HeadCell numeric>New price</HeadCell>
            <HeadCell numeric>Change</HeadCell>
            <HeadCell numeric>Margin floor</HeadCell>
            <HeadCell numeric>Margin</HeadCell>
            <HeadCell numeric>At same volume</HeadCell>
            <HeadCell>Reason</HeadCell>
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <ItemRow key={item.listingId} runId={runId} item={item} showsOutcome={showsOutcome} />
          ))}
        </tbody>
      </PlainTable>
      <ul aria-label="Listings of this run" className="divide-y md:hidden">
        {items.map((item) => (
          <ItemCard key={item.listingId} runId={runId} item={item} />
        ))}
      </ul>
    </>
  );
}

type ItemRowProps = { runId: string; item: RunItem; showsOutcome: boolean };

function ItemRow({ runId, item, showsOutcome }: ItemRowProps): React.JSX.Element {
  return (
    <tr className="hover:bg-hover">
      <Cell>
        <span className="block max-w-72 truncate" title={item.title}>
          {item.title}
        </span>
        <span className="flex items-center gap-2">
          <ListingName item={item} />
          {showsOutcome && <OutcomeBadge item={item} />}
        </span>
      </Cell>
      <Cell numeric className="text-fg-muted">
        <Amount value={item.oldPrice} />
      </Cell>
      <Cell numeric className="font-medium">
        <Amount value={item.newPrice} />
      </Cell>
      <Cell numeric className="whitespace-nowrap">
        <Change item={item} />
      </Cell>
      <Cell numeric className="text-fg-muted">
        <Amount value={item.marginFloor} />
      </Cell>
      <Cell numeric className="whitespace-nowrap">
        <Margins item={item} />
      </Cell>
      <Cell numeric>
        <SignedMoney amount={item.equalSales} />
      </Cell>
      <Cell className="w-full min-w-52">
        <span className="flex items-center justify-between gap-3">
          <span className="line-clamp-2 min-w-0 text-sm text-fg-muted" title={item.reason}>
            {item.reason}
          </span>
          <WhyLink runId={runId} item={item} />
        </span>
      </Cell>
    </tr>
  );
}

function ItemCard({ runId, item }: Omit<ItemRowProps, 'showsOutcome'>): React.JSX.Element {
  return (
    <li className="flex flex-col gap-1.5 px-4 py-2">
      <div className="flex items-start justify-between gap-2">
        <p className="min-w-0">{item.title}</p>
        <OutcomeBadge item={item} />
      </div>
      <ListingName item={item} />
      <p className="tabular-nums">
        <Amount value={item.oldPrice} />
        <span aria-hidden> → </span>
        <span className="sr-only"> to </span>
        <strong className="font-semibold">
          <Amount value={item.newPrice} />
        </strong>
        {item.marginAfter !== null && (
          <span className="text-fg-muted">, margin {formatPercent(item.marginAfter)}</span>
        )}
      </p>
      <p className="text-fg-muted">{item.reason}</p>
      <WhyLink runId={runId} item={item} />
    </li>
  );
}

/** "31.6% → 29.6%", the second in the color of its level. */
function Margins({ item: { marginBefore, marginAfter } }: { item: RunItem }): React.JSX.Element {
  return (
    <>
      <span className="text-fg-muted">
        {marginBefore === null ? <NotAvailable /> : formatPercent(marginBefore)}
      </span>
      <span aria-hidden className="text-fg-muted">
        {' → '}
      </span>
      <span className="sr-only"> to </span>
      {marginAfter === null ? <NotAvailable /> : <MarginText percent={marginAfter} />}
    </>
  );
}

/** "↓ $1.50", with its direction in words. */
function Change({ item: { oldPrice, newPrice } }: { item: RunItem }): React.JSX.Element {
  if (oldPrice === null || newPrice === null) return <NotAvailable />;
  const cents = Math.round(Number(newPrice) * 100) - Math.round(Number(oldPrice) * 100);
  const amount = formatMoney((Math.abs(cents) / 100).toFixed(2));
  if (cents === 0) return <span className="text-fg-muted">{amount}</span>;
  return (
    <span className={cents < 0 ? 'text-danger-text' : 'text-success-text'}>
      <span aria-hidden>{cents < 0 ? '↓ ' : '↑ '}</span>
      <span className="sr-only">{cents < 0 ? 'down ' : 'up '}</span>
      {amount}
    </span>
  );
}

function ListingName({ item }: { item: RunItem }): React.JSX.Element {
  return (
    <span className="flex items-center gap-1.5 text-sm whitespace-nowrap text-fg-muted">
      <MarketplaceMark marketplace={item.marketplace} />
      {MARKETPLACE_NAMES[item.marketplace]} <span className="font-mono">{item.sku}</span>
    </span>
  );
}

function OutcomeBadge({ item }: { item: RunItem }): React.JSX.Element {
  const { text, tone, icon } = STYLES[item.outcome];
  return (
    <span className="shrink-0">
      <Badge tone={tone} icon={icon}>
        {text}
      </Badge>
    </span>
  );
}

function WhyLink({ runId, item }: Omit<ItemRowProps, 'showsOutcome'>): React.JSX.Element {
  return (
    <Link
      to="/runs/$id/why/$listingId"
      params={{ id: runId, listingId: item.listingId }}
      aria-label={`Why: ${item.sku} on ${MARKETPLACE_NAMES[item.marketplace]}`}
      className="inline-flex min-h-10 w-fit shrink-0 items-center rounded-sm whitespace-nowrap text-link hover:underline md:min-h-6"
    >
      Why
    </Link>
  );
}

function Amount({ value }: { value: string | null }): React.JSX.Element {
  return value === null ? <NotAvailable /> : <span>{formatMoney(value)}</span>;
}
