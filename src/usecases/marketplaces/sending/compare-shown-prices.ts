import type { Db } from '#db/client.ts';
import { notify } from '#db/listen.ts';
import { type CurrentPrice, lockCurrentPrices } from '#db/queries/marketplaces/sending/confirmed-prices.ts';
import { addReadingLags } from '#db/queries/marketplaces/sync/reading-lags.ts';
import { readRecentPrices } from '#db/queries/marketplaces/sync/recent-prices.ts';
import {
  countReturns,
  dropSuspects,
  readSuspects,
  replaceSuspects,
  type StoredSuspect,
} from '#db/queries/marketplaces/sync/suspect-prices.ts';
import { readMembersOf } from '#db/queries/repricing/price-groups.ts';
import { transact } from '#db/transact.ts';
import { groupBy } from '#domain/group-by.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import {
  type AssessedReading,
  assessReading,
  type ReadingResult,
  type ReadingSource,
} from '#domain/readings/assess-reading.ts';
import { type Cents, type Instant, isPrice } from '#domain/units.ts';
import { adoptArrivedPrice, adoptExternalPrice, adoptReturnedPrice } from './adopt-price.ts';
import { restoreExternalEdit } from './late-arrival.ts';
import { countSampledReadings } from './reading-check.ts';
import { type AdoptedEdit, repairExternalEdits, stopAfterRepairs } from './repair-external-edits.ts';

/** The price of one of our listings on its marketplace. */
export interface ReadPrice {
  readonly listingId: number;
  readonly price: Cents;
}

/** Where prices were read. */
export interface ReadFrom {
  readonly source: ReadingSource;
  /** A time before the first of the prices was read, or before the document with them was requested. */
  readonly readAt: Instant;
}

export interface ComparedPrices {
  /** Listings that could be compared: no price is in progress, and none has changed after they were read. */
  readonly compared: number;
  /** Listings that were shown with a former price of ours: the source is behind. */
  readonly stale: number;
  /** Listings that were shown with another price, whose item is to be read. */
  readonly suspects: number;
  /** Listings whose price was changed on the marketplace and adopted. */
  readonly drifted: readonly number[];
}

const BATCH_SIZE = 200;
const NOTHING: ComparedPrices = { compared: 0, stale: 0, suspects: 0, drifted: [] };

/**
 * Compares a marketplace's prices with the current prices. A price that an item shows is adopted; one that a list, a
 * document or an event shows is at most suspect, until {@link settleReading} has the item read. A catalog sync calls it
 * with the prices of each page.
 */
export async function compareShownPrices(
  db: Db,
  marketplace: Marketplace,
  prices: readonly ReadPrice[],
  from: ReadFrom,
  now: Instant,
): Promise<ComparedPrices> {
  let sum = NOTHING;
  for (let at = 0; at < prices.length; at += BATCH_SIZE) {
    const batch = await compareBatch(db, marketplace, prices.slice(at, at + BATCH_SIZE), from, now);
    sum = {
      compared: sum.compared + batch.compared,
      stale: sum.stale + batch.stale,
      suspects: sum.suspects + batch.suspects,
      drifted: [...sum.drifted, ...batch.drifted],
    };
    if (batch.isTooMany) await stopAfterRepairs(db, marketplace, now);
  }
  return sum;
}

/** Not when the price changed after it was read, nor while a price waits for upload: then it has to differ. */
function isComparable(
  { isOpen, movedAt, awaitsUpload, isConnected }: CurrentPrice,
  readAt: Instant,
): boolean {
  return !isOpen && movedAt < readAt && (isConnected || !awaitsUpload);
}

/** Prices by listing. What one member of a price group shows is the price of all of them. */
async function withSharedPrices(tx: Db, prices: readonly ReadPrice[]): Promise<Map<number, Cents>> {
  const byListing = new Map(prices.map(({ listingId, price }) => [listingId, price]));
  for (const { id, from } of await readMembersOf(tx, [...byListing.keys()])) {
    const price = byListing.get(from);
    if (price !== undefined && !byListing.has(id)) byListing.set(id, price);
  }
  return byListing;
}

/** A price group is compared as a whole, and not while it is shown with different prices. */
function wholeGroups(
  comparable: readonly CurrentPrice[],
  listings: readonly CurrentPrice[],
  prices: ReadonlyMap<number, Cents>,
): readonly CurrentPrice[] {
  if (listings.every(({ groupKey }) => groupKey === null)) return comparable;
  const left = new Set(comparable);
  const groups = groupBy(listings, ({ groupKey, id }) => groupKey ?? String(id));
  const whole = new Set(
    [...groups.values()].flatMap((members) => {
      const isOne = members.every(({ id }) => prices.get(id) === prices.get(members[0]?.id ?? id));
      return isOne && members.every((member) => left.has(member)) ? members : [];
    }),
  );
  return comparable.filter((one) => whole.has(one));
}

interface Assessed {
  readonly listing: CurrentPrice;
  readonly price: Cents;
  readonly before: readonly StoredSuspect[];
  readonly reading: AssessedReading;
}

