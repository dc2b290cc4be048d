import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';

/** What a dialog shows and asks at one of its steps. */
export interface DialogStep {
  readonly title: string;
  readonly description: string;
  readonly isWide?: boolean;
  /** Left out where there is nothing to send. */
  readonly onSubmit?: () => void;
  readonly onClose: () => void;
  readonly footer: React.ReactNode;
  readonly body: React.ReactNode;
}

/** One dialog for all steps: the focus stays in it from the first to the last, and then goes back to what opened it. */
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

/** The way out and the way on. */
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
