import { ArrowDown, ArrowUp } from 'lucide-react';
import type { ListingRow } from '#contract/listings.ts';
import { parseCents } from '#domain/decimal.ts';
import { formatMoney } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import { Tip } from '#web/ui/tooltip.tsx';
import { useDelayed } from '#web/ui/use-delayed.ts';
import { onlyThis, useListingsScreen } from './listings-screen.ts';
import { usePriceDrafts } from './price-drafts.ts';
import { PriceEditor } from './price-editor.tsx';
import { bigMoveText } from './typed-price.ts';
import { useApplyRecommended, useChangePrice } from './use-change-price.ts';

/** Our price, which can be typed over, and the price the engine recommends with a button that takes it. */
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
    <div className="flex flex-col items-end">
      <button
        type="button"
        data-price-button
        aria-label={`Price of ${row.sku}: ${formatMoney(row.currentPrice)}. Change price`}
        onClick={() => drafts.open(row.id, row.currentPrice)}
        onKeyDown={(event) => event.key === 'F2' && drafts.open(row.id, row.currentPrice)}
        className="-mr-1.5 min-h-6 rounded-sm border border-transparent px-1.5 font-semibold tabular-nums hover:border-border-control hover:bg-surface"
      >
        {formatMoney(row.currentPrice)}
      </button>
      {isSlow ? (
        <span role="status" className="text-xs text-fg-muted">
          Saving
        </span>
      ) : (
        row.recommendedPrice !== null && <Recommended row={row} price={row.recommendedPrice} />
      )}
    </div>
  );
}

function Recommended({ row, price }: { row: ListingRow; price: string }): React.JSX.Element {
  const apply = useApplyRecommended();
  const { openDialog } = useListingsScreen();
  const isUp = (parseCents(price) ?? 0) > (parseCents(row.currentPrice) ?? 0);
  const Arrow = isUp ? ArrowUp : ArrowDown;
  const reason = row.recommendedPriceReason ?? '';
  const press = (): void => {
    // A large move is looked at before it is made.
    if (bigMoveText(row.currentPrice, price) !== null) openDialog({ kind: 'apply', target: onlyThis(row) });
    else apply.mutate(row);
  };
  return (
    <span className="flex items-center gap-0.5 text-sm whitespace-nowrap">
      <Tip text={reason}>
        <span
          className={`inline-flex items-center gap-0.5 ${isUp ? 'text-success-text' : 'text-danger-text'}`}
        >
          <Arrow aria-hidden className="size-3.5" />
          <span className="sr-only">Recommended: </span>
          {formatMoney(price)}
          <span className="sr-only">. {reason}</span>
        </span>
      </Tip>
      <Button
        look="quiet"
        aria-label={`Apply recommended price ${formatMoney(price)} to ${row.sku}`}
        onClick={press}
        pending={apply.isPending}
        pendingText="Applying"
        className="-mr-1.5 h-11 px-1.5 text-link md:h-6 print:hidden"
      >
        Apply
      </Button>
    </span>
  );
}
