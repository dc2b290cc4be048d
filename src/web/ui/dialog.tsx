import { X } from 'lucide-react';
import { Dialog as RadixDialog } from 'radix-ui';
import { classNames } from '#web/lib/class-names.ts';
import { Button } from './button.tsx';
import { DialogBody } from './dialog-body.tsx';
import { useFocusReturn } from './use-focus-return.ts';

const SIZES = { small: 'md:w-md', medium: 'md:w-xl', large: 'md:w-4xl' } as const;

type DialogProps = {
  open: boolean;
  onClose: () => void;
  title: string;
  /** A sentence under the title. */
  description?: string | undefined;
  size?: keyof typeof SIZES;
  /** Buttons; they stay visible while the body scrolls. */
  footer?: React.ReactNode;
  /** The error of the last submit: stays visible above the buttons. */
  alert?: React.ReactNode;
  /** Makes it a form: Enter in a field, a submit button, and Ctrl+Enter anywhere submit it. */
  onSubmit?: (() => void) | undefined;
  children: React.ReactNode;
};

/** A modal dialog; below 768 px it fills the screen. Escape, the close button and a press outside close it. */
export function Dialog(props: DialogProps): React.JSX.Element {
  const { open, onClose, title, description, size = 'medium', footer, alert, onSubmit, children } = props;
  const focusReturn = useFocusReturn();
  return (
    <RadixDialog.Root open={open} onOpenChange={(isOpen) => !isOpen && onClose()}>
      <RadixDialog.Portal>
        {/* Our own backdrop: the library's adds a style element, which the content security policy blocks. */}
        <div data-scroll-lock aria-hidden className="fixed inset-0 z-40 animate-fade-in bg-backdrop" />
        <RadixDialog.Content
          {...(description === undefined ? { 'aria-describedby': undefined } : {})}
          {...focusReturn}
          className={classNames(
            'fixed inset-0 z-40 flex animate-fade-in flex-col bg-raised outline-none',
            'md:inset-auto md:top-1/2 md:left-1/2 md:max-h-[85dvh] md:max-w-[calc(100vw-4rem)] md:-translate-1/2 md:rounded-xl md:shadow-floating',
            SIZES[size],
          )}
        >
          <DialogBody
            heading={
              <>
                <RadixDialog.Title className="pr-10 text-lg font-semibold text-balance">
                  {title}
                </RadixDialog.Title>
                {description !== undefined && (
                  <RadixDialog.Description className="mt-1 max-w-[70ch] text-fg-muted">
                    {description}
                  </RadixDialog.Description>
                )}
              </>
            }
            footer={footer}
            alert={alert}
            onSubmit={onSubmit}
          >
            {children}
          </DialogBody>
          <RadixDialog.Close asChild>
            <Button
              look="quiet"
              size="icon"
              aria-label="Close"
              className="absolute top-2 right-2 md:top-3 md:right-3"
            >
              <X aria-hidden />
            </Button>
          </RadixDialog.Close>
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}
