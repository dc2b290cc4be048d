import { and, desc, eq } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { auditLog } from '#db/schema/audit.ts';

export type AuditEntry = Omit<typeof auditLog.$inferInsert, 'id'>;

/** Writes down who did what. Give it the transaction of the change, so that neither exists without the other. */
export async function insertAudit(db: Db, entry: AuditEntry): Promise<void> {
  await db.insert(auditLog).values(entry);
}

/** The name of whoever changed something last; null when the log does not know. */
export async function readLastActor(db: Db, targetKind: string, targetId: string): Promise<string | null> {
  const [row] = await db
    .select({ actor: auditLog.actor })
    .from(auditLog)
    .where(and(eq(auditLog.targetKind, targetKind), eq(auditLog.targetId, targetId)))
    .orderBy(desc(auditLog.id))
    .limit(1);
  return row?.actor ?? null;
}
