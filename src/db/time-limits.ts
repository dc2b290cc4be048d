import type pg from 'pg';

/**
 * Lifts the limits that the server sets for every statement and, from PostgreSQL 17 on, for every transaction: they are not
 * meant for a whole table.
 * @param scope "transaction": until the end of the one that is open
 */
export async function liftTimeLimits(client: pg.Client, scope: 'transaction' | 'session'): Promise<void> {
  // Only those that this server knows: SET of another one is an error.
  await client.query(
    `SELECT set_config(name, '0', $1) FROM pg_settings WHERE name IN ('statement_timeout', 'transaction_timeout')`,
    [scope === 'transaction'],
  );
}
