import { useState } from 'react';
import type { Role } from '#contract/session.ts';
import type { User } from '#contract/users.ts';
import { Button } from '#web/ui/button.tsx';
import { Callout } from '#web/ui/callout.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { RadioGroupField } from '#web/ui/radio-group-field.tsx';
import { useChangeRole, useIsMe } from './queries.ts';
import { nameOf } from './users-screen.ts';

const ROLES = [
  { value: 'user', label: 'User' },
  { value: 'admin', label: 'Admin' },
] as const satisfies readonly { value: Role; label: string }[];

type RoleDialogProps = { user: User; users: readonly User[]; onClose: () => void };

/** Makes a user an administrator or the reverse; the other role is preselected. */
export function RoleDialog({ user, users, onClose }: RoleDialogProps): React.JSX.Element {
  const [role, setRole] = useState<Role>(user.role === 'admin' ? 'user' : 'admin');
  const change = useChangeRole();
  const submit = (): void => {
    if (role === user.role) onClose();
    else if (!change.isPending) change.mutate({ user, role }, { onSuccess: onClose });
  };
  return (
    <Dialog
      open
      onClose={onClose}
      size="small"
      title="Change User Role"
      description="Admins can manage users, settings and all features. Users cannot manage other users."
      onSubmit={submit}
      footer={
        <>
          <Button look="outline" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" pending={change.isPending} pendingText="Changing...">
            Change Role
          </Button>
        </>
      }
    >
      <RadioGroupField
        label={`Role of ${nameOf(user)}`}
        options={ROLES}
        value={role}
        onChange={setRole}
        className="grid grid-cols-2"
      />
      <Consequence user={user} role={role} users={users} />
    </Dialog>
  );
}

function Consequence({
  user,
  role,
  users,
}: Omit<RoleDialogProps, 'onClose'> & { role: Role }): React.ReactNode {
  const isMe = useIsMe()(user);
  if (role === user.role) return null;
  if (user.role === 'admin' && !hasAnotherAdmin(users, user)) {
    return (
      <Callout tone="danger" role="status" className="mt-4" title="This is the last administrator">
        <p className="text-fg-muted">Make another user an administrator first.</p>
      </Callout>
    );
  }
  if (isMe) {
    return (
      <Callout tone="danger" role="status" className="mt-4" title="This is your own role">
        <p className="text-fg-muted">
          You are logged out and lose access to Costs, Users and Settings. Only another administrator can
          restore it.
        </p>
      </Callout>
    );
  }
  return (
    <p className="mt-4 text-fg-muted">{nameOf(user)} is logged out and has the new role at the next login.</p>
  );
}

/** An administrator who can log in. */
function hasAnotherAdmin(users: readonly User[], user: User): boolean {
  return users.some(
    ({ id, role, approved, emailVerified }) =>
      id !== user.id && role === 'admin' && approved && emailVerified,
  );
}
