import type { MarketplaceListing, SkippedListing } from '#connectors/connector.ts';
import { ConnectorError } from '#connectors/connector-error.ts';
import { notify } from '#db/listen.ts';
import { markPricesVerified } from '#db/queries/marketplaces/marketplace-listings.ts';
import { markSeen } from '#db/queries/marketplaces/missing-listings.ts';
import { transact } from '#db/transact.ts';
import { decimalFromCents } from '#domain/decimal.ts';
import type { Instant } from '#domain/units.ts';
import { reconcile } from '#usecases/marketplaces/sending/reconcile.ts';
import { type IngestedListings, type IngestedPage, ingestListings } from './ingest-listings.ts';
import { detectMissingListings, type MissingCounts, markListingsFound } from './missing-listings.ts';
import type { SyncDeps, SyncSource } from './sync-deps.ts';

type Entry = MarketplaceListing | SkippedListing;

/** Counts of a catalog sync. */
export interface CatalogCounts extends IngestedListings, Omit<MissingCounts, 'problem'> {
  readonly read: number;
  readonly passedOver: number;
  /** Prices that had been changed on the marketplace. */
  readonly adopted: number;
}

const NOTHING: Omit<CatalogCounts, keyof MissingCounts> = {
  read: 0,
  passedOver: 0,
  added: 0,
  changed: 0,
  adopted: 0,
  leftOut: 0,
  withoutShipper: 0,
  leftDeleted: 0,
  foundAgain: 0,
};

/**
 * Reads the catalog of a connected account and stores it page by page: what was stored before a failure stays. Prices of
 * known listings are compared, and external edits are adopted. A complete catalog also shows which listings are missing.
 * @param startedAt identifies the sync
 * @throws ConnectorError
 */
export async function syncCatalog(
  deps: SyncDeps,
  { connection: { marketplace, connector, account, generation }, signal }: SyncSource,
  startedAt: Instant,
): Promise<{ readonly counts: CatalogCounts; readonly problem: string | null }> {
  let counts = NOTHING;
  const seen = new Set<string>();
  let isWhole = true;
  const onEnd = (end: unknown): void => {
    isWhole = end !== 'part';
  };
  for await (const { asOf, entries } of untilEnd(connector.readListings(account, signal), onEnd)) {
    const listings = entries.filter(isListing);
    // A catalog can shift while it is read, so the same listing may appear again on a later page.
    const unique = listings.filter(({ sku }) => !seen.has(sku) && seen.add(sku));
    const skipped = entries.flatMap((entry) => (isListing(entry) ? [] : [entry.what]));
    const taken = await ingestPage(deps, marketplace, { unique, skipped }, startedAt);
    const { drifted } = await reconcile(deps.db, marketplace, taken.shown, asOf, deps.now());
    await transact(deps.db, (tx) => markPricesVerified(tx, marketplace, generation, pricesOf(unique)));
    counts = {
      read: counts.read + entries.length,
      passedOver: counts.passedOver + skipped.length,
      added: counts.added + taken.added,
      changed: counts.changed + taken.changed,
      adopted: counts.adopted + drifted.length,
      leftOut: counts.leftOut + taken.leftOut,
      withoutShipper: counts.withoutShipper + taken.withoutShipper,
      leftDeleted: counts.leftDeleted + taken.leftDeleted,
      foundAgain: counts.foundAgain + taken.foundAgain,
    };
  }
  // An interrupted sync says nothing about the listings it did not reach.
  if (signal.aborted) throw new ConnectorError('time', 'The sync was interrupted.');
  const { problem, ...missing } = isWhole
    ? await detectMissingListings(deps, marketplace, startedAt, counts.read)
    : NONE_MISSING;
  return { counts: { ...counts, ...missing }, problem };
}

function pricesOf(listings: readonly MarketplaceListing[]): { sku: string; price: string }[] {
  return listings.flatMap(({ sku, price }) =>
    price === null ? [] : [{ sku, price: decimalFromCents(price) }],
  );
}

/** For a partial catalog, which says nothing about the listings it does not contain. */
const NONE_MISSING: MissingCounts = { gone: 0, neverFound: 0, missing: 0, problem: null };

/** Yields the pages and passes the generator's return value to `onEnd`. */
async function* untilEnd<Page, End>(
  pages: AsyncGenerator<Page, End>,
  onEnd: (end: End) => void,
): AsyncGenerator<Page> {
  onEnd(yield* pages);
}

/** A page: its listings, each once per sync, and the identifiers of skipped entries (the SKU where they have one). */
interface Page {
  readonly unique: readonly MarketplaceListing[];
  readonly skipped: readonly string[];
}

function ingestPage(
  { db, now }: SyncDeps,
  marketplace: SyncSource['connection']['marketplace'],
  { unique, skipped }: Page,
  startedAt: Instant,
): Promise<IngestedPage> {
  return transact(db, async (tx) => {
    const result = await ingestListings(tx, marketplace, unique, startedAt, now());
    // A skipped entry still exists on the marketplace.
    const back = await markSeen(tx, marketplace, skipped, startedAt);
    await markListingsFound(tx, back, now());
    const foundAgain = result.foundAgain + back.length;
    if (result.added + result.changed + foundAgain > 0) await notify(tx, 'pricewright_listings', []);
    return { ...result, foundAgain };
  });
}

function isListing(item: Entry): item is MarketplaceListing {
  return item.kind === 'listing';
}
