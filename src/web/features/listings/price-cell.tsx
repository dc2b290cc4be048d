import type { ListingRow } from '#contract/listings.ts';
import { classNames } from '#web/lib/class-names.ts';
import { formatMoney } from '#web/lib/format.ts';
import { touchTarget } from '#web/ui/control-classes.ts';
import { useDelayed } from '#web/ui/use-delayed.ts';
import { ApplyPriceButton } from './apply-price-button.tsx';
import { onlyThis, useListingsScreen } from './listings-screen.ts';
import { usePriceDrafts } from './price-drafts.ts';
import { PriceEditor } from './price-editor.tsx';
import { bigMoveText } from './typed-price.ts';
import { useApplyRecommended, useChangePrice } from './use-change-price.ts';

/** The editable price, and below it the button that applies the recommended one. */
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
  // Two targets of 24 px, one below the other, fill a row of 48 px.
  const isStacked = !isSlow && row.recommendedPrice !== null;
  return (
    <div className={classNames('flex min-w-0 flex-col items-end', isStacked && 'md:-my-[4.5px]')}>
      <button
        type="button"
        data-price-button
        aria-label={`Price of ${row.sku}: ${formatMoney(row.currentPrice)}. Change price`}
        onClick={() => drafts.open(row.id, row.currentPrice)}
        onKeyDown={(event) => event.key === 'F2' && drafts.open(row.id, row.currentPrice)}
        className={`${touchTarget} -mr-1.5 min-h-6 rounded-sm border border-transparent px-1.5 leading-4 font-semibold hover:border-border-control hover:bg-surface`}
      >
        {formatMoney(row.currentPrice)}
      </button>
      {isSlow ? (
        <span role="status" className="text-xs leading-tight text-fg-muted">
          Saving
        </span>
      ) : (
        row.recommendedPrice !== null && <ApplyButton row={row} price={row.recommendedPrice} />
      )}
    </div>
  );
}

type ApplyButtonProps = { row: ListingRow; price: string };

/** Applies the recommended price; the reason is in the tooltip. */
function ApplyButton({ row, price }: ApplyButtonProps): React.JSX.Element {
  const apply = useApplyRecommended();
  const reason = row.recommendedPriceReason ?? '';
  const { openDialog } = useListingsScreen();
  const press = (): void => {
    // A large change, and one of several listings, is previewed before it is made.
    const isPreviewed = row.sharesPriceWith.length > 0 || bigMoveText(row.currentPrice, price) !== null;
    if (isPreviewed) openDialog({ kind: 'apply', target: onlyThis(row) });
    else apply.mutate(row);
  };
  return (
    <>
      <ApplyPriceButton
        look="quiet"
        aria-label={`Apply recommended price ${formatMoney(price)} to ${row.sku}`}
        title={reason}
        onClick={press}
        pending={apply.isPending}
        className="h-10 max-md:-my-1.5 px-0 text-xs text-link hover:bg-transparent hover:text-link hover:underline md:h-6 md:leading-4 dense:h-6 print:hidden"
      >
        Apply {formatMoney(price)}
      </ApplyPriceButton>
      <span className="sr-only">
        Recommended: {formatMoney(price)}. {reason}
      </span>
    </>
  );
}
