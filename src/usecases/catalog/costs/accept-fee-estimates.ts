import type { Db } from '#db/client.ts';
import { type FeeEstimates, readFeeEstimates, writeFeeEstimates } from '#db/queries/catalog/fee-estimates.ts';
import { insertAudit } from '#db/queries/identity/audit.ts';
import { transact } from '#db/transact.ts';
import type { Instant } from '#domain/units.ts';
import { type Editor, madeBy } from '#usecases/editor.ts';

/** Lets prices change that are based on estimated fulfillment fees, or only recommends them again. */
export async function acceptFeeEstimates(
  db: Db,
  areAccepted: boolean,
  editor: Editor,
  now: Instant,
): Promise<FeeEstimates> {
  return transact(db, async (tx) => {
    await writeFeeEstimates(tx, areAccepted);
    await insertAudit(tx, {
      ...madeBy(editor, now),
      action: areAccepted ? 'fees.estimates_accepted' : 'fees.estimates_rejected',
    });
    return readFeeEstimates(tx);
  });
}
