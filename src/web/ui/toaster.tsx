import { CircleAlert, X } from 'lucide-react';
import { Toast } from 'radix-ui';
import { classNames } from '#web/lib/class-names.ts';
import { dismissToast, type ToastMessage, useToasts } from '#web/lib/use-toast.ts';
import { Button } from './button.tsx';

/** Milliseconds to reach the action of a toast. */
const WITH_ACTION = 10_000;

/** Shows the toasts: 5 s each, 10 s with an action; F8 focuses them, a swipe of 50 px to the right dismisses one. */
export function Toaster(): React.JSX.Element {
  const messages = useToasts();
  return (
    <Toast.Provider duration={5_000} swipeDirection="right" swipeThreshold={50} label="Notification">
      {messages.map((message) => (
        <ToastCard key={message.id} message={message} />
      ))}
      <Toast.Viewport
        hotkey={['F8']}
        className="fixed top-0 right-0 z-60 flex w-full md:top-auto md:bottom-24 max-w-md flex-col gap-2 p-4 outline-none print:hidden"
      />
    </Toast.Provider>
  );
}

function ToastCard({ message }: { message: ToastMessage }): React.JSX.Element {
  const isDestructive = message.tone === 'destructive';
  return (
    <Toast.Root
      type={isDestructive ? 'foreground' : 'background'}
      open={message.open}
      {...(message.action === null ? {} : { duration: WITH_ACTION })}
      onOpenChange={(open) => !open && dismissToast(message.id)}
      // Escape in a field belongs to the field: it must not close a toast with its Undo.
      onEscapeKeyDown={(event) => event.target instanceof HTMLInputElement && event.preventDefault()}
      className={classNames(
        // A modal dialog blocks the page for the pointer; toasts stay reachable over it.
        'pointer-events-auto flex items-start gap-3 rounded-xl p-4 shadow-floating',
        'data-[state=closed]:animate-toast-out data-[state=open]:animate-toast-in',
        'data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x) data-[swipe=cancel]:translate-x-0',
        isDestructive ? 'bg-danger text-danger-fg' : 'bg-raised text-fg',
      )}
    >
      {isDestructive && <CircleAlert aria-hidden className="mt-px size-5 shrink-0" />}
      <div className="min-w-0 flex-1">
        <Toast.Title className="font-semibold">{message.title}</Toast.Title>
        <Toast.Description className={classNames('break-words', !isDestructive && 'text-fg-muted')}>
          {message.description}
        </Toast.Description>
      </div>
      {message.action !== null && (
        <Toast.Action asChild altText={message.action.label}>
          <Button look="outline" className="-my-1 text-fg" onClick={message.action.run}>
            {message.action.label}
          </Button>
        </Toast.Action>
      )}
      <Toast.Close asChild>
        <Button
          look="quiet"
          size="icon"
          aria-label="Close"
          className={classNames(
            '-m-2',
            isDestructive && 'text-danger-fg hover:bg-transparent hover:text-danger-fg',
          )}
        >
          <X aria-hidden />
        </Button>
      </Toast.Close>
    </Toast.Root>
  );
}
