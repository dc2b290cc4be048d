import { and, asc, count, desc, eq, inArray, min, ne, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { rehideSellers } from '#db/queries/marketplaces/connections/ebay-sellers.ts';
import { importChunks, importLines, imports, type StoredFindings } from '#db/schema/imports.ts';
import { isoTime } from '#db/sql-values.ts';
import type { Instant } from '#domain/units.ts';
import { rowsTable } from './import-rows.ts';

export type ImportRow = typeof imports.$inferSelect;
export type NewImport = Pick<ImportRow, 'kind' | 'fileName' | 'createdById' | 'createdBy' | 'createdAt'>;
export type ImportChange = Partial<Omit<ImportRow, 'id' | 'kind'>>;
export type ImportLineRow = Omit<typeof importLines.$inferSelect, 'importId'>;

/** Adds a file whose bytes are not uploaded yet. @returns its ID */
export async function insertImport(db: Db, file: NewImport): Promise<number> {
  const [row] = await db
    .insert(imports)
    .values({ ...file, state: 'uploading' })
    .returning({ id: imports.id });
  if (row === undefined) throw new Error('An insert answered no row.');
  return row.id;
}

export async function findImport(db: Db, id: number): Promise<ImportRow | null> {
  const [row] = await db.select().from(imports).where(eq(imports.id, id));
  return row ?? null;
}

/** Like {@link findImport}, and locks it until the transaction ends. */
export async function lockImport(db: Db, id: number): Promise<ImportRow | null> {
  const [row] = await db.select().from(imports).where(eq(imports.id, id)).for('update');
  return row ?? null;
}

/**
 * Whether a job is still the current one of a file in this state; locked until the end of the transaction.
 */
export async function holdTurn(
  tx: Db,
  { id, jobId }: Pick<ImportRow, 'id' | 'jobId'>,
  state: ImportRow['state'],
): Promise<boolean> {
  const { rows } = await tx.execute(sql`
    SELECT FROM imports WHERE id = ${id} AND job_id = ${jobId} AND state = ${state} FOR NO KEY UPDATE`);
  return rows.length > 0;
}

/** The newest of these kinds first, without files that are still being uploaded. */
export async function listImports(
  db: Db,
  most: number,
  kinds: readonly ImportRow['kind'][],
): Promise<ImportRow[]> {
  return db
    .select()
    .from(imports)
    .where(and(ne(imports.state, 'uploading'), inArray(imports.kind, [...kinds])))
    .orderBy(desc(imports.createdAt), desc(imports.id))
    .limit(most);
}

export async function changeImport(db: Db, id: number, change: ImportChange): Promise<void> {
  await db.update(imports).set(change).where(eq(imports.id, id));
}

export async function deleteImport(db: Db, id: number): Promise<void> {
  await db.delete(imports).where(eq(imports.id, id));
}

/** Deletes files and reports from before `before`, and interrupted uploads from before `uploadsBefore`. */
export async function deleteOldImports(db: Db, before: Instant, uploadsBefore: Instant): Promise<number> {
  const iso = (at: Instant) => isoTime(at);
  const { rowCount } = await db.delete(imports).where(
    sql`${imports.createdAt} < ${iso(before)}::timestamptz
      or (${imports.state} = 'uploading' and ${imports.createdAt} < ${iso(uploadsBefore)}::timestamptz)`,
  );
  return rowCount ?? 0;
}

/** Locks the uploads of this user against additions until the end of the transaction. */
export async function holdUploader(tx: Db, userId: string): Promise<void> {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`uploads of ${userId}`}, 0))`);
}

/** Size of a user's stored files, including unfinished uploads. */
export async function keptBy(
  db: Db,
  userId: string,
): Promise<{ readonly files: number; readonly bytes: number; readonly oldest: Instant | null }> {
  const [row] = await db
    .select({
      files: count(),
      bytes: sql<number>`coalesce(sum(${imports.size}), 0)::float8`,
      oldest: min(imports.createdAt),
    })
    .from(imports)
    .where(eq(imports.createdById, userId));
  return row ?? { files: 0, bytes: 0, oldest: null };
}

/** Counts uploaded bytes of a file. */
export async function growImport(tx: Db, id: number, bytes: number): Promise<void> {
  await tx
    .update(imports)
    .set({ size: sql`${imports.size} + ${bytes}` })
    .where(eq(imports.id, id));
}

type Part = 'file' | 'rejected';

export async function insertChunk(
  db: Db,
  importId: number,
  part: Part,
  number: number,
  bytes: Buffer,
): Promise<void> {
  await db.insert(importChunks).values({ importId, part, number, bytes });
}

/** Copies the stored file of one import to another. */
export async function copyFile(db: Db, from: number, to: number): Promise<void> {
  await db.execute(sql`
    INSERT INTO import_chunks (import_id, part, number, bytes)
    SELECT ${to}, part, number, bytes FROM import_chunks WHERE import_id = ${from} AND part = 'file'`);
}

/** Null after the last one. */
export async function readChunk(
  db: Db,
  importId: number,
  part: Part,
  number: number,
): Promise<Buffer | null> {
  const [row] = await db
    .select({ bytes: importChunks.bytes })
    .from(importChunks)
    .where(
      and(eq(importChunks.importId, importId), eq(importChunks.part, part), eq(importChunks.number, number)),
    );
  return row?.bytes ?? null;
}

/** Deletes the findings of an earlier check or import. */
export async function clearFindings(db: Db, importId: number): Promise<void> {
  await db.delete(importLines).where(eq(importLines.importId, importId));
  await db
    .delete(importChunks)
    .where(and(eq(importChunks.importId, importId), eq(importChunks.part, 'rejected')));
}

export async function insertLines(db: Db, importId: number, lines: readonly ImportLineRow[]): Promise<void> {
  if (lines.length > 0) await db.insert(importLines).values(lines.map((line) => ({ ...line, importId })));
}

export async function listLines(
  db: Db,
  importId: number,
  status: ImportLineRow['status'],
): Promise<ImportLineRow[]> {
  return db
    .select()
    .from(importLines)
    .where(and(eq(importLines.importId, importId), eq(importLines.status, status)))
    .orderBy(asc(importLines.number));
}

export async function saveFindings(db: Db, importId: number, findings: StoredFindings): Promise<void> {
  await db.update(imports).set({ findings }).where(eq(imports.id, importId));
}

/** Own sellers: "walmart\nmy shop", marketplace and seller key. */
export async function listOwnSellerKeys(db: Db): Promise<Set<string>> {
  const { rows } = await db.execute<{ key: string }>(
    sql`SELECT marketplace || E'\n' || seller_key AS key FROM own_sellers`,
  );
  return new Set(rows.map(({ key }) => key));
}

/** Adds own sellers; existing ones stay. @returns how many were added */
export async function addOwnSellers(
  db: Db,
  sellers: readonly { marketplace: string; name: string; key: string }[],
): Promise<number> {
  if (sellers.length === 0) return 0;
  const table = rowsTable(
    'r',
    { marketplace: 'text', name: 'text', key: 'text' },
    sellers.map((seller) => ({ ...seller })),
  );
  const { rowCount } = await db.execute(sql`
    INSERT INTO own_sellers (marketplace, name, seller_key) SELECT marketplace, name, key FROM ${table}
    ON CONFLICT (marketplace, seller_key) DO NOTHING`);
  if (sellers.some(({ marketplace }) => marketplace === 'ebay')) await rehideSellers(db);
  return rowCount ?? 0;
}
