import { sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { ENGINE_LOCK } from '#db/engine-lock.ts';
import { millis } from '#db/sql-values.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import type { Instant } from '#domain/units.ts';

/** The server, and how far its schema is. */
export interface ServerFigures {
  /** 180004 is 18.4. */
  readonly versionNumber: number;
  /** "18.4" */
  readonly version: string;
  /** The server's clock. */
  readonly now: Instant;
  readonly hasSchema: boolean;
  /** Whether it is a standby or set to read only. */
  readonly isReadOnly: boolean;
}

/** Of any database, also an empty one. Times are milliseconds. */
export async function readServerFigures(db: Db): Promise<ServerFigures> {
  const { rows } = await db.execute<{ figures: ServerFigures }>(sql`
    SELECT json_build_object('versionNumber', current_setting('server_version_num')::int,
      'version', split_part(current_setting('server_version'), ' ', 1), 'now', ${millis('clock_timestamp()')},
      'hasSchema', to_regclass('schema_migrations') IS NOT NULL,
      'isReadOnly', current_setting('transaction_read_only') = 'on') AS figures`);
  return onlyRow(rows);
}

/** Who does what in a database of this release. Times are milliseconds. */
export interface WorkFigures {
  /** Since when the process that is the engine has been connected; null when there is none. */
  readonly engineSince: Instant | null;
  /** The engine's last heartbeat; null before the first. */
  readonly beatAt: Instant | null;
  readonly leases: readonly { readonly name: string; readonly owner: string; readonly heldFor: number }[];
  /** Credentials with a known end, the first one first. */
  readonly ending: readonly { readonly marketplace: Marketplace; readonly endsAt: Instant }[];
}

/** @param leaseDuration milliseconds from a renewal of a lease to its end */
export async function readWorkFigures(db: Db, leaseDuration: number): Promise<WorkFigures> {
  const { rows } = await db.execute<{ figures: WorkFigures }>(sql`
    SELECT json_build_object(
      'engineSince', (SELECT ${millis('min(a.backend_start)')} FROM pg_locks l JOIN pg_stat_activity a USING (pid)
        WHERE l.locktype = 'advisory' AND l.granted AND l.classid = 0 AND l.objid = ${ENGINE_LOCK}
          AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())),
      'beatAt', (SELECT ${millis('beat_at')} FROM installation),
      'leases', (SELECT coalesce(json_agg(json_build_object('name', name, 'owner', owner, 'heldFor',
          ${leaseDuration}::float8 - ${millis('(expires_at - clock_timestamp())')}) ORDER BY name), '[]')
        FROM leases WHERE expires_at > clock_timestamp()),
      'ending', (SELECT coalesce(json_agg(json_build_object('marketplace', c.marketplace, 'endsAt', ${millis('c.ends_at')})
          ORDER BY c.ends_at, c.marketplace), '[]')
        FROM connection_checks c JOIN integrations i ON i.marketplace = c.marketplace
          AND i.price_channel IN ('connected', 'read_only')
        WHERE c.ends_at IS NOT NULL)) AS figures`);
  return onlyRow(rows);
}

function onlyRow<Figures>([row]: readonly { readonly figures: Figures }[]): Figures {
  if (row === undefined) throw new Error('A query of one row answered none.');
  return row.figures;
}
