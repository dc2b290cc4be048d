import { Check, Clock, KeyRound, Mail, Shield, ShieldCheck, UserRound } from 'lucide-react';
import type { User } from '#contract/users.ts';
import { Badge } from '#web/ui/badge.tsx';

export function RoleBadge({ user: { role } }: { user: User }): React.JSX.Element {
  return role === 'admin' ? (
    <Badge tone="info" icon={Shield}>
      Admin
    </Badge>
  ) : (
    <Badge tone="neutral" icon={UserRound}>
      User
    </Badge>
  );
}

export function PendingBadge(): React.JSX.Element {
  return (
    <Badge tone="warning" icon={Clock}>
      Pending
    </Badge>
  );
}

export function EmailBadge({ user: { emailVerified } }: { user: User }): React.JSX.Element {
  return emailVerified ? (
    <Badge tone="success" icon={Check}>
      Email Verified
    </Badge>
  ) : (
    <Badge tone="warning" icon={Mail}>
      Email Not Verified
    </Badge>
  );
}

/** The security state of an account. */
export function SecurityBadges({ user }: { user: User }): React.JSX.Element {
  return (
    <span className="flex flex-wrap gap-1">
      {user.twoFactorEnabled ? (
        <Badge tone="success" icon={ShieldCheck}>
          2FA Enabled
        </Badge>
      ) : (
        <Badge tone="neutral" icon={Shield}>
          2FA Disabled
        </Badge>
      )}
      <EmailBadge user={user} />
      {user.mustChangePassword && (
        <Badge tone="warning" icon={KeyRound}>
          New password due
        </Badge>
      )}
    </span>
  );
}
