import type { Db } from '#db/client.ts';
import { clearRecommendations, settlePrices } from '#db/queries/catalog/listing-acts.ts';
import type { Bps, Instant } from '#domain/units.ts';
import type { DecidedPrice } from '#usecases/repricing/pricing/apply-decided-prices.ts';

/** A price that a person took, with the margin it brings. */
export interface PersonsTakenPrice extends DecidedPrice {
  readonly margin: Bps | null;
}

/** What follows prices that a person took: nothing waits to be applied; those that leave by file wait for their upload. */
export async function settleTaken(tx: Db, taken: readonly PersonsTakenPrice[], now: Instant): Promise<void> {
  const byFile = taken.filter(({ isConnected }) => !isConnected);
  await settlePrices(
    tx,
    byFile.map(({ move, margin }) => ({ listingId: move.listingId, margin })),
    now,
  );
  const sent = taken.filter(({ isConnected }) => isConnected);
  await clearRecommendations(
    tx,
    sent.map(({ move }) => move.listingId),
    now,
  );
}
