import { CircleX, Clock, Search, Send, SendHorizontal } from 'lucide-react';
import type { ListingRow } from '#contract/listings.ts';
import type { PriceInProgress } from '#contract/price-status.ts';
import { formatMoney } from '#web/lib/format.ts';
import { priceStatusText } from '#web/lib/price-status-text.ts';
import { Badge } from '#web/ui/badge.tsx';
import { TakePriceButton } from './apply-price-button.tsx';
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

type UnderWayProps = { row: Pick<ListingRow, 'id' | 'sku' | 'marketplace'>; underWay: PriceInProgress };

/** "Queued $17.49": a price that buyers do not see yet with its status, or why it failed. */
export function underWayMark(
  { marketplace }: Pick<ListingRow, 'marketplace'>,
  underWay: PriceInProgress,
): ListingBadge {
  const { name, meaning } = priceStatusText(underWay, marketplace);
  const tip = underWay.answer === null ? meaning : `${meaning} ${underWay.answer}`;
  return { ...LOOKS[underWay.state], text: `${name} ${formatMoney(underWay.price)}`, tip };
}

/** The same as a line of its own, with the full text; a rejected price can be retried. */
export function UnderWayNote({ row, underWay }: UnderWayProps): React.JSX.Element {
  const { state, price, answer } = underWay;
  const { name, meaning } = priceStatusText(underWay, row.marketplace);
  const { tone, icon } = LOOKS[state];
  return (
    <div className="mt-1.5 flex flex-wrap items-center gap-x-2 gap-y-0.5 text-sm">
      <Badge tone={tone} icon={icon}>
        <span>
          {name} <span className="tabular-nums">{formatMoney(price)}</span>
        </span>
      </Badge>
      <span className="text-fg-muted">{answer ?? meaning}</span>
      {state === 'rejected' && <TryAgain row={row} price={price} />}
    </div>
  );
}

function TryAgain({ row, price }: Pick<UnderWayProps, 'row'> & { price: string }): React.JSX.Element {
  const retry = useRetryPrice();
  return (
    <TakePriceButton
      look="outline"
      onClick={() => retry.mutate({ row, price })}
      pending={retry.isPending}
      pendingText="Sending..."
      aria-label={retry.isPending ? undefined : `Try ${formatMoney(price)} for ${row.sku} again`}
    >
      Try again
    </TakePriceButton>
  );
}
