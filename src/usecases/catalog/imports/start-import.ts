import type { Db } from '#db/client.ts';
import { addOwnSellers, changeImport, type ImportRow, lockImport } from '#db/queries/catalog/imports.ts';
import { insertAudit } from '#db/queries/identity/audit.ts';
import { transact } from '#db/transact.ts';
import { sellerKey } from '#domain/competition/offer.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import { AppError } from '#usecases/app-error.ts';
import type { StartJobDeps } from '#usecases/background/job-handler.ts';
import { startJob } from '#usecases/background/start-job.ts';
import { actedBy, originOf } from '#usecases/editor.ts';
import { requireTwoFactor, type SessionAssurance } from '#usecases/identity/accounts/session-assurance.ts';
import { requireChange, type Uploader } from './import-roles.ts';
import { requireBoundCheck, requireStepUpForImport } from './import-step-up.ts';
import { checkIdOf } from './import-view.ts';
import { requireImport } from './require-import.ts';

export interface RunOptions {
  /** The check that the user reviewed. */
  readonly checkId: string;
  readonly allOrNothing: boolean;
  /** The number of cost jumps that the user confirmed. */
  readonly jumps?: number | undefined;
  readonly ownSellers?: readonly { readonly marketplace: Marketplace; readonly name: string }[] | undefined;
}

/**
 * Starts the import of a checked file as a job, with the columns of the reviewed check.
 * @throws AppError not_found; conflict for a file that is not checked, was checked again in between or by an earlier
 *   version, and for all or nothing when a row is rejected; not_allowed for another user's file, and for fees and new
 *   own sellers unless an administrator imports them; step_up_required for many listings, and for rules
 */
export async function startImport(
  deps: StartJobDeps,
  id: number,
  options: RunOptions,
  by: Uploader,
  assurance: SessionAssurance,
): Promise<ImportRow> {
  await transact(deps.db, async (tx) => {
    const file = await lockImport(tx, id);
    if (file === null)
      throw new AppError('not_found', `There is no import ${id}. Imports are kept for 30 days.`);
    requireChange(file, by);
    requireCurrentCheck(file, options);
    requireBoundCheck({ isHeld: file.findings?.isHeld === true }, 0);
    requireConfirmedJumps(file, options.jumps ?? 0);
    requireStepUpForImport(file, assurance);
    await declareSellers(tx, options.ownSellers ?? [], by, deps);
    const jobId = await startJob(tx, deps, {
      kind: 'import',
      title: `Import ${file.fileName}`,
      work: {
        importId: id,
        step: 'import',
        rows: file.findings?.counts.rows ?? null,
        // The import is compared with these while it runs: data may change between its check and its batches.
        isHeld: true,
        isStepUpFresh: assurance.isStepUpFresh,
        ...originOf(by),
      },
      link: `/imports/${id}`,
      createdBy: by,
    });
    const { allOrNothing } = options;
    const { kind, fileName, mapping, defaults } = file;
    await insertAudit(tx, {
      ...actedBy(by, deps.now()),
      action: 'import.started',
      targetKind: 'import',
      targetId: String(id),
      after: { kind, fileName, allOrNothing, mapping, defaults },
    });
    // The import's own findings replace those of the check.
    await changeImport(tx, id, {
      state: 'importing',
      jobId,
      allOrNothing,
      findings: null,
      startedAt: deps.now(),
    });
  });
  return requireImport(deps, id);
}

function requireCurrentCheck(file: ImportRow, { checkId, allOrNothing }: RunOptions): void {
  const { state, findings } = file;
  if (state === 'importing' || state === 'done') {
    throw new AppError('conflict', 'This file is already imported. Upload it again to import it again.');
  }
  if (state !== 'checked' || findings === null) {
    throw new AppError(
      'conflict',
      'The file is not checked yet. Wait until the check ends, or choose the missing columns.',
    );
  }
  if (checkIdOf(file) !== checkId) {
    throw new AppError(
      'conflict',
      'Nothing was imported because the columns of this file changed after you opened the check. Review the new check, then import.',
    );
  }
  const { rejected } = findings.counts;
  if (allOrNothing && rejected > 0) {
    const rows = rejected === 1 ? '1 row is' : `${rejected.toLocaleString('en-US')} rows are`;
    throw new AppError(
      'conflict',
      `Nothing was imported: ${rows} rejected. Correct the file, or import only the valid rows.`,
    );
  }
}

/** A misplaced decimal point must not become the margin floor of live prices: the user confirms such costs. */
function requireConfirmedJumps({ findings }: ImportRow, seen: number): void {
  const jumps = findings?.effect?.jumpCount ?? 0;
  if (jumps === seen) return;
  const values =
    jumps === 1 ? '1 cost or weight changes' : `${jumps.toLocaleString('en-US')} costs or weights change`;
  throw new AppError(
    'conflict',
    `Nothing was imported: ${values} by a factor of 3 or more. Confirm that they are right, or correct the file.`,
  );
}

async function declareSellers(
  tx: Db,
  sellers: NonNullable<RunOptions['ownSellers']>,
  by: Uploader,
  { now }: StartJobDeps,
): Promise<void> {
  const named = sellers.flatMap(({ marketplace, name }) => {
    const key = sellerKey(name);
    return key === null ? [] : [{ marketplace, name: name.trim(), key }];
  });
  if ((await addOwnSellers(tx, named)) === 0) return;
  // As on Settings: offers of a new own seller no longer count as competitors, on every listing there.
  if (!by.isAdmin) {
    throw new AppError(
      'not_allowed',
      'Only administrators can set your sellers. Import without them, or ask an administrator.',
    );
  }
  requireTwoFactor(by);
  await insertAudit(tx, {
    ...actedBy(by, now()),
    action: 'own_sellers.added',
    after: { sellers: named.map(({ marketplace, name }) => `${marketplace}: ${name}`) },
  });
}
