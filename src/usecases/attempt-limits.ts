import { isIPv6 } from 'node:net';
import type { Db } from '#db/client.ts';
import {
  type AttemptKey,
  type AttemptLimit,
  clearAttempts,
  countAttempt,
  takeBackAttempt,
} from '#db/queries/login-attempts.ts';
import type { Instant } from '#domain/units.ts';
import { AppError } from './app-error.ts';

/** Every place that tests a secret has a door of its own. */
export type Door = 'login' | 'register';

const DAY = 24 * 60 * 60;

// Five slips are human. After them a guesser has about a hundred tries a day, and the owner waits a quarter of an hour at most.
const PER_ACCOUNT: AttemptLimit = {
  free: 5,
  firstWaitSeconds: 30,
  longestWaitSeconds: 900,
  windowSeconds: DAY,
};
// A whole office can share one address.
const PER_ADDRESS: AttemptLimit = { ...PER_ACCOUNT, free: 50 };

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
const accountKey = (door: Door, name: string): AttemptKey => ({ door, kind: 'account', name });

const addressKey = (door: Door, address: string): AttemptKey => ({
  door,
  kind: 'address',
  name: networkOf(address),
});

async function countOrRefuse(db: Db, key: AttemptKey, limit: AttemptLimit, now: Instant): Promise<void> {
  const freeAt = await countAttempt(db, key, limit, now);
  if (freeAt === null) return;
  const seconds = Math.max(1, Math.ceil((freeAt - now) / 1_000));
  const wait = seconds < 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;
  throw new AppError('too_many_requests', `Too many tries. Try again in ${wait}.`, {
    retryAfterSeconds: seconds,
  });
}

/**
 * Counts a try of this address, and of this account when one is named, before any secret is checked. A try that
 * either of them refuses counts for neither: one stuck program must not shut its whole office out.
 * @throws AppError too_many_requests
 */
export async function countTry(
  db: Db,
  door: Door,
  who: { address: string; username?: string },
  now: Instant,
): Promise<void> {
  const { address, username } = who;
  // The account's row stays locked until the address is counted too, so that tries at once pass one by one.
  await db.transaction(async (tx) => {
    if (username !== undefined) {
      await countOrRefuse(tx, accountKey(door, username), PER_ACCOUNT, now);
    }
    await countOrRefuse(tx, addressKey(door, address), PER_ADDRESS, now);
  });
}

/** The secret was right: the account starts afresh, and the address loses this one try but no earlier ones. */
export async function forgiveTry(
  db: Db,
  door: Door,
  who: { address: string; username: string },
): Promise<void> {
  await clearAttempts(db, accountKey(door, who.username));
  await takeBackAttempt(db, addressKey(door, who.address));
}

/** Takes a try back that never came to a check. */
export async function takeBackTry(
  db: Db,
  door: Door,
  who: { address: string; username: string },
): Promise<void> {
  await takeBackAttempt(db, accountKey(door, who.username));
  await takeBackAttempt(db, addressKey(door, who.address));
}
