import { useNavigate } from '@tanstack/react-router';
import {
  Ellipsis,
  KeyRound,
  Link2,
  LogOut,
  Mail,
  ScrollText,
  ShieldOff,
  Trash2,
  Undo2,
  UserCog,
} from 'lucide-react';
import { useRef } from 'react';
import type { User } from '#contract/users.ts';
import { Button } from '#web/ui/button.tsx';
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '#web/ui/menu.tsx';
import { nameOf, type UserDialog, useUsersScreen } from './users-screen.ts';

/** All actions for an account. Administrators cannot be removed before their role is changed. */
export function UserMenu({ user }: { user: User }): React.JSX.Element {
  const navigate = useNavigate();
  const { openDialog, disableTwoFactor, withdraw, isMe } = useUsersScreen();
  const chosen = useRef<UserDialog['kind'] | null>(null);
  const choose = (kind: UserDialog['kind']) => (): void => {
    chosen.current = kind;
  };
  // Once the menu has closed and its button has the focus: the dialog returns it there.
  const onClosed = (): boolean => {
    if (chosen.current !== null) openDialog({ kind: chosen.current, user });
    chosen.current = null;
    return false;
  };
  return (
    <Menu
      onClosed={onClosed}
      trigger={
        <Button look="quiet" size="icon" aria-label={`User Actions for ${nameOf(user)}`} data-row-menu>
          <Ellipsis aria-hidden />
        </Button>
      }
    >
      <MenuLabel>User Actions</MenuLabel>
      <MenuItem icon={UserCog} onSelect={choose('role')}>
        Change Role
      </MenuItem>
      <MenuItem icon={KeyRound} onSelect={choose('reset')}>
        Reset Password
      </MenuItem>
      {/* The user's own is under Account & security, and needs a code. */}
      {user.twoFactorEnabled && !isMe(user) && (
        <MenuItem icon={ShieldOff} onSelect={() => disableTwoFactor(user)}>
          Disable 2FA
        </MenuItem>
      )}
      <MenuItem icon={LogOut} onSelect={choose('sessions')}>
        End Sessions
      </MenuItem>
      <LinkItem user={user} onLink={choose('link')} />
      <MenuItem
        icon={ScrollText}
        onSelect={() => void navigate({ to: '/audit', search: { kind: 'user', target: user.id } })}
      >
        Show in Audit log
      </MenuItem>
      {!isMe(user) && (
        <MenuItem icon={Undo2} onSelect={() => withdraw(user)}>
          Withdraw Approval
        </MenuItem>
      )}
      {user.role !== 'admin' && (
        <>
          <MenuSeparator />
          <MenuItem icon={Trash2} isDanger onSelect={choose('remove')}>
            Remove User
          </MenuItem>
        </>
      )}
    </Menu>
  );
}

/** For an approved user who has not verified the address yet. */
function LinkItem({ user, onLink }: { user: User; onLink: () => void }): React.ReactNode {
  const { sendVerification } = useUsersScreen();
  if (user.verifiesBy === null) return null;
  return user.verifiesBy === 'email' ? (
    <MenuItem icon={Mail} onSelect={() => sendVerification(user)}>
      Send verification email
    </MenuItem>
  ) : (
    <MenuItem icon={Link2} onSelect={onLink}>
      Copy verification link
    </MenuItem>
  );
}
