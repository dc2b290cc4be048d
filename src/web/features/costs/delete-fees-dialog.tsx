import { useQuery } from '@tanstack/react-query';
import type { FeeScheduleView } from '#contract/fees.ts';
import { MARKETPLACE_NAMES } from '#domain/marketplaces.ts';
import { errorText } from '#web/lib/api.ts';
import { countOf } from '#web/lib/format.ts';
import { toast } from '#web/lib/use-toast.ts';
import { AlertDialog } from '#web/ui/alert-dialog.tsx';
import { deletionImpactQuery, useDeleteFees } from './fee-queries.ts';

type DeleteFeesDialogProps = { schedule: FeeScheduleView; onClose: () => void };

/** Asks before deleting a schedule, and shows the effect on its listings. */
export function DeleteFeesDialog({ schedule, onClose }: DeleteFeesDialogProps): React.JSX.Element {
  const impact = useQuery(deletionImpactQuery(schedule.id));
  const remove = useDeleteFees();
  const confirm = (): void =>
    remove.mutate(schedule, {
      onSuccess: () => {
        toast('Fee schedule deleted', 'Repricing the affected listings.');
        onClose();
      },
    });
  const blocks = schedule.deletionBlocks;
  return (
    <AlertDialog
      open
      onCancel={onClose}
      title={`Delete the fees of ${MARKETPLACE_NAMES[schedule.marketplace]}${schedule.category === null ? '' : ` ${schedule.category}`}?`}
      action={
        blocks === null || blocks === 0
          ? 'Delete fees'
          : `Delete and block ${countOf(blocks, 'listing', 'listings')}`
      }
      pending={remove.isPending}
      pendingText="Deleting..."
      onConfirm={confirm}
    >
      {blocks === null ? (
        <p>{replacementText(schedule)}</p>
      ) : (
        <p>
          No other fee schedule covers these listings on {MARKETPLACE_NAMES[schedule.marketplace]}:{' '}
          <strong className="text-fg">{countOf(blocks, 'listing', 'listings')} will be blocked</strong> and
          keep their price until fees are entered again.
        </p>
      )}
      {impact.data !== undefined && impact.data.underMargin > 0 && (
        <p className="mt-2">
          {countOf(impact.data.underMargin, 'listing falls', 'listings fall')} below the minimum margin.
        </p>
      )}
      {remove.error !== null && (
        <p role="alert" className="mt-2 text-danger-text">
          {errorText(remove.error)}
        </p>
      )}
    </AlertDialog>
  );
}

function replacementText({ state, listings }: FeeScheduleView): string {
  if (state === 'in_force' && listings > 0) {
    return `${countOf(listings, 'listing goes', 'listings go')} back to the earlier schedule.`;
  }
  return 'No listing uses it now.';
}
