import type { DecideFees, FeesDecided } from '#contract/fee-facts.ts';
import type { Db } from '#db/client.ts';
import { insertAudit } from '#db/queries/identity/audit.ts';
import { keepRate, listListingsOfPair } from '#db/queries/repricing/fee-drift.ts';
import { decimalFromBps } from '#domain/decimal.ts';
import type { Instant } from '#domain/units.ts';
import { AppError } from '#usecases/app-error.ts';
import { editListings } from '#usecases/catalog/listings/edit-listings.ts';
import { type Editor, madeBy } from '#usecases/editor.ts';

/**
 * Clears users' own commissions of the listings with a pair of rates, so that what the marketplace reports counts, or keeps
 * them: the pair is then no longer listed. In the caller's transaction.
 * @throws AppError conflict where none has one, or more than the user saw
 */
export async function decideOwnRates(
  tx: Db,
  { pair, ownRates: seen, decision }: Extract<DecideFees, { readonly ownRates: number }>,
  editor: Editor,
  now: Instant,
): Promise<FeesDecided> {
  const ids = await listListingsOfPair(tx, pair, true);
  if (ids.length === 0) {
    throw new AppError('conflict', 'No listing has this commission of its own now. Reload the page.');
  }
  if (ids.length > seen) {
    const message = `${ids.length} listings are affected now, more than shown. Reload the page and review them.`;
    throw new AppError('conflict', message);
  }
  if (decision === 'adopt') {
    const { done } = await editListings(tx, ids, { feeRate: null }, editor, now);
    return { listings: done };
  }
  if (await keepRate(tx, pair, editor.name, now)) {
    await insertAudit(tx, {
      ...madeBy(editor, now),
      action: 'fees.own_rate_kept',
      targetKind: 'marketplace',
      targetId: pair.marketplace,
      after: {
        reported: decimalFromBps(pair.told),
        own: decimalFromBps(pair.scheduled),
        listings: ids.length,
      },
    });
  }
  return { listings: ids.length };
}
