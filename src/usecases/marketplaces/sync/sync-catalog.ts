import { createHash } from 'node:crypto';
import type {
  FixedPriceList,
  MarketplaceListing,
  SkippedListing,
  UnavailablePart,
} from '#connectors/connector.ts';
import { ConnectorError } from '#connectors/connector-error.ts';
import { alarmed } from '#connectors/format-alarm.ts';
import { NAMELESS } from '#connectors/passed-over.ts';
import { notify } from '#db/listen.ts';
import { markPricesVerified } from '#db/queries/marketplaces/sync/marketplace-listings.ts';
import { markSeen } from '#db/queries/marketplaces/sync/missing-listings.ts';
import { transact } from '#db/transact.ts';
import { decimalFromCents } from '#domain/decimal.ts';
import { MARKETPLACE_NAMES } from '#domain/marketplaces.ts';
import { hoursUntilRetry, type PartialCatalog, partialCatalog } from '#domain/readings/catalog-total.ts';
import type { PassedOverRow } from '#domain/readings/passed-over.ts';
import type { Instant } from '#domain/units.ts';
import { compareShownPrices } from '#usecases/marketplaces/sending/compare-shown-prices.ts';
import { type EndedReading, settleReading } from '#usecases/marketplaces/sending/reading-check.ts';
import { type IngestedListings, type IngestedPage, ingestListings } from './ingest-listings.ts';
import {
  confirmMissingListings,
  detectMissingListings,
  type MissingCounts,
  markListingsFound,
} from './missing-listings.ts';
import { passedOverRow, type SyncDeps, type SyncRun, type SyncSource } from './sync-deps.ts';

type Entry = MarketplaceListing | SkippedListing;

/** Counts of a catalog sync. */
export interface CatalogCounts extends IngestedListings, Omit<MissingCounts, 'problem'> {
  readonly read: number;
  readonly passedOver: number;
  /** Taken without a price, since the marketplace's is finer than a cent. */
  readonly withoutPrice: number;
  /** Former prices of ours, since the marketplace is behind. */
  readonly stale: number;
  /** Other prices than those in force, which are being checked. */
  readonly suspects: number;
}

const NOTHING: Omit<CatalogCounts, keyof MissingCounts> = {
  read: 0,
  passedOver: 0,
  withoutPrice: 0,
  added: 0,
  changed: 0,
  stale: 0,
  suspects: 0,
  leftOut: 0,
  withoutShipper: 0,
  leftDeleted: 0,
  foundAgain: 0,
};

/** What a catalog sync found. */
export interface CatalogResult {
  readonly counts: CatalogCounts;
  readonly problem: string | null;
  /** What could not be read besides the listings, and what their total means: one sentence each. */
  readonly notes: readonly string[];
  readonly partial: PartialCatalog | null;
}

/**
 * Reads the catalog of a connected account and stores it page by page: what was stored before a failure stays. Prices of
 * known listings are compared, and those that are not in force are checked. A complete catalog also shows which listings are missing.
 * @param startedAt identifies the sync
 * @param before how the last catalog compared with its total
 * @throws ConnectorError; nothing is stored when the marketplace writes its rows in another format
 */
export async function syncCatalog(
  deps: SyncDeps,
  run: SyncRun,
  startedAt: Instant,
  before: PartialCatalog | null,
): Promise<CatalogResult> {
  const compared: Compared = { source: 'list', startedAt, compared: 0, suspects: 0 };
  try {
    return await syncPages(deps, run, startedAt, before, compared);
  } finally {
    // Of an interrupted catalog, too.
    const { marketplace } = run.connection;
    if (compared.compared > 0) await settleReading(deps.db, marketplace, compared, deps.now());
  }
}

/** What was compared so far. */
type Compared = { -readonly [Name in keyof EndedReading]: EndedReading[Name] };

