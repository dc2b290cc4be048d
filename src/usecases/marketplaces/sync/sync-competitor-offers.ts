import { countOfferCandidates } from '#db/queries/marketplaces/offers/offer-queue.ts';
import { readOfferAge, storeReachableAge } from '#db/queries/repricing/offer-ages.ts';
import { readSettings } from '#db/queries/repricing/pricing-context.ts';
import { transact } from '#db/transact.ts';
import { reachableOfferAge } from '#domain/competition/offer-budgets.ts';
import { MARKETPLACE_NAMES, type Marketplace } from '#domain/marketplaces.ts';
import { type Instant, type Millis, minutes } from '#domain/units.ts';
import { ingestSyncedOffers } from './ingest-offers.ts';
import { OfferOrder } from './offer-order.ts';
import type { SyncDeps, SyncRun } from './sync-deps.ts';
import { type BatchCounts, syncInBatches } from './sync-in-batches.ts';

/** A ranking of a large shop takes seconds: it is not made anew more often, however short the check interval is. */
const SHORTEST_ROUND = minutes(5);

export interface CompetitorOfferCounts {
  /** Listings whose offers were replaced, and those passed over. */
  readonly read: number;
  readonly unread: number;
  readonly passedOver: number;
  readonly waiting: number;
}

/**
 * Syncs the competitor offers of listings last read before `syncedBefore`, the most urgent first, each once. It ends after
 * a check interval with the listings that are left, so that the next sync reads those again that are contested and sell.
 * @param onProgress called with the counts so far
 * @throws ConnectorError
 */
export async function syncCompetitorOffers(
  deps: SyncDeps,
  { connection: { marketplace, connector, account }, signal, passedOver }: SyncRun,
  syncedBefore: Instant,
  onProgress: (counts: CompetitorOfferCounts) => void,
): Promise<CompetitorOfferCounts> {
  const { readOffers } = connector;
  if (readOffers === undefined) return { read: 0, unread: 0, passedOver: 0, waiting: 0 };
  const queue = { kind: 'offers', marketplace, syncedBefore } as const;
  const { checkInterval } = await readSettings(deps.db);
  const maxAge = await maxAgeNow(deps, marketplace);
  const longest = Math.max(SHORTEST_ROUND, minutes(checkInterval)) as Millis;
  const order = new OfferOrder(deps, { marketplace, syncedBefore, maxAge, longest });
  const counts = await syncInBatches(deps, queue, {
    name: MARKETPLACE_NAMES[marketplace],
    passedOver,
    atOnce: connector.listingsAtOnce,
    next: (max) => order.next(max),
    request: (refs) => readOffers.call(connector, account, refs, signal),
    ingest: async (page) => {
      await transact(deps.db, (tx) => ingestSyncedOffers(tx, marketplace, page, deps.now()));
      return page.filter((each) => each.kind === 'offers').length;
    },
    onProgress: (soFar) => onProgress(countsOf(soFar)),
  });
  return countsOf(counts);
}

/** The maximum offer age, which follows the size of the catalog unless one is chosen. */
async function maxAgeNow({ db }: SyncDeps, marketplace: Marketplace): Promise<Millis> {
  const listings = await countOfferCandidates(db, marketplace);
  await storeReachableAge(db, marketplace, reachableOfferAge(marketplace, listings));
  return (await readOfferAge(db, marketplace)).age;
}

function countsOf({ ingested, ...others }: BatchCounts): CompetitorOfferCounts {
  return { read: ingested + others.passedOver, ...others };
}
