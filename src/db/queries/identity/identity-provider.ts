import { and, eq, inArray, ne, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { identityProvider, loginIdentities, providerLogins, sessions, users } from '#db/schema/accounts.ts';
import type { Instant } from '#domain/units.ts';

export type ProviderRow = typeof identityProvider.$inferSelect;
export type LoginIdentity = typeof loginIdentities.$inferSelect;
export type ProviderLogin = typeof providerLogins.$inferSelect;

/** The identity provider; null before it is set up. */
export async function readProvider(db: Db): Promise<ProviderRow | null> {
  const [row] = await db.select().from(identityProvider);
  return row ?? null;
}

/** {@link readProvider}, locked against a change until the end of the transaction. */
export async function shareProvider(tx: Db): Promise<ProviderRow | null> {
  const [row] = await tx.select().from(identityProvider).for('share');
  return row ?? null;
}

/** {@link readProvider}, locked for a change until the end of the transaction. */
export async function lockProvider(tx: Db): Promise<ProviderRow | null> {
  // Also where there is no row yet: of two first saves one waits.
  await tx.execute(sql`LOCK TABLE ${identityProvider} IN SHARE ROW EXCLUSIVE MODE`);
  return readProvider(tx);
}

/** Stores the identity provider under the next version. */
export async function writeProvider(
  tx: Db,
  row: Omit<ProviderRow, 'id' | 'version' | 'updatedAt'>,
  at: Instant,
): Promise<ProviderRow> {
  const values = { ...row, updatedAt: at };
  const [stored] = await tx
    .insert(identityProvider)
    .values(values)
    .onConflictDoUpdate({
      target: identityProvider.id,
      set: { ...values, version: sql`${identityProvider.version} + 1` },
    })
    .returning();
  if (stored === undefined) throw new Error('The identity provider was not stored.');
  return stored;
}

/** Ends every session that was begun with the identity provider, except one. @returns their ids */
export async function deleteProviderSessions(tx: Db, keptId: string | null): Promise<string[]> {
  const others = keptId === null ? undefined : ne(sessions.id, keptId);
  return idsOf(
    await tx
      .delete(sessions)
      .where(and(eq(sessions.byProvider, true), others))
      .returning(ID),
  );
}

/** Ends the sessions of a user that were begun with the identity provider. @returns their ids */
export async function deleteProviderSessionsOf(tx: Db, userId: string): Promise<string[]> {
  const theirs = and(eq(sessions.byProvider, true), eq(sessions.userId, userId));
  return idsOf(await tx.delete(sessions).where(theirs).returning(ID));
}

/** Ends the sessions that users who are no administrators have begun with a password. @returns their ids */
export async function deletePasswordSessionsOfUsers(tx: Db): Promise<string[]> {
  const ofUsers = tx.select({ id: users.id }).from(users).where(ne(users.role, 'admin'));
  const theirs = and(eq(sessions.byProvider, false), inArray(sessions.userId, ofUsers));
  return idsOf(await tx.delete(sessions).where(theirs).returning(ID));
}

const ID = { id: sessions.id };

function idsOf(rows: ReadonlyArray<{ readonly id: string }>): string[] {
  return rows.map(({ id }) => id);
}

/** Stores a login that was begun. */
export async function insertProviderLogin(db: Db, login: ProviderLogin): Promise<void> {
  await db.insert(providerLogins).values(login);
}

/** Consumes a login when the browser comes back: of two concurrent returns one gets it. */
export async function takeProviderLogin(db: Db, tokenHash: string): Promise<ProviderLogin | null> {
  const [row] = await db.delete(providerLogins).where(eq(providerLogins.tokenHash, tokenHash)).returning();
  return row ?? null;
}

/** An identity, locked until the end of the transaction; null before its first login. */
export async function lockIdentity(
  tx: Db,
  { issuer, subject }: Pick<LoginIdentity, 'issuer' | 'subject'>,
): Promise<LoginIdentity | null> {
  const [row] = await tx
    .select()
    .from(loginIdentities)
    .where(and(eq(loginIdentities.issuer, issuer), eq(loginIdentities.subject, subject)))
    .for('update');
  return row ?? null;
}

/** The identity of a user at an issuer; null when they are not linked. */
export async function findIdentityOf(db: Db, userId: string, issuer: string): Promise<LoginIdentity | null> {
  const [row] = await db
    .select()
    .from(loginIdentities)
    .where(and(eq(loginIdentities.userId, userId), eq(loginIdentities.issuer, issuer)));
  return row ?? null;
}

/** The issuers at which a user is linked. */
export async function listIssuersOf(db: Db, userId: string): Promise<string[]> {
  const { issuer } = loginIdentities;
  const rows = await db.select({ issuer }).from(loginIdentities).where(eq(loginIdentities.userId, userId));
  return rows.map((row) => row.issuer);
}

/** Ends every link of a user to an identity provider. @returns how many there were */
export async function unlinkUser(tx: Db, userId: string): Promise<number> {
  const { rowCount } = await tx.delete(loginIdentities).where(eq(loginIdentities.userId, userId));
  return rowCount ?? 0;
}

/** Links an identity to a user: a new one, or one whose account was removed. */
export async function linkIdentity(
  tx: Db,
  { issuer, subject, userId }: Pick<LoginIdentity, 'issuer' | 'subject'> & { readonly userId: string },
  at: Instant,
): Promise<void> {
  await tx
    .insert(loginIdentities)
    .values({ issuer, subject, userId, linkedAt: at, lastLoginAt: at })
    .onConflictDoUpdate({
      target: [loginIdentities.issuer, loginIdentities.subject],
      set: { userId, linkedAt: at, lastLoginAt: at },
    });
}

/** Notes a login. */
export async function noteLogin(
  tx: Db,
  { issuer, subject }: Pick<LoginIdentity, 'issuer' | 'subject'>,
  at: Instant,
): Promise<void> {
  await tx
    .update(loginIdentities)
    .set({ lastLoginAt: at })
    .where(and(eq(loginIdentities.issuer, issuer), eq(loginIdentities.subject, subject)));
}
