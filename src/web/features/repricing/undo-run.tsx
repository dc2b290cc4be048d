import { Undo2 } from 'lucide-react';
import type { Run } from '#contract/engine.ts';
import { useAddressedDialog } from '#web/lib/addressed-dialog.ts';
import { errorText } from '#web/lib/api.ts';
import { countOf } from '#web/lib/format.ts';
import { isDeclined } from '#web/lib/step-up.ts';
import { AlertDialog } from '#web/ui/alert-dialog.tsx';
import { Button } from '#web/ui/button.tsx';
import { Callout } from '#web/ui/callout.tsx';
import type { useUndoRun } from './run-queries.ts';

type UndoRunProps = { run: Run; undo: ReturnType<typeof useUndoRun> };

/** Undoes every price of a finished run. Hidden while it is running or if it changed no price. `undo=1` opens it. */
export function UndoRun({ run, undo }: UndoRunProps): React.JSX.Element | null {
  // A stopped run changed prices too.
  const canUndo = run.changed > 0 && run.state !== 'queued' && run.state !== 'running';
  const asking = useAddressedDialog('undo', (value) => (value === '1' && canUndo ? true : undefined));
  if (!canUndo) return null;
  const open = (): void => {
    undo.reset();
    asking.open();
  };
  return (
    <>
      <Button look="outline" phone="icon" onClick={open}>
        <Undo2 aria-hidden />
        <span>Undo run</span>
      </Button>
      <AlertDialog
        open={asking.about !== null}
        onCancel={asking.close}
        title={`Undo run ${run.id}?`}
        action="Undo run"
        pendingText="Undoing..."
        pending={undo.isPending}
        onConfirm={() => undo.mutate(undefined, { onSuccess: asking.close })}
        isDanger={false}
      >
        <p>
          <strong className="text-fg">{countOf(run.changed, 'price is', 'prices are')} restored</strong> to
          the value before this run, after a check against current costs and limits.
        </p>
        <p className="mt-2">
          Listings whose price changed after the run are skipped and listed. The others go on hold, so that
          repricing does not change them back.
        </p>
        {undo.isError && !isDeclined(undo.error) && (
          <Callout tone="danger" role="alert" title="Could not undo the run" className="mt-4">
            <p className="mt-1">{errorText(undo.error)}</p>
          </Callout>
        )}
      </AlertDialog>
    </>
  );
}
