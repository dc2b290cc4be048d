import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { containsPattern, namedCondition } from '#db/queries/catalog/listing-filter.ts';
import { findNamed } from '#db/queries/catalog/listing-search.ts';
import type { PriceSource } from '#db/schema/prices.ts';
import { timestamptz } from '#db/sql-values.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import type { Instant } from '#domain/units.ts';

/** Which price changes; all conditions apply together. */
export interface HistoryFilter {
  /** Part of SKU or title. */
  readonly q?: string | undefined;
  readonly marketplace?: Marketplace | undefined;
  /** `ours`: everything but imports and external edits; `repricing`: by rules, and applied recommendations. */
  readonly source?: PriceSource | 'ours' | 'repricing' | undefined;
  /** Part of the name of the user or the rule. */
  readonly changedBy?: string | undefined;
  /** Counted back from the current time. */
  readonly days?: number | undefined;
  /** Inclusive. */
  readonly since?: Instant | undefined;
  /** Exclusive. */
  readonly until?: Instant | undefined;
  /** Digits. */
  readonly listing?: string | undefined;
  readonly run?: string | undefined;
  /** Digits; `none`: changes without a rule. */
  readonly rule?: string | undefined;
  /** Only changes by runs. */
  readonly isOfRuns?: boolean | undefined;
}

/** Prices that we changed ourselves; imports and external edits are not. */
export const OURS: SQL = sql`h.source IN ('rule', 'person', 'apply', 'undo', 'repair')`;

/** Prices that repricing decided: applied automatically, or by users. */
export const REPRICED: SQL = sql`h.source IN ('rule', 'apply')`;

const DAY = 86_400_000;
/** Up to this many listings, whole ledgers are read; for more, the history is scanned back in time. */
const FEW_LISTINGS = 2_000;

/**
 * `FROM ... WHERE ...` with `price_history h`, for a page, a count or a file.
 * @param few up to this many listings, whole ledgers are read
 * @param rows another source of rows with the same columns
 */
export async function historyFrom(
  db: Db,
  filter: HistoryFilter,
  now: Instant,
  few = FEW_LISTINGS,
  rows = sql`price_history`,
): Promise<SQL> {
  const { source, changedBy, listing, run, rule, isOfRuns } = filter;
  const parts: SQL[] = [sql`true`, ...timeConditions(filter, now)];
  if (source === 'ours') parts.push(OURS);
  else if (source === 'repricing') parts.push(REPRICED);
  else if (source !== undefined) parts.push(sql`h.source = ${source}`);
  if (listing !== undefined) parts.push(sql`h.listing_id = ${listing}::bigint`);
  if (run !== undefined) parts.push(sql`h.run_id = ${run}::bigint`);
  if (rule === 'none') parts.push(sql`h.rule_id IS NULL`);
  else if (rule !== undefined) parts.push(sql`h.rule_id = ${rule}::bigint`);
  if (isOfRuns === true) parts.push(sql`h.run_id IS NOT NULL`);
  if (changedBy) parts.push(await changedByCondition(db, changedBy));
  const listings = await listingsCondition(db, filter, few);
  if (listings !== null) parts.push(listings);
  return sql`FROM ${rows} h WHERE ${sql.join(parts, sql` AND `)}`;
}

function timeConditions({ days, since, until }: HistoryFilter, now: Instant): SQL[] {
  const at = (moment: number): SQL => timestamptz(moment);
  return [
    ...(days === undefined ? [] : [sql`h.timestamp > ${at(now - days * DAY)}`]),
    ...(since === undefined ? [] : [sql`h.timestamp >= ${at(since)}`]),
    ...(until === undefined ? [] : [sql`h.timestamp < ${at(until)}`]),
  ];
}

async function listingsCondition(
  db: Db,
  { q, marketplace }: HistoryFilter,
  few: number,
): Promise<SQL | null> {
  if (!q && marketplace === undefined) return null;
  const named = q ? await findNamed(db, q, sql`true`) : null;
  if (named !== null && marketplace === undefined) return ofListings(named, few);
  const parts: SQL[] = [];
  if (marketplace !== undefined) parts.push(sql`k.marketplace = ${marketplace}`);
  if (named !== null) parts.push(sql`k.listing_id = ANY(${sql.param(named)}::bigint[])`);
  else if (q) parts.push(namedCondition(q));
  const condition = sql.join(parts, sql` AND `);
  if (q && named === null) {
    // A short or common text: a change of such a listing is soon found when scanning back in time.
    return sql`EXISTS (SELECT FROM listing_keys k WHERE k.listing_id = h.listing_id AND ${condition})`;
  }
  // Separate, because each half has an index of its own.
  const listings = sql`SELECT k.listing_id AS id FROM listing_keys k WHERE k.is_live AND ${condition}
    UNION ALL SELECT k.listing_id FROM listing_keys k WHERE NOT k.is_live AND ${condition}`;
  const ids = await idsOf(db, sql`${listings} LIMIT ${few + 1}`);
  if (ids.length <= few) return ofListings(ids, few);
  return sql`(h.listing_id IN (${listings})) IS TRUE`;
}

/** IS TRUE keeps a set from becoming a join: it is hashed once and probed while scanning back in time. */
function ofListings(ids: readonly (number | string)[], few: number): SQL {
  return ids.length > few
    ? sql`(h.listing_id IN (SELECT unnest(${sql.param(ids)}::bigint[]))) IS TRUE`
    : sql`h.listing_id = ANY(${sql.param(ids)}::bigint[])`;
}

/** Names are searched first: the few that match lead to their rows by index. */
async function changedByCondition(db: Db, text: string): Promise<SQL> {
  const pattern = containsPattern(text);
  const rules = await idsOf(db, sql`SELECT id FROM repricing_rules WHERE lower(name) LIKE ${pattern}`);
  // Skips from one name to the next in the index, past all rows of each.
  const { rows } = await db.execute<{ actor: string }>(sql`
    WITH RECURSIVE names (actor) AS (
      SELECT min(actor) FROM price_history WHERE actor IS NOT NULL
      UNION ALL
      SELECT (SELECT min(h.actor) FROM price_history h WHERE h.actor > names.actor) FROM names WHERE names.actor IS NOT NULL
    ) SELECT actor FROM names WHERE lower(actor) LIKE ${pattern}`);
  const actors = rows.map((row) => row.actor);
  const [actor, ...otherActors] = actors;
  const [rule, ...otherRules] = rules;
  // One user or one rule: their rows are in index order.
  if (rule === undefined && actor !== undefined && otherActors.length === 0) return sql`h.actor = ${actor}`;
  if (actor === undefined && rule !== undefined && otherRules.length === 0) {
    return sql`h.rule_id = ${rule}::bigint`;
  }
  return sql`(h.actor = ANY(${sql.param(actors)}::text[]) OR h.rule_id = ANY(${sql.param(rules)}::bigint[]))`;
}

async function idsOf(db: Db, statement: SQL): Promise<string[]> {
  const { rows } = await db.execute<{ id: string }>(statement);
  return rows.map((row) => row.id);
}
