import type { Account, ListingPlace, ListingRef } from '#connectors/connector.ts';
import { ConnectorError } from '#connectors/connector-error.ts';
import type { ListingMigration, MigrationOrder, MigrationOutcome } from '#connectors/listing-migration.ts';
import { parseResponse } from '#connectors/parse-response.ts';
import { readableOf } from '#connectors/passed-over.ts';
import { errorOutcome } from '#connectors/send-error.ts';
import type { Instant } from '#domain/units.ts';
import { credentialsOf, type EbayCalls, NAME } from './ebay-calls.ts';
import { bestOf, offersOf } from './ebay-listings.ts';
import { MigrationAnswer, type MigrationResponse } from './ebay-responses.ts';

/** "One to five unique eBay listing IDs" (bulkMigrateListing of the Inventory API). */
const AT_ONCE = 5;

/** Moves listings of eBay's forms and older tools into its Inventory model. eBay describes no way back. */
export function ebayMigration(calls: EbayCalls): ListingMigration {
  return {
    atOnce: AT_ONCE,
    migrate: (account, orders, notAfter, signal) => migrate(calls, account, orders, notAfter, signal),
    readBack: (account, order, signal) => readBack(calls, account, order, signal),
  };
}

async function migrate(
  calls: EbayCalls,
  account: Account,
  orders: readonly MigrationOrder[],
  notAfter: Instant,
  signal: AbortSignal,
): Promise<readonly MigrationOutcome[]> {
  const requests = orders.map(({ itemId }) => ({ listingId: itemId }));
  try {
    const answer = await calls.asSeller(
      account,
      {
        method: 'POST',
        path: '/sell/inventory/v1/bulk_migrate_listing',
        operation: 'inventory',
        body: { type: 'application/json', text: JSON.stringify({ requests }) },
        changes: { notAfter },
      },
      signal,
    );
    const { responses } = parseResponse(NAME, MigrationAnswer, answer, 'answer to a migration', true);
    return orders.map((order) =>
      outcomeOf(
        order,
        responses.filter(({ listingId }) => listingId === order.itemId),
      ),
    );
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error;
    // eBay does not say which one a refusal of the whole call is about: each goes alone.
    if (error.fault === 'refused' && !error.mayHaveActed && orders.length > 1) {
      const outcomes: MigrationOutcome[] = [];
      for (const order of orders)
        outcomes.push(...(await migrate(calls, account, [order], notAfter, signal)));
      return outcomes;
    }
    return orders.map(({ itemId }) => failed(itemId, error));
  }
}

function failed(itemId: string, error: ConnectorError): MigrationOutcome {
  const outcome = errorOutcome(0, error);
  const { message } = error;
  if (outcome.kind === 'unknown') return { itemId, kind: 'unknown', message };
  if (outcome.kind === 'rejected') return { itemId, kind: 'refused', message };
  return { itemId, kind: 'not_sent', message, retryAfter: error.retryAfter };
}

/** eBay's result for one listing. Warnings are no refusals: it is migrated all the same. */
function outcomeOf({ itemId, refs }: MigrationOrder, about: readonly MigrationResponse[]): MigrationOutcome {
  const [one] = about;
  const problem = one?.errors?.[0];
  const said = problem?.longMessage ?? problem?.message ?? null;
  if (one === undefined || about.length > 1 || one.statusCode < 200 || one.statusCode >= 500) {
    const theirs = said === null ? '' : ` ${NAME} says: ${said}`;
    return {
      itemId,
      kind: 'unknown',
      message: `${NAME} did not report a result for the migration.${theirs}`,
    };
  }
  if (one.statusCode >= 300 || problem !== undefined) {
    const message = said ?? `${NAME} rejected the migration (${one.statusCode}).`;
    return { itemId, kind: 'refused', message };
  }
  const offers = new Map(one.inventoryItems?.map(({ sku, offerId }) => [sku, offerId]));
  const places = refs.flatMap((ref) => {
    const offerId = offers.get(ref.sku);
    return offerId == null ? [] : [{ listingId: ref.listingId, place: placeOf(ref, offerId) }];
  });
  return { itemId, kind: 'migrated', places };
}

/** The place of a listing that has an offer. Its variation is named by the SKU alone from now on. */
export function placeOf({ keys: { variation: _, ...keys } }: ListingRef, offerId: string): ListingPlace {
  return { channel: 'inventory', keys: { ...keys, offerId } };
}

/** A listing was migrated when eBay shows an offer with its item number. */
async function readBack(
  calls: EbayCalls,
  account: Account,
  { itemId, refs }: MigrationOrder,
  signal: AbortSignal,
): Promise<MigrationOutcome> {
  const { marketplaceId } = credentialsOf(account);
  try {
    const places: { listingId: number; place: ListingPlace }[] = [];
    for (const ref of refs) {
      const offers = readableOf(await offersOf(calls, account, ref.sku, signal));
      const offer = bestOf(
        offers.filter((one) => one.marketplaceId === marketplaceId && one.listing?.listingId === itemId),
      );
      if (offer !== null) places.push({ listingId: ref.listingId, place: placeOf(ref, offer.offerId) });
    }
    if (places.length > 0) return { itemId, kind: 'migrated', places };
    return {
      itemId,
      kind: 'refused',
      message: `${NAME} shows no offer of this listing: it was not migrated.`,
    };
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error;
    return { itemId, kind: 'unknown', message: error.message };
  }
}
