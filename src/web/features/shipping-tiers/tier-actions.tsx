import { useQueryClient } from '@tanstack/react-query';
import { Download, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { Tier } from '#contract/tiers.ts';
import { errorText } from '#web/lib/api.ts';
import { downloadText } from '#web/lib/download.ts';
import { countOf } from '#web/lib/format.ts';
import { reportUndoable } from '#web/lib/recent-actions-store.ts';
import { toast } from '#web/lib/use-toast.ts';
import { AlertDialog } from '#web/ui/alert-dialog.tsx';
import { Button } from '#web/ui/button.tsx';
import { restoreTiers, useDeleteTiers } from './queries.ts';
import { tiersFile, tierText } from './tier-texts.ts';

const NAMED = 3;

/** Downloads the tiers as a file in the import format. */
export function exportTiers(tiers: readonly Tier[]): void {
  toast('Export Started', `Exporting ${tiers.length} shipping tier(s)...`);
  downloadText('shipping-tiers.csv', 'text/csv', tiersFile(tiers));
}

type TierActionsProps = { tiers: readonly Tier[]; onDeleted: () => void };

/** Actions for the selected tiers. */
export function TierActions({ tiers, onDeleted }: TierActionsProps): React.JSX.Element {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button look="outline" onClick={() => exportTiers(tiers)}>
        <Download aria-hidden />
        Export
      </Button>
      <Button look="outline" onClick={() => setAsking(true)}>
        <Trash2 aria-hidden />
        Delete
      </Button>
      {isAsking && <DeleteDialog tiers={tiers} onClose={() => setAsking(false)} onDeleted={onDeleted} />}
    </>
  );
}

type DeleteDialogProps = { tiers: readonly Tier[]; onClose: () => void; onDeleted: () => void };

function DeleteDialog({ tiers, onClose, onDeleted }: DeleteDialogProps): React.JSX.Element {
  const remove = useDeleteTiers();
  const client = useQueryClient();
  const confirm = (): void =>
    remove.mutate(
      tiers.map(({ id }) => id),
      {
        onSuccess: (deleted) => {
          onClose();
          onDeleted();
          const text = `${countOf(deleted, 'shipping tier was', 'shipping tiers were')} deleted.`;
          reportUndoable({ title: 'Tiers Deleted', text, undo: () => restoreTiers(client, tiers) });
        },
        onError: (error) => toast('Error', errorText(error), 'destructive'),
      },
    );
  return (
    <AlertDialog
      open
      onCancel={onClose}
      title={`Delete ${countOf(tiers.length, 'shipping tier', 'shipping tiers')}?`}
      action={tiers.length === 1 ? 'Delete tier' : 'Delete tiers'}
      pending={remove.isPending}
      pendingText="Deleting..."
      onConfirm={confirm}
    >
      <ul className="list-disc pl-5">
        {tiers.slice(0, NAMED).map((tier) => (
          <li key={tier.id}>{tierText(tier)}</li>
        ))}
        {tiers.length > NAMED && <li>{countOf(tiers.length - NAMED, 'more', 'more')}</li>}
      </ul>
      <p className="mt-3">
        Listings in these ranges keep their prices and are not repriced until another tier covers them.
      </p>
    </AlertDialog>
  );
}
