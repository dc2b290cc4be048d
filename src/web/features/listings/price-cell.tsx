import { ArrowDown, ArrowUp } from 'lucide-react';
import type { ListingRow } from '#contract/listings.ts';
import { parseCents } from '#domain/decimal.ts';
import { classNames } from '#web/lib/class-names.ts';
import { formatMoney } from '#web/lib/format.ts';
import { Tip } from '#web/ui/tooltip.tsx';
import { useDelayed } from '#web/ui/use-delayed.ts';
import { ApplyPriceButton } from './apply-price-button.tsx';
import { onlyThis, useListingsScreen } from './listings-screen.ts';
import { bigMoveText } from './manual-price.ts';
import { usePriceDrafts } from './price-drafts.ts';
import { PriceEditor } from './price-editor.tsx';
import { useApplyRecommended, useChangePrice } from './use-change-price.ts';

/** The editable price, and the recommended price with a button to apply it. */
export function PriceCell({ row }: { row: ListingRow }): React.JSX.Element {
  const drafts = usePriceDrafts();
  const draft = drafts.use().get(row.id);
  const change = useChangePrice();
  const isSlow = useDelayed(change.isPending) === 'placeholder';
  if (draft !== undefined) {
    return (
      <PriceEditor
        row={row}
        draft={draft}
        onSave={(to) => change.mutate({ row, from: row.currentPrice, to })}
      />
    );
  }
  return (
    <div className="flex items-center justify-end gap-1">
      {row.recommendedPrice !== null && !isSlow && <ApplyButton row={row} price={row.recommendedPrice} />}
      <div className="flex min-w-0 flex-col items-end">
        <button
          type="button"
          data-price-button
          aria-label={`Price of ${row.sku}: ${formatMoney(row.currentPrice)}. Change price`}
          onClick={() => drafts.open(row.id, row.currentPrice)}
          onKeyDown={(event) => event.key === 'F2' && drafts.open(row.id, row.currentPrice)}
          className={classNames(
            '-mr-1.5 min-h-6 rounded-sm border border-transparent px-1.5 leading-4 font-semibold tabular-nums hover:border-border-control hover:bg-surface',
            // With a line below it: both fit into the lowest row.
            (isSlow || row.recommendedPrice !== null) && 'md:min-h-0',
          )}
        >
          {formatMoney(row.currentPrice)}
        </button>
        {isSlow ? (
          <span role="status" className="text-xs leading-tight text-fg-muted">
            Saving
          </span>
        ) : (
          row.recommendedPrice !== null && <Recommended row={row} price={row.recommendedPrice} />
        )}
      </div>
    </div>
  );
}

type RecommendedProps = { row: ListingRow; price: string };

/** Direction and amount of the recommended change; the reason is in the tooltip. */
function Recommended({ row, price }: RecommendedProps): React.JSX.Element {
  const isUp = (parseCents(price) ?? 0) > (parseCents(row.currentPrice) ?? 0);
  const Arrow = isUp ? ArrowUp : ArrowDown;
  const reason = row.recommendedPriceReason ?? '';
  return (
    <Tip text={reason}>
      <span
        className={`inline-flex items-center gap-0.5 text-sm leading-4 whitespace-nowrap tabular-nums ${isUp ? 'text-success-text' : 'text-danger-text'}`}
      >
        <Arrow aria-hidden className="size-3.5" />
        <span className="sr-only">Recommended: </span>
        {formatMoney(price)}
        <span className="sr-only">. {reason}</span>
      </span>
    </Tip>
  );
}

function ApplyButton({ row, price }: RecommendedProps): React.JSX.Element {
  const apply = useApplyRecommended();
  const { openDialog } = useListingsScreen();
  const press = (): void => {
    // A large change, and one of several listings, is previewed before it is made.
    const isPreviewed = row.sharesPriceWith.length > 0 || bigMoveText(row.currentPrice, price) !== null;
    if (isPreviewed) openDialog({ kind: 'apply', target: onlyThis(row) });
    else apply.mutate(row);
  };
  return (
    <ApplyPriceButton
      look="quiet"
      aria-label={`Apply recommended price ${formatMoney(price)} to ${row.sku}`}
      onClick={press}
      pending={apply.isPending}
      className="h-11 px-1.5 text-sm text-link md:h-6 print:hidden"
    >
      Apply
    </ApplyPriceButton>
  );
}
