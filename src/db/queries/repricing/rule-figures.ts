import { sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { timestamptz } from '#db/sql-values.ts';
import { hours, type Instant } from '#domain/units.ts';

/** A line of a rule that decides listings, from 1. */
interface LineFigures {
  readonly line: number;
  readonly listings: number;
  /** Of them, those whose price it keeps. */
  readonly held: number;
}

/** What a rule does now. The listings of a rule with lines are in exactly one of `lines` and the four counts after it. */
export interface RuleFigures {
  /** Listings that it prices. */
  readonly appliedTo: number;
  /** Listings that it is assigned to. */
  readonly own: number;
  /** The lines that decide a listing, in order. */
  readonly lines: readonly LineFigures[];
  readonly noLine: number;
  readonly notRead: number;
  readonly blocked: number;
  /** Not decided since the lines were saved, or by the rule of another listing with the same price. */
  readonly unknown: number;
  /** Listings at their margin floor, and those whose margin floor is known. */
  readonly atMarginFloor: number;
  readonly knownFloors: number;
  /** Price changes by it within 24 hours. */
  readonly changes: number;
}

/** Of a rule that has done nothing. */
export const NO_FIGURES: RuleFigures = {
  appliedTo: 0,
  own: 0,
  lines: [],
  noLine: 0,
  notRead: 0,
  blocked: 0,
  unknown: 0,
  atMarginFloor: 0,
  knownFloors: 0,
  changes: 0,
};

const DAY = hours(24);

type Kind = 'line' | 'strategy' | 'noLine' | 'notRead' | 'blocked' | 'unknown' | 'own' | 'changes';

type Row = Record<string, unknown> & {
  readonly ruleId: number;
  readonly kind: Kind;
  readonly line: number | null;
  readonly count: number;
  readonly held: number;
  readonly atFloor: number;
  readonly floors: number;
};

/**
 * What became of a listing. Due since before its rule got its lines: decided by former ones, whose numbers meant others.
 */
const KIND = sql`CASE
  WHEN r.lines IS NOT NULL AND d.listing_id IS NOT NULL THEN 'unknown'
  WHEN m.outcome = 'blocked' THEN 'blocked'
  WHEN m.reason_code = 'not_read' THEN 'notRead'
  WHEN r.lines IS NULL THEN 'strategy'
  WHEN m.line IS NULL THEN 'unknown'
  WHEN m.line = 0 THEN 'noLine'
  ELSE 'line' END`;

/**
 * The figures of all rules that have any, in one statement: one pass over the last decisions, which the engine keeps for the
 * lists, and for each rule the last day of its own index of the price history, where only rows of rules and of applied
 * recommendations name a rule.
 */
export async function readRuleFigures(db: Db, now: Instant): Promise<ReadonlyMap<number, RuleFigures>> {
  const { rows } = await db.execute<Row>(sql`
    SELECT rule_id::float8 AS "ruleId", kind, line, count(*)::int AS count, (count(*) FILTER (WHERE is_held))::int AS held,
      (count(*) FILTER (WHERE floor_side = 0))::int AS "atFloor", count(floor_side)::int AS floors
    FROM (
      SELECT m.rule_id, k.floor_side, m.reason_code IN ('line_hold', 'line_waits') AS is_held, ${KIND} AS kind,
        CASE WHEN ${KIND} = 'line' THEN m.line END AS line
      FROM listing_metrics m
      JOIN listing_keys k ON k.listing_id = m.listing_id AND k.is_live
      JOIN repricing_rules r ON r.id = m.rule_id
      LEFT JOIN due_listings d ON d.listing_id = m.listing_id AND d.due_since <= r.lines_since) decided
    GROUP BY rule_id, kind, line
    UNION ALL
    SELECT rule_id::float8, 'own', NULL, count(*)::int, 0, 0, 0
    FROM listings WHERE rule_id IS NOT NULL AND deleted_at IS NULL GROUP BY rule_id
    UNION ALL
    SELECT r.id::float8, 'changes', NULL, moved.count, 0, 0, 0
    FROM repricing_rules r CROSS JOIN LATERAL (
      SELECT count(*)::int AS count FROM price_history h
      WHERE h.rule_id = r.id AND h.timestamp > ${timestamptz(now - DAY)} AND h.timestamp <= ${timestamptz(now)}) moved
    WHERE r.deleted_at IS NULL AND moved.count > 0
    ORDER BY 3`);
  const figures = new Map<number, RuleFigures>();
  for (const row of rows) figures.set(row.ruleId, plus(figures.get(row.ruleId) ?? NO_FIGURES, row));
  return figures;
}

function plus(figures: RuleFigures, { kind, line, count, held, atFloor, floors }: Row): RuleFigures {
  if (kind === 'own' || kind === 'changes') return { ...figures, [kind]: count };
  const counted: RuleFigures = {
    ...figures,
    appliedTo: figures.appliedTo + count,
    atMarginFloor: figures.atMarginFloor + atFloor,
    knownFloors: figures.knownFloors + floors,
  };
  if (kind === 'strategy') return counted;
  if (kind === 'line')
    return { ...counted, lines: [...counted.lines, { line: line ?? 0, listings: count, held }] };
  return { ...counted, [kind]: count };
}
