import pg from 'pg';
import { connectionConfig } from '#db/client.ts';

/** What tells the size of the next backup of a database, in bytes. */
export interface BackupSizes {
  /** Of the whole database: rows, indexes, and space that is free again. */
  readonly database: number;
  /** Of the last backup that the schedule made, wherever it is; null when there is none, or the schema knows no schedule. */
  readonly lastScheduled: number | null;
}

/** Reads them from a database of any release. @param url address for a role that may read every table */
export async function readBackupSizes(url: string): Promise<BackupSizes> {
  const client = new pg.Client(connectionConfig(url, 'pricewright-backup'));
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<{ bytes: string; hasSchedule: boolean }>(
      `SELECT pg_database_size(current_database()) AS bytes, to_regclass('backup_settings') IS NOT NULL AS "hasSchedule"`,
    );
    const [found] = rows;
    if (found === undefined) throw new Error('The database did not report its size.');
    const database = Number(found.bytes);
    if (!found.hasSchedule) return { database, lastScheduled: null };
    const last = await client.query<{ bytes: string | null }>(
      'SELECT last_bytes AS bytes FROM backup_settings',
    );
    const bytes = last.rows[0]?.bytes ?? null;
    return { database, lastScheduled: bytes === null ? null : Number(bytes) };
  } finally {
    await client.end().catch(() => undefined);
  }
}
