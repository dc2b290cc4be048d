import type { ProviderClaims } from '#connectors/identity-provider.ts';
import type { ProviderRow } from '#db/queries/identity/identity-provider.ts';
import type { UserRow } from '#db/queries/identity/users.ts';
import { usesGroups } from './provider-deps.ts';
import type { AdmissionProblem } from './provider-errors.ts';

/** What the groups of a person say. */
export type GroupsResult =
  | {
      readonly kind: 'admitted';
      /** Null where the groups do not decide it. */
      readonly role: UserRow['role'] | null;
      /** In a group that is named in the settings: only such a person gets a new account. */
      readonly isMember: boolean;
    }
  | { readonly kind: 'refused'; readonly problem: AdmissionProblem };

/**
 * Whether the groups of a person let them in, and with which role. Without a mapping everybody at the provider may come,
 * and roles are given here. With a mapping unknown groups are never taken for no groups.
 */
export function readGroups(
  provider: Pick<ProviderRow, 'adminGroups' | 'userGroups'>,
  groups: ProviderClaims['groups'],
): GroupsResult {
  if (!usesGroups(provider)) return { kind: 'admitted', role: null, isMember: false };
  if (groups === null) return { kind: 'refused', problem: 'groups_missing' };
  const { adminGroups, userGroups } = provider;
  const isIn = (wanted: readonly string[]): boolean => groups.some((group) => wanted.includes(group));
  if (isIn(adminGroups)) return { kind: 'admitted', role: 'admin', isMember: true };
  const isMember = isIn(userGroups);
  if (userGroups.length > 0 && !isMember) return { kind: 'refused', problem: 'not_in_group' };
  // Without groups for administrators that role is given here.
  return { kind: 'admitted', role: adminGroups.length > 0 ? 'user' : null, isMember };
}

/** The role after a login. A role that was withdrawn here is not given again by a group. */
export function roleAfter(
  user: Pick<UserRow, 'role' | 'wasDemoted'>,
  role: UserRow['role'] | null,
): UserRow['role'] {
  if (role === null) return user.role;
  return role === 'admin' && user.wasDemoted ? 'user' : role;
}

/** Whether a login counts as one with a second factor: always, or where the provider reports one. */
export function countsAsTwoFactor(
  { secondFactor, factorAcrs }: Pick<ProviderRow, 'secondFactor' | 'factorAcrs'>,
  { methods, acr }: Pick<ProviderClaims, 'methods' | 'acr'>,
): boolean {
  if (secondFactor === 'provider') return true;
  return methods.includes('mfa') || (acr !== null && factorAcrs.includes(acr));
}

/** Why an account is not opened by a login; null when it is. Its own second factor is never passed over. */
export function factorProblem(
  { twoFactorEnabled }: Pick<UserRow, 'twoFactorEnabled'>,
  hasSecondFactor: boolean,
): AdmissionProblem | null {
  return twoFactorEnabled && !hasSecondFactor ? 'factor_missing' : null;
}

/** Why a first login must not be linked to the account with its address; null when it may. */
export function linkProblem(
  provider: Pick<ProviderRow, 'linksAccounts'>,
  user: Pick<UserRow, 'approved' | 'emailVerified' | 'twoFactorEnabled'>,
  hasSecondFactor: boolean,
): AdmissionProblem | null {
  if (!provider.linksAccounts) return 'linking_off';
  // Anyone can register with an address that is not theirs, and would know the password of the linked account.
  if (!user.approved || !user.emailVerified) return 'account_waits';
  // A link that stays after a refused login would keep the owner out: an account has one person.
  return factorProblem(user, hasSecondFactor);
}

/** The verified address of a person, which a first login needs. */
export function addressOf({
  email,
  isEmailVerified,
}: Pick<ProviderClaims, 'email' | 'isEmailVerified'>):
  | { readonly kind: 'address'; readonly email: string }
  | { readonly kind: 'refused'; readonly problem: AdmissionProblem } {
  if (email === null) return { kind: 'refused', problem: 'email_missing' };
  return isEmailVerified ? { kind: 'address', email } : { kind: 'refused', problem: 'email_not_verified' };
}
