import { sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { millis } from '#db/sql-values.ts';
import type { Situation } from '#domain/lines/line.ts';
import type { LineMemory } from '#domain/lines/line-memory.ts';
import type { Instant } from '#domain/units.ts';

/** What is remembered of a listing, and by which rule with which lines. */
export interface LineMemoryRow extends LineMemory {
  readonly listingId: number;
  readonly ruleId: string;
  /** A hash of the text of the lines. */
  readonly linesHash: string;
}

interface FlatRow extends Record<string, unknown> {
  readonly listingId: number;
  readonly ruleId: string;
  readonly linesHash: string;
  readonly situation: Situation | null;
  readonly since: Instant | null;
  readonly turns: Readonly<Record<number, Instant>>;
}

/** What is remembered of these listings, by listing. */
export async function readLineMemories(
  db: Db,
  ids: readonly number[],
): Promise<ReadonlyMap<number, LineMemoryRow>> {
  const { rows } = await db.execute<FlatRow>(sql`
    SELECT listing_id::float8 AS "listingId", rule_id::text AS "ruleId", lines_hash AS "linesHash", situation,
      ${millis('situation_since')} AS since, turns
    FROM line_memories WHERE listing_id = ANY(${sql.param(ids)}::bigint[])`);
  return new Map(
    rows.map(({ situation, since, ...row }): [number, LineMemoryRow] => {
      const seen = situation === null || since === null ? null : { kind: situation, since };
      return [row.listingId, { ...row, situation: seen }];
    }),
  );
}

/** Writes what is remembered of listings. */
export async function writeLineMemories(tx: Db, rows: readonly LineMemoryRow[]): Promise<void> {
  if (rows.length === 0) return;
  const column = (of: (row: LineMemoryRow) => unknown) => sql.param(rows.map(of));
  await tx.execute(sql`
    INSERT INTO line_memories (listing_id, rule_id, lines_hash, situation, situation_since, turns)
    SELECT id, rule, hash, situation, to_timestamp(since / 1000.0), turns::jsonb
    FROM unnest(${column(({ listingId }) => listingId)}::bigint[], ${column(({ ruleId }) => ruleId)}::bigint[],
      ${column(({ linesHash }) => linesHash)}::text[], ${column(({ situation }) => situation?.kind ?? null)}::text[],
      ${column(({ situation }) => situation?.since ?? null)}::bigint[],
      ${column(({ turns }) => JSON.stringify(turns))}::text[]) AS known (id, rule, hash, situation, since, turns)
    ORDER BY id
    ON CONFLICT (listing_id) DO UPDATE SET rule_id = excluded.rule_id, lines_hash = excluded.lines_hash,
      situation = excluded.situation, situation_since = excluded.situation_since, turns = excluded.turns`);
}

/** Forgets what is remembered of listings that no rule with lines prices now. */
export async function forgetLines(tx: Db, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.execute(sql`DELETE FROM line_memories WHERE listing_id = ANY(${sql.param(ids)}::bigint[])`);
}
