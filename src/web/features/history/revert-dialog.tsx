import { listText } from '#domain/text.ts';
import { announce } from '#web/lib/announce.ts';
import { errorText } from '#web/lib/api.ts';
import { formatMoney } from '#web/lib/format.ts';
import { toast } from '#web/lib/use-toast.ts';
import { AlertDialog } from '#web/ui/alert-dialog.tsx';
import { Callout } from '#web/ui/callout.tsx';
import { useRevertPrice } from './queries.ts';
import type { Revertible } from './revertible.ts';

type RevertDialogProps = { entry: Revertible; onClose: () => void };

/** Asks before a revert, and shows a price changed after the entry; an error stays visible. Open while rendered. */
export function RevertDialog({ entry, onClose }: RevertDialogProps): React.JSX.Element {
  const revert = useRevertPrice();
  const { sku, oldPrice, newPrice, currentPrice, sharesPriceWith } = entry;
  const confirm = async (): Promise<void> => {
    await revert.mutateAsync(entry);
    const text = `${sku} is ${formatMoney(oldPrice)} again and on hold.`;
    toast('Price reverted', text);
    announce(text);
    onClose();
  };
  return (
    <AlertDialog
      open
      onCancel={onClose}
      title={`Revert ${sku} to ${formatMoney(oldPrice)}?`}
      action="Revert price"
      pendingText="Reverting..."
      pending={revert.isPending}
      // The error is shown below; nothing else awaits the promise.
      onConfirm={() => void confirm().catch(() => undefined)}
      isDanger={false}
    >
      <p>
        The current price is {formatMoney(currentPrice)}.{' '}
        {currentPrice !== newPrice &&
          `The price changed again after this entry set ${formatMoney(newPrice)}. `}
        The old price is checked against current costs and limits first. The listing then goes on hold, so
        that repricing does not change it back.
      </p>
      {sharesPriceWith.length > 0 && <p className="mt-2">Also changes {listText(sharesPriceWith)}.</p>}
      {revert.isError && (
        <Callout tone="danger" role="alert" title="Could not revert the price" className="mt-4">
          <p className="mt-1">{errorText(revert.error)}</p>
        </Callout>
      )}
    </AlertDialog>
  );
}
