import { createHash } from 'node:crypto';
import type { OfferReading } from '#connectors/connector.ts';
import type { Delivery, MarketplaceEvent, MarketplaceEvents } from '#connectors/marketplace-events.ts';
import type { Db } from '#db/client.ts';
import { markEventReceived } from '#db/queries/marketplaces/connections/event-subscriptions.ts';
import {
  deleteEvents,
  insertEvent,
  putOffersFirst,
  writeSyncRequest,
} from '#db/queries/marketplaces/connections/received-events.ts';
import { findListingIds } from '#db/queries/marketplaces/offers/offers.ts';
import { transact } from '#db/transact.ts';
import { syncKindsOf } from '#domain/connections/sync-kinds.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import { hours, type Instant, instant, minutes } from '#domain/units.ts';
import type { Connections } from '#usecases/marketplaces/connections/connections.ts';
import { ingestOffers } from '#usecases/marketplaces/sync/ingest-offers.ts';

/** Events are stored for this long, to detect repetitions. Those that happened longer ago than `MAX_EVENT_AGE` are ignored. */
const EVENT_RETENTION = hours(96);
const MAX_EVENT_AGE = hours(48);
/** How far a marketplace's clock may be ahead of ours. */
const MAX_CLOCK_SKEW = minutes(5);

export interface EventDeps {
  readonly db: Db;
  readonly now: () => Instant;
  readonly connections: Connections;
  /** For the marketplaces that send events. */
  readonly marketplaceEvents: Readonly<Partial<Record<Marketplace, MarketplaceEvents>>>;
  /** Null: no events can be received. */
  readonly publicUrl: string | null;
}

/**
 * Receives an event sent to our public address. It makes a sync of the named data due, and stores the offers that it names;
 * a repeated event changes nothing.
 * @returns whether the marketplace signed it; a repeated or old event counts as accepted
 */
export async function receiveEvent(
  { db, now, connections, marketplaceEvents, publicUrl }: EventDeps,
  marketplace: Marketplace,
  delivery: Delivery,
): Promise<boolean> {
  const hooks = marketplaceEvents[marketplace];
  if (hooks === undefined || publicUrl === null) return false;
  const state = await connections.stateOf(marketplace);
  if (state.kind !== 'connected') return false;
  const event = hooks.eventOf(state.connection.account, delivery);
  if (event === null) return false;
  const at = now();
  const what = event.what.filter((read) => syncKindsOf(marketplace).includes(read));
  if (what.length === 0 || !isNews(event.at, at)) return true;
  const digest = createHash('sha256').update(delivery.body).digest('hex');
  await transact(db, async (tx) => {
    if (!(await insertEvent(tx, marketplace, digest, at))) return;
    for (const read of what) await writeSyncRequest(tx, marketplace, read, at);
    if (event.sku !== null && what.includes('offers')) await putOffersFirst(tx, marketplace, event.sku);
    await storeOffers(tx, marketplace, event, at);
    await markEventReceived(tx, marketplace, at);
  });
  return true;
}

/** Stores the offers that an event names; older ones than the stored offers are dropped. */
async function storeOffers(
  tx: Db,
  marketplace: Marketplace,
  { sku, at: seenAt, offers }: MarketplaceEvent,
  at: Instant,
): Promise<void> {
  if (sku === null || seenAt === null || offers === null) return;
  const [id] = (await findListingIds(tx, [{ marketplace, sku }])).values();
  if (id === undefined) return;
  const reading: OfferReading = { kind: 'offers', listingId: Number(id), seenAt, ...offers };
  await ingestOffers(tx, marketplace, [reading], 'event', at);
}

function isNews(happened: Instant | null, now: Instant): boolean {
  return happened === null || (happened >= now - MAX_EVENT_AGE && happened <= now + MAX_CLOCK_SKEW);
}

/** Deletes events too old to be repeated. @returns how many were deleted */
export function purgeEvents(db: Db, now: Instant): Promise<number> {
  return deleteEvents(db, instant(now - EVENT_RETENTION));
}
