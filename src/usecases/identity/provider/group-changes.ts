import type { Db } from '#db/client.ts';
import { notify } from '#db/listen.ts';
import { deleteApiTokensOf } from '#db/queries/identity/api-tokens.ts';
import { deleteProviderSessionsOf } from '#db/queries/identity/identity-provider.ts';
import { type UserRow, updateUser } from '#db/queries/identity/users.ts';
import type { Caller } from '#usecases/identity/accounts/account-deps.ts';
import { endAccessOf } from '#usecases/identity/accounts/end-access.ts';
import { recordAction } from '#usecases/identity/accounts/verify-password.ts';
import { isLastPasswordAdmin } from '#usecases/identity/users/change-user.ts';
import { roleAfter } from './admission.ts';
import type { ProviderDeps } from './provider-deps.ts';

/**
 * Gives the user the role of their groups, and ends their other sessions and API tokens where it differs. The last
 * administrator with a password keeps it: otherwise a mistake at the provider locks everyone out.
 * @param user locked by this transaction
 * @param admins locked before
 */
export async function alignRole(
  tx: Db,
  deps: Pick<ProviderDeps, 'now'>,
  user: UserRow,
  ofGroups: UserRow['role'] | null,
  admins: readonly UserRow[],
  caller: Caller,
): Promise<{ readonly user: UserRow; readonly endedSessions: readonly string[] }> {
  const role = roleAfter(user, ofGroups);
  const isKept = role === user.role || (role === 'user' && isLastPasswordAdmin(admins, user.id));
  if (isKept) return { user, endedSessions: [] };
  const changed = await updateUser(tx, user.id, { role }, deps.now());
  if (changed === null) throw new Error('The user was locked and was not found.');
  const endedSessions = await endAccessOf(tx, user.id);
  await recordAction(tx, deps, user, caller, 'user.role_changed', {
    before: { role: user.role },
    after: {
      role,
      by: 'provider',
      ...(endedSessions.length > 0 && { endedSessions: endedSessions.length }),
    },
  });
  await notify(tx, 'pricewright_users', []);
  return { user: changed, endedSessions };
}

/**
 * Ends what a user has by the provider, who has just said that they are in no group that may come in: the sessions that
 * were begun with it, and the API tokens of a user without a password.
 * @returns the sessions that have ended
 */
export async function endProviderAccess(
  tx: Db,
  { id, password }: Pick<UserRow, 'id' | 'password'>,
): Promise<readonly string[]> {
  if (password === null) await deleteApiTokensOf(tx, id);
  return deleteProviderSessionsOf(tx, id);
}
