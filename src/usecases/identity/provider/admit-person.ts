import type { ProviderClaims } from '#connectors/identity-provider.ts';
import type { Db } from '#db/client.ts';
import { notify } from '#db/listen.ts';
import { insertAudit } from '#db/queries/identity/audit.ts';
import {
  findIdentityOf,
  type LoginIdentity,
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
} from '#db/queries/identity/users.ts';
import { transact } from '#db/transact.ts';
import type { AuditAction } from '#domain/audit-actions.ts';
import type { AppError } from '#usecases/app-error.ts';
import { queueEmail } from '#usecases/email/queued-email.ts';
import { type Caller, sessionNow } from '#usecases/identity/accounts/account-deps.ts';
import { markBrowser } from '#usecases/identity/accounts/known-browsers.ts';
import type { LoggedIn } from '#usecases/identity/accounts/log-in.ts';
import { refusalFor } from '#usecases/identity/accounts/readiness.ts';
import { openSession } from '#usecases/identity/accounts/sessions.ts';
import { recordAction } from '#usecases/identity/accounts/verify-password.ts';
import {
  addressOf,
  countsAsTwoFactor,
  factorProblem,
  type GroupsResult,
  linkProblem,
  readGroups,
} from './admission.ts';
import { alignRole, endProviderAccess } from './group-changes.ts';
import type { ProviderDeps } from './provider-deps.ts';
import { type AdmissionProblem, admissionError } from './provider-errors.ts';

/** What a login came to. Sessions that ended with it: the caller must end their streams. */
export type Outcome<Done> =
  | { readonly kind: 'done'; readonly value: Done; readonly endedSessions: readonly string[] }
  | { readonly kind: 'refused'; readonly error: AppError; readonly endedSessions: readonly string[] };

type Admission = Extract<GroupsResult, { readonly kind: 'admitted' }>;
type Decided = { readonly kind: 'user'; readonly user: UserRow } | Refused;
type Refused = {
  readonly kind: 'refused';
  readonly problem: AdmissionProblem;
  /** The account that the person did not get into, for the audit log. */
  readonly user: UserRow | null;
  readonly endedSessions?: readonly string[];
};

/**
 * Starts a session for a person whom the provider has identified: the user who is linked to issuer and subject, else
 * at the first login the one with the same verified email address, or a new one, as the settings allow. A refusal is
 * not thrown: its row of the audit log, and what ended with it, stay.
 */
export async function admitPerson(
  deps: ProviderDeps,
  provider: ProviderRow,
  claims: ProviderClaims,
  caller: Caller,
): Promise<Outcome<LoggedIn>> {
  const hasSecondFactor = countsAsTwoFactor(provider, claims);
  return transact(deps.db, async (tx): Promise<Outcome<LoggedIn>> => {
    const admins = await lockAdmins(tx);
    const refuse = (refused: Refused): Promise<Outcome<LoggedIn>> =>
      recordRefusal(tx, deps, refused, admissionError(refused.problem, provider.label), caller);
    // A change of the settings ends sessions: one that started now by the old ones would escape that.
    const current = await shareProvider(tx);
    if (current?.version !== provider.version) {
      return refuse({ kind: 'refused', problem: 'settings_changed', user: null });
    }
    const admission = readGroups(provider, claims.groups);
    if (admission.kind === 'refused') return refuse(await turnAway(tx, claims, admission.problem));
    const found = await findPerson(tx, deps, { provider, claims, admission, hasSecondFactor }, caller);
    if (found.kind === 'refused') return refuse(found);
    const barrier = refusalFor(found.user);
    if (barrier !== null) {
      return recordRefusal(tx, deps, { problem: barrier.code, user: found.user }, barrier, caller);
    }
    const problem = factorProblem(found.user, hasSecondFactor);
    if (problem !== null) return refuse({ kind: 'refused', problem, user: found.user });
    const { user, endedSessions } = await alignRole(tx, deps, found.user, admission.role, admins, caller);
    await noteLogin(tx, claims, deps.now());
    await recordAction(tx, deps, user, caller, 'login.succeeded', {
      after: { factor: 'provider', secondFactor: hasSecondFactor },
    });
    const browser = await markBrowser(tx, caller.browser, user.id, deps.now());
    const token = await openSession(tx, user.id, caller, sessionNow(deps), { hasSecondFactor });
    return { kind: 'done', value: { user, token, browser }, endedSessions };
  });
}

