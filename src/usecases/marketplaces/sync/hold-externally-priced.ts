import type { MarketplaceListing } from '#connectors/connector.ts';
import type { Db } from '#db/client.ts';
import { writeHolds } from '#db/queries/catalog/listing-acts.ts';
import type { KnownListing } from '#db/queries/marketplaces/marketplace-listings.ts';
import { MARKETPLACE_NAMES, type Marketplace } from '#domain/marketplaces.ts';
import type { Instant } from '#domain/units.ts';

/** A listing of ours beside what its marketplace says. */
export interface ListingPair {
  readonly item: MarketplaceListing;
  readonly listing: KnownListing;
}

/**
 * Holds the listings that the marketplace itself, or another program there, prices, and lets go of them afterwards. Where
 * the marketplace does not say, whatever stands stays.
 */
export async function holdExternallyPriced(
  tx: Db,
  marketplace: Marketplace,
  pairs: readonly ListingPair[],
  now: Instant,
): Promise<void> {
  const by = MARKETPLACE_NAMES[marketplace];
  const free = pairs.filter(
    ({ item, listing }) => item.notRepriceableReason === null && listing.heldBy === by,
  );
  if (free.length > 0) await writeHolds(tx, idsOf(free), null, now);
  // A person's hold is left alone while it lasts: it may be meant for longer.
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

/** A hold that has run out is none; nothing takes it out of the row. */
function isHeld({ heldBy, heldUntil }: KnownListing, now: Instant): boolean {
  return heldBy !== null && (heldUntil === null || heldUntil > now);
}

function idsOf(pairs: readonly ListingPair[]): number[] {
  return pairs.map(({ listing }) => listing.id);
}
