import type { Db } from '#db/client.ts';
import { insertAudit } from '#db/queries/identity/audit.ts';
import { transact } from '#db/transact.ts';
import type { Instant } from '#domain/units.ts';
import { type Editor, madeBy } from '#usecases/editor.ts';

/** A file that a user downloads. */
export interface ExportedFile {
  /** "listings.csv" */
  readonly name: string;
  /** Its filter, as requested. */
  readonly filter: Readonly<Record<string, unknown>>;
}

/** Audits a download before its first byte is sent: no row, no file. */
export async function recordExport(
  db: Db,
  { name, filter }: ExportedFile,
  editor: Editor,
  now: Instant,
): Promise<void> {
  await transact(db, (tx) =>
    insertAudit(tx, {
      ...madeBy(editor, now),
      action: 'export.made',
      targetKind: 'export',
      targetId: name,
      after: { ...filter },
    }),
  );
}
