import type { ProviderClaims } from '#connectors/identity-provider.ts';
import type { Db } from '#db/client.ts';
import { notify } from '#db/listen.ts';
import { insertAudit } from '#db/queries/identity/audit.ts';
import {
  findIdentityOf,
  linkIdentity,
  lockIdentity,
  noteLogin,
  type ProviderRow,
  shareProvider,
} from '#db/queries/identity/identity-provider.ts';
import {
  insertUser,
  lockAdmins,
  lockUser,
  lockUserByEmail,
  type UserRow,
  updateUser,
} from '#db/queries/identity/users.ts';
import { transact } from '#db/transact.ts';
import type { AuditAction } from '#domain/audit-actions.ts';
import { AppError } from '#usecases/app-error.ts';
import { type Caller, sessionNow } from '#usecases/identity/accounts/account-deps.ts';
import { endAccessOf } from '#usecases/identity/accounts/end-access.ts';
import { markBrowser } from '#usecases/identity/accounts/known-browsers.ts';
import { refusalFor } from '#usecases/identity/accounts/readiness.ts';
import { openSession } from '#usecases/identity/accounts/sessions.ts';
import type { SignedIn } from '#usecases/identity/accounts/sign-in.ts';
import { recordAct } from '#usecases/identity/accounts/verify-password.ts';
import { isLastPasswordAdmin } from '#usecases/identity/users/change-user.ts';
import { addressOf, countsAsTwoFactor, linkProblem, readGroups, roleAfter } from './admission.ts';
import type { ProviderDeps } from './provider-deps.ts';
import { type AdmissionProblem, admissionError } from './provider-errors.ts';

/** A person who was let in, and the sessions that ended with a changed role. */
export interface Admitted {
  readonly signedIn: SignedIn;
  readonly endedSessions: readonly string[];
}

type Decided = { readonly kind: 'user'; readonly user: UserRow } | Refused;
type Refused = {
  readonly kind: 'refused';
  readonly problem: AdmissionProblem;
  /** The account that the person did not get into, for the audit log. */
  readonly user: UserRow | null;
};

/**
 * Starts a session for a person whom the provider has identified: the user who is linked to issuer and subject, else
 * at the first login the one with the same verified email address, or a new one, as the settings allow.
 * @throws AppError not_allowed, not_approved, not_verified, conflict
 */
export async function admitPerson(
  deps: ProviderDeps,
  provider: ProviderRow,
  claims: ProviderClaims,
  caller: Caller,
): Promise<Admitted> {
  const hasSecondFactor = countsAsTwoFactor(provider, claims);
  const outcome = await transact(deps.db, async (tx) => {
    const admins = await lockAdmins(tx);
    // A change of the settings ends sessions: one that started now by the old ones would escape that.
    const current = await shareProvider(tx);
    if (current?.version !== provider.version) {
      const refused: Refused = { kind: 'refused', problem: 'settings_changed', user: null };
      return recordRefusal(tx, deps, refused, provider, caller);
    }
    const verdict = readGroups(provider, claims.groups);
    const found: Decided =
      verdict.kind === 'refused'
        ? { kind: 'refused', problem: verdict.problem, user: null }
        : await findPerson(tx, deps, provider, claims, verdict.role, caller);
    if (found.kind === 'refused') return recordRefusal(tx, deps, found, provider, caller);
    const barrier = refusalFor(found.user);
    if (barrier !== null) return recordBarrier(tx, deps, found.user, barrier, caller);
    if (found.user.twoFactorEnabled && !hasSecondFactor) {
      const refused: Refused = { kind: 'refused', problem: 'factor_missing', user: found.user };
      return recordRefusal(tx, deps, refused, provider, caller);
    }
    const role = verdict.kind === 'admitted' ? verdict.role : null;
    const { user, endedSessions } = await alignRole(tx, deps, found.user, role, admins, caller);
    await noteLogin(tx, claims, deps.now());
    await recordAct(tx, deps, user, caller, 'login.succeeded', {
      after: { factor: 'provider', secondFactor: hasSecondFactor },
    });
    const browser = await markBrowser(tx, caller.browser, user.id, deps.now());
    const token = await openSession(tx, user.id, caller, sessionNow(deps), { hasSecondFactor });
    return { signedIn: { user, token, browser }, endedSessions };
  });
  // Thrown after the commit: the refusal is in the audit log.
  if (outcome instanceof AppError) throw outcome;
  return outcome;
}