/** The refusal of a person by their groups. One who was let in before loses what they still have by the provider. */
async function turnAway(tx: Db, claims: ProviderClaims, problem: AdmissionProblem): Promise<Refused> {
  const user = await linkedUser(tx, await lockIdentity(tx, claims));
  // Without the claim nothing is known: it can be a mistake in the settings.
  const isOut = user !== null && problem === 'not_in_group';
  return {
    kind: 'refused',
    problem,
    user,
    endedSessions: isOut ? await endProviderAccess(tx, user) : [],
  };
}

async function linkedUser(tx: Db, identity: LoginIdentity | null): Promise<UserRow | null> {
  return identity?.userId == null ? null : lockUser(tx, identity.userId);
}

/** The user of a person: linked, linked now, or new. Everything but issuer and subject is only a claim. */
async function findPerson(
  tx: Db,
  deps: ProviderDeps,
  given: {
    readonly provider: ProviderRow;
    readonly claims: ProviderClaims;
    readonly admission: Admission;
    readonly hasSecondFactor: boolean;
  },
  caller: Caller,
): Promise<Decided> {
  const { provider, claims, admission, hasSecondFactor } = given;
  const refused = (problem: AdmissionProblem, user: UserRow | null = null): Refused => ({
    kind: 'refused',
    problem,
    user,
  });
  const identity = await lockIdentity(tx, claims);
  const linked = await linkedUser(tx, identity);
  if (linked !== null) return { kind: 'user', user: linked };
  const address = addressOf(claims);
  if (address.kind === 'refused') return refused(address.problem);
  const holder = await lockUserByEmail(tx, address.email);
  if (holder !== null) {
    const problem = linkProblem(provider, holder, hasSecondFactor);
    if (problem !== null) return refused(problem, holder);
    // An account never gets a second person, and never changes from one to another.
    const own = await findIdentityOf(tx, holder.id, claims.issuer);
    // The same person when both logins of two browsers were the first.
    if (own?.subject === claims.subject) return { kind: 'user', user: holder };
    if (own !== null) return refused('linked_to_another', holder);
    await linkIdentity(tx, { ...claims, userId: holder.id }, deps.now());
    await recordAction(tx, deps, holder, caller, 'account.linked', { after: { issuer: claims.issuer } });
    await queueEmail(tx, deps, 'account_linked', holder.id);
    return { kind: 'user', user: holder };
  }
  // A user who was removed here comes back by registration and approval alone.
  if (identity !== null) return refused('removed');
  // Groups of administrators alone let everyone in, and give no one else an account.
  if (!provider.createsAccounts || !admission.isMember) return refused('no_account');
  const user = await insertUser(tx, newUser(claims, address.email, admission.role), deps.now());
  if (user === null) return refused('changed_concurrently');
  await linkIdentity(tx, { ...claims, userId: user.id }, deps.now());
  await recordAction(tx, deps, user, caller, 'user.registered', {
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

/** The person is not the account's owner for sure: the row names the account as its target alone. */
async function recordRefusal(
  tx: Db,
  deps: Pick<ProviderDeps, 'now'>,
  {
    problem,
    user,
    endedSessions = [],
  }: Pick<Refused, 'user' | 'endedSessions'> & { readonly problem: string },
  error: AppError,
  caller: Caller,
): Promise<Outcome<never>> {
  const action: AuditAction = 'provider_login.refused';
  await insertAudit(tx, {
    at: deps.now(),
    action,
    targetKind: 'user',
    targetId: user?.id ?? null,
    address: caller.address,
    requestId: caller.requestId,
    after: {
      reason: problem,
      ...(endedSessions.length > 0 && { endedSessions: endedSessions.length }),
    },
  });
  return { kind: 'refused', error, endedSessions };
}
