import { sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { SESSION_LOCKS } from '#db/session-lock.ts';
import type { Millis } from '#domain/units.ts';

/** A lease as held by one process. */
export interface Lease {
  /** "send:walmart", "sync:amazon" */
  readonly name: string;
  /** Identifies one process. */
  readonly owner: string;
  /** Fencing token: rises with every new holder. */
  readonly fence: number;
}

/**
 * Acquires a lease that is free, has expired or whose holder lost its database session; renews one's own. By the
 * database's clock: those of processes on several machines differ.
 * @param sessionKey of the session lock of this process; null when it has none: only time ends its lease then
 * @returns null while another process holds it
 */
export async function acquireLease(
  db: Db,
  name: string,
  owner: string,
  lasts: Millis,
  sessionKey: number | null = null,
): Promise<Lease | null> {
  const until = sql`clock_timestamp() + make_interval(secs => ${lasts / 1_000}::float8)`;
  const { rows } = await db.execute<{ fence: number }>(sql`
    INSERT INTO leases AS l (name, owner, fence, expires_at, session_key)
    VALUES (${name}, ${owner}, 1, ${until}, ${sessionKey}::integer)
    ON CONFLICT (name) DO UPDATE SET owner = excluded.owner, expires_at = excluded.expires_at,
      session_key = excluded.session_key,
      -- Its own after expiry counts as new: another process may have taken over its work in between.
      fence = l.fence + CASE WHEN l.owner = excluded.owner AND l.expires_at > clock_timestamp() THEN 0 ELSE 1 END
    WHERE l.owner = excluded.owner OR l.expires_at <= clock_timestamp()
      -- Acquired by a clock that was ahead. No lease is longer than this.
      OR l.expires_at > clock_timestamp() + 2 * make_interval(secs => ${lasts / 1_000}::float8)
      -- Free again at the end of this statement.
      OR (l.session_key IS NOT NULL AND pg_try_advisory_xact_lock(${SESSION_LOCKS}, l.session_key))
    RETURNING fence::float8 AS fence`);
  const [row] = rows;
  return row === undefined ? null : { name, owner, fence: row.fence };
}

/** Whether the lease is still held; if so, it stays locked until the end of the transaction. */
export async function shareLease(tx: Db, { name, owner, fence }: Lease): Promise<boolean> {
  const { rows } = await tx.execute(sql`
    SELECT FROM leases WHERE name = ${name} AND owner = ${owner} AND fence = ${fence}
      AND expires_at > clock_timestamp() FOR SHARE`);
  return rows.length === 1;
}

/** Whether the lease is held now. */
export async function isLeaseHeld(db: Db, { name, owner, fence }: Lease): Promise<boolean> {
  const { rows } = await db.execute(sql`
    SELECT FROM leases WHERE name = ${name} AND owner = ${owner} AND fence = ${fence}
      AND expires_at > clock_timestamp()`);
  return rows.length === 1;
}

/** The names of all leases that are held now. */
export async function listHeldLeases(db: Db): Promise<ReadonlySet<string>> {
  const { rows } = await db.execute<{ name: string }>(
    sql`SELECT name FROM leases WHERE expires_at > clock_timestamp()`,
  );
  return new Set(rows.map(({ name }) => name));
}

/** Releases a lease, so that the next holder need not wait until it expires. */
export async function releaseLease(db: Db, { name, owner, fence }: Lease): Promise<void> {
  await db.execute(sql`
    UPDATE leases SET expires_at = clock_timestamp() - interval '1 millisecond' WHERE name = ${name} AND owner = ${owner} AND fence = ${fence}`);
}
