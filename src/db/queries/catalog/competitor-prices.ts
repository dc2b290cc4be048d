import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import type { RecordedOffer } from '#db/schema/offers.ts';
import { isoText } from '#db/sql-values.ts';
import type { Marketplace } from '#domain/marketplaces.ts';

/** Aggregates as they were stored, money as decimal strings; with their set of offers if it is stored. */
export type CompetitorRecord = {
  readonly id: string;
  readonly listingId: string;
  readonly marketplace: Marketplace;
  readonly amazonDirectPrice: string | null;
  readonly walmartDirectPrice: string | null;
  readonly thirdPartyMinPrice: string | null;
  readonly thirdPartyMaxPrice: string | null;
  readonly thirdPartyAvgPrice: string | null;
  readonly thirdPartySellerCount: number;
  readonly buyBoxPrice: string | null;
  readonly buyBoxSeller: string | null;
  readonly timestamp: string;
  /** When the same offers were last seen. */
  readonly lastSeenAt: string;
  readonly offers: readonly RecordedOffer[] | null;
  /** Prices of the same SKU on Amazon and Walmart, seen within the maximum age of an offer. */
  readonly siblingAmazonPrice: string | null;
  readonly siblingWalmartPrice: string | null;
};

/** The newest records of a listing. */
export async function listCompetitorPrices(
  db: Db,
  {
    listingId,
    marketplace,
    limit,
  }: { listingId: number; marketplace: Marketplace | undefined; limit: number },
): Promise<CompetitorRecord[]> {
  const ofMarketplace = marketplace === undefined ? sql`` : sql`AND c.marketplace = ${marketplace}`;
  const { rows } = await db.execute<CompetitorRecord>(sql`
    SELECT c.id::text, c.listing_id::text AS "listingId", c.marketplace,
      c.amazon_direct_price AS "amazonDirectPrice", c.walmart_direct_price AS "walmartDirectPrice",
      c.third_party_min_price AS "thirdPartyMinPrice", c.third_party_max_price AS "thirdPartyMaxPrice",
      c.third_party_avg_price AS "thirdPartyAvgPrice", c.third_party_seller_count AS "thirdPartySellerCount",
      c.buy_box_price AS "buyBoxPrice", c.buy_box_seller AS "buyBoxSeller",
      ${isoText(sql`c.timestamp`)} AS timestamp, ${isoText(sql`c.seen`)} AS "lastSeenAt",
      (SELECT offers FROM offer_sets s WHERE s.listing_id = c.listing_id AND s.recorded_at = c.timestamp
        ORDER BY s.id DESC LIMIT 1) AS offers,
      ${sibling('amazon')} AS "siblingAmazonPrice", ${sibling('walmart')} AS "siblingWalmartPrice"
    FROM (
      SELECT c.*, coalesce(c.last_seen_at, c.timestamp) AS seen, l.sku FROM competitor_prices c JOIN listings l ON l.id = c.listing_id
      WHERE c.listing_id = ${listingId} ${ofMarketplace}
      ORDER BY c.timestamp DESC, c.id DESC LIMIT ${limit}) c
    ORDER BY c.timestamp DESC, c.id DESC`);
  return rows;
}

function sibling(marketplace: 'amazon' | 'walmart'): SQL {
  const column = sql.raw(`${marketplace}_direct_price`);
  return sql`(
    SELECT s.${column} FROM listings o JOIN competitor_prices s ON s.listing_id = o.id
    WHERE o.marketplace = ${marketplace} AND o.marketplace <> c.marketplace AND o.sku = c.sku AND o.deleted_at IS NULL
      AND s.marketplace = ${marketplace} AND s.timestamp <= c.seen AND coalesce(s.last_seen_at, s.timestamp)
        > c.seen - max_offer_age(${marketplace})
    ORDER BY s.timestamp DESC, s.id DESC LIMIT 1)`;
}
