import { and, desc, eq, inArray } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { auditLog } from '#db/schema/audit.ts';
import type { AuditAction } from '#domain/audit-actions.ts';

export type AuditEntry = Omit<typeof auditLog.$inferInsert, 'id'>;

/** Writes down who did what. Give it the transaction of the change, so that neither exists without the other. */
export async function insertAudit(db: Db, entry: AuditEntry): Promise<void> {
  await db.insert(auditLog).values(redacted(entry));
}

/** Writes many rows of the audit log at once. */
export async function insertAudits(tx: Db, entries: readonly AuditEntry[]): Promise<void> {
  if (entries.length > 0) await tx.insert(auditLog).values(entries.map(redacted));
}

/** Shown in place of a stored secret. */
const MASK = '********';
/** Matches names that end like a secret: "newPassword", "veeqoApiKey", "recovery_codes". */
const SECRET_NAME =
  /(password|passphrase|secret|token|api_?key|private_?key|master_?key|keystring|cert_?id|otp|recovery_?codes?|hash|cookie)$/i;

/** The last defense: callers leave secrets out, and values with a secret's name are masked here. */
function redacted(entry: AuditEntry): AuditEntry {
  return { ...entry, before: maskedRecord(entry.before), after: maskedRecord(entry.after) };
}

function maskedRecord(record: AuditEntry['before']): AuditEntry['before'] {
  if (record === null || record === undefined) return record;
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, masked(name, value)]));
}

/** Masks texts and numbers under the name of a secret; whether there is one (true, null, "") stays visible. */
function masked(name: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((part) => masked(name, part));
  if (value instanceof Date) return value;
  if (typeof value === 'object' && value !== null) return maskedRecord({ ...value });
  const isText = typeof value === 'string' ? value !== '' : typeof value === 'number';
  return isText && SECRET_NAME.test(name) ? MASK : value;
}

/**
 * Who changed something last, and when; null when the audit log has no row of it.
 * @param actions those that count; undefined where all do
 */
export async function readLastChange(
  db: Db,
  targetKind: string,
  targetId: string,
  actions?: readonly AuditAction[],
): Promise<Pick<typeof auditLog.$inferSelect, 'actor' | 'at' | 'after'> | null> {
  const [row] = await db
    .select({ actor: auditLog.actor, at: auditLog.at, after: auditLog.after })
    .from(auditLog)
    .where(
      and(
        eq(auditLog.targetKind, targetKind),
        eq(auditLog.targetId, targetId),
        actions && inArray(auditLog.action, [...actions]),
      ),
    )
    .orderBy(desc(auditLog.id))
    .limit(1);
  return row ?? null;
}
