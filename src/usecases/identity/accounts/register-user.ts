import type { Registered, RegisterPayload } from '#contract/session.ts';
import type { Db } from '#db/client.ts';
import { notify } from '#db/listen.ts';
import { insertAudit } from '#db/queries/identity/audit.ts';
import { spendOneTimeToken } from '#db/queries/identity/one-time-tokens.ts';
import {
  findUserByEmail,
  findUserByUsername,
  hasAdmin,
  insertUser,
  lockUsers,
  type UserRow,
} from '#db/queries/identity/users.ts';
import { transact } from '#db/transact.ts';
import { AppError } from '#usecases/app-error.ts';
import { type EmailDeps, queueEmail } from '#usecases/email/queued-email.ts';
import { type AccountDeps, type Caller, sessionNow } from './account-deps.ts';
import { mayNotify, recordAttempt, recordLockouts } from './attempt-limits.ts';
import { weakPasswordReason } from './password-rules.ts';
import { tokenHash } from './secret-token.ts';
import { openSession } from './sessions.ts';

export type Registration = {
  readonly answer: Registered;
  /** The first administrator's session; null for all others. */
  readonly token: string | null;
};

const WAITING = 'Please wait for administrator approval.';
const CHECK_EMAIL =
  'Open the link in the email we sent you to verify your email address. Then please wait for administrator approval.';
const TAKEN =
  'This address is already registered. To make it the administrator, run "pricewright users approve EMAIL --admin" on the server.';

/**
 * Adds an account that needs approval, and orders the email with the link that verifies its address. The first
 * administrator is approved at once: the user who registers on the machine itself (`onThisMachine`) or with the setup
 * link, as long as there is no administrator. A taken name or address gets the same response, after the same work; its
 * owner gets an email.
 * @throws AppError validation_failed, too_many_requests; for the first administrator also not_allowed, conflict
 */
export async function registerUser(
  deps: AccountDeps & EmailDeps,
  form: RegisterPayload,
  caller: Caller,
  onThisMachine: boolean,
): Promise<Registration> {
  requireValidForm(form);
  const lockouts = await recordAttempt(deps.db, 'register', { address: caller.address }, deps.now());
  await transact(deps.db, (tx) => recordLockouts(tx, 'register', lockouts, null, caller, deps.now()));
  const password = await deps.passwords.hash(form.password);
  return transact(deps.db, async (tx) => {
    const asAdmin = await becomesFirstAdmin(tx, deps, form, onThisMachine);
    const user = await insertUser(tx, newUser(form, password, asAdmin), deps.now());
    if (user !== null) {
      await recordRegistration(tx, deps, user, caller);
      await notify(tx, 'pricewright_users', []);
    }
    // Revealed only to the owner of the machine or of its link; the link stays valid.
    else if (asAdmin) throw new AppError('conflict', TAKEN);
    if (user === null || !asAdmin) {
      if (user === null) await recordTaken(tx, deps, form, caller);
      await queueEmails(tx, deps, user, form.email);
      const message = deps.sendsEmail ? CHECK_EMAIL : WAITING;
      return { answer: { username: form.username, role: 'user', approved: false, message }, token: null };
    }
    const token = await openSession(tx, user.id, caller, sessionNow(deps));
    return { answer: { username: user.username, role: user.role, approved: true }, token };
  });
}

/** In the transaction: an account without its email could never be verified, and a failed email is retried. */
async function queueEmails(
  tx: Db,
  deps: AccountDeps & EmailDeps,
  user: UserRow | null,
  email: string,
): Promise<void> {
  if (user !== null) return queueEmail(tx, deps, 'verify_email', user.id);
  const owner = await findUserByEmail(tx, email);
  if (owner === null || !(await mayNotify(tx, email, deps.now()))) return;
  await queueEmail(tx, deps, 'address_taken', owner.id);
}

function requireValidForm({ username, email, password }: RegisterPayload): void {
  const fields: Record<string, string> = {};
  // Otherwise a user could take the name that another one will log in with.
  if (username.includes('@') && username.toLowerCase() !== email.toLowerCase()) {
    fields.username = 'Use the same address as your email address';
  }
  const weak = weakPasswordReason(password, email);
  if (weak !== null) fields.password = weak;
  const [first] = Object.values(fields);
  if (first !== undefined) throw new AppError('validation_failed', first, { fields });
}

/** Blocks other registrations while it decides, so that only one of two simultaneous ones succeeds. */
async function becomesFirstAdmin(
  tx: Db,
  { now }: AccountDeps,
  { setupToken }: RegisterPayload,
  onThisMachine: boolean,
): Promise<boolean> {
  if (setupToken === undefined && !onThisMachine) return false;
  let vacant = !(await hasAdmin(tx));
  if (vacant) {
    await lockUsers(tx);
    vacant = !(await hasAdmin(tx));
  }
  if (setupToken === undefined) return vacant;
  if (vacant && (await spendOneTimeToken(tx, tokenHash(setupToken), 'setup', now()))) return true;
  throw new AppError(
    'not_allowed',
    'This setup link is expired or already used. Restart the server to print a new one.',
  );
}

function newUser(
  form: RegisterPayload,
  password: string,
  asAdmin: boolean,
): Parameters<typeof insertUser>[1] {
  const { username, fullName, email, phoneNumber } = form;
  return {
    username,
    password,
    fullName,
    email,
    phoneNumber,
    role: asAdmin ? 'admin' : 'user',
    approved: asAdmin,
    emailVerified: asAdmin,
  };
}

async function recordRegistration(
  tx: Db,
  { now }: AccountDeps,
  user: UserRow,
  caller: Caller,
): Promise<void> {
  await insertAudit(tx, {
    at: now(),
    action: 'user.registered',
    actorId: user.id,
    actor: user.username,
    targetKind: 'user',
    targetId: user.id,
    after: { role: user.role, approved: user.approved },
    address: caller.address,
    requestId: caller.requestId,
  });
}

/** Records the owner of the name or address, and not what was typed. */
async function recordTaken(
  tx: Db,
  { now }: AccountDeps,
  { email, username }: RegisterPayload,
  caller: Caller,
): Promise<void> {
  const owner = (await findUserByEmail(tx, email)) ?? (await findUserByUsername(tx, username));
  await insertAudit(tx, {
    at: now(),
    action: 'registration.refused',
    targetKind: 'user',
    targetId: owner?.id ?? null,
    address: caller.address,
    requestId: caller.requestId,
  });
}
