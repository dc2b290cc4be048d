import { ArrowDown, ArrowRight, ArrowUp, Hand, TriangleAlert } from 'lucide-react';
import type { PreviewedListing } from '#contract/rules.ts';
import { parseCents } from '#domain/decimal.ts';
import { MARKETPLACE_NAMES } from '#domain/marketplaces.ts';
import { formatMoney, formatPercent } from '#web/lib/format.ts';
import { Badge } from '#web/ui/badge.tsx';
import { MarketplaceMark } from '#web/ui/marketplace-mark.tsx';

type PreviewedListingsProps = { listings: readonly PreviewedListing[]; hasSentences: boolean };

/** Listings with old and new price and margin, optionally with the reason. */
export function PreviewedListings({ listings, hasSentences }: PreviewedListingsProps): React.JSX.Element {
  return (
    <ul className="divide-y">
      {listings.map((listing) => (
        <li key={listing.listingId} className="py-2">
          <div className="flex items-baseline justify-between gap-3">
            <p className="truncate font-medium" title={listing.title}>
              {listing.title}
            </p>
            <Prices listing={listing} />
          </div>
          <div className="flex flex-wrap items-center justify-between gap-x-3">
            <p className="flex min-w-0 items-center gap-1.5 text-sm text-fg-muted">
              <MarketplaceMark marketplace={listing.marketplace} />
              <span className="shrink-0">{MARKETPLACE_NAMES[listing.marketplace]}</span>
              <span className="truncate font-mono">{listing.sku}</span>
              <Outcome outcome={listing.outcome} />
            </p>
            <Margins listing={listing} />
          </div>
          {hasSentences && <p className="mt-0.5 text-sm text-fg-muted">{listing.sentence}</p>}
        </li>
      ))}
    </ul>
  );
}

/** A changed or kept price shows it. */
function Outcome({ outcome }: Pick<PreviewedListing, 'outcome'>): React.JSX.Element | null {
  if (outcome === 'recommend') {
    return (
      <Badge tone="info" icon={Hand}>
        Recommended
      </Badge>
    );
  }
  if (outcome === 'blocked') {
    return (
      <Badge tone="warning" icon={TriangleAlert}>
        Blocked
      </Badge>
    );
  }
  return null;
}

function Prices({ listing: { oldPrice, newPrice } }: { listing: PreviewedListing }): React.JSX.Element {
  if (newPrice === null || newPrice === oldPrice) {
    return <p className="shrink-0 tabular-nums">{formatMoney(oldPrice)}</p>;
  }
  return (
    <p className="flex shrink-0 items-center gap-1 tabular-nums">
      <span className="text-fg-muted">{formatMoney(oldPrice)}</span>
      <ArrowRight aria-hidden className="size-3.5 text-fg-muted" />
      <span className="sr-only">becomes</span>
      <NewPrice from={oldPrice} to={newPrice} />
    </p>
  );
}

function NewPrice({ from, to }: { from: string; to: string }): React.JSX.Element {
  const isRaised = (parseCents(to) ?? 0) > (parseCents(from) ?? 0);
  const Icon = isRaised ? ArrowUp : ArrowDown;
  return (
    <span
      className={`inline-flex items-center font-semibold ${isRaised ? 'text-success-text' : 'text-danger-text'}`}
    >
      <Icon aria-hidden className="size-3.5" />
      {formatMoney(to)}
    </span>
  );
}

function Margins({
  listing: { marginBefore, marginAfter },
}: {
  listing: PreviewedListing;
}): React.JSX.Element {
  const before = marginBefore === null ? 'unknown' : formatPercent(marginBefore);
  const after = marginAfter === null ? 'unknown' : formatPercent(marginAfter);
  return (
    <p className="ml-auto text-xs text-fg-muted tabular-nums">
      Margin {marginBefore === marginAfter || marginAfter === null ? before : `${before} to ${after}`}
    </p>
  );
}
