import type { Db } from '#db/client.ts';
import {
  deleteBusinessGaps,
  readBusinessGaps,
  readBusinessPricePolicy,
  type StoredGaps,
  writeBusinessGaps,
} from '#db/queries/marketplaces/sending/business-gaps.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import { gapsOf, quantitiesOf } from '#domain/sending/business-plan.ts';
import type { BusinessOffer } from '#domain/sending/business-prices.ts';
import type { Cents, Instant } from '#domain/units.ts';

/** What a marketplace reported of the business prices of a listing; a null offer: there are none. */
export interface ReportedBusinessOffer {
  readonly listingId: number;
  readonly offer: BusinessOffer | null;
  /** The regular price that was reported with it. */
  readonly regular: Cents;
}

/**
 * Where business prices follow: takes the distance of those that are new, and takes it again where the seller added or
 * removed a tier or the business price; forgets that of removed ones.
 */
export async function followBusinessOffers(
  tx: Db,
  marketplace: Marketplace,
  reported: readonly ReportedBusinessOffer[],
  now: Instant,
): Promise<void> {
  if (reported.length === 0 || (await readBusinessPricePolicy(tx, marketplace)) !== 'follow') return;
  const ids = reported.map(({ listingId }) => listingId);
  const known = await readBusinessGaps(tx, ids);
  const removed = reported.filter(({ offer }) => offer === null).map(({ listingId }) => listingId);
  await deleteBusinessGaps(
    tx,
    removed.filter((id) => known.has(id)),
  );
  const fresh = reported.flatMap(({ listingId, offer, regular }) =>
    offer !== null && isOther(offer, known.get(listingId))
      ? [{ listingId, gaps: gapsOf(offer, regular) }]
      : [],
  );
  await writeBusinessGaps(tx, fresh, now);
}

/** Compared with what was taken, and with what was sent since: a tier that was skipped is missing by our doing. */
function isOther(offer: BusinessOffer, known: StoredGaps | undefined): boolean {
  if (known === undefined) return true;
  const { price, tiers, written } = known;
  const taken = [...(price === null ? [] : [1]), ...tiers.map(({ from }) => from)];
  const shown = quantitiesOf(offer).join();
  return shown !== taken.join() && shown !== written?.quantities.join();
}
