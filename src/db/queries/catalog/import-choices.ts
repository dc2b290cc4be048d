import { and, eq } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { importChoices } from '#db/schema/imports.ts';
import type { ImportRow } from './imports.ts';

export type ImportChoice = typeof importChoices.$inferSelect;

/** What was chosen for files of this kind and header before; null when nothing was. */
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

/** Keeps a choice; the one before it is forgotten. */
export async function saveChoice(db: Db, choice: ImportChoice): Promise<void> {
  const { kind, headerKey, ...rest } = choice;
  await db
    .insert(importChoices)
    .values(choice)
    .onConflictDoUpdate({ target: [importChoices.kind, importChoices.headerKey], set: rest });
}
