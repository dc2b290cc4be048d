import { CircleX, Clock, Search, Send, SendHorizontal } from 'lucide-react';
import type { ListingRow } from '#contract/listings.ts';
import type { PriceInProgress } from '#contract/price-status.ts';
import { formatMoney } from '#web/lib/format.ts';
import { priceStatusText } from '#web/lib/price-status-text.ts';
import { Badge } from '#web/ui/badge.tsx';
import { ApplyPriceButton } from './apply-price-button.tsx';
import type { ListingBadge } from './listing-badges.tsx';
import { useRetryPrice } from './use-change-price.ts';

const LOOKS = {
  queued: { tone: 'info', icon: Clock },
  sent: { tone: 'info', icon: SendHorizontal },
  accepted: { tone: 'info', icon: Send },
  unknown: { tone: 'warning', icon: Search },
  rejected: { tone: 'danger', icon: CircleX },
  expired: { tone: 'warning', icon: CircleX },
} as const satisfies Record<PriceInProgress['state'], Pick<ListingBadge, 'tone' | 'icon'>>;

type PriceInProgressProps = {
  row: Pick<ListingRow, 'id' | 'sku' | 'marketplace'>;
  priceInProgress: PriceInProgress;
};

/** "Queued $17.49": a price that buyers do not see yet with its status, or why it failed. */
export function priceInProgressBadge(
  { marketplace }: Pick<ListingRow, 'marketplace'>,
  priceInProgress: PriceInProgress,
): ListingBadge {
  const { name, meaning } = priceStatusText(priceInProgress, marketplace);
  const tip =
    priceInProgress.marketplaceMessage === null
      ? meaning
      : `${meaning} ${priceInProgress.marketplaceMessage}`;
  return { ...LOOKS[priceInProgress.state], text: `${name} ${formatMoney(priceInProgress.price)}`, tip };
}

/** The same as a line of its own, with the full text; a rejected price can be retried. */
export function PriceInProgressNote({ row, priceInProgress }: PriceInProgressProps): React.JSX.Element {
  const { state, price, marketplaceMessage } = priceInProgress;
  const { name, meaning } = priceStatusText(priceInProgress, row.marketplace);
  const { tone, icon } = LOOKS[state];
  return (
    <div className="mt-1.5 flex flex-wrap items-center gap-x-2 gap-y-0.5 text-sm">
      <Badge tone={tone} icon={icon}>
        <span>
          {name} <span className="tabular-nums">{formatMoney(price)}</span>
        </span>
      </Badge>
      <span className="text-fg-muted">{marketplaceMessage ?? meaning}</span>
      {state === 'rejected' && <TryAgain row={row} price={price} />}
    </div>
  );
}

function TryAgain({ row, price }: Pick<PriceInProgressProps, 'row'> & { price: string }): React.JSX.Element {
  const retry = useRetryPrice();
  return (
    <ApplyPriceButton
      look="outline"
      onClick={() => retry.mutate({ row, price })}
      pending={retry.isPending}
      pendingText="Sending..."
      aria-label={retry.isPending ? undefined : `Try ${formatMoney(price)} for ${row.sku} again`}
    >
      Try again
    </ApplyPriceButton>
  );
}
