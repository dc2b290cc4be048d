import { sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';

/** As after a batch that has decided everything. */
export async function forgetDue(db: Db): Promise<void> {
  await db.execute(sql`delete from due_listings`);
}

/** SKUs of the listings that wait to be decided, with why. */
export async function dueSkus(db: Db): Promise<string[]> {
  const { rows } = await db.execute<{ name: string }>(
    sql`select l.marketplace || ' ' || l.sku || ': ' || d.cause as name
      from due_listings d join listings l on l.id = d.listing_id order by 1`,
  );
  return rows.map(({ name }) => name);
}

/** The audit rows of an action, without who and when. */
export async function auditOf(
  db: Db,
  action: string,
): Promise<{ actor: string | null; before: unknown; after: unknown }[]> {
  const { rows } = await db.execute<{ actor: string | null; before: unknown; after: unknown }>(
    sql`select actor, before, after from audit_log where action = ${action} order by id`,
  );
  return rows;
}
