import { createHash } from 'node:crypto';
import type { Delivery, Webhooks } from '#connectors/webhooks.ts';
import type { Db } from '#db/client.ts';
import { markEventReceived } from '#db/queries/marketplaces/event-subscriptions.ts';
import {
  deleteEvents,
  insertEvent,
  putOffersFirst,
  writeSyncRequest,
} from '#db/queries/marketplaces/webhook-events.ts';
import { transact } from '#db/transact.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import { syncKindsOf } from '#domain/sync-kinds.ts';
import { hours, type Instant, instant, minutes } from '#domain/units.ts';
import type { Connections } from '#usecases/marketplaces/connections/connections.ts';

/** Events are remembered for that long. What happened earlier than half of it is no news, however often it is sent. */
const REMEMBERED = hours(96);
const NEWS = hours(48);
/** A marketplace's clock may be ahead of ours. */
const AHEAD = minutes(5);

export interface EventDeps {
  readonly db: Db;
  readonly now: () => Instant;
  readonly connections: Connections;
  /** Those that send events; the others send none. */
  readonly webhooks: Readonly<Partial<Record<Marketplace, Webhooks>>>;
  /** Null: nobody can send us anything. */
  readonly publicUrl: string | null;
}

/**
 * Takes an event that somebody sent to our public address. All it does is to have read what it says has changed: a
 * forged or repeated one changes no price and no figure.
 * @returns whether it was signed by the marketplace; one that came before, or tells of long ago, counts as taken
 */
export async function receiveEvent(
  { db, now, connections, webhooks, publicUrl }: EventDeps,
  marketplace: Marketplace,
  delivery: Delivery,
): Promise<boolean> {
  const hooks = webhooks[marketplace];
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
    await markEventReceived(tx, marketplace, at);
  });
  return true;
}

function isNews(happened: Instant | null, now: Instant): boolean {
  return happened === null || (happened >= now - NEWS && happened <= now + AHEAD);
}

/** Forgets events that can be no news any more. @returns how many there were */
export function purgeEvents(db: Db, now: Instant): Promise<number> {
  return deleteEvents(db, instant(now - REMEMBERED));
}
