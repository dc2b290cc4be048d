import { sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { installation } from '#db/schema/installation.ts';
import type { DatabaseHeartbeat } from '#domain/data-rollback.ts';

type InstallationRow = typeof installation.$inferSelect;

/** What the last heartbeat left, with what is remembered of the last rollback. */
export type InstallationMark = DatabaseHeartbeat &
  Pick<InstallationRow, 'rollbackKind' | 'rollbackAt' | 'knownUntil'>;

/** Null before the first heartbeat. */
export async function readMark(db: Db): Promise<InstallationMark | null> {
  const { name, number, beatAt, file, rollbackKind, rollbackAt, knownUntil } = installation;
  const [row] = await db
    .select({
      name,
      number,
      beatAt,
      file,
      rollbackKind,
      rollbackAt,
      knownUntil,
      // PostgreSQL keeps the transaction that wrote a row, also when the row is frozen or the server is upgraded.
      isAsWritten: sql<boolean>`installation.xmin::text = ${installation.writtenBy}`,
    })
    .from(installation);
  return row ?? null;
}

/** {@link readMark}; until the end of the transaction no other process writes it, nor the file that belongs to it. */
export async function lockMark(tx: Db): Promise<InstallationMark | null> {
  await tx.execute(sql`LOCK TABLE installation IN SHARE ROW EXCLUSIVE MODE`);
  return readMark(tx);
}

/** @param tx a whole transaction: a savepoint would write another transaction number than the one read afterwards */
export async function writeMark(tx: Db, mark: Omit<InstallationMark, 'isAsWritten'>): Promise<void> {
  const row = { ...mark, writtenBy: sql<string>`pg_current_xact_id()::xid::text` };
  await tx.insert(installation).values(row).onConflictDoUpdate({ target: installation.id, set: row });
}
