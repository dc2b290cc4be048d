import { Client } from 'pg';
import { connectionConfig } from '#db/client.ts';

/** What is in a table, whatever the order of its rows. */
export interface TableHash {
  readonly rows: number;
  /** The sum of a 64-bit hash of each row as text. */
  readonly hash: string;
}

/**
 * Every table of the program by name, read by the server itself and not by what makes backups.
 * @param where rows of a table to look at; null: all of them
 */
export async function tableHashes(
  url: string,
  where: (table: string) => string | null = () => null,
): Promise<Map<string, TableHash>> {
  const client = new Client(connectionConfig(url));
  await client.connect();
  try {
    await client.query('SET statement_timeout = 0');
    const { rows: tables } = await client.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' ORDER BY 1`,
    );
    const hashes = new Map<string, TableHash>();
    for (const { name } of tables) {
      const question = `SELECT count(*)::float8 AS rows, coalesce(sum(hashtextextended(t::text, 0)::numeric), 0)::text AS hash
        FROM ${name} t WHERE ${where(name) ?? 'true'}`;
      const { rows } = await client.query<TableHash>(question);
      if (rows[0] !== undefined) hashes.set(name, rows[0]);
    }
    return hashes;
  } finally {
    await client.end();
  }
}
