import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { failedSince } from '#db/queries/background/jobs.ts';
import { stateCondition } from '#db/queries/catalog/listing-filter.ts';
import type { marketplaceModes } from '#db/schema/repricing-state.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import type { Instant } from '#domain/units.ts';

const LISTING_STATES = ['below_floor', 'held_back', 'price_war', 'upload_late', 'buy_box_lost'] as const;

/** What needs attention, including counts of zero. */
export type AttentionFigures = {
  readonly isHalted: boolean;
  readonly counts: Readonly<Record<(typeof LISTING_STATES)[number] | 'failed_jobs', number>>;
  /**
   * One sale of each listing below its margin floor, at its current price: profit is margin times revenue (price
   * and shipping charge), and negative profits are added up. A listing below its margin floor may still earn, only
   * less than its rule requires. The margin is stored to a hundredth of a percent, so a loss is exact to 0.01 % of the
   * revenue. A decimal string: sums over a large catalog exceed the range of one price.
   */
  readonly lossPerSale: string;
  /** Recommended prices, by marketplace; those without any are omitted. */
  readonly waiting: {
    readonly marketplace: Marketplace;
    readonly mode: typeof marketplaceModes.$inferSelect.mode;
    readonly count: number;
  }[];
};

/**
 * Counts in one statement, each with the condition of the list it links to.
 * @param seenJobs the jobs that the caller may see, see `jobsSeenBy`
 */
export async function readAttention(db: Db, now: Instant, seenJobs: SQL): Promise<AttentionFigures> {
  const counts = [
    ...LISTING_STATES.map((state) => sql`${state}::text, ${countOf(stateCondition(state, now))}`),
    sql`'failed_jobs', (SELECT count(*) FROM jobs WHERE ${failedSince(now)} AND ${seenJobs})`,
  ];
  const { rows } = await db.execute<{ figures: AttentionFigures }>(sql`
    SELECT json_build_object(
      'isHalted', (SELECT halted FROM repricing_state),
      'counts', json_build_object(${sql.join(counts, sql`, `)}),
      'lossPerSale', (
        SELECT coalesce(sum(greatest(0, round(-k.margin / 100 * (k.current_price + k.shipping_charge), 2))), 0)
          ::numeric(20, 2)::text
        FROM listing_keys k JOIN listings l ON l.id = k.listing_id
        WHERE k.is_live AND ${stateCondition('below_floor', now)}),
      'waiting', coalesce((
        SELECT json_agg(json_build_object('marketplace', e.marketplace, 'mode', e.mode, 'count', w.count)
          ORDER BY array_position(ARRAY['walmart', 'amazon', 'michaels', 'ebay', 'etsy', 'shopify'], e.marketplace))
        FROM marketplace_modes e JOIN (
          SELECT k.marketplace, count(*) AS count FROM listing_keys k
          WHERE k.is_live AND ${stateCondition('recommended', now)} GROUP BY k.marketplace
        ) w ON w.marketplace = e.marketplace), '[]'::json)) AS figures`);
  const [row] = rows;
  if (!row) throw new Error('A statement without FROM answered no row.');
  return row.figures;
}

function countOf(condition: SQL): SQL {
  return sql`(SELECT count(*) FROM listing_keys k WHERE k.is_live AND ${condition})`;
}
