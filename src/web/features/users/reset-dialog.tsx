import { useState } from 'react';
import { PASSWORD_MIN } from '#contract/session.ts';
import type { User } from '#contract/users.ts';
import { ApiError } from '#web/lib/api.ts';
import { toast } from '#web/lib/use-toast.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { PasswordField } from '#web/ui/password-field.tsx';
import { useIsMe, useResetPassword } from './queries.ts';
import { nameOf } from './users-screen.ts';

/** Sets a temporary password for one login. */
export function ResetDialog({ user, onClose }: { user: User; onClose: () => void }): React.JSX.Element {
  const [newPassword, setNewPassword] = useState('');
  const reset = useResetPassword();
  const isMe = useIsMe()(user);
  const isShort = newPassword.length < PASSWORD_MIN;
  const submit = (): void => {
    if (isShort) {
      toast('Invalid password', `Password must be at least ${PASSWORD_MIN} characters`, 'destructive');
    } else if (!reset.isPending) reset.mutate({ user, newPassword }, { onSuccess: onClose });
  };
  return (
    <Dialog
      open
      onClose={onClose}
      size="small"
      title="Reset User Password"
      description={
        isMe
          ? 'You are logged out everywhere, including here, and must choose a new password at your next login.'
          : `Give it to ${nameOf(user)}, who is logged out everywhere and must choose a new password at the next login.`
      }
      onSubmit={submit}
      footer={
        <>
          <Button look="outline" onClick={onClose}>
            Cancel
          </Button>
          {/* Not of type submit: if disabled, Enter could not show the reason. */}
          <Button disabled={isShort} pending={reset.isPending} pendingText="Resetting..." onClick={submit}>
            Reset Password
          </Button>
        </>
      }
    >
      <PasswordField
        label="New Password"
        hint={`Minimum ${PASSWORD_MIN} characters required`}
        autoComplete="new-password"
        value={newPassword}
        onChange={(event) => setNewPassword(event.target.value)}
        error={reset.error instanceof ApiError ? reset.error.fields.newPassword : undefined}
      />
    </Dialog>
  );
}
