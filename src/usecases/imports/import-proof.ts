import type { ImportRow } from '#db/queries/imports.ts';
import { type Clearance, requireProof } from '#usecases/accounts/clearance.ts';
import { requireProofOfDrop } from '#usecases/costs/lowered-floors.ts';
import { MOST_UNPROVED } from '#usecases/listings/bulk-proof.ts';

/**
 * Asks for a fresh password before a file does what needs one by hand. A file of listings always has prices, and may have
 * limits: so many changed listings are so many prices. One of rules has margins. Whatever it is of, its check says which
 * lowest allowed prices would fall.
 * @param file one that is checked
 * @throws AppError step_up_required
 */
export function refuseUnprovedImport({ kind, findings }: ImportRow, clearance: Clearance): void {
  const { create = 0, update = 0 } = findings?.counts ?? {};
  if (kind === 'rules' && create + update > 0) requireProof(clearance);
  if (kind === 'listings' && update > MOST_UNPROVED) requireProof(clearance);
  if (findings?.lowered !== undefined) requireProofOfDrop(findings.lowered, clearance);
}
