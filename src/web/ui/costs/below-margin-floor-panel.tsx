import { useMutation, useQueryClient } from '@tanstack/react-query';
import { z } from 'zod';
import type { SavedCosts } from '#contract/costs.ts';
import { MARKETPLACE_NAMES } from '#domain/marketplaces.ts';
import { errorText } from '#web/lib/api.ts';
import { countOf, formatCount, formatMoney } from '#web/lib/format.ts';
import { priceCalls } from '#web/lib/price-calls.ts';
import { toast } from '#web/lib/use-toast.ts';
import { Button } from '#web/ui/button.tsx';
import { Callout } from '#web/ui/callout.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Cell, HeadCell, PlainTable } from '#web/ui/plain-table.tsx';

type BelowMarginFloorPanelProps = {
  saved: Pick<SavedCosts, 'belowMarginFloor' | 'belowMarginFloorCount'>;
  onClose: () => void;
};

/** After a cost increase: the listings now priced below their margin floor, and one button to raise them. */
export function BelowMarginFloorPanel({ saved, onClose }: BelowMarginFloorPanelProps): React.JSX.Element {
  const { belowMarginFloor, belowMarginFloorCount } = saved;
  const raise = useRaisePrices();
  const start = (): void =>
    raise.mutate(belowMarginFloor, {
      onSuccess: ({ raised, refusal }) => {
        if (refusal !== null) return;
        toast('Prices raised', `${countOf(raised, 'price was', 'prices were')} raised.`);
        onClose();
      },
    });
  const hidden = belowMarginFloorCount - belowMarginFloor.length;
  return (
    <Dialog
      open
      onClose={onClose}
      size="large"
      title={`${countOf(belowMarginFloorCount, 'listing is', 'listings are')} now below the margin floor`}
      description="Costs saved. If you raise these prices now, the listings go on hold like any manual price. Otherwise the next run raises them or recommends a higher price."
      footer={
        <>
          <Button look="outline" onClick={onClose}>
            Not now
          </Button>
          <Button onClick={start} pending={raise.isPending} pendingText="Raising...">
            Raise {countOf(belowMarginFloor.length, 'price', 'prices')}
          </Button>
        </>
      }
    >
      <PlainTable caption="Listings below their margin floor">
        <thead>
          <tr>
            <HeadCell>Listing</HeadCell>
            <HeadCell numeric>Price</HeadCell>
            <HeadCell numeric>Margin floor</HeadCell>
          </tr>
        </thead>
        <tbody>
          {belowMarginFloor.map((row) => (
            <tr key={row.listingId}>
              <Cell>
                <span className="font-mono text-sm">{row.sku}</span>
                <span className="block text-sm text-fg-muted">
                  {MARKETPLACE_NAMES[row.marketplace]}: {row.title}
                </span>
              </Cell>
              <Cell numeric>{formatMoney(row.currentPrice)}</Cell>
              <Cell numeric>{formatMoney(row.marginFloor)}</Cell>
            </tr>
          ))}
        </tbody>
      </PlainTable>
      {hidden > 0 && (
        <p className="mt-2 text-fg-muted">
          {formatCount(hidden)} more are not shown here. Find them in Listings.
        </p>
      )}
      {raise.data?.refusal != null && (
        <Callout tone="danger" role="alert" title="Some prices were not raised" className="mt-4">
          <p className="text-fg-muted">
            {countOf(raise.data.raised, 'price was', 'prices were')} raised. {raise.data.refusal}
          </p>
        </Callout>
      )}
    </Dialog>
  );
}

/** One call each: every price passes the checks of a manual price, and one rejection does not stop the others. */
function useRaisePrices() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (rows: SavedCosts['belowMarginFloor']) => {
      let raised = 0;
      let refusal: string | null = null;
      const change = priceCalls();
      for (const { listingId, sku, marginFloor, currentPrice } of rows) {
        const body = { price: marginFloor, from: currentPrice };
        try {
          await change(z.unknown(), 'PUT', `/api/listings/${listingId}/price`, body);
          raised += 1;
        } catch (error) {
          refusal ??= `${sku}: ${errorText(error)}`;
        }
      }
      return { raised, refusal };
    },
    // The list of listings shows prices; this one only costs.
    onSettled: () => client.invalidateQueries({ queryKey: ['listings'] }),
  });
}
