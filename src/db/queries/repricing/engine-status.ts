import { sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { ENGINE_LOCK } from '#db/engine-lock.ts';
import { IN_PROGRESS } from '#db/queries/catalog/listing-filter.ts';
import type { marketplaceModes } from '#db/schema/repricing-state.ts';
import { millis, timestamptz } from '#db/sql-values.ts';
import type { ModeResetReason } from '#domain/connections/mode-reset.ts';
import type { PriceChannel } from '#domain/connections/price-channel.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import type { Instant } from '#domain/units.ts';
import { findOpenRun, type RunRow } from './runs.ts';

/** Figures of the status bar on every page. Times are milliseconds. */
export interface EngineFigures {
  readonly isHalted: boolean;
  /** Who last used the switch, when, and why: shown while repricing is halted. */
  readonly switchedBy: string | null;
  readonly switchedAt: Instant;
  readonly switchReason: string | null;
  readonly autoRepricing: boolean;
  readonly notifications: boolean;
  readonly checkInterval: number;
  /** A process is running the engine now. */
  readonly isAtWork: boolean;
  readonly lastFullRunAt: Instant | null;
  readonly pendingCount: number;
  readonly inProgressCount: number;
  readonly marketplaces: readonly {
    readonly marketplace: Marketplace;
    readonly mode: typeof marketplaceModes.$inferSelect.mode;
    readonly changedAt: Instant;
    readonly changedBy: string | null;
    readonly modeResetReason: ModeResetReason | null;
    readonly priceChannel: PriceChannel;
    readonly listingCount: number;
    readonly toUploadCount: number;
    readonly recommendedCount: number;
  }[];
}

/** One statement, so that the figures agree with each other, and one for the run. */
export async function readEngineFigures(
  db: Db,
  now: Instant,
): Promise<{ figures: EngineFigures; run: RunRow | null }> {
  const { rows } = await db.execute<{ figures: EngineFigures }>(sql`
    WITH counted AS (
      SELECT marketplace, count(*) AS listings, count(awaiting_upload_since) AS to_upload,
        count(recommended_price) AS recommended
      FROM listings WHERE deleted_at IS NULL GROUP BY marketplace)
    SELECT json_build_object(
      'isHalted', s.halted, 'switchedBy', s.changed_by, 'switchedAt', ${millis('s.changed_at')},
      'switchReason', s.reason, 'autoRepricing', a.auto_repricing, 'notifications', a.notifications,
      'checkInterval', a.check_interval,
      'isAtWork', EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND granted AND classid = 0
        AND objid = ${ENGINE_LOCK} AND database = (SELECT oid FROM pg_database WHERE datname = current_database())),
      'lastFullRunAt', (SELECT ${millis('max(started_at)')} FROM repricing_runs
        WHERE trigger IN ('full_check', 'manual') AND state <> 'queued'
          AND started_at <= ${timestamptz(now)}),
      'pendingCount', (SELECT count(*) FROM due_listings),
      'inProgressCount', (SELECT count(*) FROM listing_keys k WHERE k.is_live AND ${IN_PROGRESS}),
      'marketplaces', (SELECT json_agg(json_build_object(
          'marketplace', e.marketplace, 'mode', e.mode, 'changedAt', ${millis('e.changed_at')},
          'changedBy', e.changed_by, 'modeResetReason', e.reset_reason, 'priceChannel', i.price_channel,
          'listingCount', coalesce(c.listings, 0),
          'toUploadCount', coalesce(c.to_upload, 0), 'recommendedCount', coalesce(c.recommended, 0))
        ORDER BY array_position(ARRAY['walmart', 'amazon', 'michaels', 'ebay', 'etsy', 'shopify'], e.marketplace))
        FROM marketplace_modes e JOIN integrations i USING (marketplace)
          LEFT JOIN counted c ON c.marketplace = e.marketplace)) AS figures
    FROM repricing_state s CROSS JOIN app_settings a`);
  const [row] = rows;
  if (row === undefined) throw new Error('The engine switch is missing; the migrations write it.');
  return { figures: row.figures, run: await findOpenRun(db) };
}
