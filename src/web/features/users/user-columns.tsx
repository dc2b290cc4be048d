import { ShieldCheck } from 'lucide-react';
import type { User } from '#contract/users.ts';
import type { TableColumn } from '#web/ui/table/column.ts';
import { RoleBadge, SecurityBadges } from './user-badges.tsx';
import { UserMenu } from './user-menu.tsx';
import { nameOf, useUsersScreen } from './users-screen.ts';

/** The columns of the list of users. */
export const USER_COLUMNS: readonly TableColumn<User>[] = [
  {
    id: 'user',
    label: 'User Info',
    width: 240,
    grows: true,
    isRowHeader: true,
    cell: (user) => <Who user={user} />,
  },
  {
    id: 'contact',
    label: 'Contact',
    width: 240,
    cell: (user) => <TwoLines first={user.email} second={user.phoneNumber} />,
  },
  { id: 'role', label: 'Role', width: 110, cell: (user) => <RoleBadge user={user} /> },
  { id: 'security', label: 'Security', width: 280, cell: (user) => <SecurityBadges user={user} /> },
  {
    id: 'actions',
    label: 'Actions',
    width: 80,
    align: 'center',
    pinned: 'right',
    cell: (user) => <UserMenu user={user} />,
  },
];

function TwoLines({ first, second }: { first: React.ReactNode; second: string }): React.JSX.Element {
  return (
    <span className="block min-w-0">
      <span className="block truncate">{first}</span>
      <span className="block truncate text-sm font-normal text-fg-muted">{second}</span>
    </span>
  );
}

function Who({ user }: { user: User }): React.JSX.Element {
  const { isMe } = useUsersScreen();
  return (
    <TwoLines
      first={
        <span className="font-medium">
          {nameOf(user)}
          {user.role === 'admin' && (
            <ShieldCheck
              role="img"
              aria-label="Administrator"
              className="ml-1.5 inline size-4 align-text-bottom text-info-text"
            />
          )}
          {isMe(user) && <span className="ml-1.5 font-normal text-fg-muted">(you)</span>}
        </span>
      }
      second={user.username}
    />
  );
}

/** A user on a narrow screen. */
export function UserCard({ user }: { user: User }): React.JSX.Element {
  return (
    <div className="flex items-start justify-between gap-3">
      <div className="flex min-w-0 flex-col gap-1.5">
        <Who user={user} />
        <span className="truncate text-sm text-fg-muted">{user.phoneNumber}</span>
        <span className="flex flex-wrap gap-1">
          <RoleBadge user={user} />
          <SecurityBadges user={user} />
        </span>
      </div>
      <UserMenu user={user} />
    </div>
  );
}
