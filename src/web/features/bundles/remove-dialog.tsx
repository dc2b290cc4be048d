import { useQueryClient } from '@tanstack/react-query';
import { errorText } from '#web/lib/api.ts';
import { reportUndoable } from '#web/lib/recent-actions-store.ts';
import { toast } from '#web/lib/use-toast.ts';
import { AlertDialog } from '#web/ui/alert-dialog.tsx';
import { draftOf } from './draft.ts';
import { saveBundle, useRemoveBundle } from './queries.ts';
import type { BundleDraft } from './use-bundle-draft.ts';

type RemoveDialogProps = {
  draft: BundleDraft;
  open: boolean;
  onClose: () => void;
  /** The button that opened it is removed with the bundle: the focus has to move. */
  onRemoved: () => void;
};

/** Removing a bundle stops the prices of its listings: the dialog says so, and it can be undone. */
export function RemoveDialog({ draft, open, onClose, onRemoved }: RemoveDialogProps): React.JSX.Element {
  const remove = useRemoveBundle();
  const client = useQueryClient();
  const { seen } = draft;
  const listingSku = draft.listingSku ?? '';
  const undo = async (): Promise<{ title: string; text: string }> => {
    await saveBundle(client, { listingSku, draft: draftOf(seen), seen: [], restores: true });
    return { title: 'Bundle restored', text: `The components of ${listingSku} are restored.` };
  };
  const submit = (): void =>
    remove.mutate(listingSku, {
      onSuccess: () => {
        draft.discard();
        reportUndoable({
          title: 'Bundle removed',
          text: `${listingSku} no longer has components.`,
          failed: `Could not restore the components of ${listingSku}`,
          undo,
        });
        onClose();
        requestAnimationFrame(onRemoved);
      },
      onError: (error) => {
        toast('Error', errorText(error), 'destructive');
        onClose();
      },
    });
  return (
    <AlertDialog
      open={open}
      onCancel={onClose}
      title={`Remove the bundle ${listingSku}?`}
      action="Remove bundle"
      pendingText="Removing..."
      pending={remove.isPending}
      onConfirm={submit}
    >
      <p>
        Its cost is then unknown, and its prices do not change until you save components again or confirm that
        it is not a bundle.
      </p>
    </AlertDialog>
  );
}
