import { isIPv6 } from 'node:net';
import type { Db } from '#db/client.ts';
import { insertAudit } from '#db/queries/identity/audit.ts';
import {
  type AttemptKey,
  type AttemptLimit,
  clearAllAttempts,
  clearAttempts,
  countAttempt,
  undoCountedAttempt,
} from '#db/queries/identity/login-attempts.ts';
import type { UserRow } from '#db/queries/identity/users.ts';
import { transact } from '#db/transact.ts';
import type { Instant } from '#domain/units.ts';
import { AppError } from '#usecases/app-error.ts';
import type { Caller } from './account-deps.ts';
import { knownBrowser } from './known-browsers.ts';

/**
 * What is attempted. Login and change of password share a count: separate ones would give an attacker twice the
 * attempts. A logged-in user has another count, or strangers could lock an administrator out of it.
 */
export type AttemptKind =
  | 'login'
  | 'step_up'
  | 'two_factor'
  | 'register'
  | 'verify'
  | 'password_link'
  | 'metrics'
  | 'api_token'
  | 'provider';

const DAY = 24 * 60 * 60;

// Five typos are normal. After them an attacker has about a hundred attempts a day from one network, and the owner, on
// the same network, waits 15 minutes at most.
const PER_ACCOUNT: AttemptLimit = {
  free: 5,
  firstWaitSeconds: 30,
  longestWaitSeconds: 900,
  windowSeconds: DAY,
};
// All unknown browsers together, from any number of networks: a thousand a day, then one per 15 minutes.
const OF_STRANGERS: AttemptLimit = { ...PER_ACCOUNT, free: 1_000 };
// An office can share one address.
const PER_ADDRESS: AttemptLimit = { ...PER_ACCOUNT, free: 50 };

// Six digits are few, and only a client with the password or a session gets this far: five wrong ones, then a lockout.
const WRONG_CODES: AttemptLimit = {
  free: 5,
  firstWaitSeconds: 900,
  longestWaitSeconds: 900,
  windowSeconds: 900,
  slides: true,
};

/**
 * One subject per network that one customer controls: an IPv6 customer has 2^64 addresses or more, so the first four
 * groups count.
 */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined || !isIPv6(address)) return mapped ?? address;
  const [head = '', tail] = address.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0');
  const groups = [...left, ...zeros, ...right].slice(0, 4).map((group) => group.replace(/^0+(?=.)/, ''));
  return `${groups.join(':').toLowerCase()}::/64`;
}

/** By the typed name, whether it exists or not: the limit reveals nothing. Not case-sensitive. */
const accountKey = (kind: AttemptKind, name: string): AttemptKey => ({ kind, subjectKind: 'account', name });

/** Who tries: the typed name, the address, and the browser's token. */
export interface Trier {
  readonly address: string;
  readonly username?: string;
  readonly browser?: string | null;
}

/** The counts of an attempt, in the order in which they are locked; the first one is the client's own. */
async function countsOf(
  tx: Db,
  kind: AttemptKind,
  { address, username, browser = null }: Trier,
  now: Instant,
): Promise<readonly (readonly [key: AttemptKey, limit: AttemptLimit])[]> {
  const ofAddress = [addressKey(kind, address), PER_ADDRESS] as const;
  if (username === undefined) return [ofAddress];
  const account = accountKey(kind, username);
  // This requires a session: strangers cannot use these attempts up.
  if (kind !== 'login') return [[account, PER_ACCOUNT], ofAddress];
  const known = await knownBrowser(tx, browser, { username }, now);
  if (known !== null) return [[{ ...account, within: `in ${known}` }, PER_ACCOUNT]];
  const own = { ...account, within: `from ${networkOf(address)}` };
  return [[own, PER_ACCOUNT], [account, OF_STRANGERS], ofAddress];
}

const addressKey = (kind: AttemptKind, address: string): AttemptKey => ({
  kind,
  subjectKind: 'address',
  name: networkOf(address),
});

/** When the next attempt is allowed, after one that was counted; null for immediately. */
export type Lockouts = { readonly account: Instant | null; readonly address: Instant | null };

/** @returns until when further attempts are rejected; null when they are not */
async function countOrReject(
  db: Db,
  key: AttemptKey,
  limit: AttemptLimit,
  now: Instant,
): Promise<Instant | null> {
  const { allowed, until } = await countAttempt(db, key, limit, now);
  if (allowed) return until;
  const seconds = Math.max(1, Math.ceil(((until ?? now) - now) / 1_000));
  const wait = seconds < 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;
  throw new AppError('too_many_requests', `Too many attempts. Try again in ${wait}.`, {
    retryAfterSeconds: seconds,
  });
}

/**
 * Counts an attempt before any secret is checked: for a known browser on its own, for all others by account and
 * network, by account, and by network. An attempt that one of these rejects counts for none of them: one misconfigured
 * program must not lock out its whole office.
 * @throws AppError too_many_requests
 */
export async function recordAttempt(db: Db, kind: AttemptKind, who: Trier, now: Instant): Promise<Lockouts> {
  // The first row stays locked until the last one is counted, so that simultaneous attempts are counted one by one.
  return transact(db, async (tx) => {
    const lockouts: { account: Instant | null; address: Instant | null } = { account: null, address: null };
    for (const [key, limit] of await countsOf(tx, kind, who, now)) {
      lockouts[key.subjectKind] = later(lockouts[key.subjectKind], await countOrReject(tx, key, limit, now));
    }
    return lockouts;
  });
}

