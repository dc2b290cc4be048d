import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { loginAttempts } from '#db/schema/accounts.ts';
import { type Instant, instant } from '#domain/units.ts';

/**
 * Whose attempts are counted: an account by the typed name, or an address. For an account all attempts together, or
 * only those `within` a network or browser.
 */
export type AttemptKey = {
  readonly kind: string;
  readonly subjectKind: 'account' | 'address';
  readonly name: string;
  readonly within?: string;
};

/**
 * The stored form. A typed name may be a password in the wrong field, so only its hash is stored. Lower-cased by
 * PostgreSQL: JavaScript differs, and a name with two forms would have two limits.
 */
function subjectOf({ subjectKind, name, within }: AttemptKey): SQL<string> {
  if (subjectKind === 'address') return sql`${`address:${name}`}`;
  const account = sql<string>`'account:' || encode(sha256(convert_to(lower(${name}::text), 'UTF8')), 'hex')`;
  return within === undefined ? account : sql`${account} || ${` ${within}`}::text`;
}

function isKey(key: AttemptKey): SQL | undefined {
  return and(eq(loginAttempts.kind, key.kind), eq(loginAttempts.subject, subjectOf(key)));
}

/** Number of free attempts, and growth of the wait: `firstWaitSeconds`, then twice as long each time up to `longestWaitSeconds`. */
export type AttemptLimit = {
  readonly free: number;
  readonly firstWaitSeconds: number;
  readonly longestWaitSeconds: number;
  /** After this the count restarts: since the first attempt, or since the last one of a limit that `slides`. */
  readonly windowSeconds: number;
  /** Never more than `free` attempts within any period of `windowSeconds`, not even across the end of a window. */
  readonly slides?: true;
};

/** `until` is when the next attempt is allowed; null at once. */
export type Counted = { readonly allowed: boolean; readonly until: Instant | null };

/**
 * Counts an attempt, before its secret is checked. One statement, so that of any number of concurrent attempts exactly
 * the allowed ones pass: the row is locked, and the condition is checked again on the result of the one before.
 */
export async function countAttempt(
  db: Db,
  key: AttemptKey,
  limit: AttemptLimit,
  now: Instant,
): Promise<Counted> {
  const at = sql`${sql.param(now, loginAttempts.windowStartedAt)}::timestamptz`;
  const windowLength = sql`make_interval(secs => ${limit.windowSeconds})`;
  // By a clock that was ahead: later than differing clocks of two processes explain, or they could be played off.
  const isOver = sql`(${loginAttempts.windowStartedAt} <= ${at} - ${windowLength}
    or ${loginAttempts.windowStartedAt} > ${at} + ${windowLength})`;
  const latestEnd = sql`${at} + make_interval(secs => 2 * ${limit.longestWaitSeconds}::float)`;
  const doublings = sql`least(${loginAttempts.count} + 1 - ${limit.free}::int, 20)`;
  const wait = sql`least(${limit.longestWaitSeconds}::float, ${limit.firstWaitSeconds}::float * power(2, ${doublings}))`;
  const [counted] = await db
    .insert(loginAttempts)
    .values({ kind: key.kind, subject: subjectOf(key), count: 1, windowStartedAt: now })
    .onConflictDoUpdate({
      target: [loginAttempts.kind, loginAttempts.subject],
      set: {
        count: sql`case when ${isOver} then 1 else ${loginAttempts.count} + 1 end`,
        windowStartedAt: sql`case when ${isOver} or ${limit.slides === true} then ${at} else ${loginAttempts.windowStartedAt} end`,
        blockedUntil: sql`case when not ${isOver} and ${loginAttempts.count} + 1 >= ${limit.free}::int
          then ${at} + make_interval(secs => ${wait}) end`,
      },
      setWhere: sql`${loginAttempts.blockedUntil} is null or ${loginAttempts.blockedUntil} <= ${at}
        or ${loginAttempts.blockedUntil} > ${latestEnd}`,
    })
    .returning({ until: loginAttempts.blockedUntil });
  if (counted !== undefined) return { allowed: true, until: counted.until };
  const [row] = await db
    .select({ blockedUntil: loginAttempts.blockedUntil })
    .from(loginAttempts)
    .where(isKey(key));
  // Deleted or free again since the statement above: the caller may retry at once.
  return { allowed: false, until: row?.blockedUntil ?? instant(now) };
}

/** Deletes the attempts of one subject, after the right secret. */
export async function clearAttempts(db: Db, key: AttemptKey): Promise<void> {
  await db.delete(loginAttempts).where(isKey(key));
}

/** {@link clearAttempts} of an account, together with those within every network and browser. */
export async function clearAllAttempts(db: Db, kind: string, name: string): Promise<void> {
  const subject = subjectOf({ kind, subjectKind: 'account', name });
  await db
    .delete(loginAttempts)
    .where(
      and(
        eq(loginAttempts.kind, kind),
        sql`(${loginAttempts.subject} = ${subject} or starts_with(${loginAttempts.subject}, ${subject} || ' '))`,
      ),
    );
}

/** Undoes one counted attempt: it was no guess. */
export async function undoCountedAttempt(db: Db, key: AttemptKey): Promise<void> {
  await db
    .update(loginAttempts)
    .set({ count: sql`greatest(${loginAttempts.count} - 1, 0)`, blockedUntil: null })
    .where(isKey(key));
}
