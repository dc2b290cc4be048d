import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { containsPattern } from '#db/queries/catalog/listing-filter.ts';
import { findNamed } from '#db/queries/catalog/listing-search.ts';

/** Which rows of the audit log; all conditions apply together. */
export interface AuditFilter {
  /** Part of the name of the actor or the target. */
  readonly q?: string | undefined;
  /** The whole name of the actor. */
  readonly who?: string | undefined;
  readonly actions?: readonly string[] | undefined;
  readonly kind?: string | undefined;
  readonly target?: string | undefined;
  /** ISO 8601; `to` is exclusive. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** What a search text matches in the log. */
export interface AuditSearch {
  readonly names: readonly string[];
  readonly targets: readonly AuditTarget[];
}

interface AuditTarget {
  readonly kind: string;
  readonly id: string;
}

/** With more targets than this, matches are frequent: the next one is soon found when scanning back in time. */
const MAX_TARGETS = 1_000;
const MAX_NAMES = 2_000;
/** Targets that are searched in the log, since their IDs are readable. */
const NAMED_BY_ID = ['bundle', 'call', 'export', 'address', 'marketplace', 'marketplaces'];

/** All actors in the log, by name; skips from one name to the next in the index, past all rows of each. */
export async function listActors(db: Db): Promise<string[]> {
  const { rows } = await db.execute<{ actor: string }>(sql`
    WITH RECURSIVE names (actor) AS (
      SELECT min(actor) FROM audit_log
      UNION ALL
      SELECT (SELECT min(a.actor) FROM audit_log a WHERE a.actor > names.actor)
      FROM names WHERE names.actor IS NOT NULL
    ) SELECT actor FROM names WHERE actor IS NOT NULL LIMIT ${MAX_NAMES}`);
  return rows.map(({ actor }) => actor);
}

/** Looks up the actors and targets that a text matches. */
export async function searchAudit(db: Db, text: string): Promise<AuditSearch> {
  const pattern = containsPattern(text);
  const wanted = text.toLowerCase();
  const names = (await listActors(db)).filter((name) => name.toLowerCase().includes(wanted));
  const listings = (await findNamed(db, text, sql`true`)) ?? [];
  const { rows } = await db.execute<{ kind: string; id: string }>(sql`
    SELECT 'user' AS kind, id FROM users WHERE lower(username || E'\n' || full_name) LIKE ${pattern}
    UNION ALL SELECT 'rule', id::text FROM repricing_rules WHERE lower(name) LIKE ${pattern}
    UNION ALL (SELECT 'sku', id::text FROM skus WHERE sku_key LIKE ${pattern} OR name_key LIKE ${pattern}
      LIMIT ${MAX_TARGETS})
    UNION ALL SELECT kind, id FROM (${idsInLog()}) known WHERE lower(id) LIKE ${pattern}`);
  const targets = [...listings.map((id) => ({ kind: 'listing', id: String(id) })), ...rows];
  return { names, targets };
}

/** The IDs of some kinds in the log, each once. */
function idsInLog(): SQL {
  return sql`
    WITH RECURSIVE known (kind, id) AS (
      SELECT kind, (SELECT min(a.target_id) FROM audit_log a WHERE a.target_kind = kind)
      FROM unnest(${sql.param(NAMED_BY_ID)}::text[]) kind
      UNION ALL
      SELECT kind, (SELECT min(a.target_id) FROM audit_log a WHERE a.target_kind = known.kind AND a.target_id > known.id)
      FROM known WHERE id IS NOT NULL
    ) SELECT kind, id FROM known WHERE id IS NOT NULL LIMIT ${MAX_NAMES}`;
}

type Part = 'search' | 'actions';

/** The condition over `audit_log a`. @param without what the caller checks by other means */
export function auditCondition(filter: AuditFilter, search: AuditSearch | null, without?: Part): SQL {
  const { who, actions, kind, target, from, to } = filter;
  const parts: SQL[] = [sql`true`];
  if (who !== undefined) parts.push(sql`a.actor = ${who}`);
  if (actions !== undefined && without !== 'actions') {
    parts.push(sql`a.action = ANY(${sql.param(actions)}::text[])`);
  }
  if (kind !== undefined) parts.push(sql`a.target_kind = ${kind}`);
  if (target !== undefined) parts.push(sql`a.target_id = ${target}`);
  if (from !== undefined) parts.push(sql`a.at >= ${from}::timestamptz`);
  if (to !== undefined) parts.push(sql`a.at < ${to}::timestamptz`);
  if (search !== null && without !== 'search') parts.push(searchCondition(search));
  return sql.join(parts, sql` AND `);
}

function searchCondition({ names, targets }: AuditSearch): SQL {
  return sql`(a.actor = ANY(${sql.param(names)}::text[])
    OR (a.target_kind, a.target_id) IN (SELECT * FROM ${unnested(targets)}))`;
}

function unnested(targets: readonly AuditTarget[]): SQL {
  const kinds = targets.map(({ kind }) => kind);
  const ids = targets.map(({ id }) => id);
  return sql`unnest(${sql.param(kinds)}::text[], ${sql.param(ids)}::text[])`;
}

/** Start and direction of a page. */
export interface AuditSpan {
  /** Rows older or newer than the cursor, or the newest rows. */
  readonly from: { readonly at: string; readonly id: string } | null;
  readonly isBackwards: boolean;
  readonly limit: number;
}

/**
 * The keys of a page. Each part of a filter is scanned in its own index, in the order of the list and only for the
 * length of the page, so that the size of the log does not matter.
 */
export function auditKeys(filter: AuditFilter, search: AuditSearch | null, span: AuditSpan): SQL {
  const { from, isBackwards, limit } = span;
  const isAhead =
    from === null
      ? sql`true`
      : sql`(a.at, a.id) ${isBackwards ? sql`>` : sql`<`} (${from.at}::timestamptz, ${from.id}::bigint)`;
  const order = isBackwards ? sql`at, id` : sql`at DESC, id DESC`;
  const firstKeys = (own: SQL): SQL =>
    sql`(SELECT a.id, a.at FROM audit_log a WHERE ${own} AND ${isAhead} ORDER BY ${order} LIMIT ${limit})`;
  const parts = keysByIndex(filter, search, firstKeys);
  return sql`SELECT id FROM (${sql.join(parts, sql` UNION `)}) keys ORDER BY ${order} LIMIT ${limit}`;
}

function keysByIndex(filter: AuditFilter, search: AuditSearch | null, firstKeys: (own: SQL) => SQL): SQL[] {
  const each = (source: SQL, own: SQL): SQL =>
    sql`SELECT page.id, page.at FROM ${source} CROSS JOIN LATERAL ${firstKeys(own)} page`;
  if (search !== null && search.targets.length <= MAX_TARGETS && filter.target === undefined) {
    const rest = auditCondition(filter, search, 'search');
    return [
      each(
        sql`unnest(${sql.param(search.names)}::text[]) named (name)`,
        sql`a.actor = named.name AND ${rest}`,
      ),
      each(
        sql`${unnested(search.targets)} named (kind, id)`,
        sql`a.target_kind = named.kind AND a.target_id = named.id AND ${rest}`,
      ),
    ];
  }
  const { actions, who, target } = filter;
  if (actions !== undefined && who === undefined && target === undefined && search === null) {
    const rest = auditCondition(filter, search, 'actions');
    return [
      each(
        sql`unnest(${sql.param(actions)}::text[]) named (action)`,
        sql`a.action = named.action AND ${rest}`,
      ),
    ];
  }
  return [firstKeys(auditCondition(filter, search))];
}