/** The user of a person: linked, linked now, or new. Everything but issuer and subject is only a claim. */
async function findPerson(
  tx: Db,
  deps: ProviderDeps,
  provider: ProviderRow,
  claims: ProviderClaims,
  role: UserRow['role'] | null,
  caller: Caller,
): Promise<Decided> {
  const refused = (problem: AdmissionProblem, user: UserRow | null = null): Refused => ({
    kind: 'refused',
    problem,
    user,
  });
  const identity = await lockIdentity(tx, claims);
  const linked = identity?.userId == null ? null : await lockUser(tx, identity.userId);
  if (linked !== null) return { kind: 'user', user: linked };
  const address = addressOf(claims);
  if (address.kind === 'refused') return refused(address.problem);
  const holder = await lockUserByEmail(tx, address.email);
  if (holder !== null) {
    const problem = linkProblem(provider, holder);
    if (problem !== null) return refused(problem, holder);
    // An account never gets a second person, and never changes from one to another.
    const own = await findIdentityOf(tx, holder.id, claims.issuer);
    // The same person when both logins of two browsers were the first.
    if (own?.subject === claims.subject) return { kind: 'user', user: holder };
    if (own !== null) return refused('linked_to_another', holder);
    await linkIdentity(tx, { ...claims, userId: holder.id }, deps.now());
    await recordAct(tx, deps, holder, caller, 'account.linked', { after: { issuer: claims.issuer } });
    return { kind: 'user', user: holder };
  }
  // A user who was removed here comes back by registration and approval alone.
  if (identity !== null) return refused('removed');
  if (!provider.createsAccounts) return refused('no_account');
  const user = await insertUser(tx, newUser(claims, address.email, role), deps.now());
  if (user === null) return refused('changed_concurrently');
  await linkIdentity(tx, { ...claims, userId: user.id }, deps.now());
  await recordAct(tx, deps, user, caller, 'user.registered', {
    after: { role: user.role, approved: true, factor: 'provider' },
  });
  await notify(tx, 'pricewright_users', []);
  return { kind: 'user', user };
}

function newUser({ name }: ProviderClaims, email: string, role: UserRow['role'] | null) {
  return {
    username: email.normalize('NFKC'),
    email,
    password: null,
    fullName: name ?? email,
    phoneNumber: '',
    role: role ?? 'user',
    approved: true,
    emailVerified: true,
  } as const;
}

/**
 * Gives the user the role of their groups, and ends their other sessions and API tokens where it differs. The last
 * administrator with a password keeps it: otherwise a mistake at the provider locks everyone out.
 */
async function alignRole(
  tx: Db,
  deps: ProviderDeps,
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
  await recordAct(tx, deps, user, caller, 'user.role_changed', {
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

async function recordRefusal(
  tx: Db,
  deps: ProviderDeps,
  { problem, user }: Refused,
  { label }: ProviderRow,
  caller: Caller,
): Promise<AppError> {
  await recordDenied(tx, deps, user, problem, caller);
  return admissionError(problem, label);
}

async function recordBarrier(
  tx: Db,
  deps: ProviderDeps,
  user: UserRow,
  barrier: AppError,
  caller: Caller,
): Promise<AppError> {
  await recordDenied(tx, deps, user, barrier.code, caller);
  return barrier;
}

/** The person is not the account's owner for sure: the row names the account as its target alone. */
async function recordDenied(
  tx: Db,
  deps: ProviderDeps,
  user: UserRow | null,
  reason: string,
  caller: Caller,
): Promise<void> {
  const action: AuditAction = 'provider_login.refused';
  await insertAudit(tx, {
    at: deps.now(),
    action,
    targetKind: 'user',
    targetId: user?.id ?? null,
    address: caller.address,
    requestId: caller.requestId,
    after: { reason },
  });
}
