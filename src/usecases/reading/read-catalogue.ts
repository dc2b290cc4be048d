import type { MarketplaceListing, PassedOverListing } from '#connectors/connector.ts';
import { notify } from '#db/listen.ts';
import { transact } from '#db/transact.ts';
import type { ReadingDeps, ReadingOf } from './reading-deps.ts';
import { NOTHING_TAKEN, type TakenListings, takeListings } from './take-listings.ts';

/** What came of reading a whole catalogue. */
export interface CatalogueCounts extends TakenListings {
  readonly read: number;
  readonly passedOver: number;
}

/**
 * Reads the catalogue of a shop and takes it over, page by page: what was taken before a failure stays.
 * @param onPage hears of what there is so far
 * @throws ConnectorError
 */
export async function readCatalogue(
  deps: ReadingDeps,
  { connection: { marketplace, connector, account }, signal }: ReadingOf,
  onPage: (counts: CatalogueCounts) => void = () => undefined,
): Promise<CatalogueCounts> {
  let counts: CatalogueCounts = { ...NOTHING_TAKEN, read: 0, passedOver: 0 };
  const seen = new Set<string>();
  for await (const page of connector.readListings(account, signal)) {
    const listings = page.filter(isListing);
    // A catalogue may move while it is read: the same listing on a later page is no second one.
    const fresh = listings.filter(({ sku }) => !seen.has(sku));
    for (const { sku } of fresh) seen.add(sku);
    const once = [...new Map(fresh.map((item) => [item.sku, item])).values()];
    const at = deps.now();
    const taken = await transact(deps.db, async (tx) => {
      const result = await takeListings(tx, deps, marketplace, once, at);
      if (result.added + result.changed + result.adopted > 0) await notify(tx, 'pricewright_listings', []);
      return result;
    });
    counts = {
      read: counts.read + page.length,
      passedOver: counts.passedOver + page.length - listings.length,
      added: counts.added + taken.added,
      changed: counts.changed + taken.changed,
      adopted: counts.adopted + taken.adopted,
      leftOut: counts.leftOut + taken.leftOut,
      leftDeleted: counts.leftDeleted + taken.leftDeleted,
    };
    onPage(counts);
  }
  return counts;
}

function isListing(item: MarketplaceListing | PassedOverListing): item is MarketplaceListing {
  return item.kind === 'listing';
}
