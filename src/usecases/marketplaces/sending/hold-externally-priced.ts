import type { MarketplaceListing } from '#connectors/connector.ts';
import type { Db } from '#db/client.ts';
import { writeHolds } from '#db/queries/catalog/listing-writes.ts';
import type { KnownListing } from '#db/queries/marketplaces/sync/marketplace-listings.ts';
import { MARKETPLACE_NAMES, type Marketplace } from '#domain/marketplaces.ts';
import type { Instant } from '#domain/units.ts';

/** A known listing with its data on the marketplace. */
export interface ListingPair {
  readonly item: MarketplaceListing;
  readonly listing: KnownListing;
}

/** The part of it that decides about holds. */
type HoldPair = Pick<ListingPair, 'listing'> & {
  readonly item: Pick<MarketplaceListing, 'notRepriceableReason'>;
};

/**
 * Puts listings on hold while the marketplace or another program sets their price there, and resumes them afterwards.
 * Where the marketplace does not report this, nothing changes.
 */
export async function holdExternallyPriced(
  tx: Db,
  marketplace: Marketplace,
  pairs: readonly HoldPair[],
  now: Instant,
): Promise<void> {
  const by = MARKETPLACE_NAMES[marketplace];
  const released = pairs.filter(
    ({ item, listing }) => item.notRepriceableReason === null && listing.heldBy === by,
  );
  if (released.length > 0) await writeHolds(tx, idsOf(released), null, now);
  // A user's hold is not replaced before it ends: it may be meant to last longer.
  const held = pairs.filter(
    ({ item, listing }) =>
      item.notRepriceableReason != null &&
      (!isHeld(listing, now) ||
        (listing.heldBy === by && listing.notRepriceableReason !== item.notRepriceableReason)),
  );
  for (const reason of new Set(held.map(({ item }) => item.notRepriceableReason ?? ''))) {
    const same = held.filter(({ item }) => item.notRepriceableReason === reason);
    await writeHolds(tx, idsOf(same), { until: null, by, reason }, now);
  }
}

/** A hold that has ended stays in the row and no longer counts. */
export function isHeld(
  { heldBy, heldUntil }: Pick<KnownListing, 'heldBy' | 'heldUntil'>,
  now: Instant,
): boolean {
  return heldBy !== null && (heldUntil === null || heldUntil > now);
}

function idsOf(pairs: readonly HoldPair[]): number[] {
  return pairs.map(({ listing }) => listing.id);
}
