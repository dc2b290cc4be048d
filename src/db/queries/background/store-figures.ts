import { sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { timestamptz } from '#db/sql-values.ts';
import type { AlertKind } from '#domain/alert-kinds.ts';
import type { SyncKind } from '#domain/connections/sync-kinds.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import type { Instant } from '#domain/units.ts';

/** What a monitoring system watches besides the engine's own figures. Ages are seconds, never negative. */
export interface StoreFigures {
  /** Prices that are queued or not confirmed yet. */
  readonly prices: readonly {
    readonly marketplace: Marketplace;
    readonly state: 'queued' | 'sent' | 'accepted' | 'unknown';
    readonly count: number;
    readonly oldestAge: number;
  }[];
  /** How prices of the last hour ended. */
  readonly settled: readonly {
    readonly marketplace: Marketplace;
    readonly state: 'confirmed' | 'rejected' | 'expired';
    readonly count: number;
  }[];
  /** Of the marketplaces that are connected. The age is null before the first success. */
  readonly syncs: readonly {
    readonly marketplace: Marketplace;
    readonly kind: SyncKind;
    readonly successAge: number | null;
    readonly isFailing: boolean;
  }[];
  /** The last backup of the schedule, in bytes; null before the first. */
  readonly backup: { readonly age: number; readonly bytes: number } | null;
  readonly alerts: readonly { readonly kind: AlertKind; readonly count: number }[];
}

export async function readStoreFigures(db: Db, now: Instant): Promise<StoreFigures> {
  const at = timestamptz(now);
  const { rows } = await db.execute<{ figures: StoreFigures }>(sql`
    SELECT json_build_object(
      'prices', (SELECT coalesce(json_agg(p), '[]') FROM (
        SELECT marketplace, state, count(*) AS count,
          greatest(0, date_part('epoch', ${at} - min(created_at))) AS "oldestAge"
        FROM price_intents WHERE state IN ('queued', 'sent', 'accepted', 'unknown') GROUP BY 1, 2) p),
      'settled', (SELECT coalesce(json_agg(s), '[]') FROM (
        SELECT marketplace, state, count(*) AS count FROM price_intents
        WHERE state IN ('confirmed', 'rejected', 'expired') AND settled_at > ${at} - interval '1 hour' GROUP BY 1, 2) s),
      'syncs', (SELECT coalesce(json_agg(y), '[]') FROM (
        SELECT marketplace, kind, greatest(0, date_part('epoch', ${at} - succeeded_at)) AS "successAge",
          problem IS NOT NULL AS "isFailing"
        FROM marketplace_syncs JOIN integrations i USING (marketplace) WHERE i.price_channel IN ('connected', 'read_only')) y),
      'backup', (SELECT json_build_object('age', greatest(0, date_part('epoch', ${at} - last_taken_at)), 'bytes', last_bytes)
        FROM backup_settings WHERE last_taken_at IS NOT NULL),
      'alerts', (SELECT coalesce(json_agg(a), '[]') FROM (
        SELECT kind, count(*) AS count FROM alerts WHERE ended_at IS NULL GROUP BY kind) a)) AS figures`);
  const [row] = rows;
  if (row === undefined) throw new Error('A statement without FROM gave no row.');
  return row.figures;
}
