import { Link } from '@tanstack/react-router';
import { CircleHelp, Hand, MessageSquareText, RefreshCw } from 'lucide-react';
import type { RunItem } from '#contract/engine.ts';
import { MARKETPLACE_NAMES } from '#domain/marketplaces.ts';
import { formatMoney, formatPercent } from '#web/lib/format.ts';
import { Badge } from '#web/ui/badge.tsx';
import { NotKnown } from '#web/ui/not-known.tsx';
import { Cell, HeadCell, PlainTable } from '#web/ui/plain-table.tsx';

type RunItemsTableProps = { items: readonly RunItem[] };

const STYLES = {
  change: { text: 'Changed', tone: 'success', icon: RefreshCw },
  recommend: { text: 'Recommended', tone: 'info', icon: MessageSquareText },
  blocked: { text: 'Blocked', tone: 'danger', icon: Hand },
} as const;

/** The outcome for each listing, with a link to the explanation; below 768 px as cards. */
export function RunItemsTable({ items }: RunItemsTableProps): React.JSX.Element {
  return (
    <>
      <PlainTable caption="Listings of this run" className="hidden md:block">
        <thead>
          <tr>
            <HeadCell>Listing</HeadCell>
            <HeadCell>Outcome</HeadCell>
            <HeadCell numeric>Old price</HeadCell>
            <HeadCell numeric>New price</HeadCell>
            <HeadCell numeric>Margin floor</HeadCell>
            <HeadCell numeric>Margin before</HeadCell>
            <HeadCell numeric>Margin after</HeadCell>
            <HeadCell>Reason</HeadCell>
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <ItemRow key={item.listingId} item={item} />
          ))}
        </tbody>
      </PlainTable>
      <ul aria-label="Listings of this run" className="flex flex-col gap-2 md:hidden">
        {items.map((item) => (
          <ItemCard key={item.listingId} item={item} />
        ))}
      </ul>
    </>
  );
}

function ItemRow({ item }: { item: RunItem }): React.JSX.Element {
  return (
    <tr className="hover:bg-hover">
      <Cell>
        <span className="block max-w-64 truncate" title={item.title}>
          {item.title}
        </span>
        <ListingName item={item} />
      </Cell>
      <Cell>
        <OutcomeBadge item={item} />
      </Cell>
      <Cell numeric>
        <Amount value={item.oldPrice} />
      </Cell>
      <Cell numeric className="font-medium">
        <Amount value={item.newPrice} />
      </Cell>
      <Cell numeric>
        <Amount value={item.marginFloor} />
      </Cell>
      <Cell numeric>{item.marginBefore === null ? <NotKnown /> : formatPercent(item.marginBefore)}</Cell>
      <Cell numeric>{item.marginAfter === null ? <NotKnown /> : formatPercent(item.marginAfter)}</Cell>
      <Cell className="min-w-72">
        {item.reason} <WhyLink item={item} />
      </Cell>
    </tr>
  );
}

function ItemCard({ item }: { item: RunItem }): React.JSX.Element {
  return (
    <li className="flex flex-col gap-1.5 rounded-lg border bg-surface p-3">
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
      <WhyLink item={item} />
    </li>
  );
}

function ListingName({ item }: { item: RunItem }): React.JSX.Element {
  return (
    <span className="text-sm text-fg-muted">
      {MARKETPLACE_NAMES[item.marketplace]}, <span className="font-mono">{item.sku}</span>
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

function WhyLink({ item }: { item: RunItem }): React.JSX.Element {
  return (
    <Link
      to={item.outcome === 'recommend' ? '/listings/$id/recommendation' : '/listings/$id/why'}
      params={{ id: item.listingId }}
      aria-label={`Why: ${item.sku} on ${MARKETPLACE_NAMES[item.marketplace]}`}
      className="inline-flex min-h-11 w-fit items-center gap-1 rounded-sm whitespace-nowrap text-link hover:underline md:min-h-6"
    >
      <CircleHelp aria-hidden className="size-4" />
      Why
    </Link>
  );
}

function Amount({ value }: { value: string | null }): React.JSX.Element {
  return value === null ? <NotKnown /> : <span>{formatMoney(value)}</span>;
}
