import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';

/** One step of a dialog. */
export interface DialogStep {
  readonly title: string;
  readonly description: string;
  readonly isWide?: boolean;
  /** Undefined if there is nothing to submit. */
  readonly onSubmit?: () => void;
  readonly onClose: () => void;
  readonly footer: React.ReactNode;
  readonly body: React.ReactNode;
}

/** One dialog for all steps: it keeps the focus from the first to the last, and then returns it to its opener. */
export function StepDialog({ step }: { step: DialogStep }): React.JSX.Element {
  const { title, description, isWide = false, onSubmit, onClose, footer, body } = step;
  return (
    <Dialog
      open
      onClose={onClose}
      size={isWide ? 'medium' : 'small'}
      title={title}
      description={description}
      onSubmit={onSubmit}
      footer={footer}
    >
      {body}
    </Dialog>
  );
}

type StepButtonsProps = {
  onCancel: () => void;
  action: string;
  pendingText: string;
  pending: boolean;
  isDanger?: boolean;
};

/** Cancel and continue. */
export function StepButtons(props: StepButtonsProps): React.JSX.Element {
  const { onCancel, action, pendingText, pending, isDanger = false } = props;
  return (
    <>
      <Button look="outline" onClick={onCancel}>
        Cancel
      </Button>
      <Button
        type="submit"
        look={isDanger ? 'danger' : 'primary'}
        pending={pending}
        pendingText={pendingText}
      >
        {action}
      </Button>
    </>
  );
}
