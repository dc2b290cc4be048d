import type { MarketplaceListing, SkippedListing } from '#connectors/connector.ts';
import { ConnectorError } from '#connectors/connector-error.ts';
import { notify } from '#db/listen.ts';
import { markPricesRead } from '#db/queries/marketplaces/marketplace-listings.ts';
import { markSeen } from '#db/queries/marketplaces/missing-listings.ts';
import { transact } from '#db/transact.ts';
import { decimalFromCents } from '#domain/decimal.ts';
import type { Instant } from '#domain/units.ts';
import { reconcile } from '#usecases/marketplaces/sending/reconcile.ts';
import { type IngestedListings, type IngestedPage, ingestListings } from './ingest-listings.ts';
import { detectMissingListings, type MissingCounts, markListingsFound } from './missing-listings.ts';
import type { ReadingDeps, ReadingOf } from './sync-deps.ts';

type Entry = MarketplaceListing | SkippedListing;

/** What came of reading a whole catalogue. */
export interface CatalogCounts extends IngestedListings, Omit<MissingCounts, 'problem'> {
  readonly read: number;
  readonly passedOver: number;
  /** Prices that somebody had changed on the marketplace. */
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
 * Reads the catalogue of a shop and takes it over, page by page: what was taken before a failure stays. Prices of known
 * listings are compared, and what somebody changed on the marketplace is in force here too. A whole
 * one that was read to its end also tells what is no longer there.
 * @param startedAt names the reading
 * @throws ConnectorError
 */
export async function syncCatalog(
  deps: ReadingDeps,
  { connection: { marketplace, connector, account, generation }, signal }: ReadingOf,
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
    // A catalogue may move while it is read: the same listing on a later page is no second one.
    const once = listings.filter(({ sku }) => !seen.has(sku) && seen.add(sku));
    const passedOver = entries.flatMap((entry) => (isListing(entry) ? [] : [entry.what]));
    const taken = await takePage(deps, marketplace, { once, passedOver }, startedAt);
    const { drifted } = await reconcile(deps.db, marketplace, taken.shown, asOf, deps.now());
    await transact(deps.db, (tx) => markPricesRead(tx, marketplace, generation, pricesOf(once)));
    counts = {
      read: counts.read + entries.length,
      passedOver: counts.passedOver + passedOver.length,
      added: counts.added + taken.added,
      changed: counts.changed + taken.changed,
      adopted: counts.adopted + drifted.length,
      leftOut: counts.leftOut + taken.leftOut,
      withoutShipper: counts.withoutShipper + taken.withoutShipper,
      leftDeleted: counts.leftDeleted + taken.leftDeleted,
      foundAgain: counts.foundAgain + taken.foundAgain,
    };
  }
  // Whatever was broken off says nothing about what it did not come to.
  if (signal.aborted) throw new ConnectorError('time', 'The sync was interrupted.');
  const { problem, ...absences } = isWhole
    ? await detectMissingListings(deps, marketplace, startedAt, counts.read)
    : NO_ABSENCES;
  return { counts: { ...counts, ...absences }, problem };
}

function pricesOf(once: readonly MarketplaceListing[]): { sku: string; price: string }[] {
  return once.flatMap(({ sku, price }) => (price === null ? [] : [{ sku, price: decimalFromCents(price) }]));
}

/** A part of a catalogue says nothing about what is not in it. */
const NO_ABSENCES: MissingCounts = { gone: 0, neverFound: 0, missing: 0, problem: null };

/** Pages, and a word with what they end. */
async function* untilEnd<Page, End>(
  pages: AsyncGenerator<Page, End>,
  onEnd: (end: End) => void,
): AsyncGenerator<Page> {
  onEnd(yield* pages);
}

/** A page: its listings, each once in a reading, and what the others are called, by their SKU where they have one. */
interface Page {
  readonly once: readonly MarketplaceListing[];
  readonly passedOver: readonly string[];
}

function takePage(
  { db, now }: ReadingDeps,
  marketplace: ReadingOf['connection']['marketplace'],
  { once, passedOver }: Page,
  startedAt: Instant,
): Promise<IngestedPage> {
  return transact(db, async (tx) => {
    const result = await ingestListings(tx, marketplace, once, startedAt, now());
    // What cannot be taken is there all the same.
    const back = await markSeen(tx, marketplace, passedOver, startedAt);
    await markListingsFound(tx, back, now());
    const foundAgain = result.foundAgain + back.length;
    if (result.added + result.changed + foundAgain > 0) await notify(tx, 'pricewright_listings', []);
    return { ...result, foundAgain };
  });
}

function isListing(item: Entry): item is MarketplaceListing {
  return item.kind === 'listing';
}
