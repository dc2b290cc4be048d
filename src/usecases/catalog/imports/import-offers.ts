import type { Db } from '#db/client.ts';
import { notify } from '#db/listen.ts';
import type { TextRow } from '#db/queries/catalog/import-rows.ts';
import { hiddenSellers } from '#db/queries/marketplaces/connections/ebay-sellers.ts';
import {
  findListingIds,
  findOffers,
  replaceOffers,
  type StoredReading,
  writeReadings,
} from '#db/queries/marketplaces/offers/offers.ts';
import type { FoundSeller } from '#db/schema/imports.ts';
import type { RecordedOffer } from '#db/schema/offers.ts';
import { type SellerKey, sellerKey } from '#domain/competition/offer.ts';
import type { Instant } from '#domain/units.ts';
import { OFFER_FORMAT, type OfferColumn } from '#files/offer-format.ts';
import type { Change, Importer, RowError, RowOutcome } from './importer.ts';
import { keyOfListing, type OfferRead, readOfferRow, recordedOffer } from './read-offer.ts';
import { groupErrors, groupsOf, type Readable, readable } from './whole-groups.ts';

/** The compared fields of an offer. */
const COMPARED = [
  ...['seller', 'price', 'shipping', 'fulfillmentType', 'isFeatured', 'seenAt'],
  ...['rating', 'ratingCount', 'handlingDays'],
] as const;

/** Competitor offers: a file replaces all stored offers of each listing in it. */
export const OFFER_IMPORT: Importer<OfferColumn, OfferRead> = {
  columns: Object.keys(OFFER_FORMAT.columns) as OfferColumn[],
  groupOf: keyOfListing,
  readsBroken: true,
  reader: () => readOfferRow,
  touchesFloors: () => false,
  plan: async (db, entries, { at }) => {
    const named = readable(entries);
    const rows = await withoutNames(db, named);
    const groups = groupsOf(rows, keyOfListing);
    const keys = [...groups.values()].flatMap(([first]) => (first === undefined ? [] : [first.row.key]));
    const ids = await findListingIds(db, keys);
    const stored = await storedOffers(db, [...ids.values()]);
    const outcomes = new Map<Readable<OfferRead>, RowOutcome>();
    const sets = new Map<string, readonly RecordedOffer[]>();
    const readings: StoredReading[] = [];
    const offers: TextRow[] = [];
    for (const [key, group] of groups) {
      const id = ids.get(key) ?? null;
      if (!planListing(group, id, stored.get(id ?? '') ?? [], outcomes) || id === null) continue;
      sets.set(
        id,
        group.flatMap(({ row }) => (row.offer === null ? [] : [recordedOffer(row)])),
      );
      readings.push(readingOf(id, group, at));
      for (const { row } of group) if (row.offer !== null) offers.push({ ...row.offer, listingId: id });
    }
    return {
      outcomes: rows.flatMap((entry) => outcomes.get(entry) ?? []),
      sellers: sellersOf(named),
      write: async (tx) => {
        await replaceOffers(tx, sets, offers, at);
        await writeReadings(tx, readings);
        if (sets.size > 0) await notify(tx, 'pricewright_listings', []);
      },
    };
  },
};

/** Replaces the names of other sellers on eBay, which are never stored with offers. */
async function withoutNames(
  db: Db,
  rows: readonly Readable<OfferRead>[],
): Promise<readonly Readable<OfferRead>[]> {
  const keyOf = ({ row: { key, offer } }: Readable<OfferRead>): SellerKey | null =>
    key.marketplace === 'ebay' ? ((offer?.sellerKey ?? null) as SellerKey | null) : null;
  const hidden = await hiddenSellers(db, [...new Set(rows.flatMap((entry) => keyOf(entry) ?? []))]);
  return rows.map((entry) => {
    const key = keyOf(entry);
    const seller = key === null ? undefined : hidden.get(key);
    if (seller === undefined) return entry;
    const { label, hash } = seller;
    const offer = { ...entry.row.offer, seller: label, sellerKey: sellerKey(label), sellerHash: hash };
    return { ...entry, row: { ...entry.row, offer } };
  });
}

