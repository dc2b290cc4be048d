import type { Db } from '#db/client.ts';
import { notify } from '#db/listen.ts';
import { readDatedListingCosts } from '#db/queries/catalog/due-sales.ts';
import {
  clearAwaitingUpload,
  confirmEnteredFacts,
  findListingsByKey,
  findRuleNames,
  type ImportedPrice,
  insertListings,
  recordImportedPrices,
  updateListings,
} from '#db/queries/catalog/import-listings.ts';
import type { TextRow } from '#db/queries/catalog/import-rows.ts';
import { addListingCosts } from '#db/queries/catalog/listing-costs.ts';
import { findSimilarListings, findSimilarSkus } from '#db/queries/catalog/similar-codes.ts';
import { readEngineSwitches } from '#db/queries/repricing/engine.ts';
import { isoTime } from '#db/sql-values.ts';
import { centsFromDecimal, parseBps } from '#domain/decimal.ts';
import { groupBy } from '#domain/group-by.ts';
import { MARKETPLACE_NAMES, type Marketplace } from '#domain/marketplaces.ts';
import {
  backdatedListingCosts,
  type DatedListingCosts,
  type ListingCostChange,
} from '#domain/sales/dated-costs.ts';
import { instant } from '#domain/units.ts';
import { CROSSED_LIMITS_FIX, type ListingColumn } from '#files/listing-format.ts';
import { ruleKey } from '#files/load-rules.ts';
import type { ReportColumn } from '#files/report-sources.ts';
import { type Blank, difference, initialValues, sinceChange } from './fields.ts';
import type { Importer, PassContext, RowOutcome } from './importer.ts';
import { listingReader } from './read-listing.ts';
import { similarCodeNotes } from './similar-codes.ts';

/** A blank cell keeps texts; limits and costs become unlimited or unknown, and the check shows it. */
const FIELDS: Readonly<Record<string, Blank>> = {
  title: 'keeps',
  currentPrice: 'keeps',
  fulfillmentType: 'keeps',
  marketplaceItemId: 'clears',
  imageUrl: 'clears',
  minPrice: 'clears',
  maxPrice: 'clears',
  shippingCost: 'clears',
  shippingCharge: 'clears',
  fulfillmentCost: 'clears',
  feeCategory: 'clears',
  feeRate: 'clears',
  adShare: 'clears',
  returnShare: 'clears',
  mapPrice: 'clears',
  mapFrom: 'clears',
  mapUntil: 'clears',
  stock: 'clears',
  stockAgeDays: 'clears',
  externalPrice: 'clears',
  autoRepricingEnabled: 'keeps',
  rule: 'clears',
  brand: 'clears',
  supplier: 'clears',
};
/** A report without a brand keeps the stored one. */
const REPORT_FIELDS: Readonly<Record<string, Blank>> = { ...FIELDS, brand: 'keeps' };

/** Fields that the lowest allowed price does not depend on. */
const KEEPS_FLOOR: ReadonlySet<string> = new Set([
  'title',
  'currentPrice',
  'marketplaceItemId',
  'imageUrl',
  'maxPrice',
  'autoRepricingEnabled',
  'stock',
  'stockAgeDays',
  'externalPrice',
  'effectiveFrom',
]);

/** What a batch writes, and what is said of it. */
class PlannedWrites {
  readonly created: TextRow[] = [];
  readonly updated: TextRow[] = [];
  /** Unchanged listings, of which the file says again what has a time. */
  readonly confirmed: TextRow[] = [];
  /** Costs that apply from an earlier moment. */
  readonly backdated: (DatedListingCosts & { readonly listingId: number })[] = [];
  readonly prices: ImportedPrice[] = [];
  /** Listings whose price in the file is what buyers see. */
  readonly seen: string[] = [];
  /** Connected marketplaces whose prices in the file were ignored. */
  readonly ignoredPrices = new Set<Marketplace>();
  /** Connected marketplaces with new listings that no sync has read yet. */
  readonly addedUnsynced = new Set<Marketplace>();
}

/**
 * Listings, added or changed by marketplace and SKU. A deleted listing of the same key stays deleted: its ledger is
 * closed.
 */
