import { Check, Link2, Mail, X } from 'lucide-react';
import type { User } from '#contract/users.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { EmailBadge, PendingBadge, RoleBadge } from './user-badges.tsx';
import { nameOf, useUsersScreen } from './users-screen.ts';

/** Users who wait for approval. */
export function PendingCard({ users }: { users: readonly User[] }): React.JSX.Element {
  return (
    <Card className="flex flex-col gap-2">
      <h2 className="text-md font-semibold">Pending Approval ({users.length})</h2>
      <ul className="divide-y">
        {users.map((user) => (
          <li
            key={user.id}
            aria-label={nameOf(user)}
            className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 py-3 last:pb-0"
          >
            <PendingUser user={user} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

function PendingUser({ user }: { user: User }): React.JSX.Element {
  const { approve, approving, openDialog } = useUsersScreen();
  const name = nameOf(user);
  return (
    <>
      <div className="min-w-0">
        <p className="font-medium wrap-anywhere">{name}</p>
        <p className="text-fg-muted wrap-anywhere">
          {user.email}
          {user.phoneNumber !== '' && <span className="ml-3 whitespace-nowrap">{user.phoneNumber}</span>}
        </p>
        <div className="mt-1.5 flex flex-wrap items-center gap-1">
          <RoleBadge user={user} />
          <PendingBadge />
          <EmailBadge user={user} />
          <LinkHelp user={user} />
        </div>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button
          look="outline"
          aria-label={`Approve ${name}`}
          pending={approving?.id === user.id}
          pendingText="Approving..."
          onClick={() => approve(user)}
        >
          <Check aria-hidden />
          Approve
        </Button>
        <Button
          look="quiet"
          aria-label={`Reject ${name}`}
          onClick={() => openDialog({ kind: 'remove', user })}
        >
          <X aria-hidden />
          Reject
        </Button>
      </div>
    </>
  );
}

/** How a user who has not verified the address gets the link. */
function LinkHelp({ user }: { user: User }): React.ReactNode {
  const { openDialog, sendVerification } = useUsersScreen();
  const name = nameOf(user);
  if (user.verifiesBy === null) return null;
  if (user.verifiesBy === 'email') {
    return (
      <Button
        look="quiet"
        className="-my-1.5 px-2 text-link"
        aria-label={`Send email again to ${name}`}
        onClick={() => sendVerification(user)}
      >
        <Mail aria-hidden />
        Send email again
      </Button>
    );
  }
  return (
    <span className="flex flex-wrap items-center text-sm text-fg-muted">
      <span className="ml-1">Email not sent:</span>
      <Button
        look="quiet"
        className="-my-1.5 px-2 text-link"
        aria-label={`Copy link for ${name}`}
        onClick={() => openDialog({ kind: 'link', user })}
      >
        <Link2 aria-hidden />
        Copy link
      </Button>
    </span>
  );
}
