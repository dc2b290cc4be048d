import type { SessionUser } from '#contract/session.ts';
import type { UserRow } from '#db/queries/users.ts';

/** Built field by field, so that a new column is not told to anybody by itself. */
export function sessionUserView(user: UserRow): SessionUser {
  return {
    id: user.id,
    username: user.username,
    email: user.email,
    fullName: user.fullName,
    phoneNumber: user.phoneNumber,
    role: user.role,
    approved: user.approved,
    emailVerified: user.emailVerified,
    twoFactorEnabled: user.twoFactorEnabled,
  };
}
