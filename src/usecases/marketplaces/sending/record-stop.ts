import type { SendOutcome } from '#connectors/connector.ts';
import type { Db } from '#db/client.ts';
import { writeHolds } from '#db/queries/catalog/listing-writes.ts';
import { writeSyncRequest } from '#db/queries/marketplaces/connections/received-events.ts';
import type { OpenIntent } from '#db/queries/marketplaces/sending/queued-prices.ts';
import { endUnsent } from '#db/queries/marketplaces/sending/unsent-prices.ts';
import {
  lockKnownListings,
  writeFoundReason,
  writePriceLimits,
} from '#db/queries/marketplaces/sync/marketplace-listings.ts';
import { requestItemReads } from '#db/queries/marketplaces/sync/suspect-prices.ts';
import { markDue } from '#db/queries/repricing/due-listings.ts';
import { MARKETPLACE_NAMES } from '#domain/marketplaces.ts';
import { hours, type Instant, instant } from '#domain/units.ts';
import { compareShownPrices } from './compare-shown-prices.ts';
import { isHeld } from './hold-externally-priced.ts';
import { oneLine } from './sending-text.ts';

/** How long a listing rests after its price was stopped; then the marketplace is asked again. */
const STOPPED_FOR = hours(1);

/**
 * Ends a price that the marketplace showed must not be sent now. It is no refusal: the listing is decided again, with
 * what was found. The listing must be locked.
 */
export async function recordStop(
  tx: Db,
  { id, listingId, marketplace, sku }: OpenIntent,
  { message, found }: Extract<SendOutcome, { readonly kind: 'stopped' }>,
  now: Instant,
): Promise<void> {
  const reason = oneLine(message);
  if (!(await endUnsent(tx, id, reason, now))) return;
  // Another price is compared once all of the call are recorded.
  if (found.kind === 'other_price') return;
  // Decided again with the next catalog, which shows who shares its price: until then it would be stopped again.
  if (found.kind === 'regrouped') return writeSyncRequest(tx, marketplace, 'listings', now);
  if (found.kind === 'not_repriceable') {
    const { isConfirmable = false, until = null } = found;
    await writeFoundReason(tx, listingId, { reason, isConfirmable, until }, instant(now + STOPPED_FOR));
    await hold(tx, { listingId, marketplace, sku }, reason, now);
  } else await writePriceLimits(tx, listingId, found.limits);
  await markDue(tx, [listingId]);
}

/**
 * Compares prices that stopped others, each read for its listing alone. Call it after their intents have ended. Where it is
 * no external edit the listing is decided again; the price waits while the item is in doubt.
 */
export async function compareStoppedPrices(
  db: Db,
  intents: readonly OpenIntent[],
  outcomes: readonly SendOutcome[],
  now: Instant,
): Promise<void> {
  for (const outcome of outcomes) {
    if (outcome.kind !== 'stopped' || outcome.found.kind !== 'other_price') continue;
    const { listingId } = outcome;
    const intent = intents.find((one) => one.listingId === listingId);
    const { price, readAt, source } = outcome.found;
    if (intent === undefined) continue;
    const { drifted } = await compareShownPrices(
      db,
      intent.marketplace,
      [{ listingId, price }],
      { source, readAt },
      now,
    );
    if (source === 'list') await requestItemReads(db, intent.marketplace, now, [listingId]);
    if (drifted.length === 0) await markDue(db, [listingId]);
  }
}

/**
 * Not without an end: only some syncs report when it is over, and the next price looks again. A hold of a user, and one that
 * a sync wrote, stays.
 */
async function hold(
  tx: Db,
  { listingId, marketplace, sku }: Pick<OpenIntent, 'listingId' | 'marketplace' | 'sku'>,
  reason: string,
  now: Instant,
): Promise<void> {
  const listing = (await lockKnownListings(tx, marketplace, [sku])).find((one) => one.id === listingId);
  if (listing === undefined || listing.isDeleted || isHeld(listing, now)) return;
  const until = instant(now + STOPPED_FOR);
  await writeHolds(tx, [listingId], { until, by: MARKETPLACE_NAMES[marketplace], reason }, now);
}
