import { and, asc, eq, gte, inArray, type SQL, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { auditLog } from '#db/schema/audit.ts';
import type { AuditAction } from '#domain/audit-actions.ts';
import type { Instant } from '#domain/units.ts';

/** The effect of one action on one listing, from the audit log. */
export interface ActionAudit {
  readonly listingId: number;
  readonly action: AuditAction;
  readonly before: Readonly<Record<string, unknown>>;
  readonly after: Readonly<Record<string, unknown>>;
}

/** An action: its request, and the user who sent it. */
export interface ActionOf {
  readonly requestId: string;
  readonly actorId: string;
}

const madeIn = ({ requestId, actorId }: ActionOf, actions: readonly AuditAction[]): SQL | undefined =>
  and(
    eq(auditLog.targetKind, 'listing'),
    eq(auditLog.requestId, requestId),
    eq(auditLog.actorId, actorId),
    inArray(auditLog.action, [...actions]),
  );

/**
 * The effect of an action on these listings; one row each. An interrupted job may have done a batch twice: then
 * `before` is from the first time, and `after` from the last.
 */
export async function readActionAudits(
  tx: Db,
  act: ActionOf,
  actions: readonly AuditAction[],
  ids: readonly number[],
): Promise<ActionAudit[]> {
  const rows = await tx
    .select()
    .from(auditLog)
    .where(and(madeIn(act, actions), sql`${auditLog.targetId} = ANY(${sql.param(ids.map(String))}::text[])`))
    .orderBy(asc(auditLog.id));
  const audits = new Map<number, ActionAudit>();
  for (const { targetId, action, before, after } of rows) {
    const listingId = Number(targetId);
    const first = audits.get(listingId)?.before ?? before ?? {};
    audits.set(listingId, { listingId, action, before: first, after: after ?? {} });
  }
  return [...audits.values()];
}

/**
 * The listings that an action changed since a time, ascending, each with the run of its price; null if none changed.
 */
export async function readActionListings(
  tx: Db,
  act: ActionOf,
  actions: readonly AuditAction[],
  since: Instant,
): Promise<{ readonly id: number; readonly runId: number | null }[]> {
  const rows = await tx
    .selectDistinct({
      id: sql<string>`${auditLog.targetId}::bigint`,
      runId: sql<string | null>`(${auditLog.after} ->> 'run')::bigint`,
    })
    .from(auditLog)
    .where(and(madeIn(act, actions), gte(auditLog.at, since)))
    .orderBy(sql`1`);
  return rows.map(({ id, runId }) => ({ id: Number(id), runId: runId === null ? null : Number(runId) }));
}
