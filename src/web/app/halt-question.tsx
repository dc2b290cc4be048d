import { useEffect } from 'react';
import { respectHalt, useHaltQuestion } from '#web/lib/past-halt.ts';
import { AlertDialog } from '#web/ui/alert-dialog.tsx';

/** Asks whether a price changes although repricing is halted; the call then goes on. */
export function HaltQuestion(): React.JSX.Element {
  const question = useHaltQuestion();
  useEffect(() => respectHalt, []);
  return (
    <AlertDialog
      open={question !== null}
      onCancel={respectHalt}
      title="Change prices while repricing is halted?"
      action="Change prices"
      pendingText="Changing..."
      pending={false}
      onConfirm={() => question?.answer(true)}
      isDanger={false}
    >
      <p>
        What you asked for is checked against costs and limits as always, then takes effect and is sent to
        connected marketplaces. Repricing stays halted.
      </p>
    </AlertDialog>
  );
}
