import { isIPv6 } from 'node:net';
import type { Db } from '#db/client.ts';
import { insertAudit } from '#db/queries/identity/audit.ts';
import {
  type AttemptKey,
  type AttemptLimit,
  clearAllAttempts,
  clearAttempts,
  countAttempt,
  takeBackAttempt,
} from '#db/queries/identity/login-attempts.ts';
import type { UserRow } from '#db/queries/identity/users.ts';
import { transact } from '#db/transact.ts';
import type { Instant } from '#domain/units.ts';
import { AppError } from '#usecases/app-error.ts';
import type { Caller } from './account-deps.ts';
import { knownBrowser } from './known-browsers.ts';

/**
 * What is tried. Sign-in and change of password are one door: each of their own would give a guesser as many tries
 * again. Whoever is signed in has another one, or strangers could shut an administrator out of it.
 */
export type AttemptKind = 'login' | 'step_up' | 'two_factor' | 'register' | 'verify' | 'metrics';

const DAY = 24 * 60 * 60;

// Five slips are human. After them a guesser has about a hundred tries a day from one network, and whoever shares it with
// the owner keeps the owner waiting for a quarter of an hour at most.
const PER_ACCOUNT: AttemptLimit = {
  free: 5,
  firstWaitSeconds: 30,
  longestWaitSeconds: 900,
  windowSeconds: DAY,
};
// What strangers have together, from however many networks: a thousand a day, then one in a quarter of an hour.
const OF_STRANGERS: AttemptLimit = { ...PER_ACCOUNT, free: 1_000 };
// A whole office can share one address.
const PER_ADDRESS: AttemptLimit = { ...PER_ACCOUNT, free: 50 };

// Six digits are few, and only somebody with the password or a session gets this far: five wrong ones, then a rest.
const WRONG_CODES: AttemptLimit = {
  free: 5,
  firstWaitSeconds: 900,
  longestWaitSeconds: 900,
  windowSeconds: 900,
  slides: true,
};

/**
 * One subject per network that one person controls: an IPv6 customer has 2^64 addresses or more,
 * so the first four groups count.
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

/** By the name that was typed, whether it exists or not: the limit gives nothing away. In any case of letters. */
const accountKey = (door: AttemptKind, name: string): AttemptKey => ({ door, kind: 'account', name });

/** Who tries: the name that was typed, from where, and the mark of the browser. */
export interface Trier {
  readonly address: string;
  readonly username?: string;
  readonly browser?: string | null;
}

/** The counts of a try, in the order in which they are locked; the first one is that of the trier alone. */
async function countsOf(
  tx: Db,
  door: AttemptKind,
  { address, username, browser = null }: Trier,
  now: Instant,
): Promise<readonly (readonly [key: AttemptKey, limit: AttemptLimit])[]> {
  const ofAddress = [addressKey(door, address), PER_ADDRESS] as const;
  if (username === undefined) return [ofAddress];
  const account = accountKey(door, username);
  // Only who has a session gets there: strangers cannot use these up.
  if (door !== 'login') return [[account, PER_ACCOUNT], ofAddress];
  const known = await knownBrowser(tx, browser, { username }, now);
  if (known !== null) return [[{ ...account, within: `in ${known}` }, PER_ACCOUNT]];
  const own = { ...account, within: `from ${networkOf(address)}` };
  return [[own, PER_ACCOUNT], [account, OF_STRANGERS], ofAddress];
}

const addressKey = (door: AttemptKind, address: string): AttemptKey => ({
  door,
  kind: 'address',
  name: networkOf(address),
});

/** From when on the next try is let in, after one that was counted; null at once. */
export type Lockouts = { readonly account: Instant | null; readonly address: Instant | null };

