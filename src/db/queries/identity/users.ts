import { and, eq, gt, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { users } from '#db/schema/accounts.ts';
import type { Instant } from '#domain/units.ts';

export type UserRow = typeof users.$inferSelect;
export type NewUser = Pick<UserRow, 'username' | 'password' | 'fullName' | 'email' | 'phoneNumber'> &
  Pick<UserRow, 'role' | 'approved' | 'emailVerified'>;

/** Adds a user; null when the name or the address is taken, ignoring case. */
export async function insertUser(db: Db, user: NewUser, now: Instant): Promise<UserRow | null> {
  const [row] = await db
    .insert(users)
    .values({ ...user, createdAt: now, updatedAt: now })
    .onConflictDoNothing()
    .returning();
  return row ?? null;
}

export async function findUserByUsername(db: Db, username: string): Promise<UserRow | null> {
  const [row] = await db.select().from(users).where(sql`lower(${users.username}) = lower(${username})`);
  return row ?? null;
}

export async function findUser(db: Db, id: string): Promise<UserRow | null> {
  const [row] = await db.select().from(users).where(eq(users.id, id));
  return row ?? null;
}

/** Locks the row until the end of the transaction. */
export async function lockUserByEmail(tx: Db, email: string): Promise<UserRow | null> {
  const [row] = await tx
    .select()
    .from(users)
    .where(sql`lower(${users.email}) = lower(${email})`)
    .for('no key update');
  return row ?? null;
}

export async function listUsers(db: Db): Promise<UserRow[]> {
  return db.select().from(users).orderBy(users.createdAt, users.id);
}

export async function hasAdmin(db: Db): Promise<boolean> {
  const rows = await db.select({ id: users.id }).from(users).where(eq(users.role, 'admin')).limit(1);
  return rows.length > 0;
}

/** Locks users against changes until the end of the transaction; reads continue. */
export async function lockUsers(tx: Db): Promise<void> {
  await tx.execute(sql`LOCK TABLE ${users} IN SHARE ROW EXCLUSIVE MODE`);
}

/** The user's current row, locked for a change until the end of the transaction. Null when there is none. */
export async function lockUser(tx: Db, id: string): Promise<UserRow | null> {
  const [row] = await tx.select().from(users).where(eq(users.id, id)).for('no key update');
  return row ?? null;
}

/** The user's current row, locked against changes until the end of the transaction. Null when there is none. */
export async function shareUser(tx: Db, id: string): Promise<UserRow | null> {
  const [row] = await tx.select().from(users).where(eq(users.id, id)).for('share');
  return row ?? null;
}

/** Approves a user, as admin if requested; never removes that role. Null when no user has that address. */
export async function approveUserByEmail(
  db: Db,
  email: string,
  asAdmin: boolean,
  now: Instant,
): Promise<UserRow | null> {
  const [row] = await db
    .update(users)
    .set({
      approved: true,
      emailVerified: true,
      updatedAt: now,
      ...(asAdmin ? { role: 'admin' as const, wasDemoted: false } : {}),
    })
    .where(sql`lower(${users.email}) = lower(${email})`)
    .returning();
  return row ?? null;
}

/** Stores a stronger hash of the same password, unless the password was changed in between. */
export async function renewPasswordHash(db: Db, user: UserRow, password: string): Promise<void> {
  await db
    .update(users)
    .set({ password })
    .where(sql`${users.id} = ${user.id} and ${users.password} = ${user.password}`);
}

export async function findUserByEmail(db: Db, email: string): Promise<UserRow | null> {
  const [row] = await db.select().from(users).where(sql`lower(${users.email}) = lower(${email})`);
  return row ?? null;
}

/**
 * The administrators who can log in, locked until the end of the transaction, so that of two concurrent changes the
 * second sees the result of the first. Ordered by ID: two such transactions never deadlock.
 */
export async function lockAdmins(tx: Db): Promise<UserRow[]> {
  return tx
    .select()
    .from(users)
    .where(and(eq(users.role, 'admin'), eq(users.approved, true), eq(users.emailVerified, true)))
    .orderBy(users.id)
    .for('no key update');
}

/** Fields of an account that can be changed. */
export type UserPatch = Partial<
  Pick<
    UserRow,
    | 'fullName'
    | 'phoneNumber'
    | 'weeklySummary'
    | 'weeklySummaryUntil'
    | 'approved'
    | 'role'
    | 'password'
    | 'wasDemoted'
    | 'mustChangePassword'
    | 'twoFactorEnabled'
    | 'twoFactorSecret'
    | 'twoFactorLastStep'
    | 'twoFactorStartedAt'
    | 'twoFactorSince'
  >
>;

/** Null when the user does not exist. */
export async function updateUser(
  db: Db,
  id: string,
  patch: UserPatch,
  now: Instant,
): Promise<UserRow | null> {
  const [row] = await db
    .update(users)
    .set({ ...patch, updatedAt: now })
    .where(eq(users.id, id))
    .returning();
  return row ?? null;
}

/** Deletes an account, with its sessions, links and recovery codes. */
export async function deleteUser(db: Db, id: string): Promise<void> {
  await db.delete(users).where(eq(users.id, id));
}

/**
 * Replaces the verification link that the caller read. False when there is another one now, or the user was deleted or
 * is verified already.
 */
export async function setVerificationToken(
  db: Db,
  { id, emailVerificationToken }: Pick<UserRow, 'id' | 'emailVerificationToken'>,
  tokenHash: string,
  expiresAt: Instant,
): Promise<boolean> {
  const set = await db
    .update(users)
    .set({ emailVerificationToken: tokenHash, emailVerificationExpiresAt: expiresAt })
    .where(
      and(
        eq(users.id, id),
        eq(users.emailVerified, false),
        sql`${users.emailVerificationToken} IS NOT DISTINCT FROM ${emailVerificationToken}`,
      ),
    )
    .returning({ id: users.id });
  return set.length === 1;
}

/** Marks the address of a valid link as verified; of two concurrent calls one gets the user, the other null. */
export async function verifyByToken(db: Db, tokenHash: string, now: Instant): Promise<UserRow | null> {
  const [row] = await db
    .update(users)
    .set({ emailVerified: true, updatedAt: now })
    .where(
      and(
        eq(users.emailVerificationToken, tokenHash),
        eq(users.emailVerified, false),
        gt(users.emailVerificationExpiresAt, now),
      ),
    )
    .returning();
  return row ?? null;
}

export async function findUserByVerificationToken(db: Db, tokenHash: string): Promise<UserRow | null> {
  const [row] = await db.select().from(users).where(eq(users.emailVerificationToken, tokenHash));
  return row ?? null;
}

/**
 * The users who are to get the summary of the weeks before a Monday, noted as queued: of two calls the second finds none.
 * @param monday "2026-11-23"
 */
export async function takeWeeklySummaries(tx: Db, monday: string): Promise<string[]> {
  const rows = await tx
    .update(users)
    .set({ weeklySummaryUntil: monday })
    .where(
      and(
        eq(users.weeklySummary, true),
        eq(users.approved, true),
        sql`coalesce(${users.weeklySummaryUntil} < ${monday}::date, true)`,
      ),
    )
    .returning({ id: users.id });
  return rows.map(({ id }) => id);
}
