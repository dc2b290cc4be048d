import type { HistoryEntry } from '#contract/history.ts';
import { MARKETPLACE_NAMES } from '#domain/marketplaces.ts';
import { formatMoney } from '#web/lib/format.ts';
import { MarketplaceMark } from '#web/ui/marketplace-mark.tsx';
import { MomentText } from '#web/ui/moment-text.tsx';
import { MarginImpact, PriceChange } from './price-change.tsx';
import { RowMenu } from './row-menu.tsx';
import { changedBy, SOURCE_LABELS } from './source-labels.ts';

type HistoryCardProps = { entry: HistoryEntry; onRevert: (entry: HistoryEntry) => void };

/** An entry on a narrow screen. */
export function HistoryCard({ entry, onRevert }: HistoryCardProps): React.JSX.Element {
  const { productTitle, marketplace, sku, oldPrice, newPrice, reason, timestamp } = entry;
  const who = changedBy(entry);
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex items-start gap-2">
        <div className="min-w-0 flex-1">
          <p className="line-clamp-2 font-medium">{productTitle}</p>
          <p className="flex flex-wrap items-center gap-1.5 text-sm text-fg-muted">
            <MarketplaceMark marketplace={marketplace} />
            {MARKETPLACE_NAMES[marketplace]} <span className="font-mono">{sku}</span>
          </p>
        </div>
        <RowMenu entry={entry} onRevert={onRevert} />
      </div>
      <p className="flex flex-wrap items-center gap-x-3 tabular-nums">
        <span>
          {oldPrice !== null && `${formatMoney(oldPrice)} to `}
          <strong className="font-semibold">{formatMoney(newPrice)}</strong>
        </span>
        <PriceChange {...entry} />
        <span className="text-sm text-fg-muted">
          Margin impact <MarginImpact {...entry} />
        </span>
      </p>
      <p>{reason}</p>
      <p className="text-sm text-fg-muted">
        {SOURCE_LABELS[entry.source]}
        {who !== '' && `: ${who}`}, <MomentText iso={timestamp} />
      </p>
    </div>
  );
}
