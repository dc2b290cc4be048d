import type { ListingMigration, MigrationOrder, MigrationOutcome } from '#connectors/listing-migration.ts';
import type { Db } from '#db/client.ts';
import { notify } from '#db/listen.ts';
import { type Lease, shareLease } from '#db/queries/background/leases.ts';
import { lockListings } from '#db/queries/catalog/listing-writes.ts';
import { type AuditEntry, insertAudits } from '#db/queries/identity/audit.ts';
import {
  type MigratedListing,
  readListingsOfItems,
  takeMigrations,
  takeOutdatedMigrations,
  writeMigrationState,
} from '#db/queries/marketplaces/sending/listing-migrations.ts';
import { writeListingPlace } from '#db/queries/marketplaces/sync/marketplace-listings.ts';
import { transact } from '#db/transact.ts';
import { MIGRATION_WAITS_FOR } from '#domain/connections/listing-migration.ts';
import { groupBy } from '#domain/group-by.ts';
import { MARKETPLACE_NAMES, type Marketplace } from '#domain/marketplaces.ts';
import { type Instant, instant, minutes, seconds } from '#domain/units.ts';
import { LONGEST_CALL } from '#usecases/background/lease.ts';
import { actedBy } from '#usecases/editor.ts';
import type { Connection } from '#usecases/marketplaces/connections/connections.ts';
import { ENGINE } from '#usecases/repricing/engine/engine-deps.ts';
import { refOf } from './listing-ref.ts';
import type { MarketplaceSender } from './sending-deps.ts';
import { oneLine } from './sending-text.ts';

/** Longer than any of our calls: what was sent before has no call waiting for its response. */
export const MIGRATION_ANSWER_TIMEOUT = minutes(1);
/** A call that has not left by then does not leave. */
const SEND_DEADLINE = seconds(20);
const RETRY_DELAY = seconds(15);
const READ_BACK_DELAY = minutes(1);

/** What is done in one pass: a call for those that waited, or a reading of each whose response was lost. */
interface Taken {
  readonly kind: 'send' | 'read_back';
  /** When they were taken. */
  readonly at: Instant;
  readonly orders: readonly MigrationOrder[];
  /** How many were taken, also those that ended without a call. */
  readonly count: number;
}

/**
 * Moves the next few listings that a user asked for into the marketplace's other model, or reads back what became of
 * them. The sender of the marketplace does it between two calls for prices: no price of theirs is on its way then.
 * @returns how many listings of the marketplace
 */
export async function migrateNext(sender: MarketplaceSender, connection: Connection): Promise<number> {
  const { migration } = connection.connector;
  if (migration === undefined) return 0;
  const { deps, heldLease, marketplace } = sender;
  await endOutdated(sender, connection);
  const lease = await heldLease.acquireForCall();
  if (lease === null) return 0;
  const taken = await take(sender, lease, migration);
  if (taken.orders.length === 0) return taken.count;
  const outcomes = await call(sender, connection, migration, taken);
  await transact(deps.db, (tx) => record(tx, marketplace, taken.orders, outcomes, deps.now()));
  return taken.count;
}

/** What waited for too long, or was requested for another account, ends without a call. */
async function endOutdated(
  { deps: { db, now }, marketplace }: MarketplaceSender,
  { generation }: Connection,
): Promise<void> {
  await transact(db, async (tx) => {
    const at = now();
    const before = instant(at - MIGRATION_WAITS_FOR);
    for (const row of await takeOutdatedMigrations(tx, marketplace, generation, before)) {
      const why = row.message === null ? '' : ` ${row.message}`;
      const message =
        row.generation === generation
          ? `It waited for an hour and was not migrated.${why}`
          : 'Another account was connected before it was migrated.';
      await end(tx, marketplace, { itemId: row.itemId, refs: [] }, { kind: 'refused', message }, at);
    }
  });
}

async function take(
  { deps: { db, now }, marketplace }: MarketplaceSender,
  lease: Lease,
  { atOnce }: ListingMigration,
): Promise<Taken> {
  return transact(db, async (tx) => {
    const at = now();
    if (!(await shareLease(tx, lease))) return { kind: 'send', at, orders: [], count: 0 };
    const due = await takeMigrations(tx, marketplace, atOnce, at, instant(at - MIGRATION_ANSWER_TIMEOUT));
    const lost = due.filter(({ state }) => state !== 'waiting');
    const rows = lost.length > 0 ? lost : due;
    const kind = lost.length > 0 ? 'read_back' : 'send';
    const itemIds = rows.map(({ itemId }) => itemId);
    const held = groupBy(await readListingsOfItems(tx, marketplace, itemIds), ({ item }) => item);
    const orders: MigrationOrder[] = [];
    for (const itemId of itemIds) {
      const listings = held.get(itemId) ?? [];
      const order = { itemId, refs: listings.map(refOf) };
      const ended = endedWithoutCall(kind, marketplace, listings);
      if (ended === null) orders.push(order);
      else await end(tx, marketplace, order, ended, at);
    }
    await writeMigrationState(
      tx,
      marketplace,
      orders.map(({ itemId }) => itemId),
      kind === 'send' ? 'sent' : 'unknown',
      { nextAt: instant(at + READ_BACK_DELAY), ...(kind === 'send' && { sentAt: at }) },
    );
    return { kind, at, orders, count: rows.length };
  });
}

