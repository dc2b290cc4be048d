import { AlertDialog } from '#web/ui/alert-dialog.tsx';

/** Asks whether to change a price although repricing is halted. */
export function HaltDialog({ onAnswer }: { onAnswer: (isConfirmed: boolean) => void }): React.JSX.Element {
  return (
    <AlertDialog
      open
      onCancel={() => onAnswer(false)}
      title="Change prices while repricing is halted?"
      action="Change prices"
      pendingText="Changing..."
      pending={false}
      onConfirm={() => onAnswer(true)}
      isDanger={false}
    >
      <p>
        The new prices are checked against costs and limits, then sent to connected marketplaces. Repricing
        stays halted.
      </p>
    </AlertDialog>
  );
}
