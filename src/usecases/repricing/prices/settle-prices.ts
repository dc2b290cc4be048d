import type { Db } from '#db/client.ts';
import { clearRecommendations, settlePrices } from '#db/queries/catalog/listing-writes.ts';
import type { Bps, Instant } from '#domain/units.ts';
import type { DecidedPrice } from '#usecases/repricing/pricing/apply-decided-prices.ts';

/** A price set by a user, with its margin. */
export interface AppliedManualPrice extends DecidedPrice {
  readonly margin: Bps | null;
}

/** Clears the recommendations of listings with a new manual price; prices of file marketplaces are marked for upload. */
export async function settleManualPrices(
  tx: Db,
  taken: readonly AppliedManualPrice[],
  now: Instant,
): Promise<void> {
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
