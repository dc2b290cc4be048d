import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { SkuSelection, SkuUses } from '#contract/skus.ts';
import { errorText } from '#web/lib/api.ts';
import { countOf } from '#web/lib/format.ts';
import { reportUndoable } from '#web/lib/recent-actions-store.ts';
import { AlertDialog } from '#web/ui/alert-dialog.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { usesText } from './impact-panel.tsx';
import { undeleteSkus, useDeleteSkus, usesQuery } from './sku-calls.ts';

type DeleteSkusDialogProps = {
  selection: SkuSelection;
  count: number;
  onClose: () => void;
  onDeleted: () => void;
};

/** Shows what is deleted and what loses its cost. Undo restores all of it. */
export function DeleteSkusDialog(props: DeleteSkusDialogProps): React.JSX.Element {
  const { selection, count, onClose, onDeleted } = props;
  const uses = useQuery(usesQuery(selection));
  const remove = useDeleteSkus();
  const client = useQueryClient();
  const confirm = (): void =>
    remove.mutate(selection, {
      onSuccess: (ids) => {
        onClose();
        onDeleted();
        reportUndoable({
          title: 'SKUs Deleted',
          text: `${countOf(ids.length, 'SKU was', 'SKUs were')} deleted.`,
          failed: 'Could not restore the SKUs',
          undo: () => undeleteSkus(client, ids),
        });
      },
    });
  const failure = remove.error ?? uses.error;
  return (
    <AlertDialog
      open
      onCancel={onClose}
      title={`Delete ${countOf(count, 'SKU', 'SKUs')}?`}
      action={`Delete ${countOf(count, 'SKU', 'SKUs')}`}
      pending={remove.isPending}
      pendingText="Deleting..."
      onConfirm={confirm}
    >
      {uses.data !== undefined && <Uses uses={uses.data} />}
      {uses.isPending && (
        <p role="status" className="flex items-center gap-2">
          <Spinner />
          Checking where they are used
        </p>
      )}
      {failure !== null && (
        <p role="alert" className="mt-3 text-danger-text">
          {errorText(failure)}
        </p>
      )}
    </AlertDialog>
  );
}

function Uses({ uses }: { uses: SkuUses }): React.JSX.Element {
  const { named, skus } = uses;
  const used = usesText(uses);
  const isOne = skus === 1;
  return (
    <>
      <ul className="list-disc pl-5">
        {named.map((sku) => (
          <li key={sku} className="font-mono text-sm">
            {sku}
          </li>
        ))}
        {skus > named.length && <li>{countOf(skus - named.length, 'more', 'more')}</li>}
      </ul>
      <p className="mt-3">
        {used === null
          ? `No listing or bundle uses ${isOne ? 'it' : 'them'}.`
          : `${isOne ? 'It is' : 'They are'} part of the cost of ${used}. Their cost is then unknown: the listings keep their prices and are not repriced until ${isOne ? 'the SKU is' : 'the SKUs are'} restored.`}
      </p>
    </>
  );
}
