import { and, eq, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { users } from '#db/schema/accounts.ts';
import { savedViews } from '#db/schema/views.ts';
import type { Instant } from '#domain/units.ts';

export type ViewRow = typeof savedViews.$inferSelect;
export type NewViewRow = Pick<ViewRow, 'ownerId' | 'list' | 'name' | 'query' | 'layout' | 'isShared'>;
export type ViewChange = Pick<ViewRow, 'name' | 'query' | 'layout' | 'isShared'>;
/** A view with the full name of its owner. */
export type OwnedView = ViewRow & { readonly owner: string };

/** Views of a list that a user sees: their own by name, then shared ones. */
export async function listViews(db: Db, list: ViewRow['list'], userId: string): Promise<OwnedView[]> {
  const isMine = sql`${savedViews.ownerId} = ${userId}`;
  const rows = await db
    .select({ view: savedViews, owner: users.fullName })
    .from(savedViews)
    .innerJoin(users, eq(users.id, savedViews.ownerId))
    .where(
      and(
        eq(savedViews.list, list),
        sql`${savedViews.deletedAt} is null`,
        sql`(${isMine} or ${savedViews.isShared})`,
      ),
    )
    .orderBy(sql`${isMine} desc`, sql`lower(${savedViews.name})`, savedViews.id);
  return rows.map(({ view, owner }) => ({ ...view, owner }));
}

/** A view, deleted or not; locked until the transaction ends. */
export async function lockView(db: Db, id: number): Promise<OwnedView | null> {
  const [row] = await db
    .select({ view: savedViews, owner: users.fullName })
    .from(savedViews)
    .innerJoin(users, eq(users.id, savedViews.ownerId))
    .where(eq(savedViews.id, id))
    .for('update', { of: savedViews });
  return row === undefined ? null : { ...row.view, owner: row.owner };
}

/**
 * A user's live views of a list, by name. No other transaction writes views of this user until this one ends.
 */
export async function lockViewNames(
  db: Db,
  ownerId: string,
  list: ViewRow['list'],
): Promise<{ id: number; name: string }[]> {
  await db.execute(sql`SELECT FROM users WHERE id = ${ownerId} FOR NO KEY UPDATE`);
  return db
    .select({ id: savedViews.id, name: savedViews.name })
    .from(savedViews)
    .where(
      and(eq(savedViews.ownerId, ownerId), eq(savedViews.list, list), sql`${savedViews.deletedAt} is null`),
    );
}

/** @returns its ID */
export async function insertView(db: Db, view: NewViewRow, now: Instant): Promise<number> {
  const [row] = await db
    .insert(savedViews)
    .values({ ...view, createdAt: now, updatedAt: now })
    .returning({ id: savedViews.id });
  if (row === undefined) throw new Error('An insert answered no row.');
  return row.id;
}

export async function updateView(db: Db, id: number, change: ViewChange, now: Instant): Promise<void> {
  await db
    .update(savedViews)
    .set({ ...change, version: sql`${savedViews.version} + 1`, updatedAt: now })
    .where(eq(savedViews.id, id));
}

/** @param deletedAt null restores it */
export async function markViewDeleted(db: Db, id: number, deletedAt: Instant | null): Promise<void> {
  await db.update(savedViews).set({ deletedAt }).where(eq(savedViews.id, id));
}