export const LISTING_IMPORT: Importer<ListingColumn | ReportColumn, TextRow> = {
  columns: [
    ...['sku', 'title', 'currentPrice', 'fulfillmentType', 'marketplace', 'marketplaceItemId', 'imageUrl'],
    ...['minPrice', 'maxPrice', 'shippingCost', 'shippingCharge', 'fulfillmentCost', 'feeCategory'],
    ...['feeRate', 'adShare', 'returnShare', 'mapPrice', 'mapFrom', 'mapUntil'],
    ...['stock', 'stockAgeDays', 'stockAt', 'externalPrice', 'externalPriceAt'],
    ...['autoRepricingEnabled', 'rule', 'group', 'option1', 'option2', 'option3', 'variation', 'format'],
    ...['variantImage', 'brand', 'supplier', 'currency', 'effectiveFrom'],
  ] as (ListingColumn | ReportColumn)[],
  reader: listingReader,
  touchesFloors: (outcome) =>
    outcome.kind === 'update' && outcome.changes.some(({ field }) => !KEEPS_FLOOR.has(field)),
  plan: async (db, entries, context, lock) => {
    const rows = entries.flatMap(({ row }) => (row === null ? [] : [row]));
    const stored = new Map((await findListingsByKey(db, rows, lock)).map((found) => [keyOf(found), found]));
    const rules = rows.some(({ rule }) => rule != null) ? await ruleIds(db) : new Map<string, string>();
    const { connected } = await readEngineSwitches(db);
    const writes = new PlannedWrites();
    const dated = groupBy(
      await readDatedListingCosts(
        db,
        rows.flatMap((row) => (row.effectiveFrom == null ? [] : Number(stored.get(keyOf(row))?.id ?? 0))),
      ),
      ({ listingId }) => listingId,
    );
    const outcomes = rows.map((row) => {
      const old = stored.get(keyOf(row));
      const wanted = withReportedFulfillment(withPriceOf(row, old, connected, writes), old);
      return planRow(wanted, old, { rules, dated }, context, writes);
    });
    const notes = [...writes.ignoredPrices].map(
      (marketplace) =>
        `Prices of listings on ${MARKETPLACE_NAMES[marketplace]} are not imported: the marketplace is connected and provides them.`,
    );
    for (const marketplace of writes.addedUnsynced) {
      notes.push(
        `New listings on ${MARKETPLACE_NAMES[marketplace]} start with the price in the file. They are not repriced until a sync with ${MARKETPLACE_NAMES[marketplace]} confirms it.`,
      );
    }
    notes.push(...(await similarNotes(db, writes.created)));
    return { outcomes, notes, write: (tx) => writeListings(tx, writes, context) };
  },
};

/** A listing finds its costs by its exact code; a slightly different one finds none. */
async function similarNotes(db: Db, created: readonly TextRow[]): Promise<string[]> {
  const codes = created.map(({ sku }) => sku ?? '');
  const stored = [...(await findSimilarSkus(db, codes)), ...(await findSimilarListings(db, codes))];
  return similarCodeNotes(created, stored);
}

/**
 * The current price on a connected marketplace comes from its sync: a price in a file is ignored there, and never sent.
 */
function withPriceOf(
  row: TextRow,
  old: TextRow | undefined,
  connected: ReadonlySet<Marketplace>,
  { ignoredPrices, addedUnsynced }: PlannedWrites,
): TextRow {
  const marketplace = [...connected].find((one) => one === row.marketplace);
  const isOther = row.currentPrice != null && Number(row.currentPrice) !== Number(old?.currentPrice);
  if (old === undefined && marketplace !== undefined) addedUnsynced.add(marketplace);
  if (old === undefined || marketplace === undefined || !isOther) return row;
  ignoredPrices.add(marketplace);
  return { ...row, currentPrice: old.currentPrice ?? null };
}

/** A fulfillment fee that the marketplace reported stays reported, where a file has it from an export of any day or leaves it blank. */
function withReportedFulfillment(row: TextRow, old: TextRow | undefined): TextRow {
  if (old?.reportedFulfillment == null) return row;
  const reported = [...old.reportedFulfillment.split(' '), old.fulfillmentCost ?? ''].filter(
    (fee) => fee !== '',
  );
  const { fulfillmentCost: wanted } = row;
  const isReported = wanted == null || reported.some((fee) => Number(fee) === Number(wanted));
  return isReported ? { ...row, fulfillmentCost: old.fulfillmentCost ?? null } : row;
}