function later(one: Instant | null, other: Instant | null): Instant | null {
  if (one === null || other === null) return one ?? other;
  return one > other ? one : other;
}

/** Codes from a known browser have their own count; all others of an account share one. */
async function codeKey(
  tx: Db,
  userId: string,
  { browser }: Pick<Caller, 'browser'>,
  now: Instant,
): Promise<AttemptKey> {
  const known = await knownBrowser(tx, browser, { userId }, now);
  const account = { kind: 'two_factor', subjectKind: 'account', name: userId } as const;
  return known === null ? account : { ...account, within: `in ${known}` };
}

/**
 * Counts an attempt of a second factor before it is checked: one count for all unknown browsers, wherever and for
 * whatever the code is requested, and one for each known browser.
 * @throws AppError too_many_requests
 */
export async function countCode(db: Db, userId: string, caller: Caller, now: Instant): Promise<Lockouts> {
  const account = await transact(db, async (tx) =>
    countOrReject(tx, await codeKey(tx, userId, caller, now), WRONG_CODES, now),
  );
  return { account, address: null };
}

/** The code was right: resets the count of this browser, or of all unknown ones. */
export async function resetCodeAttempts(db: Db, userId: string, caller: Caller, now: Instant): Promise<void> {
  await transact(db, async (tx) => clearAttempts(tx, await codeKey(tx, userId, caller, now)));
}

/** Ends every lockout for codes of an account: it has no second factor, or its owner is unlocked. */
export async function unlockCodes(tx: Db, userId: string): Promise<void> {
  await clearAllAttempts(tx, 'two_factor', userId);
}

/** Undoes the count of an attempt that was never checked. */
export async function undoCodeAttempt(db: Db, userId: string, caller: Caller, now: Instant): Promise<void> {
  await transact(db, async (tx) => undoCountedAttempt(tx, await codeKey(tx, userId, caller, now)));
}

/**
 * Audits the lockouts that an attempt has started: one row for each, not one for every attempt that is rejected during
 * it.
 * @param user the account that was tried; null when the name does not exist, or none was given
 */
export async function recordLockouts(
  db: Db,
  kind: Exclude<AttemptKind, 'metrics' | 'api_token'>,
  lockouts: Lockouts,
  user: Pick<UserRow, 'id' | 'username'> | null,
  caller: Caller,
  now: Instant,
): Promise<void> {
  const entry = {
    at: now,
    action: `${kind}.locked` as const,
    actorId: user?.id ?? null,
    actor: user?.username ?? null,
    address: caller.address,
    requestId: caller.requestId,
  };
  const until = (moment: Instant) => ({ until: new Date(moment).toISOString() });
  if (lockouts.account !== null) {
    const target = { targetKind: 'user', targetId: user?.id ?? null };
    await insertAudit(db, { ...entry, ...target, after: until(lockouts.account) });
  }
  if (lockouts.address !== null) {
    const target = { targetKind: 'address', targetId: networkOf(caller.address) };
    await insertAudit(db, { ...entry, ...target, after: until(lockouts.address) });
  }
}

// Otherwise a stranger could have an address flooded with email.
const NOTIFICATION_LIMIT: AttemptLimit = {
  free: 1,
  firstWaitSeconds: DAY,
  longestWaitSeconds: DAY,
  windowSeconds: DAY,
};

/** Whether the owner of an address may be notified again of a registration with it: at most twice in a day. */
export async function mayNotify(db: Db, email: string, now: Instant): Promise<boolean> {
  return (
    await countAttempt(db, { kind: 'notice', subjectKind: 'account', name: email }, NOTIFICATION_LIMIT, now)
  ).allowed;
}

/**
 * Counts an email with a new link to one account, no matter who requests it: another user's mailbox must not be flooded.
 * @throws AppError too_many_requests
 */
export async function countResend(db: Db, email: string, now: Instant): Promise<void> {
  await countOrReject(db, { kind: 'resend', subjectKind: 'account', name: email }, PER_ACCOUNT, now);
}

// A lost email is requested again, but no mailbox is flooded.
const PASSWORD_LINKS: AttemptLimit = {
  free: 3,
  firstWaitSeconds: 3_600,
  longestWaitSeconds: 3_600,
  windowSeconds: DAY,
};

/** Whether the owner of an address may get one more link for a new password, no matter who asks for it. */
export async function mayLinkPassword(db: Db, email: string, now: Instant): Promise<boolean> {
  const key = { kind: 'password_mail', subjectKind: 'account', name: email } as const;
  return (await countAttempt(db, key, PASSWORD_LINKS, now)).allowed;
}

/** Ends every lockout for the password of an account, inside a transaction. */
export async function unlockAccount(tx: Db, username: string): Promise<void> {
  await clearAllAttempts(tx, 'login', username);
}

/** The secret was right: resets the client's own counts; shared ones lose this attempt but no earlier ones. */
export async function resetAttempts(db: Db, kind: AttemptKind, who: Trier, now: Instant): Promise<void> {
  await transact(db, async (tx) => {
    const [own, ...shared] = await countsOf(tx, kind, who, now);
    if (own !== undefined) await clearAttempts(tx, own[0]);
    for (const [key] of shared) await undoCountedAttempt(tx, key);
  });
}

/** Undoes the count of an attempt that was never checked, or was not a guess. */
export async function undoAttempt(db: Db, kind: AttemptKind, who: Trier, now: Instant): Promise<void> {
  await transact(db, async (tx) => {
    for (const [key] of await countsOf(tx, kind, who, now)) await undoCountedAttempt(tx, key);
  });
}
