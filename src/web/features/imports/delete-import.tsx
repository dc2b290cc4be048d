import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { Import } from '#contract/imports.ts';
import { errorText } from '#web/lib/api.ts';
import { toast } from '#web/lib/use-toast.ts';
import { AlertDialog } from '#web/ui/alert-dialog.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { useDeleteImport } from '#web/ui/imports/import-calls.ts';

/** Deletes an uploaded file, after a question: it makes room for others. */
export function DeleteImport({ id, fileName }: Pick<Import, 'id' | 'fileName'>): React.JSX.Element {
  const [isConfirming, setConfirming] = useState(false);
  const remove = useDeleteImport();
  const confirm = (): void =>
    remove.mutate(id, {
      onSuccess: () => setConfirming(false),
      onError: (error) => toast('Error', errorText(error), 'destructive'),
    });
  return (
    <>
      <IconButton name={`Delete ${fileName}`} onClick={() => setConfirming(true)}>
        <Trash2 aria-hidden />
      </IconButton>
      <AlertDialog
        open={isConfirming}
        onCancel={() => setConfirming(false)}
        title={`Delete ${fileName}?`}
        action="Delete file"
        pending={remove.isPending}
        pendingText="Deleting..."
        onConfirm={confirm}
      >
        The uploaded file and its report are deleted. Imported data does not change.
      </AlertDialog>
    </>
  );
}
