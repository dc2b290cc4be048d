import { Ellipsis, KeyRound, Link2, LogOut, Mail, ShieldOff, Trash2, Undo2, UserCog } from 'lucide-react';
import type { User } from '#contract/users.ts';
import { Button } from '#web/ui/button.tsx';
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '#web/ui/menu.tsx';
import { nameOf, useUsersScreen } from './users-screen.ts';

/** Everything that can be done with an account. Administrators are not removed: their role is taken first. */
export function UserMenu({ user }: { user: User }): React.JSX.Element {
  const { openDialog, disableTwoFactor, withdraw, isMe } = useUsersScreen();
  return (
    <Menu
      trigger={
        <Button look="quiet" size="icon" aria-label={`User Actions for ${nameOf(user)}`} data-row-menu>
          <Ellipsis aria-hidden />
        </Button>
      }
    >
      <MenuLabel>User Actions</MenuLabel>
      <MenuItem icon={UserCog} onSelect={() => openDialog({ kind: 'role', user })}>
        Change Role
      </MenuItem>
      <MenuItem icon={KeyRound} onSelect={() => openDialog({ kind: 'reset', user })}>
        Reset Password
      </MenuItem>
      {/* One's own needs a code, and goes under Account & security. */}
      {user.twoFactorEnabled && !isMe(user) && (
        <MenuItem icon={ShieldOff} onSelect={() => disableTwoFactor(user)}>
          Disable 2FA
        </MenuItem>
      )}
      <MenuItem icon={LogOut} onSelect={() => openDialog({ kind: 'sessions', user })}>
        End Sessions
      </MenuItem>
      <LinkItem user={user} />
      {!isMe(user) && (
        <MenuItem icon={Undo2} onSelect={() => withdraw(user)}>
          Withdraw Approval
        </MenuItem>
      )}
      {user.role !== 'admin' && (
        <>
          <MenuSeparator />
          <MenuItem icon={Trash2} isDanger onSelect={() => openDialog({ kind: 'remove', user })}>
            Remove User
          </MenuItem>
        </>
      )}
    </Menu>
  );
}

/** For somebody who was let in and has not verified the address yet. */
function LinkItem({ user }: { user: User }): React.ReactNode {
  const { openDialog, sendVerification } = useUsersScreen();
  if (user.verifiesBy === null) return null;
  return user.verifiesBy === 'mail' ? (
    <MenuItem icon={Mail} onSelect={() => sendVerification(user)}>
      Send verification e-mail
    </MenuItem>
  ) : (
    <MenuItem icon={Link2} onSelect={() => openDialog({ kind: 'link', user })}>
      Copy verification link
    </MenuItem>
  );
}
