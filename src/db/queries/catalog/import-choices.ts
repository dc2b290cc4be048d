import { and, eq } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { importChoices } from '#db/schema/imports.ts';
import type { ImportRow } from './imports.ts';

export type ImportChoice = typeof importChoices.$inferSelect;

/** The last choice for files of this kind and header; null when there is none. */
export async function findChoice(
  db: Db,
  kind: ImportRow['kind'],
  headerKey: string,
): Promise<ImportChoice | null> {
  const [row] = await db
    .select()
    .from(importChoices)
    .where(and(eq(importChoices.kind, kind), eq(importChoices.headerKey, headerKey)));
  return row ?? null;
}

/** Stores a choice in place of the previous one. */
export async function saveChoice(db: Db, choice: ImportChoice): Promise<void> {
  const { kind, headerKey, ...rest } = choice;
  await db
    .insert(importChoices)
    .values(choice)
    .onConflictDoUpdate({ target: [importChoices.kind, importChoices.headerKey], set: rest });
}
