import { Copy } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { User } from '#contract/users.ts';
import { announce } from '#web/lib/announce.ts';
import { toast } from '#web/lib/use-toast.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { useVerificationLink } from './queries.ts';
import { nameOf } from './users-screen.ts';

/** A new verification link to pass on, for an installation without a mail server. Closing discards it. */
export function LinkDialog({ user, onClose }: { user: User; onClose: () => void }): React.JSX.Element {
  const { mutate, data } = useVerificationLink();
  const field = useRef<HTMLInputElement>(null);
  const isRequested = useRef(false);
  useEffect(() => {
    // Once: a second link would invalidate the first.
    if (isRequested.current) return;
    isRequested.current = true;
    mutate(user, { onSuccess: () => announce('The link is ready'), onError: onClose });
  }, [mutate, user, onClose]);
  const copy = async (url: string): Promise<void> => {
    try {
      await navigator.clipboard.writeText(url);
      toast('Link copied', `Send it to ${nameOf(user)}.`);
    } catch {
      // Browsers offer the clipboard only on https and loopback.
      field.current?.select();
      toast('Press Ctrl+C to copy', 'This browser blocked copying. The link is selected.');
    }
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title="Verification link"
      description={`No mail server is set up, so no email was sent. Send this link to ${nameOf(user)} to verify ${user.email}.`}
      footer={
        <>
          <Button look="outline" onClick={onClose}>
            Close
          </Button>
          <Button
            pending={data === undefined}
            pendingText="Creating the link..."
            onClick={() => data !== undefined && void copy(data.url)}
          >
            <Copy aria-hidden />
            Copy link
          </Button>
        </>
      }
    >
      <TextField
        ref={field}
        label="Link"
        hint="Works once, for 24 hours. Earlier links no longer work."
        readOnly
        value={data?.url ?? ''}
        className="font-mono text-sm"
        onFocus={(event) => event.target.select()}
      />
    </Dialog>
  );
}
