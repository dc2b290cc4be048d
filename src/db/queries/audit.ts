import type { Db } from '#db/client.ts';
import { auditLog } from '#db/schema/audit.ts';

export type AuditEntry = Omit<typeof auditLog.$inferInsert, 'id'>;

/** Writes down who did what. Give it the transaction of the change, so that neither exists without the other. */
export async function insertAudit(db: Db, entry: AuditEntry): Promise<void> {
  await db.insert(auditLog).values(entry);
}