async function syncPages(
  deps: SyncDeps,
  run: SyncRun,
  startedAt: Instant,
  before: PartialCatalog | null,
  compared: Compared,
): Promise<CatalogResult> {
  const {
    connection: { marketplace, connector, account, generation },
    signal,
    passedOver,
  } = run;
  const name = MARKETPLACE_NAMES[marketplace];
  let counts = NOTHING;
  const seen = new Set<string>();
  const names: string[] = [];
  let isNamed = true;
  let hasOthers = false;
  const pages = alarmed(name, connector.readListings(account, signal), ({ entries }) => entries);
  let step = await pages.next();
  for (; step.done !== true; step = await pages.next()) {
    const { asOf, source, entries } = step.value;
    const listings = entries.filter(isListing);
    // A catalog can shift while it is read, so the same listing may appear again on a later page.
    const unique = listings.filter(({ sku }) => !seen.has(sku) && seen.add(sku));
    const skipped = entries.filter((entry) => !isListing(entry));
    const taken = await ingestPage(
      deps,
      marketplace,
      { unique, skipped: skipped.map(({ what }) => what) },
      startedAt,
    );
    const from = { source, readAt: asOf };
    const found = await compareShownPrices(deps.db, marketplace, taken.shown, from, deps.now());
    compared.compared += found.compared;
    compared.suspects += found.suspects;
    if (found.suspects > 0) compared.source = source;
    await transact(deps.db, (tx) => markPricesVerified(tx, marketplace, generation, pricesOf(unique)));
    const unpriced = unique.flatMap(unpricedRow);
    const readOnly = unique.flatMap(readOnlyRow);
    passedOver.takes([...skipped.map(passedOverRow), ...readOnly, ...unpriced]);
    isNamed &&= skipped.every(({ what }) => what !== NAMELESS);
    hasOthers ||= skipped.some(({ why }) => NOT_BY_SKU.has(why));
    names.push(...entries.map((entry) => (isListing(entry) ? entry.sku : entry.what)));
    counts = {
      read: counts.read + entries.length,
      passedOver: counts.passedOver + skipped.length + readOnly.length,
      withoutPrice: counts.withoutPrice + unpriced.length,
      added: counts.added + taken.added,
      changed: counts.changed + taken.changed,
      stale: counts.stale + found.stale,
      suspects: counts.suspects + found.suspects,
      leftOut: counts.leftOut + taken.leftOut,
      withoutShipper: counts.withoutShipper + taken.withoutShipper,
      leftDeleted: counts.leftDeleted + taken.leftDeleted,
      foundAgain: counts.foundAgain + taken.foundAgain,
    };
  }
  // An interrupted sync says nothing about the listings it did not reach.
  if (signal.aborted) throw new ConnectorError('time', 'The sync was interrupted.');
  const { isPart = false, total, unavailable, fixedPriceLists = [] } = step.value;
  const partial = partialCatalog(before, total, digestOf(names));
  const { problem, ...missing } = await findMissing(deps, run, startedAt, {
    read: counts.read,
    // A row that cannot be distinguished from others may be any of ours.
    isAll: !isPart && isNamed,
    hasOthers,
    partial,
  });
  const notes = [
    ...totalNotes(name, partial),
    ...unavailable.map((part) => unavailableNote(name, part)),
    ...fixedPriceLists.map(fixedPricesNote),
  ];
  return { counts: { ...counts, ...missing }, problem, notes, partial };
}

/** Such a row may be a known listing that had a SKU of its own before. */
const NOT_BY_SKU: ReadonlySet<SkippedListing['why']> = new Set(['no_sku', 'no_label', 'repeated']);

interface CatalogScope {
  readonly read: number;
  readonly isAll: boolean;
  /** It has rows that may be listings which it seems to lack. */
  readonly hasOthers: boolean;
  readonly partial: PartialCatalog | null;
}

function findMissing(
  deps: SyncDeps,
  run: SyncRun,
  startedAt: Instant,
  { read, isAll, hasOthers, partial }: CatalogScope,
): Promise<MissingCounts> | MissingCounts {
  if (!isAll || (partial !== null && !partial.isBelieved)) return NONE_MISSING;
  return partial === null && !hasOthers
    ? detectMissingListings(deps, run.connection.marketplace, startedAt, read)
    : confirmMissingListings(deps, run, startedAt);
}

/** A listing for sale whose price is none in cents, or is not reported although nothing else sets it. */
function unpricedRow(listing: MarketplaceListing): PassedOverRow[] {
  const { sku, price, priceNotInCents: reported, isActive, readOnly, notRepriceableReason } = listing;
  if (reported !== undefined) {
    return [{ what: sku, why: 'price_not_in_cents', member: 'price', value: reported.slice(0, 80) }];
  }
  const isUnreported = price === null && isActive && readOnly === undefined && notRepriceableReason == null;
  return isUnreported ? [{ what: sku, why: 'no_price', member: null, value: null }] : [];
}

/** A listing that nothing can price on its marketplace is named with the reason, added here or not. */
function readOnlyRow({ sku, readOnly }: MarketplaceListing): PassedOverRow[] {
  return readOnly === undefined ? [] : [{ what: sku, why: readOnly, member: null, value: null }];
}

/** The same names in any order have the same. */
function digestOf(names: readonly string[]): string {
  return createHash('sha256').update(names.toSorted().join('\n')).digest('hex');
}

function totalNotes(name: string, partial: PartialCatalog | null): string[] {
  if (partial === null) return [];
  const counted = `${name} counts ${figure(partial.told)} listings and shows ${figure(partial.came)}`;
  return [
    partial.isBelieved
      ? `${counted}, in two syncs in a row. Pricewright uses these as the catalog and checks absent listings one by one.`
      : `${counted}. These were synced and none is marked missing; the catalog is synced again in ${figure(hoursUntilRetry(partial) ?? 0)} h.`,
  ];
}

function unavailableNote(name: string, { what, why }: UnavailablePart): string {
  return `Could not read ${what} from ${name}: ${why} Earlier data is kept.`;
}

function fixedPricesNote({ name, fixed, of }: FixedPriceList): string {
  const share = Math.round((fixed / of) * 100);
  return `Price list ${name} has fixed prices for ${figure(fixed)} of ${figure(of)} variants (${share}%). They do not follow the prices that Pricewright sets.`;
}

function figure(count: number): string {
  return count.toLocaleString('en-US');
}

function pricesOf(listings: readonly MarketplaceListing[]): { sku: string; price: string }[] {
  return listings.flatMap(({ sku, price }) =>
    price === null ? [] : [{ sku, price: decimalFromCents(price) }],
  );
}

/** For a partial catalog, which says nothing about the listings it does not contain. */
const NONE_MISSING: MissingCounts = { gone: 0, neverFound: 0, missing: 0, problem: null };

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