/** @returns until when the tries after this one are refused; null when they are not */
async function countOrRefuse(
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
 * Counts a try before any secret is checked: of a browser that signed in before by itself, of everybody else by account
 * and network, by account, and by network. A try that one of these refuses counts for none of them: one stuck program
 * must not shut its whole office out.
 * @throws AppError too_many_requests
 */
export async function recordAttempt(db: Db, door: AttemptKind, who: Trier, now: Instant): Promise<Lockouts> {
  // The first row stays locked until the last one is counted too, so that tries at once pass one by one.
  return transact(db, async (tx) => {
    const lockouts: { account: Instant | null; address: Instant | null } = { account: null, address: null };
    for (const [key, limit] of await countsOf(tx, door, who, now)) {
      lockouts[key.kind] = later(lockouts[key.kind], await countOrRefuse(tx, key, limit, now));
    }
    return lockouts;
  });
}

function later(one: Instant | null, other: Instant | null): Instant | null {
  if (one === null || other === null) return one ?? other;
  return one > other ? one : other;
}

/** Codes of a browser that signed in before are counted by themselves; all others of an account together. */
async function codeKey(
  tx: Db,
  userId: string,
  { browser }: Pick<Caller, 'browser'>,
  now: Instant,
): Promise<AttemptKey> {
  const known = await knownBrowser(tx, browser, { userId }, now);
  const account = { door: 'two_factor', kind: 'account', name: userId } as const;
  return known === null ? account : { ...account, within: `in ${known}` };
}

/**
 * Counts a try of a second factor before it is checked: one count for all strangers to an account, from wherever and for
 * whatever it is asked, and one for each browser that signed in before.
 * @throws AppError too_many_requests
 */
export async function countCode(db: Db, userId: string, caller: Caller, now: Instant): Promise<Lockouts> {
  const account = await transact(db, async (tx) =>
    countOrRefuse(tx, await codeKey(tx, userId, caller, now), WRONG_CODES, now),
  );
  return { account, address: null };
}

/** The code was right: this browser, or all strangers, start afresh. */
export async function resetCodeAttempts(db: Db, userId: string, caller: Caller, now: Instant): Promise<void> {
  await transact(db, async (tx) => clearAttempts(tx, await codeKey(tx, userId, caller, now)));
}

/** Ends every wait for a code of an account: there is none any more, or its owner is let in again. */
export async function freeCodes(tx: Db, userId: string): Promise<void> {
  await clearAllAttempts(tx, 'two_factor', userId);
}

/** Takes a try back that never came to a check. */
export async function takeBackCode(db: Db, userId: string, caller: Caller, now: Instant): Promise<void> {
  await transact(db, async (tx) => takeBackAttempt(tx, await codeKey(tx, userId, caller, now)));
}

/**
 * Writes down which waits a try has begun: one row for each, not one for every try that is refused meanwhile.
 * @param user the account that was tried; null when nobody has the name, or none was named
 */
export async function recordLockouts(
  db: Db,
  door: Exclude<AttemptKind, 'metrics'>,
  lockouts: Lockouts,
  user: Pick<UserRow, 'id' | 'username'> | null,
  caller: Caller,
  now: Instant,
): Promise<void> {
  const entry = {
    at: now,
    action: `${door}.locked` as const,
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

// A stranger could have one address sent mail after mail.
const NOTICES: AttemptLimit = { free: 1, firstWaitSeconds: DAY, longestWaitSeconds: DAY, windowSeconds: DAY };

/** Whether the owner of an address may be told once more that somebody registers with it: about once a day. */
export async function mayNotice(db: Db, email: string, now: Instant): Promise<boolean> {
  return (await countAttempt(db, { door: 'notice', kind: 'account', name: email }, NOTICES, now)).allowed;
}

/**
 * Counts a mail with a new link to one account, whoever orders it: somebody else's mailbox is not ours to fill.
 * @throws AppError too_many_requests
 */
export async function countResend(db: Db, email: string, now: Instant): Promise<void> {
  await countOrRefuse(db, { door: 'resend', kind: 'account', name: email }, PER_ACCOUNT, now);
}

/** Ends every wait for the password of an account, inside a transaction: whoever was shut out may try it. */
export async function freeAccount(tx: Db, username: string): Promise<void> {
  await clearAllAttempts(tx, 'login', username);
}

/** The secret was right: the trier starts afresh, and what is shared with others loses this one try but no earlier ones. */
export async function resetAttempts(db: Db, door: AttemptKind, who: Trier, now: Instant): Promise<void> {
  await transact(db, async (tx) => {
    const [own, ...shared] = await countsOf(tx, door, who, now);
    if (own !== undefined) await clearAttempts(tx, own[0]);
    for (const [key] of shared) await takeBackAttempt(tx, key);
  });
}

/** Takes a try back that never came to a check, or that was none of a guesser's. */
export async function undoAttempt(db: Db, door: AttemptKind, who: Trier, now: Instant): Promise<void> {
  await transact(db, async (tx) => {
    for (const [key] of await countsOf(tx, door, who, now)) await takeBackAttempt(tx, key);
  });
}
