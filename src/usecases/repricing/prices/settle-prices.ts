import type { Db } from '#db/client.ts';
import { clearRecommendations, settlePrices } from '#db/queries/catalog/listing-writes.ts';
import type { Instant } from '#domain/units.ts';
import type { DecidedPrice } from '#usecases/repricing/pricing/apply-decided-prices.ts';

/** Clears the recommendations of listings with a new manual price; prices of file marketplaces are marked for upload. */
export async function settleManualPrices(
  tx: Db,
  taken: readonly DecidedPrice[],
  now: Instant,
): Promise<void> {
  const byFile = taken.filter(({ isConnected }) => !isConnected);
  await settlePrices(
    tx,
    byFile.map(({ move }) => ({ listingId: move.listingId, margin: move.marginAfter })),
    now,
  );
  const sent = taken.filter(({ isConnected }) => isConnected);
  await clearRecommendations(
    tx,
    sent.map(({ move }) => move.listingId),
    now,
  );
}