/** What a sync has shown since. @returns null where a call is still needed */
function endedWithoutCall(
  kind: Taken['kind'],
  marketplace: Marketplace,
  listings: readonly MigratedListing[],
): Ended | null {
  if (listings.some(({ channel }) => channel === 'trading')) return null;
  if (kind === 'read_back' && listings.some(({ channel }) => channel === 'inventory')) {
    return { kind: 'migrated', places: [] };
  }
  const name = MARKETPLACE_NAMES[marketplace];
  return { kind: 'refused', message: `${name} no longer lists it outside of the Inventory model.` };
}

async function call(
  { deps: { onUnexpectedError } }: MarketplaceSender,
  { account }: Connection,
  migration: ListingMigration,
  { kind, at, orders }: Taken,
): Promise<readonly MigrationOutcome[]> {
  const signal = AbortSignal.timeout(LONGEST_CALL);
  try {
    if (kind === 'send') return await migration.migrate(account, orders, instant(at + SEND_DEADLINE), signal);
    const outcomes: MigrationOutcome[] = [];
    for (const order of orders) outcomes.push(await migration.readBack(account, order, signal));
    return outcomes;
  } catch (error) {
    // After any error here they may have been migrated.
    onUnexpectedError(error);
    return [];
  }
}

/** Each outcome, only where the listing has not ended; one without an outcome is unknown. */
async function record(
  tx: Db,
  marketplace: Marketplace,
  orders: readonly MigrationOrder[],
  outcomes: readonly MigrationOutcome[],
  now: Instant,
): Promise<void> {
  const byItem = new Map(outcomes.map((outcome) => [outcome.itemId, outcome]));
  const ids = orders.flatMap(({ refs }) => refs.map(({ listingId }) => listingId));
  await lockListings(tx, ids);
  for (const order of orders) {
    const outcome = byItem.get(order.itemId);
    const items = [order.itemId];
    switch (outcome?.kind) {
      case 'migrated':
      case 'refused':
        await end(tx, marketplace, order, outcome, now);
        break;
      case 'not_sent': {
        const nextAt = instant(now + Math.max(Math.ceil(outcome.retryAfter ?? 0), RETRY_DELAY));
        const message = oneLine(outcome.message);
        await writeMigrationState(tx, marketplace, items, 'waiting', { nextAt, sentAt: null, message });
        break;
      }
      default: {
        const nextAt = instant(now + READ_BACK_DELAY);
        const message = oneLine(outcome?.message ?? 'The marketplace did not report a result.');
        await writeMigrationState(tx, marketplace, items, 'unknown', { nextAt, message });
      }
    }
  }
  await notify(tx, 'pricewright_listings', ids);
  await notify(tx, 'pricewright_engine', []);
}

type Ended =
  | Pick<Extract<MigrationOutcome, { kind: 'migrated' }>, 'kind' | 'places'>
  | Pick<Extract<MigrationOutcome, { kind: 'refused' }>, 'kind' | 'message'>;

/** Writes down how it ended, also in the audit log of each listing. SKU, price, holds and history stay as they are. */
async function end(
  tx: Db,
  marketplace: Marketplace,
  { itemId, refs }: MigrationOrder,
  ended: Ended,
  now: Instant,
): Promise<void> {
  const message = ended.kind === 'refused' ? oneLine(ended.message) : null;
  await writeMigrationState(tx, marketplace, [itemId], ended.kind, { endedAt: now, message });
  if (ended.kind === 'migrated') {
    for (const { listingId, place } of ended.places) await writeListingPlace(tx, listingId, place);
  }
  const entries = refs.map(
    ({ listingId }): AuditEntry => ({
      ...actedBy(ENGINE, now),
      action: ended.kind === 'migrated' ? 'listing.migrated' : 'listing.migration_refused',
      targetKind: 'listing',
      targetId: String(listingId),
      after: { itemId, ...(message !== null && { message }) },
    }),
  );
  await insertAudits(tx, entries);
}
