import type { User } from '#contract/users.ts';
import { AlertDialog } from '#web/ui/alert-dialog.tsx';
import { LinkDialog } from './link-dialog.tsx';
import { useRemoveUser } from './queries.ts';
import { ResetDialog } from './reset-dialog.tsx';
import { RoleDialog } from './role-dialog.tsx';
import { SessionsDialog } from './sessions-dialog.tsx';
import { keepFocus, nameOf, type UserDialog } from './users-screen.ts';

type UserDialogsProps = { dialog: UserDialog | null; users: readonly User[]; onClose: () => void };

/** The open dialog, if any. */
export function UserDialogs({ dialog, users, onClose }: UserDialogsProps): React.JSX.Element | null {
  if (dialog === null) return null;
  const about = { user: dialog.user, onClose };
  switch (dialog.kind) {
    case 'reset':
      return <ResetDialog {...about} />;
    case 'role':
      return <RoleDialog {...about} users={users} />;
    case 'sessions':
      return <SessionsDialog {...about} />;
    case 'remove':
      return <RemoveDialog {...about} />;
    case 'link':
      return <LinkDialog {...about} />;
  }
}

/** For both Reject and Remove User. */
function RemoveDialog({ user, onClose }: { user: User; onClose: () => void }): React.JSX.Element {
  const remove = useRemoveUser();
  const confirm = (): void =>
    remove.mutate(user, {
      onSuccess: () => {
        onClose();
        keepFocus();
      },
    });
  return (
    <AlertDialog
      open
      onCancel={onClose}
      title="Are you sure?"
      action="Delete User"
      pending={remove.isPending}
      pendingText="Deleting..."
      onConfirm={confirm}
    >
      <p>
        This permanently deletes the user <strong className="wrap-anywhere">{nameOf(user)}</strong>{' '}
        <span className="wrap-anywhere">({user.email})</span> and removes their access. It cannot be undone.
      </p>
      <p className="mt-2">
        Their queued and running jobs and imports stop. Their past changes stay in the history under their
        name.
      </p>
    </AlertDialog>
  );
}
