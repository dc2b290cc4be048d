import { and, asc, eq, inArray, isNull, lt, type SQL, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { apiTokens, users } from '#db/schema/accounts.ts';
import type { Instant } from '#domain/units.ts';
import { moment, type SessionMoment } from './sessions.ts';
import type { UserRow } from './users.ts';

export type NewApiToken = Pick<
  typeof apiTokens.$inferInsert,
  'tokenHash' | 'userId' | 'name' | 'scopes' | 'callsPerMinute' | 'createdAt' | 'expiresAt'
>;

/** A token for lists, without its hash. */
export type ListedApiToken = Omit<
  typeof apiTokens.$inferSelect,
  'tokenHash' | 'minuteStartedAt' | 'minuteCalls'
> & { readonly username: string; readonly isExpired: boolean };

/** A token that a program sent, with its user's current row. */
export interface FoundApiToken extends Pick<typeof apiTokens.$inferSelect, 'id' | 'name' | 'scopes'> {
  readonly isExpired: boolean;
  readonly user: UserRow;
}

/** Stores a token; null when the user has one of that name, ignoring case. */
export async function insertApiToken(tx: Db, token: NewApiToken): Promise<{ readonly id: string } | null> {
  const [row] = await tx
    .insert(apiTokens)
    .values(token)
    .onConflictDoNothing()
    .returning({ id: apiTokens.id });
  return row ?? null;
}

const isExpired = (at: SessionMoment): SQL<boolean> => sql<boolean>`${apiTokens.expiresAt} <= ${moment(at)}`;

/** The tokens of a user, or of all users, by user and name. */
export async function listApiTokens(
  db: Db,
  userId: string | null,
  at: SessionMoment,
): Promise<ListedApiToken[]> {
  const { id, name, scopes, callsPerMinute, createdAt, expiresAt, lastUsedAt, lastNetwork } = apiTokens;
  const columns = { id, name, scopes, callsPerMinute, createdAt, expiresAt, lastUsedAt, lastNetwork };
  return db
    .select({ ...columns, userId: apiTokens.userId, username: users.username, isExpired: isExpired(at) })
    .from(apiTokens)
    .innerJoin(users, eq(users.id, apiTokens.userId))
    .where(userId === null ? undefined : eq(apiTokens.userId, userId))
    .orderBy(asc(users.username), sql`lower(${apiTokens.name})`);
}

export async function countApiTokens(tx: Db, userId: string): Promise<number> {
  return tx.$count(apiTokens, eq(apiTokens.userId, userId));
}

/** The token of a hash, expired ones too; null when there is none, or its user may no longer log in. */
export async function findApiTokenByHash(
  db: Db,
  hash: string,
  at: SessionMoment,
): Promise<FoundApiToken | null> {
  const [row] = await tokenOf(db, hash, at);
  return row ?? null;
}

/** {@link findApiTokenByHash}; locked against its end until the end of the transaction. */
export async function holdApiTokenByHash(
  tx: Db,
  hash: string,
  at: SessionMoment,
): Promise<FoundApiToken | null> {
  // Only its key: the count of another call need not wait.
  const [row] = await tokenOf(tx, hash, at).for('key share', { of: apiTokens });
  return row ?? null;
}

function tokenOf(db: Db, hash: string, at: SessionMoment) {
  return db
    .select({
      id: apiTokens.id,
      name: apiTokens.name,
      scopes: apiTokens.scopes,
      isExpired: isExpired(at),
      user: users,
    })
    .from(apiTokens)
    .innerJoin(users, eq(users.id, apiTokens.userId))
    .where(and(eq(apiTokens.tokenHash, hash), eq(users.approved, true), eq(users.emailVerified, true)));
}

/**
 * Counts a call of a token and notes hour and network. One statement, so that of any number of calls at once, in any
 * number of processes, exactly the allowed ones pass.
 * @returns seconds until the next call is allowed; 0 when this one is
 */
export async function countApiCall(db: Db, id: string, network: string, at: SessionMoment): Promise<number> {
  const now = moment(at);
  const isOver = sql`coalesce(${apiTokens.minuteStartedAt} <= ${now} - interval '1 minute' or ${apiTokens.minuteStartedAt} > ${now}, true)`;
  const [row] = await db
    .update(apiTokens)
    .set({
      minuteStartedAt: sql`case when ${isOver} then ${now} else ${apiTokens.minuteStartedAt} end`,
      minuteCalls: sql`case when ${isOver} then 1 else least(${apiTokens.minuteCalls}, ${apiTokens.callsPerMinute}) + 1 end`,
      lastUsedAt: sql`date_trunc('hour', ${now})`,
      lastNetwork: network,
    })
    .where(eq(apiTokens.id, id))
    .returning({
      wait: sql<number>`case when ${apiTokens.minuteCalls} <= ${apiTokens.callsPerMinute} then 0
        else greatest(1, ceil(date_part('epoch', ${apiTokens.minuteStartedAt} + interval '1 minute' - ${now})))::int end`,
    });
  return row?.wait ?? 0;
}

/** Deletes a token, of any user or of one. @returns what it was; null when there is none */
export async function deleteApiToken(
  tx: Db,
  id: string,
  userId: string | null,
): Promise<Pick<ListedApiToken, 'name' | 'scopes' | 'userId'> | null> {
  const { name, scopes } = apiTokens;
  const isTheirs = userId === null ? undefined : eq(apiTokens.userId, userId);
  const [row] = await tx
    .delete(apiTokens)
    .where(and(eq(apiTokens.id, id), isTheirs))
    .returning({ name, scopes, userId: apiTokens.userId });
  return row ?? null;
}

/** Deletes every token of a user. Needs the transaction that changes the user's rights. */
export async function deleteApiTokensOf(tx: Db, userId: string): Promise<void> {
  await tx.delete(apiTokens).where(eq(apiTokens.userId, userId));
}

/** Deletes the tokens of users without a password, who log in with the identity provider alone. @returns how many */
export async function deleteApiTokensOfProviderUsers(tx: Db): Promise<number> {
  const theirs = tx.select({ id: users.id }).from(users).where(isNull(users.password));
  const { rowCount } = await tx.delete(apiTokens).where(inArray(apiTokens.userId, theirs));
  return rowCount ?? 0;
}

/** Deletes all tokens of all users. @returns how many there were */
export async function deleteAllApiTokens(tx: Db): Promise<number> {
  const { rowCount } = await tx.delete(apiTokens);
  return rowCount ?? 0;
}

/** Deletes tokens that expired before a time. @returns how many there were */
export async function deleteApiTokensExpiredBefore(tx: Db, before: Instant): Promise<number> {
  const { rowCount } = await tx.delete(apiTokens).where(lt(apiTokens.expiresAt, before));
  return rowCount ?? 0;
}

/** Names the token for the rows of the audit log that this transaction writes. */
export async function nameTokenOf(tx: Db, name: string): Promise<void> {
  await tx.execute(sql`SELECT set_config('pricewright.api_token', ${name}, true)`);
}
