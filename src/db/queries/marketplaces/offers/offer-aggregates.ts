import { sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { rowsTable, type TextRow } from '#db/queries/catalog/import-rows.ts';
import { readOwnSellers } from '#db/queries/repricing/pricing-context.ts';
import type { RecordedOffer } from '#db/schema/offers.ts';
import { isoTime } from '#db/sql-values.ts';
import type { SellerKey } from '#domain/competition/offer.ts';
import { type OfferSummary, type SummedOffer, summarizeOffers } from '#domain/competition/offer-summary.ts';
import { decimalFromCents } from '#domain/decimal.ts';
import { groupBy } from '#domain/group-by.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import type { Cents, Instant } from '#domain/units.ts';

/** The offers for one listing at one time. */
export interface OfferSet {
  readonly listingId: string;
  readonly at: Instant;
  readonly offers: readonly RecordedOffer[];
}

const TYPES = {
  listingId: 'bigint',
  marketplace: 'text',
  amazon: 'numeric',
  walmart: 'numeric',
  lowest: 'numeric',
  highest: 'numeric',
  average: 'numeric',
  sellers: 'integer',
  buyBox: 'numeric',
  buyBoxSeller: 'text',
  at: 'timestamptz',
} as const;

/** Records sets of offers, and one row of aggregates for each. */
export async function recordOfferSets(db: Db, sets: readonly OfferSet[]): Promise<void> {
  if (sets.length === 0) return;
  const recorded = sets.map(({ listingId, at, offers }) => ({
    listingId,
    at: isoTime(at),
    offers: JSON.stringify(offers),
  }));
  await db.execute(sql`
    INSERT INTO offer_sets (listing_id, recorded_at, offers) SELECT "listingId", at, offers
    FROM ${rowsTable('r', { listingId: 'bigint', at: 'timestamptz', offers: 'jsonb' }, recorded)}`);
  await db.execute(sql`
    INSERT INTO competitor_prices (listing_id, marketplace, amazon_direct_price, walmart_direct_price,
      third_party_min_price, third_party_max_price, third_party_avg_price, third_party_seller_count, buy_box_price,
      buy_box_seller, timestamp)
    SELECT "listingId", marketplace, amazon, walmart, lowest, highest, average, sellers, "buyBox", "buyBoxSeller", at
    FROM ${rowsTable('r', TYPES, await aggregatesOf(db, sets))}`);
}

async function aggregatesOf(db: Db, sets: readonly OfferSet[]): Promise<TextRow[]> {
  const ids = [...new Set(sets.map(({ listingId }) => listingId))];
  const { rows } = await db.execute<{ id: string; marketplace: Marketplace }>(sql`
    SELECT id::text, marketplace FROM listings WHERE id = ANY(${sql.param(ids)}::text[]::bigint[])`);
  const marketplaces = new Map(rows.map(({ id, marketplace }) => [id, marketplace]));
  const own = await ownSellerKeys(db);
  return sets.flatMap(({ listingId, at, offers }) => {
    const marketplace = marketplaces.get(listingId);
    if (marketplace === undefined) return [];
    const summary = summarizeOffers(offers.map(summedOffer), marketplace, own(marketplace));
    return [{ listingId, marketplace, at: isoTime(at), ...amountsOf(summary) }];
  });
}

/** Our own sellers, by marketplace. */
export async function ownSellerKeys(db: Db): Promise<(marketplace: Marketplace) => ReadonlySet<SellerKey>> {
  const declared = groupBy(await readOwnSellers(db), ({ marketplace }) => marketplace);
  return (marketplace) => new Set((declared.get(marketplace) ?? []).map(({ key }) => key));
}

/** Converts an offer of a recorded set for the summary. */
export function summedOffer({
  seller,
  price,
  shipping,
  marketplace,
  featured,
  ours,
}: RecordedOffer): SummedOffer {
  return {
    seller,
    price: price as Cents,
    shipping: shipping as Cents,
    isMarketplace: marketplace === true,
    isFeatured: featured === true,
    isOurs: ours === true,
  };
}

function amountsOf({ amazonDirect, walmartDirect, thirdParty, buyBox }: OfferSummary): TextRow {
  const text = (amount: Cents | null): string | null => (amount === null ? null : decimalFromCents(amount));
  return {
    amazon: text(amazonDirect),
    walmart: text(walmartDirect),
    sellers: String(thirdParty.sellers),
    lowest: text(thirdParty.lowest),
    highest: text(thirdParty.highest),
    average: text(thirdParty.average),
    buyBox: text(buyBox?.price ?? null),
    buyBoxSeller: buyBox?.seller ?? null,
  };
}
