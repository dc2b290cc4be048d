import { CircleAlert, X } from 'lucide-react';
import { Toast } from 'radix-ui';
import { classNames } from '#web/lib/class-names.ts';
import { dismissToast, type ToastMessage, useToasts } from '#web/lib/use-toast.ts';
import { Button } from './button.tsx';

/** Shows the toasts: 5 s each, F8 moves the focus there, a swipe of 50 px to the right sends one away. */
export function Toaster(): React.JSX.Element {
  const messages = useToasts();
  return (
    <Toast.Provider duration={5_000} swipeDirection="right" swipeThreshold={50} label="Notification">
      {messages.map((message) => (
        <ToastCard key={message.id} message={message} />
      ))}
      <Toast.Viewport
        hotkey={['F8']}
        className="fixed right-0 bottom-0 z-60 flex w-full max-w-md flex-col gap-2 p-4 outline-none print:hidden"
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
      onOpenChange={(open) => !open && dismissToast(message.id)}
      className={classNames(
        'flex items-start gap-3 rounded-lg p-4 shadow-floating',
        'data-[state=closed]:animate-toast-out data-[state=open]:animate-toast-in',
        'data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x) data-[swipe=cancel]:translate-x-0',
        isDestructive ? 'bg-danger text-danger-fg' : 'border border-border bg-raised text-fg',
      )}
    >
      {isDestructive && <CircleAlert aria-hidden className="mt-px size-5 shrink-0" />}
      <div className="min-w-0 flex-1">
        <Toast.Title className="font-semibold">{message.title}</Toast.Title>
        <Toast.Description className={classNames('break-words', !isDestructive && 'text-fg-muted')}>
          {message.description}
        </Toast.Description>
      </div>
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
