import type { Db } from '#db/client.ts';
import type { AuditFilter } from '#db/queries/identity/audit-filter.ts';
import { eachAuditRow } from '#db/queries/identity/audit-list.ts';
import { auditSentence } from '#domain/audit-actions.ts';
import { auditExportHeader, auditExportLine } from '#files/audit-export.ts';

/**
 * Writes the audit rows of a filter as a file, newest first, from one snapshot.
 * @param write resolves when it can receive the next chunk
 */
export async function exportAudit(
  db: Db,
  filter: AuditFilter,
  write: (text: string) => Promise<void>,
): Promise<void> {
  await write(auditExportHeader());
  await eachAuditRow(db, filter, (rows) =>
    write(
      rows
        .map(({ actor: who, targetName: target, ...row }) =>
          auditExportLine({
            ...row,
            who,
            target,
            sentence: auditSentence({ ...row, actor: who, targetName: target }),
          }),
        )
        .join(''),
    ),
  );
}
