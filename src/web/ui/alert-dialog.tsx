import { AlertDialog as RadixAlertDialog } from 'radix-ui';
import { Button } from './button.tsx';
import { useFocusReturn } from './use-focus-return.ts';

type AlertDialogProps = {
  open: boolean;
  /** Cancel and Escape. A press outside the dialog does nothing. */
  onCancel: () => void;
  /** A question that names the object: "Delete rule Summer?" */
  title: string;
  /** Verb and noun: "Delete rule". */
  action: string;
  /** The button's text while the action runs. */
  pendingText?: string;
  pending?: boolean;
  onConfirm: () => void;
  /** False for an action that can be undone or loses nothing. */
  isDanger?: boolean;
  /** The effect, and what stays. */
  children: React.ReactNode;
};

/** Asks before an action that cannot be undone. The focus starts on Cancel. The caller closes it. */
export function AlertDialog(props: AlertDialogProps): React.JSX.Element {
  const { open, onCancel, title, action, pendingText, pending, onConfirm, isDanger = true, children } = props;
  const { onOpenAutoFocus, onCloseAutoFocus } = useFocusReturn();
  return (
    <RadixAlertDialog.Root open={open} onOpenChange={(isOpen) => !isOpen && onCancel()}>
      <RadixAlertDialog.Portal>
        <div data-scroll-lock aria-hidden className="fixed inset-0 z-40 animate-fade-in bg-backdrop" />
        <RadixAlertDialog.Content
          // The library sets this for dialogs, but not for alert dialogs.
          aria-modal
          onOpenAutoFocus={onOpenAutoFocus}
          onCloseAutoFocus={onCloseAutoFocus}
          className="fixed inset-x-4 top-1/2 z-40 mx-auto max-h-[85dvh] max-w-md -translate-y-1/2 animate-fade-in overflow-y-auto rounded-xl bg-raised p-4 shadow-floating outline-none md:p-6"
        >
          <RadixAlertDialog.Title className="text-lg font-semibold text-balance">
            {title}
          </RadixAlertDialog.Title>
          <RadixAlertDialog.Description asChild>
            <div className="mt-2 text-fg-muted">{children}</div>
          </RadixAlertDialog.Description>
          <div className="mt-6 flex flex-wrap justify-end gap-2">
            <RadixAlertDialog.Cancel asChild>
              <Button look="outline">Cancel</Button>
            </RadixAlertDialog.Cancel>
            <Button
              look={isDanger ? 'danger' : 'primary'}
              onClick={onConfirm}
              pending={pending}
              pendingText={pendingText ?? action}
            >
              {action}
            </Button>
          </div>
        </RadixAlertDialog.Content>
      </RadixAlertDialog.Portal>
    </RadixAlertDialog.Root>
  );
}