async function compareBatch(
  db: Db,
  marketplace: Marketplace,
  prices: readonly ReadPrice[],
  from: ReadFrom,
  now: Instant,
): Promise<ComparedPrices & { readonly isTooMany: boolean }> {
  return transact(db, async (tx) => {
    const byListing = await withSharedPrices(tx, prices);
    const listings = await lockCurrentPrices(tx, marketplace, [...byListing.keys()]);
    // If the clock was set back after the read, it is unknown which prices changed since.
    const single = from.readAt > now ? [] : listings.filter((one) => isComparable(one, from.readAt));
    const comparable = wholeGroups(single, listings, byListing);
    const assessed = await assess(tx, comparable, byListing, from, now);
    const edits = await adopt(tx, marketplace, assessed, now);
    await store(tx, marketplace, assessed, now);
    if (from.source === 'item') {
      const ids = new Set(comparable.map(({ id }) => id));
      // A price that moved since settles nothing; the next reading shows what is in force.
      await dropSuspects(
        tx,
        listings.flatMap(({ id }) => (ids.has(id) ? [] : [id])),
      );
      await countSampledReadings(tx, marketplace, assessed, now);
    }
    const reported = assessed.filter(({ before, reading }) => changesScreens(reading, before));
    if (reported.length > 0) {
      await notify(
        tx,
        'pricewright_listings',
        reported.map(({ listing }) => listing.id),
      );
    }
    const count = (result: ReadingResult): number =>
      assessed.filter(({ reading }) => reading.result === result).length;
    return {
      compared: comparable.length,
      stale: count('stale'),
      suspects: count('suspect'),
      drifted: edits.map(({ listing }) => listing.id),
      isTooMany: await repairExternalEdits(tx, marketplace, edits, now),
    };
  });
}

/** Assesses what differs, and what is in force again where another price was suspect. */
async function assess(
  tx: Db,
  listings: readonly CurrentPrice[],
  prices: ReadonlyMap<number, Cents>,
  from: ReadFrom,
  now: Instant,
): Promise<Assessed[]> {
  const suspects = await readSuspects(
    tx,
    listings.map(({ id }) => id),
  );
  const concerned = listings.flatMap((listing) => {
    const price = prices.get(listing.id);
    const before = suspects.get(listing.id) ?? [];
    return isPrice(price) && (price !== listing.currentPrice || before.length > 0)
      ? [{ listing, price, before }]
      : [];
  });
  if (concerned.length === 0) return [];
  const ids = concerned.map(({ listing }) => listing.id);
  const recent = await readRecentPrices(tx, ids, now);
  const returns = await countReturns(tx, ids, now);
  return concerned.map(({ listing, price, before }): Assessed => {
    const known = {
      inForce: listing.currentPrice,
      recent: recent.get(listing.id) ?? { inForce: [], sent: [] },
      suspects: before,
      returns: returns.get(listing.id) ?? 0,
    };
    return { listing, price, before, reading: assessReading(known, { price, ...from }, now) };
  });
}

/** @returns the external edits */
async function adopt(
  tx: Db,
  marketplace: Marketplace,
  assessed: readonly Assessed[],
  now: Instant,
): Promise<AdoptedEdit[]> {
  const edits: AdoptedEdit[] = [];
  for (const { listing, price, reading } of assessed) {
    const { result } = reading;
    if (result === 'arrived' && (await adoptArrivedPrice(tx, listing, price, now))) {
      await restoreExternalEdit(tx, marketplace, listing, price, now);
    }
    if (result === 'went_back' || result === 'went_back_often') {
      await adoptReturnedPrice(tx, listing, price, marketplace, result === 'went_back_often', now);
    }
    if (result === 'outside_edit' && (await adoptExternalPrice(tx, listing, price, marketplace, now))) {
      edits.push({ listing, price });
    }
  }
  return edits;
}

async function store(
  tx: Db,
  marketplace: Marketplace,
  assessed: readonly Assessed[],
  now: Instant,
): Promise<void> {
  const changed = assessed.filter(({ before, reading }) => before.length > 0 || reading.suspects.length > 0);
  await replaceSuspects(
    tx,
    marketplace,
    changed.map(({ listing }) => listing.id),
    changed.flatMap(({ listing, before, reading }) =>
      reading.suspects.map((suspect) => ({
        ...suspect,
        listingId: listing.id,
        isSample: before.some(({ source, isSample }) => isSample && source === suspect.source),
      })),
    ),
  );
  await addReadingLags(
    tx,
    marketplace,
    assessed.flatMap(({ reading }) => reading.lags),
    now,
  );
}

/** Screens show prices, and which of them are being checked. */
function changesScreens({ result, suspects }: AssessedReading, before: readonly StoredSuspect[]): boolean {
  const open = (all: readonly Pick<StoredSuspect, 'openSince'>[]): number =>
    all.filter(({ openSince }) => openSince !== null).length;
  const isMoved = result !== 'in_force' && result !== 'stale' && result !== 'ignored';
  return isMoved || open(suspects) !== open(before);
}
