import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { readingList } from '#db/list-reading.ts';
import { eachBatch } from '#db/row-batches.ts';
import { isoText } from '#db/sql-values.ts';
import { type AuditFilter, auditCondition, auditKeys, searchAudit } from './audit-filter.ts';

/** A row of the audit log with the current name of its target, or its name at that time. */
export type AuditListRow = {
  readonly id: string;
  /** ISO 8601 in UTC. */
  readonly at: string;
  readonly actorId: string | null;
  readonly actor: string | null;
  /** The name of the API token that it was done with. */
  readonly token: string | null;
  readonly action: string;
  readonly targetKind: string | null;
  readonly targetId: string | null;
  readonly targetName: string | null;
  readonly before: Record<string, unknown> | null;
  readonly after: Record<string, unknown> | null;
  readonly address: string | null;
  readonly requestId: string | null;
};

/** A page: with neither cursor the newest rows. */
export interface AuditPageQuery extends AuditFilter {
  readonly before?: string | undefined;
  readonly after?: string | undefined;
  readonly size: number;
}

export interface AuditListPage {
  /** Newest first. */
  readonly rows: readonly AuditListRow[];
  /** Cursors of the adjacent pages; null where there is none. */
  readonly older: string | null;
  readonly newer: string | null;
}

/** One page, found by its position in time and not by counting: every page takes equally long. */
export async function readAudit(
  db: Db,
  { before, after, size, ...filter }: AuditPageQuery,
): Promise<AuditListPage> {
  return readingList(db, async (snapshot) => {
    const search = filter.q ? await searchAudit(snapshot, filter.q) : null;
    const isBackwards = after !== undefined;
    const from = placeOf(after ?? before);
    // One more than requested shows whether there are more.
    const keys = auditKeys(filter, search, { from, isBackwards, limit: size + 1 });
    const { rows } = await snapshot.execute<AuditListRow>(
      sql`WITH page AS MATERIALIZED (${keys}) ${wide(sql`page JOIN audit_log a USING (id)`)}`,
    );
    const hasMore = rows.length > size;
    const shown = isBackwards ? rows.slice(hasMore ? 1 : 0) : rows.slice(0, size);
    const [first] = shown;
    const last = shown.at(-1);
    const hasOlder = isBackwards || hasMore;
    const hasNewer = isBackwards ? hasMore : before !== undefined;
    return {
      rows: shown,
      older: hasOlder && last !== undefined ? cursorOf(last) : null,
      newer: hasNewer && first !== undefined ? cursorOf(first) : null,
    };
  });
}

/** Passes on the rows of a filter, newest first, batch by batch. */
export async function eachAuditRow(
  db: Db,
  filter: AuditFilter,
  onRows: (rows: AuditListRow[]) => Promise<void>,
): Promise<void> {
  await eachBatch<AuditListRow>(
    db,
    async (snapshot) => {
      const search = filter.q ? await searchAudit(snapshot, filter.q) : null;
      return wide(sql`(SELECT * FROM audit_log a WHERE ${auditCondition(filter, search)}) a`);
    },
    onRows,
  );
}

function cursorOf({ at, id }: AuditListRow): string {
  return `${at}_${id}`;
}

function placeOf(cursor: string | undefined): { at: string; id: string } | null {
  const [at, id] = cursor?.split('_') ?? [];
  return at === undefined || id === undefined ? null : { at, id };
}

/** Only digits are an ID of ours: an entry of another release must not break a page. */
const numbered = (kind: string): SQL =>
  sql`CASE WHEN a.target_kind = ${kind} AND a.target_id ~ '^[0-9]{1,15}$' THEN a.target_id::bigint END`;

function wide(source: SQL): SQL {
  return sql`SELECT a.id::text AS id, ${isoText(sql`a.at`)} AS at, a.actor_id AS "actorId", a.actor, a.token, a.action,
      a.target_kind AS "targetKind", a.target_id AS "targetId",
      coalesce(u.username, l.sku, s.sku, r.name, v.name, a.before->>'username', a.before->>'sku', a.after->>'sku',
        a.before->>'name', a.after->>'name') AS "targetName",
      a.before, a.after, a.address, a.request_id AS "requestId"
    FROM ${source}
    LEFT JOIN users u ON a.target_kind = 'user' AND u.id = a.target_id
    LEFT JOIN listings l ON l.id = ${numbered('listing')}
    LEFT JOIN skus s ON s.id = ${numbered('sku')}
    LEFT JOIN repricing_rules r ON r.id = ${numbered('rule')}
    LEFT JOIN saved_views v ON v.id = ${numbered('view')}
    ORDER BY a.at DESC, a.id DESC`;
}