/** What a file says of a listing is as old as its newest row; without a time in it, as the import. */
function readingOf(listingId: string, group: readonly Readable<OfferRead>[], at: Instant): StoredReading {
  const times = group.flatMap(({ row: { values } }) =>
    values.seenAt === null || values.seenAt > at ? [] : [values.seenAt],
  );
  const readAt = (times.length === 0 ? at : Math.max(...times)) as Instant;
  return { listingId: Number(listingId), readAt, coverage: 'all', source: 'file' };
}

async function storedOffers(db: Db, ids: readonly string[]): Promise<Map<string, TextRow[]>> {
  const byListing = new Map<string, TextRow[]>();
  for (const offer of ids.length === 0 ? [] : await findOffers(db, ids)) {
    const id = offer.listingId ?? '';
    byListing.set(id, [...(byListing.get(id) ?? []), offer]);
  }
  return byListing;
}

/** @returns whether the offers of the listing have to be replaced */
function planListing(
  group: readonly Readable<OfferRead>[],
  id: string | null,
  stored: readonly TextRow[],
  outcomes: Map<Readable<OfferRead>, RowOutcome>,
): boolean {
  const complaints = groupErrors(group, 'listing', ({ row }) => (id === null ? noListing(row) : null));
  const left = [...stored];
  const take = (matches: (old: TextRow) => boolean): TextRow | undefined => {
    const at = left.findIndex(matches);
    return at < 0 ? undefined : left.splice(at, 1)[0];
  };
  // Identical offers are matched first, so that two offers of one seller are not mixed up.
  const same = new Set(
    group.filter(({ row: { offer } }) => offer !== null && take((old) => changesOf(old, offer).length === 0)),
  );
  const olds = new Map(
    group
      .filter((entry) => !same.has(entry) && entry.row.offer !== null)
      .map((entry) => [entry, take(({ sellerKey }) => sellerKey === entry.row.offer?.sellerKey)]),
  );
  let removed: Change[] = left.map((old) => ({
    field: 'offer',
    from: `${old.seller ?? 'unnamed'} ${old.price}`,
    to: null,
  }));
  const isChanged = same.size < group.length || removed.length > 0;
  for (const entry of group) {
    const { key, offer } = entry.row;
    const what = `${key.marketplace} ${key.sku}: ${offer === null ? 'no offer' : (offer.seller ?? 'unnamed')}`;
    const complaint = complaints.get(entry);
    if (complaint !== undefined) {
      outcomes.set(entry, { kind: 'rejected', what, complaint });
      continue;
    }
    const old = olds.get(entry);
    const changes = [...removed, ...(old !== undefined && offer !== null ? changesOf(old, offer) : [])];
    const isNew = offer !== null && !same.has(entry) && old === undefined && removed.length === 0;
    removed = [];
    if (isNew) outcomes.set(entry, { kind: 'create', what, changes: beginningsOf(offer) });
    else if (changes.length > 0) outcomes.set(entry, { kind: 'update', what, changes });
    else outcomes.set(entry, { kind: 'unchanged', what });
  }
  return isChanged && complaints.size === 0;
}

function beginningsOf(offer: TextRow | null): Change[] {
  return ['price', 'shipping', 'isFeatured', 'seenAt'].flatMap((field) =>
    offer?.[field] == null ? [] : [{ field, from: null, to: offer[field] }],
  );
}

function changesOf(old: TextRow, offer: TextRow): Change[] {
  return COMPARED.map((field) => ({ field, from: old[field] ?? null, to: offer[field] ?? null })).filter(
    ({ from, to }) => from !== to,
  );
}

function noListing({ key }: OfferRead): RowError {
  const problem = `is not a listing on ${key.marketplace}`;
  return { column: 'sku', value: key.sku, problem, fix: 'Import the listing first, or correct the SKU.' };
}

function sellersOf(rows: readonly Readable<OfferRead>[]): FoundSeller[] {
  const sellers = new Map<string, FoundSeller>();
  for (const { row } of rows) {
    const { seller, sellerKey, isMarketplace } = row.offer ?? {};
    if (seller == null || sellerKey == null || isMarketplace === 'true') continue;
    const { marketplace } = row.key;
    const known = sellers.get(`${marketplace}\n${sellerKey}`);
    const offers = (known?.offers ?? 0) + 1;
    sellers.set(`${marketplace}\n${sellerKey}`, {
      marketplace,
      key: sellerKey,
      name: known?.name ?? seller,
      offers,
    });
  }
  return [...sellers.values()];
}
