import type { MarketplaceListing, PassedOverListing } from '#connectors/connector.ts';
import { notify } from '#db/listen.ts';
import { transact } from '#db/transact.ts';
import { reconcile } from '#usecases/sending/reconcile.ts';
import type { ReadingDeps, ReadingOf } from './reading-deps.ts';
import { type TakenListings, takeListings } from './take-listings.ts';

/** What came of reading a whole catalogue. */
export interface CatalogueCounts extends TakenListings {
  readonly read: number;
  readonly passedOver: number;
  /** Prices that somebody had changed on the marketplace. */
  readonly adopted: number;
}

const NOTHING: CatalogueCounts = {
  ...{ read: 0, passedOver: 0, added: 0, changed: 0, adopted: 0, leftOut: 0, leftDeleted: 0 },
};

/**
 * Reads the catalogue of a shop and takes it over, page by page: what was taken before a failure stays. Prices of known
 * listings are compared, and what somebody changed on the marketplace is in force here too.
 * @throws ConnectorError
 */
export async function readCatalogue(
  deps: ReadingDeps,
  { connection: { marketplace, connector, account }, signal }: ReadingOf,
): Promise<CatalogueCounts> {
  let counts = NOTHING;
  const seen = new Set<string>();
  let readAt = deps.now();
  for await (const page of connector.readListings(account, signal)) {
    const listings = page.filter(isListing);
    // A catalogue may move while it is read: the same listing on a later page is no second one.
    const once = listings.filter(({ sku }) => !seen.has(sku) && seen.add(sku));
    const taken = await transact(deps.db, async (tx) => {
      const result = await takeListings(tx, marketplace, once, deps.now());
      if (result.added + result.changed > 0) await notify(tx, 'pricewright_listings', []);
      return result;
    });
    const { drifted } = await reconcile(deps.db, marketplace, taken.shown, readAt, deps.now());
    counts = {
      read: counts.read + page.length,
      passedOver: counts.passedOver + page.length - listings.length,
      added: counts.added + taken.added,
      changed: counts.changed + taken.changed,
      adopted: counts.adopted + drifted.length,
      leftOut: counts.leftOut + taken.leftOut,
      leftDeleted: counts.leftDeleted + taken.leftDeleted,
    };
    readAt = deps.now();
  }
  return counts;
}

function isListing(item: MarketplaceListing | PassedOverListing): item is MarketplaceListing {
  return item.kind === 'listing';
}
