import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { FailedPrice } from '#contract/price-status.ts';
import { MARKETPLACE_NAMES } from '#domain/marketplaces.ts';
import { formatCount, formatMoney } from '#web/lib/format.ts';
import { priceStatusText } from '#web/lib/price-status-text.ts';
import { Button } from '#web/ui/button.tsx';
import { MarketplaceMark } from '#web/ui/marketplace-mark.tsx';
import { MomentText } from '#web/ui/moment-text.tsx';

/** Shown without a press; limited, so that the history itself stays visible. */
const AT_ONCE = 3;

/** Prices that were not applied: rejected by the marketplace, not sent, or with an unknown result. */
export function FailedPrices(props: {
  /** The newest. */
  failed: readonly FailedPrice[];
  /** How many there are. */
  total: number;
}): React.JSX.Element | null {
  const { failed, total } = props;
  const [isWhole, setWhole] = useState(false);
  if (failed.length === 0) return null;
  const shown = isWhole ? failed : failed.slice(0, AT_ONCE);
  return (
    <section aria-labelledby="failed-prices" className="flex flex-col gap-2">
      <h2 id="failed-prices" className="text-base font-semibold">
        Prices not applied{total > failed.length && `: ${formatCount(total)}`}
      </h2>
      <ul className="rounded-lg border bg-surface">
        {shown.map((price) => (
          <FailedItem key={price.id} failed={price} />
        ))}
      </ul>
      {failed.length > AT_ONCE && (
        <Button
          look="quiet"
          className="self-start text-link"
          aria-expanded={isWhole}
          onClick={() => setWhole(!isWhole)}
        >
          {isWhole ? 'Show fewer' : moreText(failed.length, total)}
        </Button>
      )}
    </section>
  );
}

function moreText(known: number, total: number): string {
  return total > known ? `Show the newest ${known} of ${formatCount(total)}` : `Show all ${known}`;
}

function FailedItem({ failed }: { failed: FailedPrice }): React.JSX.Element {
  const { marketplace, sku, productTitle, price, fromPrice, marketplaceMessage, since, actor } = failed;
  const { name, meaning } = priceStatusText(failed, marketplace);
  const by = actor === null ? '' : `, by ${actor}`;
  return (
    <li className="flex flex-col gap-x-6 gap-y-1 border-b px-3 py-2 last:border-b-0 md:flex-row md:items-baseline">
      <div className="min-w-0 md:w-1/2">
        <Link to="/listings" search={{ q: sku }} className="font-medium text-link hover:underline">
          {productTitle}
        </Link>
        <p className="flex flex-wrap items-center gap-x-1.5 text-sm text-fg-muted">
          <MarketplaceMark marketplace={marketplace} />
          {MARKETPLACE_NAMES[marketplace]} <span className="font-mono">{sku}</span>
          <MomentText iso={since} />
        </p>
      </div>
      <div className="min-w-0 md:w-1/2">
        <p>
          <span className="font-semibold tabular-nums">{formatMoney(price)}</span>
          {` instead of ${formatMoney(fromPrice)}${by}`}
        </p>
        <p className="text-sm text-fg-muted">{`${name}: ${marketplaceMessage ?? meaning}`}</p>
      </div>
    </li>
  );
}