/** By listing. */
type DatedCosts = ReadonlyMap<number, readonly DatedListingCosts[]>;
type Rules = ReadonlyMap<string, string | null>;

async function ruleIds(db: Db): Promise<Rules> {
  const ids = new Map<string, string | null>();
  for (const { id, name } of await findRuleNames(db)) {
    // Null for two rules of one name: ambiguous.
    ids.set(ruleKey(name), ids.has(ruleKey(name)) ? null : id);
  }
  return ids;
}

const keyOf = ({ marketplace, sku }: TextRow): string => `${marketplace}\n${sku}`;

function planRow(
  row: TextRow,
  old: TextRow | undefined,
  { rules, dated }: { readonly rules: Rules; readonly dated: DatedCosts },
  context: PassContext,
  writes: PlannedWrites,
): RowOutcome {
  const what = `${row.marketplace} ${row.sku}`;
  const wanted = { ...row };
  let ruleId = old?.ruleId ?? null;
  if (row.rule != null && ruleKey(row.rule) === ruleKey(old?.rule ?? '')) wanted.rule = old?.rule ?? null;
  else if (row.rule != null) {
    const found = rules.get(ruleKey(row.rule));
    if (found == null) return { kind: 'rejected', what, complaint: ruleComplaint(row.rule, found === null) };
    ruleId = found;
  } else if (context.present.has('rule')) ruleId = null;

  if (old === undefined && (row.currentPrice == null || row.fulfillmentType == null)) {
    const fix =
      'Correct the code or the marketplace. A new listing needs a current price and a fulfillment type.';
    const complaint = {
      column: 'sku',
      value: row.sku ?? '',
      problem: 'is no listing on this marketplace',
      fix,
    };
    return { kind: 'rejected', what, complaint };
  }
  if (old === undefined) {
    const times = knownTimes(row, row, undefined, context);
    writes.created.push({ ...wanted, ...times, title: row.title ?? row.sku ?? null, ruleId });
    const changes = initialValues(
      row,
      ['currentPrice', 'fulfillmentType', 'minPrice', 'maxPrice'],
      context.present,
    );
    return { kind: 'create', what, title: row.title, changes };
  }
  const { changes, merged } = difference(
    old,
    wanted,
    context.source === 'own' ? FIELDS : REPORT_FIELDS,
    context.present,
  );
  const { minPrice, maxPrice, mapFrom, mapUntil } = merged;
  if (minPrice != null && maxPrice != null && Number(minPrice) > Number(maxPrice)) {
    const problem = `is above the stored maximum price of ${maxPrice}`;
    const complaint = { column: 'minPrice', value: minPrice, problem, fix: CROSSED_LIMITS_FIX };
    return { kind: 'rejected', what, complaint };
  }
  if (mapFrom != null && mapUntil != null && mapFrom > mapUntil) {
    const problem = `is after the stored last day of the MAP price, ${mapUntil}`;
    const complaint = { column: 'mapFrom', value: mapFrom, problem, fix: 'Correct one of the two days.' };
    return { kind: 'rejected', what, complaint };
  }
  noteOutcome(
    old,
    { ...merged, ...knownTimes(row, merged, old, context), ruleId },
    changes.map(({ field }) => field),
    context,
    writes,
  );
  const title = old.title;
  const listingId = Number(old.id);
  const since = row.effectiveFrom ?? null;
  const earlier = since === null ? [] : earlierCosts(dated.get(listingId) ?? [], old, merged, since, context);
  writes.backdated.push(...earlier.map((costs) => ({ ...costs, listingId })));
  const said = since === null || earlier.length === 0 ? changes : [...changes, sinceChange(since)];
  return said.length === 0
    ? { kind: 'unchanged', what, title }
    : { kind: 'update', what, title, changes: said };
}

