import type { Account } from '#contract/account.ts';
import type { SessionUser } from '#contract/session.ts';
import type { UserRow } from '#db/queries/identity/users.ts';

/** Built field by field, so that a new column is not returned automatically. */
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
    isProviderOnly: user.password === null,
  };
}

/**
 * @param recoveryCodesLeft how many of them are unused
 * @param demandsTwoFactor whether this server requires a second factor of its administrators
 */
export function accountView(user: UserRow, recoveryCodesLeft: number, demandsTwoFactor: boolean): Account {
  const { twoFactorEnabled, ...profile } = sessionUserView(user);
  const since = user.twoFactorSince;
  return {
    profile: {
      ...profile,
      createdAt: new Date(user.createdAt).toISOString(),
      weeklySummary: user.weeklySummary,
    },
    twoFactorEnabled,
    twoFactorSince: since === null ? null : new Date(since).toISOString(),
    recoveryCodesLeft,
    twoFactorRequired: demandsTwoFactor && user.role === 'admin',
  };
}
