import { sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import type { CostJump } from '#db/schema/imports.ts';

type ShownJump = Omit<CostJump, 'name'>;

/** Stores the costs and weights that one batch of a file changes by a large factor, each once. */
export async function writeJumps(tx: Db, importId: number, jumps: readonly ShownJump[]): Promise<void> {
  if (jumps.length === 0) return;
  const column = (name: keyof ShownJump) => sql.param(jumps.map((jump) => jump[name]));
  await tx.execute(sql`
    INSERT INTO import_jumps (import_id, sku, field, before, after)
    SELECT ${importId}, n.* FROM unnest(${column('sku')}::text[], ${column('field')}::text[], ${column('from')}::text[],
      ${column('to')}::text[]) n`);
}

/** The check's findings for these SKUs. */
export async function readJumps(tx: Db, importId: number, skus: readonly string[]): Promise<ShownJump[]> {
  const { rows } = await tx.execute<Record<string, unknown> & ShownJump>(sql`
    SELECT sku, field, before AS "from", after AS "to" FROM import_jumps
    WHERE import_id = ${importId} AND sku = ANY(${sql.param([...skus])}::text[])`);
  return rows;
}