/** What is to be added for the costs of a row to apply from an earlier moment: those that the file has. */
function earlierCosts(
  entered: readonly DatedListingCosts[],
  old: TextRow,
  { shippingCost, fulfillmentCost, feeRate, feeCategory }: TextRow,
  since: string,
  { present }: PassContext,
): DatedListingCosts[] {
  const amount = (text: string | null | undefined) => (text == null ? null : centsFromDecimal(text));
  // One that the marketplace reported stays as it was reported.
  const isReported = old.reportedFulfillment != null && fulfillmentCost === old.fulfillmentCost;
  const change: ListingCostChange = {
    ...(present.has('shippingCost') ? { shipping: amount(shippingCost) } : {}),
    ...(present.has('fulfillmentCost') && !isReported
      ? { fulfillment: amount(fulfillmentCost), isFulfillmentReported: false }
      : {}),
    ...(present.has('feeRate') ? { feeRate: feeRate == null ? null : parseBps(feeRate) } : {}),
    ...(present.has('feeCategory') ? { feeCategory: feeCategory ?? null } : {}),
  };
  return backdatedListingCosts(entered, change, instant(Date.parse(since)));
}

function noteOutcome(
  old: TextRow,
  merged: TextRow,
  fields: readonly string[],
  { source }: PassContext,
  writes: PlannedWrites,
): void {
  const id = old.id ?? '';
  const movesPrice = fields.includes('currentPrice');
  if (fields.some((field) => field !== 'currentPrice')) writes.updated.push(merged);
  else if (TIMES.some((time) => (merged[time] ?? null) !== (old[time] ?? null)))
    writes.confirmed.push(merged);
  if (movesPrice) writes.prices.push({ id, from: old.currentPrice ?? '', to: merged.currentPrice ?? '' });
  // Our own file with our own price may be an export that is imported again: it says nothing about the marketplace.
  if (movesPrice || source !== 'own') writes.seen.push(id);
}

const TIMES = ['stockAt', 'stockAgeAt', 'externalPriceAt'] as const;

/**
 * When what has a time was known: as the row says, else now where the row has the value, else as before. A file of today
 * confirms what it does not change.
 * @param merged what will be stored
 */
function knownTimes(
  row: TextRow,
  merged: TextRow,
  old: TextRow | undefined,
  { at, present }: PassContext,
): TextRow {
  const timeOf = (
    value: string,
    reported: string | null | undefined,
    time: (typeof TIMES)[number],
  ): string | null => {
    if (merged[value] == null) return null;
    return present.has(value) && row[value] != null
      ? (reported ?? isoTime(at))
      : (old?.[time] ?? isoTime(at));
  };
  return {
    stockAt: timeOf('stock', row.stockAt, 'stockAt'),
    stockAgeAt: timeOf('stockAgeDays', row.stockAt, 'stockAgeAt'),
    externalPriceAt: timeOf('externalPrice', row.externalPriceAt, 'externalPriceAt'),
  };
}

function ruleComplaint(rule: string, isAmbiguous: boolean) {
  return isAmbiguous
    ? {
        column: 'rule',
        value: rule,
        problem: 'is the name of several rules',
        fix: 'Rename one of them under Rules.',
      }
    : {
        column: 'rule',
        value: rule,
        problem: 'is not a rule',
        fix: 'Create it under Rules, correct the name, or leave the cell blank.',
      };
}

async function writeListings(
  tx: Db,
  { created, updated, confirmed, backdated, prices, seen }: PlannedWrites,
  { at, fileName, actor }: PassContext,
): Promise<void> {
  const withAuthor = (rows: readonly TextRow[]): TextRow[] =>
    rows.map((row) => ({ ...row, feeRateBy: row.feeRate == null ? null : actor.name }));
  await insertListings(tx, withAuthor(created), at);
  await updateListings(tx, withAuthor(updated), at);
  await addListingCosts(tx, backdated, at);
  await confirmEnteredFacts(tx, confirmed);
  const reason = `Imported from ${fileName}`;
  await recordImportedPrices(tx, prices, { reason, actorId: actor.id, actor: actor.name, at });
  await clearAwaitingUpload(tx, seen);
  if (created.length + updated.length + prices.length > 0) await notify(tx, 'pricewright_listings', []);
}
